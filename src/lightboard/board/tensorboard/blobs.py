"""The keys by which TensorBoard's pages ask for the bytes of one value: made and read here, opaque to everyone else.

A run or tag too long for an address stands there as a digest.
"""

import base64
import json
from typing import NamedTuple

from lightboard.board.long_names import digest_of, find_series, is_long
from lightboard.errors import BadRequest
from lightboard.query.provider import Provider


class Blob(NamedTuple):
    """One of the byte strings of a value: run, tag, key of the value, number in it."""

    run: str
    tag: str
    at: str
    sample: int


def blob_key(blob: Blob) -> str:
    """What stands for `blob` in an address."""
    run, tag, at, sample = blob
    return encoded([digest_of(run, tag), at, sample] if is_long(run, tag) else [run, tag, at, sample])


def encoded(fields: list[str | int]) -> str:
    """Fields as text that may stand in an address."""
    return base64.urlsafe_b64encode(json.dumps(fields).encode()).decode().rstrip("=")


def blob_of(key: str, provider: Provider, kind: str) -> Blob:
    """What `key` stands for among the values of a kind. Raises BadRequest, NotFound."""
    try:
        *names, at, sample = json.loads(base64.urlsafe_b64decode(key + "=" * (-len(key) % 4)))
        run, tag = names if len(names) != 1 else find_series(provider, kind, str(names[0]))
    except (ValueError, TypeError, RecursionError):
        raise BadRequest("Invalid blob key") from None
    if not (isinstance(run, str) and isinstance(tag, str) and isinstance(at, str) and isinstance(sample, int)):
        raise BadRequest("Invalid blob key")
    return Blob(run, tag, at, sample)
