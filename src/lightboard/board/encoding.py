"""Values as JSON text, in one way everywhere."""

from typing import Any


def encode(value: Any) -> bytes:
    """`value`, plain or of models, as JSON; what is no number as a word, as TensorBoard writes it."""
    from pydantic_core import to_json  # slow to load, and the first page needs none

    return to_json(value, inf_nan_mode="strings")
