"""The JSON encoder of all responses."""

from typing import Any


def encode(value: Any) -> bytes:
    """Encode plain values and models as JSON. NaN and infinities are strings, as in TensorBoard."""
    from pydantic_core import to_json  # slow to load, and the first page needs none

    return to_json(value, inf_nan_mode="strings")
