"""Where the logs of a TensorBoard lie, as people say it.

Four ways (platforms: dataset and path; `storage:` path; object store; local folder), told apart by `kind`. What a
source resolves to, and whether it is allowed, is decided where datasets and settings are known.
"""

import hashlib
import json
import posixpath
import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from urllib.parse import unquote

from lightboard.errors import Invalid

OBJECT_SCHEMES = ("s3", "gs", "az", "oss")
_SCHEME = re.compile(r"([a-z][a-z0-9+.-]*):(.*)", re.S)
MODES = ("ro", "rw")
LONGEST = 4096


class SourceKind(StrEnum):
    """Which of the four ways."""

    DATASET = "dataset"
    STORAGE = "storage"
    URI = "uri"
    PATH = "path"


@dataclass(frozen=True, kw_only=True)
class Source:
    """One place with logs. `ref` is the dataset's id for DATASET, "" otherwise; `path` is the rest.

    STORAGE: below the project's storage, `<path>`; URI: the whole `s3://bucket/prefix`; PATH: an absolute folder.
    `alias` goes before the names of its runs; `include` and `exclude` are patterns of run names.
    """

    id: str
    kind: SourceKind
    ref: str = ""
    path: str = ""
    alias: str = ""
    include: str = ""
    exclude: str = ""

    @property
    def text(self) -> str:
        """As people write it, for lists."""
        if self.kind is SourceKind.DATASET:
            return f"dataset:{self.ref}/{self.path}".rstrip("/")
        if self.kind is SourceKind.STORAGE:
            return f"storage:{self.path}"
        return self.path


def parse_uri(text: str) -> tuple[SourceKind, str, str]:
    """Kind, ref and path of one line: `storage:image/results:/results:ro`, `s3://b/p`, `dataset:NAME/logs`, `/data`.

    Of a volume `source:target:mode` only the source matters: a viewer mounts nothing, and it never writes.
    Raises Invalid for what is none of these.
    """
    text = text.strip()
    if not text or len(text) > LONGEST or "\0" in text:
        raise Invalid("no place with logs was given", hint=HINT)
    scheme = _SCHEME.fullmatch(text)
    if scheme is None or text.startswith("/"):
        return SourceKind.PATH, "", clean_path(text)
    name, rest = scheme[1], scheme[2]
    if name == "storage":
        return SourceKind.STORAGE, "", clean_relative(without_target(rest))
    if name == "dataset":
        ref, _, path = without_target(rest).lstrip("/").partition("/")
        if not ref:
            raise Invalid(f"{text!r} names no dataset", hint="dataset:NAME/path")
        return SourceKind.DATASET, ref, clean_relative(path)
    if name == "file":
        return SourceKind.PATH, "", clean_path(file_path(rest))
    if name in OBJECT_SCHEMES:
        return SourceKind.URI, "", clean_uri(name, rest)
    raise Invalid(f"logs cannot be read from {name}:", hint=HINT)


HINT = "give /a/folder, storage:path, dataset:NAME/path, or s3://, gs://, az://, oss:// with bucket and path"


def can_name(kind: SourceKind, name: str) -> bool:
    """Whether a source of this kind can name a folder called `name`, as `parse_uri` reads it."""
    try:
        name.encode()
    except UnicodeEncodeError:  # bytes that are not text
        return False
    return name == name.strip() and (kind is SourceKind.PATH or not _TAKEN.intersection(name))


_TAKEN = frozenset(":\\")
"""What stands for something else in the path of a volume."""


def without_target(text: str) -> str:
    """`a/b:/mount:ro` as `a/b`. Raises Invalid for a mode that is none, or a target that is not absolute."""
    source, *more = text.split(":")
    if more and more[-1] in MODES:
        more.pop()
    if len(more) > 1 or (more and not more[0].startswith("/")):
        raise Invalid(f"{text!r} is no volume", hint="storage:SOURCE, or storage:SOURCE:/TARGET:ro")
    return source


def clean_relative(path: str) -> str:
    """Slashes put in order. Raises Invalid where it climbs out."""
    parts = [part for part in path.split("/") if part not in ("", ".")]
    if ".." in parts or "\\" in path:
        raise Invalid(f"{path!r} leaves its folder", hint="paths below a dataset or storage have no ..")
    return "/".join(parts)


def clean_path(path: str) -> str:
    """An absolute folder, shortest form: `//project/results` is `/project/results`. Raises Invalid if not absolute."""
    if not path.startswith("/"):
        raise Invalid(f"{path!r} is not a whole path", hint=HINT)
    return "/" + posixpath.normpath(path).lstrip("/")


def file_path(rest: str) -> str:
    """What comes after `file:`, as a path. Raises Invalid for one of another machine."""
    host, slash, path = rest.removeprefix("//").partition("/")
    if rest.startswith("//") and (host not in ("", "localhost") or not slash):
        raise Invalid(f"{host} is another machine", hint="write file:///folder, with three slashes")
    path = unquote(f"/{path}" if rest.startswith("//") else rest)
    if "\0" in path:
        raise Invalid("no place with logs was given", hint=HINT)
    return path


def clean_uri(scheme: str, rest: str) -> str:
    """`scheme://bucket/prefix`, slashes in order. Raises Invalid where there is no bucket, or it carries a secret."""
    host, _, path = rest.removeprefix("//").partition("/")
    if not rest.startswith("//") or not host:
        raise Invalid(f"{scheme}: wants a bucket", hint=f"{scheme}://BUCKET/path")
    if "@" in host or "?" in rest:
        raise Invalid("an address of logs carries no key", hint="make a dataset with a credential, and use that")
    return f"{scheme}://{host}/{clean_relative(path)}".rstrip("/")


def source_key(sources: Sequence[Source], project: str) -> str:
    """The same for the same set of places: what get-or-create and the state of views go by."""
    places = sorted([s.kind, s.ref, s.path, s.alias, s.include, s.exclude] for s in sources)
    if any(s.kind in (SourceKind.STORAGE, SourceKind.DATASET) for s in sources):
        places.append([project])  # these mean something else in another project
    return hashlib.sha256(json.dumps(places).encode()).hexdigest()[:32]
