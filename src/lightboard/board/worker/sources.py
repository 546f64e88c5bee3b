"""From what the hub says of a place to a source that can be read, and what is wrong with it in words."""

import hashlib
import json
import os
import secrets
from collections.abc import Sequence
from typing import NamedTuple

from lightboard.errors import LaunchError, LeadsOutside, UsageError
from lightboard.ingest.logdir import Source
from lightboard.ingest.run_filter import RunFilter
from lightboard.schema.worker import SourceBody
from lightboard.storage.base import GONE, printable
from lightboard.storage.urls import Within, is_url, open_storage
from lightboard.types import ACCESS_DENIED, SOURCE_NOT_FOUND, UNREACHABLE

SALT = secrets.token_bytes(16)
"""Digests of credentials differ from process to process, so that none can be looked up."""


class Trouble(NamedTuple):
    """Why a source cannot be read: one word for machines, and a message for people that names the place."""

    reason: str
    message: str


def open_source(body: SourceBody) -> Source:
    """Ready to scan; whether anything is there was not looked at. Raises LaunchError for a place nobody can read."""
    try:
        storage = open_storage(body.url, body.options, within=Within(body.roots, body.refused))
    except UsageError as error:
        raise LaunchError(error.message, reason=UNREACHABLE, hint=error.hint) from None
    return Source(body.alias, storage, run_filter=RunFilter(body.include, body.exclude), shown=body.shown)


def trouble_with(source: Source) -> Trouble | None:
    """Whether its top can be listed now; takes one listing of one folder."""
    failed: dict[str, OSError] = {}
    for _ in source.storage.walk(source.root, deep=False, select=none, on_error=failed.__setitem__):
        break
    error = failed.get(source.root)
    return None if error is None else trouble_of(source, error)


def trouble_of(source: Source, error: OSError) -> Trouble:
    """The error of a listing in words."""
    place = source.place
    if isinstance(error, LeadsOutside):
        return Trouble(ACCESS_DENIED, f"{place} leads out of the folders that may be shown")
    if isinstance(error, NotADirectoryError):
        return Trouble(SOURCE_NOT_FOUND, f"{place} is a file, not a folder")
    if isinstance(error, GONE):
        return Trouble(SOURCE_NOT_FOUND, f"{place} is not there")
    if isinstance(error, PermissionError):
        return Trouble(ACCESS_DENIED, f"{place} may not be read")
    return Trouble(UNREACHABLE, f"{place} cannot be reached: {error.strerror or error}")


def none(_name: str) -> bool:
    """Choose no file."""
    return False


def key_of(sources: Sequence[SourceBody], reload_secs: float) -> str:
    """The same text for the same places read in the same way, and for no others. Shows no credentials."""
    parts = [
        (
            *(one.alias, place_of(one.url), sorted(one.options.items()), one.include, one.exclude, one.shown),
            *(sorted(one.roots), sorted(one.refused)),
        )
        for one in sources
    ]
    words = json.dumps([parts, reload_secs], ensure_ascii=True).encode()
    return hashlib.blake2b(words, key=SALT, digest_size=12).hexdigest()


def place_of(url: str) -> str:
    """The same text for the same place, as far as can be told without looking."""
    return url.rstrip("/") if is_url(url) else printable(os.path.abspath(os.path.expanduser(url)))


def location_of(sources: Sequence[Source]) -> str:
    """All of them in one line for people, in the form of --logdir_spec if they have names."""
    places = [(source.prefix, source.place) for source in sources]
    return ",".join(f"{prefix}:{place}" if prefix else place for prefix, place in places)
