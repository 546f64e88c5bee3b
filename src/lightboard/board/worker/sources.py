"""Opens the sources that the hub sends, and describes problems with them."""

import hashlib
import json
import os
import secrets
from collections.abc import Sequence
from typing import NamedTuple

from lightboard.errors import LaunchError, OutsideRoot, UsageError
from lightboard.ingest.logdir import Source
from lightboard.ingest.run_filter import RunFilter
from lightboard.schema.worker import SourceBody
from lightboard.storage.base import GONE_ERRORS, printable
from lightboard.storage.urls import Confinement, is_url, open_storage
from lightboard.types import ACCESS_DENIED, SOURCE_NOT_FOUND, UNREACHABLE

SALT = secrets.token_bytes(16)
"""Digests of credentials differ between processes, so that they cannot be looked up."""


class SourceProblem(NamedTuple):
    """Why a source cannot be read: a reason for programs, and a message with its location."""

    reason: str
    message: str


def open_source(body: SourceBody) -> Source:
    """Open a source without checking that it exists. Raises LaunchError if its URL cannot be used."""
    try:
        storage = open_storage(body.url, body.options, confinement=Confinement(body.roots, body.refused))
    except UsageError as error:
        raise LaunchError(error.message, reason=UNREACHABLE, hint=error.hint) from None
    return Source(body.alias, storage, run_filter=RunFilter(body.include, body.exclude), shown=body.shown)


def find_problem(source: Source) -> SourceProblem | None:
    """The problem of a source whose root cannot be listed; None if it can."""
    failed: dict[str, OSError] = {}
    for _ in source.storage.walk(source.root, deep=False, select=select_none, on_error=failed.__setitem__):
        break
    error = failed.get(source.root)
    return None if error is None else describe_problem(source, error)


def describe_problem(source: Source, error: OSError) -> SourceProblem:
    """Describe an error of a listing."""
    location = source.location
    if isinstance(error, OutsideRoot):
        return SourceProblem(ACCESS_DENIED, f"{location} leads out of the allowed folders")
    if isinstance(error, NotADirectoryError):
        return SourceProblem(SOURCE_NOT_FOUND, f"{location} is a file, not a folder")
    if isinstance(error, GONE_ERRORS):
        return SourceProblem(SOURCE_NOT_FOUND, f"{location} does not exist")
    if isinstance(error, PermissionError):
        return SourceProblem(ACCESS_DENIED, f"{location} may not be read")
    return SourceProblem(UNREACHABLE, f"{location} cannot be reached: {error.strerror or error}")


def select_none(_name: str) -> bool:
    """Select no files."""
    return False


def key_of(sources: Sequence[SourceBody], reload_secs: float) -> str:
    """A key that is equal only for equal sources and options. Contains no credentials."""
    parts = [
        (
            source.alias,
            normalise_url(source.url),
            sorted(source.options.items()),
            source.include,
            source.exclude,
            source.shown,
            sorted(source.roots),
            sorted(source.refused),
        )
        for source in sources
    ]
    text = json.dumps([parts, reload_secs], ensure_ascii=True).encode()
    return hashlib.blake2b(text, key=SALT, digest_size=12).hexdigest()


def normalise_url(url: str) -> str:
    """A normalised URL or path."""
    return url.rstrip("/") if is_url(url) else printable(os.path.abspath(os.path.expanduser(url)))


def location_of(sources: Sequence[Source]) -> str:
    """All locations in one line, in the form of --logdir_spec if they have names."""
    locations = [(source.prefix, source.location) for source in sources]
    return ",".join(f"{prefix}:{location}" if prefix else location for prefix, location in locations)
