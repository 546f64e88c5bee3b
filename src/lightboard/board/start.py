"""Starts one board: the port, then threads that read files, then the HTTP server.

The order is for speed. A used port is reported immediately, and the HTTP libraries are imported while files are already
read. Ctrl-C ends everything immediately, including open streams and partly read files.
"""

import contextlib
import gc
import os
import sys
from collections.abc import Callable
from typing import NoReturn

from lightboard.asgi.signals import interrupt_on_signals
from lightboard.board.color_slots import ColorSlotStore
from lightboard.board.instance import remove_instance_file
from lightboard.board.open_annotations import open_annotations
from lightboard.board.ports import Listening, listen
from lightboard.config import BoardSettings
from lightboard.ingest.loader import Loader, LoaderOptions
from lightboard.ingest.logdir import graph_source, sources
from lightboard.series.catalog import Catalog

Say = Callable[[str], None]


def start(settings: BoardSettings, say: Say, *, on_leave: Callable[[], None] = lambda: None) -> NoReturn:
    """Serve until a signal, call `on_leave`, and exit the process with code 0.

    Raises:
        UsageError: the port, host or logdir cannot be used. Nothing was started.
    """
    gc.disable()  # importing modules creates no garbage, and collecting takes a tenth of the start
    interrupt_on_signals()
    if settings.graph_file:
        log_sources = [graph_source(os.path.join(settings.logdir, settings.graph_file))]
    else:
        log_sources = sources(settings.logdir, settings.logdir_spec, follow_links=settings.follow_links)
    listening = listen(settings)
    try:
        annotations = open_annotations(settings, log_sources, say)
        catalog = Catalog(annotations.read().slots)
        slot_store = ColorSlotStore(catalog, annotations)
        loader = Loader(catalog, log_sources, options_of(settings))
        if settings.reload_blocking:
            loader.load()
        loader.start()
        try:
            load_and_serve(catalog, slot_store, settings, listening, say)
        finally:
            slot_store.store()
    except KeyboardInterrupt:
        pass
    finally:
        listening.close()
    remove_instance_file()
    on_leave()
    leave()


def options_of(settings: BoardSettings) -> LoaderOptions:
    """The options for reading files."""
    return LoaderOptions(reload_secs=settings.reload_secs, threads=settings.reload_threads)


def load_and_serve(
    catalog: Catalog, slot_store: ColorSlotStore, settings: BoardSettings, listening: Listening, say: Say
) -> None:
    """Import the HTTP server and serve. Returns when a signal arrives."""
    from lightboard.board.serve import serve  # imported here, while the threads already read files

    serve(catalog, slot_store, settings, listening, say)


def leave() -> NoReturn:
    """Exit the process without freeing millions of points or waiting for partly read files."""
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:  # closed by the parent process
            with contextlib.suppress(OSError, ValueError):
                stream.flush()
    os._exit(0)
