"""Encodes and decodes the opaque keys with which TensorBoard's pages request the bytes of one value.

Keys of runs and tags that are too long for a URL contain a digest.
"""

import base64
import json
from typing import NamedTuple

from lightboard.board.long_names import digest_of, find_series, is_long
from lightboard.errors import BadRequest
from lightboard.query.provider import DataProvider


class Blob(NamedTuple):
    """One byte string of a value: run, tag, key of the value, index in it."""

    run: str
    tag: str
    at: str
    sample: int


def blob_key(blob: Blob) -> str:
    """The key of `blob`."""
    run, tag, at, sample = blob
    return encode_fields([digest_of(run, tag), at, sample] if is_long(run, tag) else [run, tag, at, sample])


def encode_fields(fields: list[str | int]) -> str:
    """Fields encoded for a URL."""
    return base64.urlsafe_b64encode(json.dumps(fields).encode()).decode().rstrip("=")


def blob_of(key: str, provider: DataProvider, kind: str) -> Blob:
    """The blob of a key among the values of a kind. Raises BadRequest, NotFound."""
    try:
        *names, at, sample = json.loads(base64.urlsafe_b64decode(key + "=" * (-len(key) % 4)))
        run, tag = names if len(names) != 1 else find_series(provider, kind, str(names[0]))
    except (ValueError, TypeError, RecursionError):
        raise BadRequest("Invalid blob key") from None
    if not (isinstance(run, str) and isinstance(tag, str) and isinstance(at, str) and isinstance(sample, int)):
        raise BadRequest("Invalid blob key")
    return Blob(run, tag, at, sample)
