"""What the notebooks of the course import: attention in NumPy and PyTorch, figures, checks.

Importing this package imports nothing else. Take what you need by name, for example
``from helpers.numpy_attention import softmax``.
"""
