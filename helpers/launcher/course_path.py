"""Lets the Python of ``.venv`` find the course's package; copied into its site-packages.

A notebook's own folder comes first on the path, so a learner's ``helpers.py`` beside it hides the
course's package, and each lesson stops with a message that says nothing of it. Here it does.
"""

import importlib.machinery
import os
import sys
from pathlib import Path


def add(folder):
    """Put the course's folder, given as bytes, on the path of modules and guard its package."""
    sys.path.append(os.fsdecode(folder))
    sys.meta_path.insert(0, _Guard(os.fsdecode(folder)))


class _Guard:
    def __init__(self, root):
        self.root = root

    def find_spec(self, name, path=None, target=None):
        """Leave every import to others, but refuse a ``helpers`` that is not the course's."""
        if name == "helpers" and path is None:
            found = importlib.machinery.PathFinder.find_spec(name)
            places = getattr(found, "submodule_search_locations", None) or []
            theirs = not any(list(Path(p).glob("language.py*")) for p in places)  # pyc: a copy
            if found is not None and found.origin and theirs:
                raise ImportError(self.message(found.origin), name=name, path=found.origin)

    def message(self, file):
        """Say which file is in the way, in the learner's language."""
        from importlib.util import module_from_spec, spec_from_file_location

        place = Path(self.root, "helpers", "language.py")
        spec = spec_from_file_location("course_language", place)
        language = module_from_spec(spec)
        spec.loader.exec_module(language)
        say = language.say
        return say(
            "The file {file} hides the course's package, which is called helpers too. "
            "Give it another name, then restart the kernel.",
            file=file,
        )
