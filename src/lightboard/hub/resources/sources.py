"""Sources of a TensorBoard, as users write them.

There are four kinds: a dataset with a path, a `storage:` path, a URL of an object store, and a local folder.
`hub.source_resolver` resolves them and checks whether they are allowed.
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
    """The kinds of sources."""

    DATASET = "dataset"
    STORAGE = "storage"
    URI = "uri"
    PATH = "path"


@dataclass(frozen=True, kw_only=True)
class Source:
    """A place with logs. `ref` is the dataset's id for DATASET, else ""; `path` is the rest.

    STORAGE: a path below the project's storage; URI: the whole `s3://bucket/prefix`; PATH: an absolute folder. `alias`
    precedes the names of its runs; `include` and `exclude` are patterns of run names. `target` is the absolute path at
    which a program finds it that runs beside the TensorBoard, "" if nobody has chosen one.
    """

    id: str
    kind: SourceKind
    ref: str = ""
    path: str = ""
    alias: str = ""
    include: str = ""
    exclude: str = ""
    target: str = ""

    @property
    def text(self) -> str:
        """The source as users write it."""
        if self.kind is SourceKind.DATASET:
            return f"dataset:{self.ref}/{self.path}".rstrip("/")
        if self.kind is SourceKind.STORAGE:
            return f"storage:{self.path}"
        return self.path


def parse_uri(text: str) -> tuple[SourceKind, str, str]:
    """Kind, ref and path of one line: `storage:image/results:/results:ro`, `s3://b/p`, `dataset:NAME/logs`, `/data`.

    Of a volume `source:target:mode`, that is the source; `volume_target` is the rest. Raises Invalid for anything else.
    """
    text = text.strip()
    if not text or len(text) > LONGEST or "\0" in text:
        raise Invalid("no source was given", hint=HINT)
    scheme = _SCHEME.fullmatch(text)
    if scheme is None or text.startswith("/"):
        return SourceKind.PATH, "", clean_path(text)
    name, rest = scheme[1], scheme[2]
    if name == "storage":
        return SourceKind.STORAGE, "", clean_relative(without_target(rest))
    if name == "dataset":
        ref, _, path = without_target(rest).lstrip("/").partition("/")
        if not ref:
            raise Invalid(f"{text!r} does not name a dataset", hint="use dataset:NAME/path")
        return SourceKind.DATASET, ref, clean_relative(path)
    if name == "file":
        return SourceKind.PATH, "", clean_path(file_path(rest))
    if name in OBJECT_SCHEMES:
        return SourceKind.URI, "", clean_uri(name, rest)
    raise Invalid(f"nothing can be read from {name}:", hint=HINT)


def source_of(text: str) -> Source:
    """The source that one line describes, without an id. Raises Invalid."""
    kind, ref, path = parse_uri(text)
    return Source(id="", kind=kind, ref=ref, path=path)


HINT = "give /a/folder, storage:path, dataset:NAME/path, or s3://, gs://, az://, oss:// with bucket and path"


def can_name(kind: SourceKind, name: str) -> bool:
    """Whether a source of this kind can name a folder called `name`, as `parse_uri` reads it."""
    try:
        name.encode()
    except UnicodeEncodeError:  # bytes that are not text
        return False
    return name == name.strip() and (kind is SourceKind.PATH or not _TAKEN.intersection(name))


_TAKEN = frozenset(":\\")
"""Characters with a special meaning in the path of a volume."""


def without_target(text: str) -> str:
    """`a/b:/mount:ro` as `a/b`. Raises Invalid for an unknown mode or a relative target."""
    source, *more = text.split(":")
    if more and more[-1] in MODES:
        more.pop()
    if len(more) > 1 or (more and not more[0].startswith("/")):
        raise Invalid(f"{text!r} is not a volume", hint="use storage:SOURCE, or storage:SOURCE:/TARGET:ro")
    return source


def volume_target(text: str) -> str:
    """The target of a volume `storage:SOURCE:/TARGET:ro`, as it was written; "" for any other text."""
    scheme = _SCHEME.fullmatch(text.strip())
    if scheme is None or scheme[1] not in ("storage", "dataset"):
        return ""
    return next((part for part in scheme[2].split(":")[1:] if part.startswith("/")), "")


def clean_relative(path: str) -> str:
    """Removes redundant slashes. Raises Invalid if the path contains `..` or backslashes."""
    parts = [part for part in path.split("/") if part not in ("", ".")]
    if ".." in parts or "\\" in path:
        raise Invalid(f"{path!r} leads out of its folder", hint="paths below a dataset or storage cannot contain ..")
    return "/".join(parts)


def clean_path(path: str) -> str:
    """A normalized absolute path: `//project/results` is `/project/results`. Raises Invalid if it is not absolute."""
    if not path.startswith("/"):
        raise Invalid(f"{path!r} is not an absolute path", hint=HINT)
    return "/" + posixpath.normpath(path).lstrip("/")


def file_path(rest: str) -> str:
    """The path of a `file:` URL. Raises Invalid for another host."""
    host, slash, path = rest.removeprefix("//").partition("/")
    if rest.startswith("//") and (host not in ("", "localhost") or not slash):
        raise Invalid(f"{host} is another machine", hint="use file:///folder, with three slashes")
    path = unquote(f"/{path}" if rest.startswith("//") else rest)
    if "\0" in path:
        raise Invalid("no source was given", hint=HINT)
    return path


def clean_uri(scheme: str, rest: str) -> str:
    """A normalized `scheme://bucket/prefix`. Raises Invalid without a bucket, or with a secret in it."""
    host, _, path = rest.removeprefix("//").partition("/")
    if not rest.startswith("//") or not host:
        raise Invalid(f"{scheme}: needs a bucket", hint=f"{scheme}://BUCKET/path")
    if "@" in host or "?" in rest:
        raise Invalid("a source URL cannot contain a key", hint="create a dataset with a credential and use it")
    return f"{scheme}://{host}/{clean_relative(path)}".rstrip("/")


def source_key(sources: Sequence[Source], project: str) -> str:
    """Equal for equal sets of sources. Used for get-or-create and for the annotations file."""
    places = sorted([s.kind, s.ref, s.path, s.alias, s.include, s.exclude] for s in sources)
    if any(s.kind in (SourceKind.STORAGE, SourceKind.DATASET) for s in sources):
        places.append([project])  # these differ between projects
    return hashlib.sha256(json.dumps(places).encode()).hexdigest()[:32]
