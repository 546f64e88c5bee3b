"""Starts one board: storage and ingest first, the HTTP half last.

The order is for speed: the port is taken first (a busy one is told at once), then threads begin to read event files,
and only then is the HTTP library loaded, while they read. Ctrl-C ends everything at once, open streams and half-read
files included.
"""

import contextlib
import gc
import os
import sys
from collections.abc import Callable
from typing import NoReturn

from lightboard.asgi.ending import end_on_signals
from lightboard.board.instance import withdraw_instance
from lightboard.board.open_overlay import open_overlay
from lightboard.board.ports import Listening, listen
from lightboard.board.slots import SlotKeeper
from lightboard.config import BoardSettings
from lightboard.ingest.loader import Loader, LoaderOptions
from lightboard.ingest.logdir import sources
from lightboard.series.catalog import Catalog

Say = Callable[[str], None]


def start(settings: BoardSettings, say: Say, *, on_leave: Callable[[], None] = lambda: None) -> NoReturn:
    """Serves until a signal ends it, calls `on_leave`, then ends the process with code 0.

    Raises:
        UsageError: the port, host or logdir cannot be used; nothing was started.
    """
    gc.disable()  # nothing becomes garbage while modules load; looking for it costs a tenth of the start
    end_on_signals()
    places = sources(settings.logdir, settings.logdir_spec, follow_links=settings.follow_links)
    listening = listen(settings)
    try:
        overlay = open_overlay(settings, places, say)
        catalog = Catalog(overlay.read().slots)
        keeper = SlotKeeper(catalog, overlay)
        loader = Loader(catalog, places, options_of(settings))
        if settings.reload_blocking:
            loader.load()
        loader.start()
        try:
            answer_requests(catalog, keeper, settings, listening, say)
        finally:
            keeper.keep()
    except KeyboardInterrupt:
        pass
    finally:
        listening.close()
    withdraw_instance()
    on_leave()
    leave()


def options_of(settings: BoardSettings) -> LoaderOptions:
    """How files are to be read."""
    return LoaderOptions(reload_secs=settings.reload_secs, threads=settings.reload_threads)


def answer_requests(
    catalog: Catalog, keeper: SlotKeeper, settings: BoardSettings, listening: Listening, say: Say
) -> None:
    """Loads the HTTP half and serves; returns when a signal asked to stop."""
    from lightboard.board.serve import serve  # only now: the threads that read are already at work

    serve(catalog, keeper, settings, listening, say)


def leave() -> NoReturn:
    """Ends the process now. Taking ten million points apart, or waiting for a half-read file, helps nobody."""
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:  # closed by whoever started us
            with contextlib.suppress(OSError, ValueError):
                stream.flush()
    os._exit(0)
