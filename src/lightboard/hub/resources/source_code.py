"""Source code of jobs: an archive that was uploaded to a project."""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class SourceCode:
    """An uploaded archive. `digest` is the SHA-256 of the tar file; sizes are in bytes, times seconds since the epoch.

    `owner` (an account) uploaded it first, and `packed_bytes`, the size of the stored archive, counts for its limit.
    It was uploaded or asked for last at `uploaded_at`. `size_bytes` is the size of its files.
    """

    project: str
    digest: str
    owner: str
    files: int
    size_bytes: int
    packed_bytes: int
    uploaded_at: float
