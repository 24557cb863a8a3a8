"""What ``python3 -m helpers`` does: make the environment ``.venv``, then run one command in it.

Everything here uses the standard library alone, and Python 3.8 can still read it: it runs before
anything is installed, and says so where Python is too old for the course.
"""
