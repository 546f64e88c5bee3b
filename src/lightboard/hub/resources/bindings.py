"""Bindings: the folders, addresses, credentials and datasets that an administrator lets a project use."""

import re
from dataclasses import dataclass
from enum import StrEnum

from lightboard.errors import Invalid
from lightboard.hub.resources.sources import SourceKind, parse_uri

PREFIX = "bnd"
_CREDENTIAL = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")


class BindingKind(StrEnum):
    """What is bound: a local folder, an address in a bucket, a credential by its name, a dataset of another project."""

    ROOT = "root"
    STORAGE = "storage"
    CREDENTIAL = "credential"
    DATASET = "dataset"


@dataclass(frozen=True, kw_only=True)
class Binding:
    """`value` is the folder, the address, the credential's name, or the dataset's id.

    `credential` opens a STORAGE, "" where the hub's own rule for addresses does. What a binding allows, it allows for
    everything below its value. `created_at` is in seconds since the epoch.
    """

    id: str
    project: str
    kind: BindingKind
    value: str
    credential: str = ""
    created_at: float = 0.0


def check_value(kind: BindingKind, value: str, credential: str) -> str:
    """The value in its shortest form. Raises Invalid where it does not fit the kind."""
    if credential and kind is not BindingKind.STORAGE:
        raise Invalid("only a storage is bound together with a credential", hint="leave the credential out")
    if kind is BindingKind.CREDENTIAL and not _CREDENTIAL.fullmatch(value):
        raise Invalid(f"{value!r} is no name of a credential", hint="give NAME of credentials/NAME.toml")
    if kind in (BindingKind.CREDENTIAL, BindingKind.DATASET):
        return value
    found, _ref, path = parse_uri(value)
    wanted = {BindingKind.ROOT: SourceKind.PATH, BindingKind.STORAGE: SourceKind.URI}[kind]
    if found is not wanted:
        example = "an absolute folder" if kind is BindingKind.ROOT else "s3://BUCKET/path, or gs://, az://, oss://"
        raise Invalid(f"{value!r} is no {kind}", hint=f"give {example}")
    return path
