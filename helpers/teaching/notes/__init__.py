"""The written words about each lesson, by its number."""

from helpers.teaching.note import Note
from helpers.teaching.notes import first_half, second_half

NOTES: dict[str, Note] = {**first_half.NOTES, **second_half.NOTES}
