"""`lightboard graph FILE`: a board of one model file, on the page Graphs."""

import argparse
import os
from dataclasses import replace
from typing import NoReturn

from lightboard.board.announcement import find_address
from lightboard.board.start import start
from lightboard.cli.board import exposure_note, settings_of
from lightboard.cli.output import say
from lightboard.errors import LightboardError, Unshowable, UsageError
from lightboard.graphs.file_names import likely_format
from lightboard.ingest.logdir import Source, asset_run, graph_source
from lightboard.query.graph_files import GraphFile
from lightboard.query.graphs import file_steps
from lightboard.series.catalog import Asset

HINT = "lightboard graph FILE, with an ONNX model, a GraphDef or SavedModel of TensorFlow, or a graph of Model Explorer"


def run(args: argparse.Namespace) -> NoReturn:
    """Serve the graph until interrupted. Raises UsageError if there is none, before serving."""
    if len(args.path) != 1 or args.logdir or args.logdir_spec:
        raise UsageError("graph takes one file", hint=HINT)
    path = os.path.abspath(os.path.expanduser(args.path[0]))
    check(args.path[0])
    folder, name = os.path.split(path)
    settings = settings_of(argparse.Namespace(**vars(args) | {"logdir": folder, "path": []}))
    settings = replace(settings, graph_file=name, window_title=args.window_title or name, home="")
    if line := exposure_note(settings):
        say(line)
    start(settings, say_with_page)


def check(path: str) -> None:
    """Read the graph, which stays in memory for the board. Raises UsageError if it cannot be shown."""
    source = graph_source(path)
    try:
        for _ in file_steps(file_of(source), None):
            pass
    except LightboardError as error:
        hint = error.hint if isinstance(error, Unshowable) and error.hint else HINT
        raise UsageError(f"{path} cannot be shown as a graph: {error.message}", hint=hint) from None


def file_of(source: Source) -> GraphFile:
    """The file of a source that has only one. Raises Unshowable."""
    found = likely_format(source.file)
    if found is None:
        raise Unshowable("its name is not that of a graph", hint="known are .onnx, .pb, .pbtxt and .json")
    info = source.storage.stat(source.file)
    return GraphFile(asset_run(source, source.root), source.file, found, Asset(".", source.storage, info))


def say_with_page(line: str) -> None:
    """Print a line of the start, and after the address that of the page."""
    say(line)
    if address := find_address(line):
        say(f"the graph is at {address.url}#graphs")
