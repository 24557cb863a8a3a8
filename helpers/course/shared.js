// What all demonstrations of this folder use; it is put in front of each script.

function make(kind, parent, text = "", className = "") {
  const node = document.createElement(kind);
  node.textContent = text;
  if (className) node.className = className;
  parent.append(node);
  return node;
}

function svg(name, attributes, text) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (text !== undefined) element.textContent = text;
  return element;
}
