"""Volumes as Neu.ro writes them: `storage:image/results:/project/results:ro` shows a source at a path."""

import posixpath
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from lightboard.errors import UsageError

READ_ONLY, WRITABLE = MODES = ("ro", "rw")
HINT = "for example --volume storage:image/results:/project/results:ro"
HINT_FOR_SECRETS = "give it in a variable, --env NAME=secret:SECRET; the program can write that to a file"
_VOLUME = re.compile(r"(?P<source>.+):(?P<target>/[^:]*)(?::(?P<mode>[^:/]*))?", re.S)
_SCHEMES = ("storage", "dataset", "s3", "gs", "az", "oss", "file")


@dataclass(frozen=True, kw_only=True)
class Volume:
    """A `source` as a TensorBoard has them, and the absolute path `target` at which a program expects it.

    With `mode` "", the hub decides whether it can be written to.
    """

    source: str
    target: str
    mode: str = READ_ONLY

    def __str__(self) -> str:
        return ":".join(filter(None, (self.source, self.target, self.mode)))

    def request(self) -> dict[str, Any]:
        """The volume in the request for a job."""
        read_only = self.mode == READ_ONLY if self.mode else None
        return {"source": self.source, "target": self.target, "read_only": read_only}

    def source_at(self, path: str) -> str | None:
        """The source that the program sees at `path`, an absolute path; None if that is not below the target."""
        if path == self.target:
            return self.source
        prefix = self.target.rstrip("/") + "/"
        if not path.startswith(prefix):
            return None
        separator = "" if self.source.endswith((":", "/")) else "/"
        return f"{self.source}{separator}{path.removeprefix(prefix)}"


def volume_of(item: Mapping[str, Any]) -> Volume:
    """The volume of a job, as the hub describes it."""
    mode = READ_ONLY if item["read_only"] else WRITABLE
    return Volume(source=item["source"], target=item["target"], mode=mode)


def parse_volume(text: str) -> Volume:
    """Parse `SOURCE:TARGET` or `SOURCE:TARGET:MODE`. Raises UsageError."""
    if text.startswith("secret:"):
        raise UsageError(f"{text!r}: a secret cannot be mounted as a file", hint=HINT_FOR_SECRETS)
    match = _VOLUME.fullmatch(text)
    if match is None or match["source"] in _SCHEMES:  # of `s3://bucket/path`, the path is no target
        raise UsageError(f"{text!r} is not a volume", hint=HINT)
    mode = match["mode"] or ""
    if mode not in MODES and match["mode"] is not None:
        raise UsageError(f"{text!r} has the mode {mode!r}, which is neither ro nor rw", hint=HINT)
    return Volume(source=match["source"], target=clean_path(match["target"]), mode=mode)


def parse_volumes(texts: Iterable[str]) -> list[Volume]:
    """The volumes of several `--volume`. Raises UsageError if two have one target."""
    volumes: dict[str, Volume] = {}
    for text in texts:
        volume = parse_volume(text)
        if volume.target in volumes:
            raise UsageError(f"two volumes are at {volume.target}", hint="each needs a path of its own")
        volumes[volume.target] = volume
    return list(volumes.values())


def output_target(channel: str) -> str:
    """The path of a volume that is the folder of one kind of outputs, such as `model`: that of PAI's jobs."""
    return f"/ml/output/{channel}"


def clean_path(path: str) -> str:
    """An absolute path with single slashes: `//project/results` is one, for shells of Windows. Raises UsageError."""
    parts = path.split("/")
    if not path.startswith("/") or ".." in parts:
        raise UsageError(f"{path!r} is not an absolute path", hint="such as /project/results, without ..")
    return "/" + posixpath.normpath(path).lstrip("/")


def source_at(path: str, volumes: Sequence[Volume]) -> str | None:
    """The source at `path`, from the innermost volume that covers it; None if none does."""
    for volume in sorted(volumes, key=lambda each: len(each.target), reverse=True):
        if (source := volume.source_at(path)) is not None:
            return source
    return None
