"""Pictures: arrays in, a CourseFigure out. This page lists what all lessons share."""

from helpers.figures.base import (
    COLOURS,
    SIGNED_MAP,
    WEIGHT_MAP,
    CourseFigure,
    darker,
    new_figure,
    style,
    text_colour_on,
)
from helpers.figures.charts import bars, curves
from helpers.figures.maps import attention_map, head_maps
from helpers.figures.tables import grid_of_numbers, matrices

__all__ = [
    "COLOURS",
    "SIGNED_MAP",
    "WEIGHT_MAP",
    "CourseFigure",
    "attention_map",
    "bars",
    "curves",
    "darker",
    "grid_of_numbers",
    "head_maps",
    "matrices",
    "new_figure",
    "style",
    "text_colour_on",
]
