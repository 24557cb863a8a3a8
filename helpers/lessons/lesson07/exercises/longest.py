"""Exercise: how long a text fits beside the weights of a model."""

from helpers.course.exercise import Example, Exercise


def longest_text(memory, weights, layers, kv_heads, d_head, bytes_a_number):
    """Divide what the weights leave free by what one token leaves behind."""
    free = memory - weights * bytes_a_number
    a_token = 2 * layers * kv_heads * d_head * bytes_a_number  # a key and a value
    return max(0, free // a_token)


def _inputs(rng):
    def sizes(memory, weights, layers, kv_heads, d_head, bytes_a_number):
        return {
            "memory": memory,
            "weights": weights,
            "layers": layers,
            "kv_heads": kv_heads,
            "d_head": d_head,
            "bytes_a_number": bytes_a_number,
        }

    return (
        sizes(1000, 100, 2, 3, 4, 2),
        sizes(24 * 2**30, 8 * 10**9, 32, 8, 128, 2),
        sizes(500, 300, 1, 1, 1, 2),
        sizes(600, 300, 1, 1, 1, 2),
        sizes(1210, 301, 1, 2, 1, 4),
        sizes(607, 50, 3, 1, 5, 1),
        sizes(9000, int(rng.integers(100, 200)), 3, 2, 5, int(rng.choice([2, 4]))),
    )


def weights_forgotten(memory, weights, layers, kv_heads, d_head, bytes_a_number):
    """The weights lie in the same memory; they leave less for the text."""
    return memory // (2 * layers * kv_heads * d_head * bytes_a_number)


def weights_as_bytes(memory, weights, layers, kv_heads, d_head, bytes_a_number):
    """It takes weights for bytes; each weight is a number of several bytes."""
    return max(0, (memory - weights) // (2 * layers * kv_heads * d_head * bytes_a_number))


def keys_alone(memory, weights, layers, kv_heads, d_head, bytes_a_number):
    """It keeps the keys alone; the values have to be kept as well."""
    free = memory - weights * bytes_a_number
    return max(0, free // (layers * kv_heads * d_head * bytes_a_number))


def queries_too(memory, weights, layers, kv_heads, d_head, bytes_a_number):
    """It keeps queries as well; no later token asks with an old query."""
    free = memory - weights * bytes_a_number
    return max(0, free // (3 * layers * kv_heads * d_head * bytes_a_number))


def one_layer(memory, weights, layers, kv_heads, d_head, bytes_a_number):
    """It keeps the cache of one layer; every layer has keys and values of its own."""
    free = memory - weights * bytes_a_number
    return max(0, free // (2 * kv_heads * d_head * bytes_a_number))


def one_head(memory, weights, layers, kv_heads, d_head, bytes_a_number):
    """It keeps one head of keys and values; there are kv_heads of them."""
    free = memory - weights * bytes_a_number
    return max(0, free // (2 * layers * d_head * bytes_a_number))


def numbers_for_bytes(memory, weights, layers, kv_heads, d_head, bytes_a_number):
    """It counts the numbers that a token leaves behind; each takes several bytes."""
    free = memory - weights * bytes_a_number
    return max(0, free // (2 * layers * kv_heads * d_head))


def less_than_nothing(memory, weights, layers, kv_heads, d_head, bytes_a_number):
    """Where the weights alone do not fit, it gives a text of negative length; 0 is wanted."""
    free = memory - weights * bytes_a_number
    return free // (2 * layers * kv_heads * d_head * bytes_a_number)


def parts_of_tokens(memory, weights, layers, kv_heads, d_head, bytes_a_number):
    """It gives parts of a token; only whole tokens fit."""
    free = memory - weights * bytes_a_number
    return max(0, free / (2 * layers * kv_heads * d_head * bytes_a_number))


def rounded_up(memory, weights, layers, kv_heads, d_head, bytes_a_number):
    """It rounds up; the last token no longer fits."""
    free = memory - weights * bytes_a_number
    return max(0, -(-free // (2 * layers * kv_heads * d_head * bytes_a_number)))


longest_text = Exercise(
    name="lesson07.longest_text",
    reference=longest_text,
    inputs=_inputs,
    hints=(
        "How many bytes are left when the weights are in? A weight is a number like any other.",
        "One token leaves a key and a value of d_head numbers, in each of kv_heads heads, in each "
        "layer.",
        "Divide with //, which drops the rest, and let max(0, …) take care of weights that do not "
        "fit.",
    ),
    examples=(
        Example(
            {
                "memory": 24 * 2**30,
                "weights": 8 * 10**9,
                "layers": 32,
                "kv_heads": 8,
                "d_head": 128,
                "bytes_a_number": 2,
            },
            ("74537",),
        ),
    ),
    wrong=(
        weights_forgotten,
        weights_as_bytes,
        keys_alone,
        queries_too,
        one_layer,
        one_head,
        numbers_for_bytes,
        less_than_nothing,
        parts_of_tokens,
        rounded_up,
    ),
)
