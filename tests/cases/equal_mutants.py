"""Mutants that no right use can tell from the reference, each with the reason."""

_KEEPS_THE_RULES = "many pairs of matrices keep the three rules; this is another one"
_INVERTIBLE = "any invertible A will do, and this one is invertible"

EQUAL: dict[tuple[str, str], str] = {
    ("lesson01.signal_left", "W_h @ jacobian -> jacobian @ W_h in: jacobian = W_h @ jacobian"): (
        "a product of equal factors: their order makes no difference"
    ),
    (
        "lesson03.two_rules",
        "np.zeros((6, 2)) -> np.ones((6, 2)) in: W_Q = np.zeros((6, 2))",
    ): _KEEPS_THE_RULES,
    ("lesson03.two_rules", "5 -> 6 in: W_Q[5, 0] = 5"): _KEEPS_THE_RULES,
    ("lesson03.two_rules", "5 -> 4 in: W_Q[5, 0] = 5"): _KEEPS_THE_RULES,
    ("lesson03.two_rules", "5 -> 10 in: W_Q[5, 0] = 5"): _KEEPS_THE_RULES,
    ("lesson03.two_rules", "5 -> 6 in: W_Q[3, 1] = 5"): _KEEPS_THE_RULES,
    ("lesson03.two_rules", "5 -> 4 in: W_Q[3, 1] = 5"): _KEEPS_THE_RULES,
    ("lesson03.two_rules", "5 -> 10 in: W_Q[3, 1] = 5"): _KEEPS_THE_RULES,
    ("lesson03.two_rules", "1 -> 2 in: W_K[0] = (1, 1)"): _KEEPS_THE_RULES,
    ("lesson03.two_rules", "1 -> 2 in: W_K[0] = (1, 1) (2)"): _KEEPS_THE_RULES,
    ("lesson03.two_rules", "1 -> 0 in: W_K[0] = (1, 1) (2)"): _KEEPS_THE_RULES,
    ("lesson03.two_rules", "1 -> 2 in: W_K[5] = (-1, 1)"): _KEEPS_THE_RULES,
    ("lesson03.two_rules", "1 -> 2 in: W_K[5] = (-1, 1) (2)"): _KEEPS_THE_RULES,
    ("lesson03.same_scores", "2 -> 3 in: A = 2 * np.triu(np.ones((d_k, d_k)))"): _INVERTIBLE,
    ("lesson03.same_scores", "2 -> 4 in: A = 2 * np.triu(np.ones((d_k, d_k)))"): _INVERTIBLE,
}
