"""A dataset: a named place with data that people share without sharing its credential."""

from dataclasses import dataclass, field
from enum import StrEnum

PREFIX = "ds"


class DatasetKind(StrEnum):
    """The kind of its `uri`. STORAGE is in the storage of its project, where jobs can write.

    NFS and PVC are mounted folders; REFERENCE is another dataset.
    """

    PATH = "path"
    STORAGE = "storage"
    S3 = "s3"
    GS = "gs"
    AZ = "az"
    OSS = "oss"
    NFS = "nfs"
    PVC = "pvc"
    REFERENCE = "reference"


@dataclass(frozen=True, kw_only=True)
class Dataset:
    """`credential` is the name of a credential, never the key itself."""

    id: str
    name: str
    project: str
    owner: str
    kind: DatasetKind
    uri: str
    credential: str = ""
    display_name: str = ""
    labels: dict[str, str] = field(default_factory=dict)
    created_at: float = 0.0
    updated_at: float = 0.0
    version: int = 1
