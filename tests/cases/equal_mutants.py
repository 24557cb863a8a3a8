"""Mutants that no right use can tell from the reference, each with the reason."""

EQUAL: dict[tuple[str, str], str] = {}
