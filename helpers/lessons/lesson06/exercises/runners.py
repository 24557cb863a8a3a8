"""How the answers of lesson 06 are run where one plain call is not enough."""


def output_alone(answer, X, W_Q, W_K, W_V, W_O, num_heads, mask=None):
    """Call the answer; if it hands back weights beside the output, leave them aside."""
    arguments = (X, W_Q, W_K, W_V, W_O, num_heads)
    result = answer(*arguments) if mask is None else answer(*arguments, mask)
    return result[0] if isinstance(result, tuple) and len(result) == 2 else result
