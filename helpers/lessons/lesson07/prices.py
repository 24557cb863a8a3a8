"""What attention costs in a model of known size: operations and bytes, from shapes alone."""

from dataclasses import asdict, dataclass, replace

TILE = 256 * 1024  # scores that attention in blocks holds at a time: queries by keys


@dataclass(frozen=True)
class Model:
    """The sizes of a model.

    Attributes:
        heads: query heads, each with a score table of its own.
        kv: heads of keys and values; heads / kv query heads share one.
        key: columns of one head's keys.
        value: columns of one head's values.
        layers: attention layers.
        weights: numbers in the whole model, in billions.
        active: those of them that each token meets, in billions.
        latent: whether each layer keeps one short vector a token instead of keys and values:
            4 · value numbers, and value / 2 for positions (DeepSeek-V2, section 2.1).
        causal: whether no token looks at later ones.
        bytes: bytes a number.
    """

    heads: int
    kv: int
    key: int
    value: int
    layers: int
    weights: float
    active: float
    latent: bool = False
    causal: bool = True
    bytes: int = 2

    def sizes(self) -> dict[str, int | float | bool]:
        """All sizes by name."""
        return asdict(self)

    def with_kv(self, kv: int) -> "Model":
        """The same model with another number of key and value heads."""
        return replace(self, kv=kv, latent=False)


# From the configuration that each model was published with.
MODELS = {
    "GPT-2 small": Model(12, 12, 64, 64, 12, weights=0.124, active=0.124),
    "Llama-2-7B": Model(32, 32, 128, 128, 32, weights=6.74, active=6.74),
    "Llama-3-8B": Model(32, 8, 128, 128, 32, weights=8.03, active=8.03),
    "Llama-3-70B": Model(64, 8, 128, 128, 80, weights=70.6, active=70.6),
    "DeepSeek-V3": Model(128, 128, 192, 128, 61, weights=671, active=37, latent=True),
}


def costs(n: int, model: Model) -> dict[str, float]:
    """Predict what a text costs in a model.

    Args:
        n: number of tokens.
        model: its sizes.

    Returns:
        Operations "weight_operations" and "pair_operations" in all layers, a multiplication and an
        addition being two; bytes of the "tables" of the one layer at work, of "blocks"
        (a tile of scores and two running numbers a query and head instead), of the "cache" of
        all layers and of the "weights" of the whole model.
    """
    seen = n * (n + 1) / 2 if model.causal else n * n
    kept = 4.5 * model.value if model.latent else model.kv * (model.key + model.value)
    return {
        "weight_operations": 2e9 * model.active * n,
        "pair_operations": 2 * model.layers * model.heads * (model.key + model.value) * seen,
        "tables": model.heads * n * n * model.bytes,
        "blocks": (min(n * n, TILE) + 2 * model.heads * n) * model.bytes,
        "cache": model.layers * n * kept * model.bytes,
        "weights": 1e9 * model.weights * model.bytes,
    }
