"""Pictures of lesson 05: how large scores are, what softmax makes of them, who learns."""

from helpers.lessons.lesson05.figures.gradients import (
    gradient_ratios,
    jacobian_by_dimension,
    jacobians,
    row_gradients,
)
from helpers.lessons.lesson05.figures.scores import (
    scores_and_weights,
    spread_of_scores,
    start_spreads,
    variance_by_dimension,
    weights_by_dimension,
)
from helpers.lessons.lesson05.figures.training import (
    agreement_of_batches,
    learning_curves,
    spread_in_training,
    steps_needed,
)

__all__ = [
    "agreement_of_batches",
    "gradient_ratios",
    "jacobian_by_dimension",
    "jacobians",
    "learning_curves",
    "row_gradients",
    "scores_and_weights",
    "spread_in_training",
    "spread_of_scores",
    "start_spreads",
    "steps_needed",
    "variance_by_dimension",
    "weights_by_dimension",
]
