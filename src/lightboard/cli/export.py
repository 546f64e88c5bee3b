"""`lightboard export --logdir DIR OUT.zip`: every point of many series into one file, without a server.

The same bytes as `/api/v1/export` sends: a table (.csv), a document (.json) or an archive with a file for each series.
"""

import argparse
import contextlib
import errno
import os
import re
import sys
import time
from collections.abc import Iterable, Iterator
from functools import partial
from typing import Protocol

from lightboard.board.export.export import Chosen, Read, archive, document, gathered, table
from lightboard.cli.board import places, readable_sources
from lightboard.cli.output import plain, say
from lightboard.config import BoardSettings
from lightboard.errors import LightboardError, UsageError
from lightboard.ingest.loader import Loader
from lightboard.query.provider import CatalogProvider
from lightboard.series.catalog import Catalog

USAGE = "lightboard export --logdir DIR OUT.zip"


class Form(Protocol):
    """Makes the bytes of a file."""

    def __call__(self, read: Read, series: Iterable[Chosen], *, orphans: bool) -> Iterator[bytes]: ...


FORMS: dict[str, Form] = {".csv": table, ".json": document, ".zip": partial(archive, texts=(), format="csv")}
"""By the ending of the file."""


def export(asked: argparse.Namespace) -> int:
    """Writes the file and gives the exit code. Raises UsageError, LightboardError."""
    asked.path, out = asked.path[:-1], asked.path[-1] if asked.path else ""
    form = form_of(out)
    runs, tags = pattern_of("--run", asked.run), pattern_of("--tag", asked.tag)
    provider = read_all(asked)
    series = [
        Chosen(run, info.tag)
        for info in provider.tags("scalars")
        if tags.search(info.tag)
        for run in provider.runs_having(info.tag, None)
        if runs.search(run)
    ]
    if not series:
        raise LightboardError("no scalar fits", hint="lightboard --inspect --logdir DIR lists runs and tags")
    progress = Progress(len(series), shown=sys.stderr is not None and sys.stderr.isatty())
    pieces = form(provider.long_series, progress.counted(series), orphans=not asked.purge_orphaned_data)
    size_bytes = write(out, progress.told(gathered(pieces)))
    say(f"{len(series):,} series, {size_bytes / 1e6:,.1f} MB in {out}")
    return 0


def form_of(out: str) -> Form:
    """How to write a file of this name. Raises UsageError."""
    form = FORMS.get(os.path.splitext(out)[1].lower())
    if form is None:
        problem = f"{out} ends in none of {', '.join(FORMS)}" if out else "no file to write to"
        raise UsageError(problem, hint=f"for example: {USAGE}")
    if os.path.isdir(out):
        raise UsageError(f"{out} is a folder", hint=f"for example: {USAGE}")
    return form


def pattern_of(flag: str, text: str) -> re.Pattern[str]:
    """What a name must contain, as in the page's filters. Raises UsageError."""
    try:
        return re.compile(text, re.IGNORECASE)
    except re.error as error:
        raise UsageError(f"{flag} {text}: {error}", hint="it takes a regular expression") from None


def read_all(asked: argparse.Namespace) -> CatalogProvider:
    """Everything in the logdir, read once. Raises UsageError."""
    logdir, logdir_spec = places(asked)
    chosen = readable_sources(logdir, logdir_spec, follow_links=asked.follow_links)
    catalog = Catalog()
    Loader(catalog, chosen).load()
    for path, message in catalog.unreadable.items():
        say(f"note: cannot read {path}: {message}")
    if catalog.skipped_links:
        say(f"note: links that lead outside are not followed: {catalog.skipped_links}")
    if damage := sum(run.damage_bytes for run in catalog.runs()):
        say(f"note: {damage:,} damaged bytes were skipped; lightboard --inspect says where")
    if not catalog.runs():
        raise LightboardError(f"no event files below {logdir or logdir_spec}", hint="give a folder with event files")
    settings = BoardSettings(logdir=logdir, logdir_spec=logdir_spec, purge_orphaned_data=asked.purge_orphaned_data)
    return CatalogProvider(catalog, settings)


def write(out: str, pieces: Iterable[bytes]) -> int:
    """Puts the file at its place once it is whole; an older one stays until then. Bytes written.

    Raises:
        LightboardError: it cannot be written; nothing is left of it.
    """
    half = f"{out}.{os.getpid()}.part"
    try:
        with open(half, "xb") as file:
            size_bytes = sum(file.write(piece) for piece in pieces)
        os.replace(half, out)
    except OSError as error:
        remove(half)
        full = error.errno in (errno.ENOSPC, errno.EDQUOT)
        hint = "make room there, or give a file on another disk" if full else "give a file in a folder you may write to"
        raise LightboardError(f"cannot write {out}: {error.strerror}", hint=hint) from None
    except BaseException:
        remove(half)
        raise
    return size_bytes


def remove(path: str) -> None:
    """Removes a file if it is there."""
    with contextlib.suppress(OSError):
        os.unlink(path)


class Progress:
    """One line on a terminal that says how far writing has come; nothing where none is to be `shown`."""

    EVERY_SECS = 0.2

    def __init__(self, series: int, *, shown: bool) -> None:
        self.series = series
        self.begun = 0
        self.shown = shown

    def counted(self, series: Iterable[Chosen]) -> Iterator[Chosen]:
        """The same series, counted as they are begun."""
        for self.begun, chosen in enumerate(series, 1):
            yield chosen

    def told(self, pieces: Iterable[bytes]) -> Iterator[bytes]:
        """The same pieces; the line is written now and then, and taken away at the end."""
        size_bytes, said_at = 0, 0.0
        try:
            for piece in pieces:
                yield piece
                size_bytes += len(piece)
                now = time.monotonic()
                if self.shown and now - said_at > self.EVERY_SECS:
                    said_at = now
                    self.line(f"{self.begun:,} of {self.series:,} series, {size_bytes / 1e6:,.0f} MB")
        finally:
            if self.shown and said_at:
                self.line("")

    def line(self, text: str) -> None:
        """Writes over the line before."""
        with contextlib.suppress(OSError, ValueError):
            print(f"\r{plain(text)}\x1b[K", end="", file=sys.stderr, flush=True)
