"""Source code of jobs: archives that are uploaded once and identified by their digest. Sizes are in bytes."""

from lightboard.schema.model import ResponseModel, Whole

MAX_BYTES = 250_000_000
"""Of an archive, both as it is sent and as a tar file without compression."""
MAX_FILES = 20_000
DIGEST_PATTERN = r"^(?:[0-9a-f]{64})?$"
"""A digest, or "" for none."""


class SourceCodeResponse(ResponseModel):
    """Stored source code. `digest` is the SHA-256 of its tar file, `size_bytes` the size of all files in that."""

    digest: str
    files: Whole
    size_bytes: Whole
