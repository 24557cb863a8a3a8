"""Mutants that no right use can tell from the reference, each with the reason.

The key is the exercise's name and the change as ``python tests/mutants.py`` prints it.
"""

_PLANE = "the arrays have two axes, so the second is the last"
_NO_BATCH = "the mask has two axes: there is no batch and there are no heads"
_SEARCH = "the search still ends at the same temperature"
_STRENGTH = "any strength that gives the wanted weights is right"
_ANY_FACTOR = "any matrix that can be inverted gives the same scores"
_START = "the check writes its own numbers into the parameters"
_EMPTY = "where nothing is seen, exp(-inf - level) is 0 at any level"
_FIRST_BLOCK = "before the first block it is multiplied by exp(-inf), which is 0"
_ANY_BLOCK = "the size of a block does not change the result"

EQUAL: dict[tuple[str, str], str] = {
    (
        "lesson01.signal_left",
        "W_h @ jacobian -> jacobian @ W_h in: jacobian = W_h @ jacobian",
    ): "powers of one matrix commute",
    (
        "lesson03.ask_another",
        "-1 -> 1 in: weights = attention.softmax(Q @ K.T / Q.shape[-1] ** 0.5)",
    ): _PLANE,
    (
        "lesson03.both_ways",
        "(np.hstack([W_Q, W_K]), np.hstack([W_K, W_Q])) -> (np.hstack([W_K, W_Q]), "
        "np.hstack([W_Q, W_K])) in: return (np.hstack([W_Q, W_K]), np.hstack([W_K, W_Q]))",
    ): "the sum of both directions is the same in both directions",
    **{
        ("lesson03.same_scores", f"2 -> {other} in: A = 2 * np.triu(np.ones((d_k, d_k)))"): (
            _ANY_FACTOR
        )
        for other in (3, 4)
    },
    (
        "lesson03.two_rules",
        "np.zeros((6, 2)) -> np.ones((6, 2)) in: W_Q = np.zeros((6, 2))",
    ): "both words still find what they look for",
    **{
        ("lesson03.two_rules", f"5 -> {other} in: W_Q[{place}] = 5"): _STRENGTH
        for other in (6, 4, 10)
        for place in ("5, 0", "3, 1")
    },
    **{
        ("lesson03.two_rules", change): _STRENGTH
        for change in (
            "1 -> 2 in: W_K[0] = (1, 1)",
            "1 -> 2 in: W_K[0] = (1, 1) (2)",
            "1 -> 0 in: W_K[0] = (1, 1) (2)",
            "1 -> 2 in: W_K[5] = (-1, 1)",
            "1 -> 2 in: W_K[5] = (-1, 1) (2)",
        )
    },
    (
        "lesson04.self_attention",
        "-1 -> 1 in: scores = Q @ K.T / Q.shape[-1] ** 0.5",
    ): _PLANE,
    **{
        (name, change): _NO_BATCH
        for name in ("lesson04.self_attention", "lesson07.online_softmax")
        for change in (
            "the mask of the first batch and head serves all",
            "the mask of the first head serves all",
            "a mask of more than two axes is refused",
        )
    },
    **{
        ("lesson04.temperature_for", f"{change} in: cold, hot = (1e-06, 1000000.0)"): _SEARCH
        for change in (
            "1e-06 -> 2e-06",
            "1000000.0 -> 1000001.0",
            "1000000.0 -> 999999.0",
            "1000000.0 -> 2000000.0",
        )
    },
    **{
        ("lesson04.temperature_for", f"200 -> {rounds} in: for _ in range(200):"): _SEARCH
        for rounds in (199, 201, 400)
    },
    (
        "lesson04.temperature_for",
        "exps.max() / exps.sum() > share -> exps.max() / exps.sum() >= share "
        "in: if exps.max() / exps.sum() > share:",
    ): _SEARCH,
    (
        "lesson05.frozen_on_wrong",
        "np.max(weights, axis=-1) > 0.99 -> np.max(weights, axis=-1) >= 0.99 in: decided = "
        "np.max(weights, axis=-1) > 0.99",
    ): "no weight of a softmax is exactly 0.99",
    (
        "lesson06.multi_head_attention",
        "-2 -> 2 in: scores = Q @ K.swapaxes(-1, -2) / d_head ** 0.5",
    ): "of four axes the third is the last but one",
    (
        "lesson06.split_heads",
        "if d_model % num_heads: -> nothing",
    ): "reshape refuses it with a ValueError of its own",
    **{
        ("lesson07.merge_blocks", f"0.0 -> {other} in: level = np.where({condition})"): _EMPTY
        for other in ("1.0", "-1.0")
        for condition in ("largest == -np.inf, 0.0, largest",)
    },
    **{
        ("lesson07.online_softmax", f"0.0 -> {other} in: level = np.where({condition})"): _EMPTY
        for other in ("1.0", "-1.0")
        for condition in ("new == -np.inf, 0.0, new",)
    },
    (
        "lesson07.online_softmax",
        "np.zeros((len(Q), 1)) -> np.ones((len(Q), 1)) in: total = np.zeros((len(Q), 1))",
    ): _FIRST_BLOCK,
    (
        "lesson07.online_softmax",
        "np.zeros((len(Q), V.shape[1])) -> np.ones((len(Q), V.shape[1])) "
        "in: mixed = np.zeros((len(Q), V.shape[1]))",
    ): _FIRST_BLOCK,
    ("lesson07.online_softmax", "block_size is ignored"): _ANY_BLOCK,
    ("lesson07.online_softmax", "the first block_size is kept for ever"): _ANY_BLOCK,
    (
        "lesson08.permutation_gap",
        "f(X[order]) - f(X)[order] -> f(X)[order] - f(X[order]) "
        "in: return np.abs(f(X[order]) - f(X)[order]).max()",
    ): "the distance is the same both ways",
    (
        "lesson08.sinusoidal_positions",
        "np.zeros((n, d_model)) -> np.ones((n, d_model)) in: positions = np.zeros((n, d_model))",
    ): "every entry is written afterwards",
    (
        "lesson08.sinusoidal_positions",
        "0::2 -> ::2 in: positions[:, 0::2] = np.sin(angles)",
    ): "a slice begins at 0 by itself",
    (
        "lesson09.MultiHeadAttention",
        "scores.masked_fill(empty, 0.0) -> scores in: weights = torch.softmax("
        "scores.masked_fill(empty, 0.0), dim=-1).masked_fill(empty, 0.0)",
    ): "the NaN of such a row meets masked_fill on both ways, which replaces it by 0",
    **{
        (
            "lesson09.MultiHeadAttention",
            f"{one} -> {other} in: self.W_Q, self.W_K, self.W_V, self.W_O = "
            "(torch.nn.Parameter(torch.randn(d_model, d_model) / d_model ** 0.5) "
            "for _ in range(4))",
        ): _START
        for one, others in (
            (
                "torch.randn(d_model, d_model) / d_model ** 0.5",
                (
                    "torch.randn(d_model, d_model) * d_model ** 0.5",
                    "torch.randn(d_model, d_model)",
                    "d_model ** 0.5 / torch.randn(d_model, d_model)",
                ),
            ),
            ("d_model ** 0.5", ("d_model * 0.5", "d_model", "0.5", "0.5 ** d_model")),
            ("0.5", ("1.5", "-0.5", "1.0")),
        )
        for other in others
    },
    (
        "lesson09.MultiHeadAttention",
        "-2 -> 2 in: scores = Q / Q.shape[-1] ** 0.5 @ K.transpose(-1, -2)",
    ): "of four axes the third is the last but one",
    **{
        (
            "lesson09.MultiHeadAttention",
            f"0.0 -> {other} in: weights = torch.softmax(scores.masked_fill(empty, 0.0), "
            "dim=-1).masked_fill(empty, 0.0) (2)",
        ): "any finite score will do for a row that is emptied afterwards"
        for other in ("1.0", "-1.0")
    },
    (
        "lesson09.batched_attention",
        "1.0 -> 2.0 in: weights = exps / np.where(total == 0, 1.0, total)",
    ): "0 divided by any number is 0",
    **{
        (
            "lesson09.batched_attention",
            f"0.0 -> {other} in: exps = np.exp(scores - np.where(top == -np.inf, 0.0, top))",
        ): _EMPTY
        for other in ("1.0", "-1.0")
    },
}
