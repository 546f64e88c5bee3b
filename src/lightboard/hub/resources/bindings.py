"""Bindings: the folders, URLs, credentials and datasets that an administrator lets a project use."""

import re
from dataclasses import dataclass
from enum import StrEnum

from lightboard.errors import Invalid
from lightboard.hub.resources.sources import SourceKind, parse_uri

PREFIX = "bnd"
_CREDENTIAL = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")


class BindingKind(StrEnum):
    """What is bound: a local folder, a URL in a bucket, a credential by name, or a dataset of another project."""

    ROOT = "root"
    STORAGE = "storage"
    CREDENTIAL = "credential"
    DATASET = "dataset"


@dataclass(frozen=True, kw_only=True)
class Binding:
    """`value` is the folder, the URL, the name of the credential, or the id of the dataset.

    `credential` opens a STORAGE, "" for the hub's default. A binding allows everything below its value. `created_at` is
    in seconds since the epoch.
    """

    id: str
    project: str
    kind: BindingKind
    value: str
    credential: str = ""
    created_at: float = 0.0


def check_value(kind: BindingKind, value: str, credential: str) -> str:
    """The normalized value. Raises Invalid if it does not fit the kind."""
    if credential and kind is not BindingKind.STORAGE:
        raise Invalid("only a storage can be bound with a credential", hint="omit the credential")
    if kind is BindingKind.CREDENTIAL and not _CREDENTIAL.fullmatch(value):
        raise Invalid(f"{value!r} is not the name of a credential", hint="use NAME of credentials/NAME.toml")
    if kind in (BindingKind.CREDENTIAL, BindingKind.DATASET):
        return value
    found, _ref, path = parse_uri(value)
    wanted = {BindingKind.ROOT: SourceKind.PATH, BindingKind.STORAGE: SourceKind.URI}[kind]
    if found is not wanted:
        example = "an absolute folder" if kind is BindingKind.ROOT else "s3://BUCKET/path, or gs://, az://, oss://"
        raise Invalid(f"{value!r} is not a {kind}", hint=f"give {example}")
    return path
