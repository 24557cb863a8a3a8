// What the sentence machine computes: one attention layer, from the numbers that Python packed.
import { dot, product, softmax } from "../kit.js";

// The rows of a packed array, over all its leading axes; null stays null.
export function unpack(packed) {
  if (!packed) return null;
  const raw = Uint8Array.from(atob(packed.float32), (letter) => letter.charCodeAt(0));
  const numbers = Array.from(new Float32Array(raw.buffer));
  const width = packed.shape.at(-1);
  return Array.from({ length: numbers.length / width }, (_, r) => numbers.slice(r * width, (r + 1) * width));
}

// An array of three axes, as a list of lists of rows.
export function unpackHeads(packed) {
  const rows = unpack(packed);
  const [heads, n] = packed.shape;
  return Array.from({ length: heads }, (_, h) => rows.slice(h * n, (h + 1) * n));
}

export function unpackModel({ mask, residual, ...arrays }) {
  const model = { mask, residual };
  for (const name of ["vectors", "positions", "W_O", "readout"]) model[name] = unpack(arrays[name]);
  for (const name of ["W_Q", "W_K", "W_V"]) model[name] = unpackHeads(arrays[name]);
  model.bias = arrays.bias && unpack(arrays.bias)[0];
  return model;
}

const MASKS = {
  all: () => true,
  past: (i, j) => j <= i,
  others: (i, j) => i !== j,
  earlier: (i, j) => j < i || i + j === 0,
};

export const mayLook = (mask, i, j) => MASKS[mask](i, j);

const sum = (a, b) => a.map((number, c) => number + b[c]);

// The weights (heads, n, n) of a sentence, and at place `row` the probability of every answer.
export function look(model, ids, row) {
  const X = ids.map((id, i) => (model.positions ? sum(model.vectors[id], model.positions[i]) : model.vectors[id]));
  const brought = [];
  const weights = model.W_Q.map((W_Q, h) => {
    const Q = product(X, W_Q);
    const K = product(X, model.W_K[h]);
    const root = Math.sqrt(K[0].length);
    const map = Q.map((q, i) => softmax(K.map((k, j) => (mayLook(model.mask, i, j) ? dot(q, k) / root : -Infinity))));
    brought.push(...product([map[row]], product(X, model.W_V[h]))[0]);
    return map;
  });
  let out = model.W_O ? product([brought], model.W_O)[0] : brought;
  if (model.residual) out = sum(out, X[row]);
  const logits = product([out], model.readout)[0];
  return { weights, chances: softmax(model.bias ? sum(logits, model.bias) : logits) };
}

// From packed numbers to the result: what a test compares with NumPy.
export const lookPacked = (packed, ids, row) => look(unpackModel(packed), ids, row);
