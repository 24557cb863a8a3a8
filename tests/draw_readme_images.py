"""Draw the two pictures of the README anew: python tests/draw_readme_images.py (20 seconds)."""

from pathlib import Path

import numpy as np

from helpers.figures import attention_map
from helpers.lessons.lesson01.figures import by_distance
from helpers.numpy_attention import self_attention
from helpers.sentences import GLOSSES, TOKENS
from helpers.training.coreference import train_coreference
from helpers.training.recall import CHANCE, recall, train_readers

IMAGES = Path(__file__).resolve().parents[1] / "notebooks" / "images"
PLANS = {
    "attention": ("attention", 32, 250),
    "GRU 32": ("GRU", 32, 600),
    "RNN 64": ("RNN", 64, 600),
    "GRU 8": ("GRU", 8, 600),
    "GRU 128": ("GRU", 128, 600),
}


def main():
    """Write attention_map.png and experiment.png."""
    model = train_coreference(0)
    mask = ~np.eye(len(TOKENS), dtype=bool)
    vectors = model.vectors(TOKENS)
    _, weights = self_attention(vectors, model.W_Q, model.W_K, model.W_V, mask)
    trained = attention_map(weights, TOKENS, glosses=GLOSSES, mask=mask, mark_row=8)
    (IMAGES / "attention_map.png").write_bytes(trained.png_bytes())
    accuracy = {name: recall(r, 16) for name, r in train_readers(PLANS, 0).items()}
    (IMAGES / "experiment.png").write_bytes(by_distance(accuracy, CHANCE).png_bytes())


if __name__ == "__main__":
    main()
