"""`lightboard export --logdir DIR OUT.zip`: writes all points of many series to one file, without a server.

The file has the format of `/api/v1/export`: a table (.csv), a document (.json) or an archive with a file per series.
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

from lightboard.board.export.export import Read, SeriesId, archive, document, join_small_pieces, table
from lightboard.cli.board import logdirs, readable_sources
from lightboard.cli.catalogs import load_catalog, note_what_is_missing
from lightboard.cli.output import plain, say
from lightboard.config import BoardSettings
from lightboard.errors import LightboardError, UsageError
from lightboard.query.provider import CatalogProvider
from lightboard.sizes import size_text

USAGE = "lightboard export --logdir DIR OUT.zip"


class Form(Protocol):
    """Generates the bytes of a file."""

    def __call__(self, read: Read, series: Iterable[SeriesId], *, orphans: bool) -> Iterator[bytes]: ...


FORMS: dict[str, Form] = {".csv": table, ".json": document, ".zip": partial(archive, texts=(), format="csv")}
"""Formats by file extension."""


def export(args: argparse.Namespace) -> int:
    """Write the file and return the exit code. Raises UsageError, LightboardError."""
    args.path, out = args.path[:-1], args.path[-1] if args.path else ""
    form = form_of(out)
    runs, tags = pattern_of("--run", args.run), pattern_of("--tag", args.tag)
    provider = read_all(args)
    series = [
        SeriesId(run, info.tag)
        for info in provider.tags("scalars")
        if tags.search(info.tag)
        for run in provider.runs_having(info.tag, None)
        if runs.search(run)
    ]
    if not series:
        raise LightboardError("no scalar matches", hint="lightboard --inspect --logdir DIR lists runs and tags")
    progress = ProgressLine(len(series), shown=sys.stderr is not None and sys.stderr.isatty())
    pieces = form(provider.long_series, progress.count_series(series), orphans=not args.purge_orphaned_data)
    size_bytes = write(out, progress.track(join_small_pieces(pieces)))
    say(f"{len(series):,} series, {size_text(size_bytes)} in {out}")
    return 0


def form_of(out: str) -> Form:
    """The format of a file by its name. Raises UsageError."""
    form = FORMS.get(os.path.splitext(out)[1].lower())
    if form is None:
        problem = f"{out} must end with one of {', '.join(FORMS)}" if out else "no output file"
        raise UsageError(problem, hint=f"for example: {USAGE}")
    if os.path.isdir(out):
        raise UsageError(f"{out} is a folder", hint=f"for example: {USAGE}")
    return form


def pattern_of(flag: str, text: str) -> re.Pattern[str]:
    """A filter of names, as in the page. Raises UsageError."""
    try:
        return re.compile(text, re.IGNORECASE)
    except re.error as error:
        raise UsageError(f"{flag} {text}: {error}", hint="it must be a regular expression") from None


def read_all(args: argparse.Namespace) -> CatalogProvider:
    """Everything in the logdir, read once. Raises UsageError."""
    logdir, logdir_spec = logdirs(args)
    log_sources = readable_sources(logdir, logdir_spec, follow_links=args.follow_links)
    catalog = load_catalog(log_sources)
    note_what_is_missing(catalog)
    if damage := sum(run.damage_bytes for run in catalog.runs()):
        say(f"note: {damage:,} damaged bytes were skipped; lightboard --inspect says where")
    if not catalog.runs():
        raise LightboardError(f"no event files below {logdir or logdir_spec}", hint="give a folder with event files")
    settings = BoardSettings(logdir=logdir, logdir_spec=logdir_spec, purge_orphaned_data=args.purge_orphaned_data)
    return CatalogProvider(catalog, settings)


def write(out: str, pieces: Iterable[bytes]) -> int:
    """Write the file atomically, and return its size.

    Raises:
        LightboardError: it cannot be written. A partial file is removed.
    """
    partial_file = f"{out}.{os.getpid()}.part"
    try:
        with open(partial_file, "xb") as file:
            size_bytes = sum(file.write(piece) for piece in pieces)
        os.replace(partial_file, out)
    except OSError as error:
        remove(partial_file)
        full = error.errno in (errno.ENOSPC, errno.EDQUOT)
        hint = "make room there, or give a file on another disk" if full else "give a file in a folder you may write to"
        raise LightboardError(f"cannot write {out}: {error.strerror}", hint=hint) from None
    except BaseException:
        remove(partial_file)
        raise
    return size_bytes


def remove(path: str) -> None:
    """Remove a file if it exists."""
    with contextlib.suppress(OSError):
        os.unlink(path)


class ProgressLine:
    """A progress line on a terminal, if `shown`."""

    EVERY_SECS = 0.2

    def __init__(self, series: int, *, shown: bool) -> None:
        self.series = series
        self.begun = 0
        self.shown = shown

    def count_series(self, series: Iterable[SeriesId]) -> Iterator[SeriesId]:
        """Pass series on and count those that were started."""
        for self.begun, series_id in enumerate(series, 1):
            yield series_id

    def track(self, pieces: Iterable[bytes]) -> Iterator[bytes]:
        """Pass pieces on. Updates the progress line, and removes it at the end."""
        size_bytes, printed_at = 0, 0.0
        try:
            for piece in pieces:
                yield piece
                size_bytes += len(piece)
                now = time.monotonic()
                if self.shown and now - printed_at > self.EVERY_SECS:
                    printed_at = now
                    self.line(f"{self.begun:,} of {self.series:,} series, {size_text(size_bytes)}")
        finally:
            if self.shown and printed_at:
                self.line("")

    def line(self, text: str) -> None:
        """Overwrite the previous line."""
        with contextlib.suppress(OSError, ValueError):
            print(f"\r{plain(text)}\x1b[K", end="", file=sys.stderr, flush=True)
