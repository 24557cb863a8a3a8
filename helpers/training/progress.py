"""A progress bar for training loops."""


def counted(steps, progress):
    """The numbers 1 to steps, behind a progress bar if one is wanted.

    Args:
        steps: int.
        progress: bool.

    Returns:
        iterable of int.
    """
    numbers = range(1, steps + 1)
    if not progress:
        return numbers
    from tqdm.auto import tqdm

    return tqdm(numbers, desc="training", unit="step", leave=False)
