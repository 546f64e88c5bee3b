"""The JSON encoder of all responses."""

from typing import Any


def encode(value: Any) -> bytes:
    """Encode plain values and models as JSON. NaN and infinities are strings, as in TensorBoard.

    Half of a surrogate pair, which readers may have left in a text and UTF-8 cannot tell, becomes U+FFFD.
    """
    from pydantic_core import PydanticSerializationError, to_json  # slow to load, and the first page needs none

    try:
        return to_json(value, inf_nan_mode="strings")
    except PydanticSerializationError as error:
        if "surrogates" not in str(error):
            raise
        return to_json(without_surrogates(value), inf_nan_mode="strings")


def without_surrogates(value: Any) -> Any:
    """The same as plain values, with texts that can be encoded."""
    from pydantic import BaseModel

    match value:
        case str():
            return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        case dict():
            return {without_surrogates(key): without_surrogates(each) for key, each in value.items()}
        case list() | tuple():
            return [without_surrogates(each) for each in value]
        case BaseModel():
            return without_surrogates(value.model_dump(by_alias=True))
    return value
