"""How the answers of lesson 09 are run where one plain call is not enough."""

import numpy as np

from helpers.course.calls import by_place
from helpers.course.values import UnreadableError
from helpers.language import say

MATRICES = ("W_Q", "W_K", "W_V", "W_O")
_RUNS = 300


def on_scores(answer, ids, pad_id):
    """Repeat the mask to the shape of the scores of two heads and of three, one after the other."""
    mask = answer(ids, pad_id)
    if mask is None or mask is ...:
        return mask
    mask = np.asarray(mask)
    if mask.dtype != np.bool_:
        raise UnreadableError(
            say("A mask of True and False (dtype bool) is wanted, not {kind}.", kind=mask.dtype)
        )
    batch, n = ids.shape
    met = []
    for wanted in ((batch, 2, n, n), (batch, 3, n, n)):
        try:
            met.append(np.broadcast_to(mask, wanted))
        except ValueError as error:
            raise UnreadableError(
                say(
                    "A mask of shape {shape} does not fit scores of shape {wanted} "
                    "(batch, heads, queries, keys).",
                    shape=mask.shape,
                    wanted=wanted,
                )
            ) from error
    return np.concatenate(met, axis=1)  # (batch, 5, n, n)


def driven(
    answer, X, W_Q, W_K, W_V, W_O, num_heads, mask=None, dropout=None, first_X=None, first_mask=None
):  # fmt: skip
    """Make a module, give it these matrices, and take what it returns and all its gradients.

    With `first_X` it is called on that before: a module keeps nothing from one call to the next.
    With `dropout` it is the dropping that is looked at; X, W_V and W_O are then identities.
    """
    import torch

    rate = () if dropout is None else (dropout,)
    module = answer(X.shape[-1], num_heads, *rate)
    if module is None or module is ...:
        return module
    if not isinstance(module, torch.nn.Module):
        kind = type(module).__name__
        raise UnreadableError(
            say("An nn.Module is wanted, but a value of type {kind} was made.", kind=kind)
        )
    module = module.double().eval()
    matrices = dict(zip(MATRICES, (W_Q, W_K, W_V, W_O), strict=True))
    parts = [filled(module, name, values) for name, values in matrices.items()]
    if dropout is not None:
        return _dropping(module, torch.from_numpy(X), num_heads, parts, dropout)
    if first_X is not None:
        _called(module, torch.from_numpy(first_X), num_heads, first_mask)
    X = torch.from_numpy(X).requires_grad_()
    output, weights = _called(module, X, num_heads, mask)
    gradients = _gradients(output, X, parts)
    learning = _called(module.train(), X, num_heads, mask)[0]
    if not torch.allclose(learning, output, equal_nan=True):
        raise UnreadableError(say("Without dropout, training mode gives another output."))
    return tuple(part.detach().numpy() for part in (output, weights, *gradients))


def filled(module, name, values):
    """Write a matrix that is used as X @ W into a parameter or an nn.Linear; return that."""
    import torch

    part = getattr(module, name, None)
    linear = isinstance(part, torch.nn.Linear)
    if not linear and not isinstance(part, torch.nn.Parameter):
        raise UnreadableError(
            say("The module has no parameter {name}: make it an nn.Parameter.", name=name)
        )
    if linear and part.bias is not None:
        torch.nn.init.zeros_(part.bias.requires_grad_(False))
    target, values = (part.weight, values.T) if linear else (part, values)
    if target.shape != values.shape:
        shape, wanted = tuple(target.shape), values.shape
        raise UnreadableError(
            say(
                "{name} has shape {shape}; {wanted} is wanted.",
                name=name,
                shape=shape,
                wanted=wanted,
            )
        )
    if not target.requires_grad:
        raise UnreadableError(say("{name} cannot learn: its requires_grad is False.", name=name))
    if target.numel() > 1 and bool((target == target.flatten()[0]).all()):
        raise UnreadableError(
            say(
                "{name} starts as {number:g} everywhere: all its columns would learn the same. "
                "Start from random numbers.",
                name=name,
                number=float(target.flatten()[0]),
            )
        )
    with torch.no_grad():
        target.copy_(torch.from_numpy(values))
    return part


def _called(module, X, num_heads, mask=None):
    """Call a module; check that it hands back two tensors of the right shapes."""
    import torch

    given = (X,) if mask is None else (X, torch.from_numpy(mask))
    result = by_place(module, ("X", "mask"))(*given)
    if result is ...:
        raise NotImplementedError
    if result is None:
        raise UnreadableError(say("forward returned None: is a `return` missing?"))
    if not isinstance(result, (tuple, list)) or len(result) != 2:
        raise UnreadableError(say("forward has to return two things: output and weights."))
    if not all(map(torch.is_tensor, result)):
        raise UnreadableError(say("forward has to return two tensors: output and weights."))
    batch, n, _ = X.shape
    shapes = tuple(result[0].shape), tuple(result[1].shape)
    wanted = tuple(X.shape), (batch, num_heads, n, n)
    if shapes == wanted[::-1]:
        raise UnreadableError(say("Return output first, then weights."))
    for name, shape, right in zip(("output", "weights"), shapes, wanted, strict=True):
        if shape != right:
            raise UnreadableError(
                say("{name} has shape {shape}; {wanted} is wanted.",
                    name=name, shape=shape, wanted=right)
            )  # fmt: skip
    return result


