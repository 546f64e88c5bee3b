"""The keys by which TensorBoard's pages ask for the bytes of one value: made and read here, opaque to everyone else."""

import base64
import json
from typing import NamedTuple

from lightboard.errors import BadRequest


class Blob(NamedTuple):
    """One of the byte strings of a value: run, tag, key of the value, number in it."""

    run: str
    tag: str
    at: str
    sample: int


def blob_key(blob: Blob) -> str:
    """What stands for `blob` in an address."""
    return base64.urlsafe_b64encode(json.dumps(blob).encode()).decode().rstrip("=")


def blob_of(key: str) -> Blob:
    """What `key` stands for. Raises BadRequest."""
    try:
        run, tag, at, sample = json.loads(base64.urlsafe_b64decode(key + "=" * (-len(key) % 4)))
    except (ValueError, TypeError, RecursionError):
        raise BadRequest("Invalid blob key") from None
    if not (isinstance(run, str) and isinstance(tag, str) and isinstance(at, str) and isinstance(sample, int)):
        raise BadRequest("Invalid blob key")
    return Blob(run, tag, at, sample)
