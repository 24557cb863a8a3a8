"""Transfer exercise of lesson 02."""

import numpy as np

from helpers.course.exercise import Example, Exercise
from helpers.numpy_attention import softmax


def two_hops(query, keys, values, sharpness):
    """Look up twice: what the first lookup hands over is the query of the second."""
    for _ in range(2):
        query = softmax(sharpness * (keys @ query)) @ values
    return query


def _circle():
    """Three books, each of which leads to the next."""
    steps = {"keys": np.eye(3), "values": np.eye(3)[[1, 2, 0]], "sharpness": 50.0}
    return {"query": np.eye(3)[0], **steps}


def _inputs(rng):
    def draw(n, d, sharpness):
        return {
            "query": rng.normal(size=d).round(2),
            "keys": rng.normal(size=(n, d)).round(2),
            "values": rng.normal(size=(n, d)).round(2),
            "sharpness": sharpness,
        }

    return (
        _circle(),
        {
            "query": np.array([1.0, -0.5]),
            "keys": np.array([[2.0, 0.0], [0.0, 1.0], [-1.0, 1.0]]),
            "values": np.array([[0.0, 1.5], [-2.0, 1.0], [3.0, 0.5]]),
            "sharpness": 1.0,
        },
        {
            "query": np.array([30.0, 40.0]),
            "keys": np.array([[10.0, 20.0], [9.0, 21.0], [-30.0, 5.0], [0.0, -1.0]]),
            "values": np.array([[-50.0, 1.0], [40.0, 2.0], [6.0, -7.0], [0.5, 0.0]]),
            "sharpness": 2.0,
        },
        {
            "query": np.array([0.5, -1.0, 2.0]),
            "keys": np.array([[1.0, 0, 1], [0.0, 1, 0], [-1.0, -2, 0], [0.5, 0.5, -1]]),
            "values": np.array([[1.0, -6, 0], [0.0, 3, 2], [5.0, 4, -1], [-7.0, 0, 1]]),
            "sharpness": 0.0,
        },
        draw(4, 4, 2.0),
        draw(5, 3, 0.5),
        draw(2, 6, 3.0),
    )


def one_hop(query, keys, values, sharpness):
    """It looks up once; the result has to be looked up again."""
    return softmax(sharpness * (keys @ query)) @ values


def the_old_query_again(query, keys, values, sharpness):
    """The second lookup adds the first answer to the old query; the answer alone is the query."""
    first = one_hop(query, keys, values, sharpness)
    return one_hop(query + first, keys, values, sharpness)


def the_label_goes_on(query, keys, values, sharpness):
    """It hands the blended labels to the second lookup; the blended contents are wanted."""
    return one_hop(one_hop(query, keys, keys, sharpness), keys, values, sharpness)


def compares_with_the_contents(query, keys, values, sharpness):
    """The second lookup compares with the contents; queries are compared with labels."""
    return one_hop(one_hop(query, keys, values, sharpness), values, values, sharpness)


def sharp_only_once(query, keys, values, sharpness):
    """The sharpness is missing in the second lookup."""
    return one_hop(one_hop(query, keys, values, sharpness), keys, values, 1.0)


def sharp_only_later(query, keys, values, sharpness):
    """The sharpness is missing in the first lookup."""
    return one_hop(one_hop(query, keys, values, 1.0), keys, values, sharpness)


def the_best_book_alone(query, keys, values, sharpness):
    """The first lookup is a hard one; it has to blend as well."""
    return one_hop(values[np.argmax(keys @ query)], keys, values, sharpness)


def three_hops(query, keys, values, sharpness):
    """It looks up three times; two are wanted."""
    return one_hop(two_hops_of(query, keys, values, sharpness), keys, values, sharpness)


two_hops_of = two_hops

two_hops = Exercise(
    name="lesson02.two_hops",
    reference=two_hops,
    inputs=_inputs,
    hints=(
        "One lookup ends with a vector as wide as the values. What must it be as wide as, to be "
        "a query?",
        "Write the lookup once, give its result a name, and look that up in the same library.",
    ),
    examples=(Example(_circle(), ("[0, 0, 1]",)),),
    wrong=(
        one_hop,
        the_old_query_again,
        the_label_goes_on,
        compares_with_the_contents,
        sharp_only_once,
        sharp_only_later,
        the_best_book_alone,
        three_hops,
    ),
)