def _gradients(output, X, parts):
    """Gradients of a weighted sum of the output, as for matrices that are used as X @ W."""
    import torch

    linear = [isinstance(part, torch.nn.Linear) for part in parts]
    targets = [part.weight if turn else part for part, turn in zip(parts, linear, strict=True)]
    slopes = torch.linspace(-1, 1, output.numel(), dtype=torch.float64).reshape(output.shape)
    loss = (output * slopes).sum()
    if not loss.requires_grad:
        raise UnreadableError(say("No gradient comes back: the output is cut off from everything."))
    found = torch.autograd.grad(loss, [X, *targets], allow_unused=True)
    lost = [name for name, g in zip(("X", *MATRICES), found, strict=True) if g is None]
    if lost:
        raise UnreadableError(say("No gradient comes back to {names}.", names=", ".join(lost)))
    turned = (g.T if turn else g for g, turn in zip(found[1:], linear, strict=True))
    return [found[0], *turned]


def _dropping(module, X, num_heads, parts, dropout):
    """Read off the returned weights which of them were dropped; say what is wrong with that.

    With W_V and W_O and the one sentence X all the identity, column c of the output is column c
    of the weights of the head that column c belongs to.
    """
    import torch

    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        calm, old = (
            part.detach() for part in _called(module, X, num_heads)
        )  # (1, n, n), (1, heads, n, n)
        again = _called(module, X, num_heads)[0]
        if not torch.equal(calm, again):
            raise UnreadableError(
                say("In evaluation mode two runs differ: dropout is for training.")
            )
        module.train()
        many = X.expand(_RUNS, -1, -1).clone().requires_grad_()  # (runs, n, n)
        output, weights = _called(module, many, num_heads)
        _gradients(output, many, parts)
        output, weights = output.detach(), weights.detach()
        second = _called(module, many.detach(), num_heads)[1].detach()
        after = _called(module.eval(), X, num_heads)[0]
    _compared(calm, old.expand_as(weights), output, weights, dropout)
    if dropout and torch.equal(weights, second):
        raise UnreadableError(say("Two runs in training mode drop the same weights."))
    if not torch.equal(calm, after):
        raise UnreadableError(say("After training mode, evaluation mode gives other numbers."))
    return np.array(True)


def _compared(calm, old, output, weights, dropout):
    """Compare the weights of many runs with those without dropout."""
    import torch

    if not dropout:
        if not torch.allclose(weights, old) or not torch.allclose(output, calm):
            raise UnreadableError(
                say("With dropout 0 nothing may be dropped, in training neither.")
            )
        return
    heads, n = weights.shape[1], weights.shape[-1]
    own = torch.arange(n) // (n // heads)  # the head of each column of the output
    mixed = weights[:, own, :, torch.arange(n)].movedim(0, -1)  # (runs, n, n)
    if torch.allclose(output, calm.expand_as(output)) and torch.allclose(weights, old):
        raise UnreadableError(say("In training mode nothing is dropped."))
    if not torch.allclose(mixed, output):
        raise UnreadableError(
            say(
                "In training mode the output is not the one that the returned weights give: drop "
                "weights, nothing else, and return them as they were used."
            )
        )
    gone = (weights == 0).double().flatten(1)  # (runs, heads * n * n)
    share = float(gone.mean())
    together = gone.T @ gone / len(gone) - share**2  # two weights in the same run
    if together.fill_diagonal_(0).max() > 8 * _spread(share**2, len(gone)) + 1e-9:
        raise UnreadableError(
            say("Several weights are always dropped together: each has its own chance.")
        )
    if abs(share - dropout) > 6 * _spread(dropout, gone.numel()):
        raise UnreadableError(
            say(
                "About {share:.1f} of the weights are dropped; dropout is {dropout}.",
                share=share,
                dropout=dropout,
            )
        )
    factors = (weights / old).flatten(1)[gone == 0]
    wanted = 1 / (1 - dropout)
    if not torch.allclose(factors, factors[0].expand_as(factors)):
        raise UnreadableError(say("The weights that stay do not all grow by the same factor."))
    if abs(float(factors[0]) - wanted) > 1e-6:
        raise UnreadableError(
            say(
                "The weights that stay are multiplied by {factor:.4g}; "
                "1 / (1 - {dropout}) = {wanted:.4g} is wanted.",
                factor=float(factors[0]),
                dropout=dropout,
                wanted=wanted,
            )
        )


def _spread(chance, count):
    """How far a share of `count` draws is from `chance`, as a standard deviation."""
    return (chance * (1 - chance) / count) ** 0.5
