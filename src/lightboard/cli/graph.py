"""`lightboard graph FILE`: a board of one model file, on the page Graphs; or its totals, or an export."""

import argparse
import os
import sys
from collections.abc import Callable
from dataclasses import replace
from typing import Any, NoReturn

from lightboard import cancellation
from lightboard.board.announcement import find_address
from lightboard.board.start import start
from lightboard.cli.board import exposure_note, settings_of
from lightboard.cli.output import say
from lightboard.cli.tables import TABLE, Columns, Format, show_list
from lightboard.errors import LightboardError, Unshowable, UsageError
from lightboard.graphs.file_names import likely_format
from lightboard.graphs.totals_table import totals_table
from lightboard.ingest.logdir import Source, asset_run, graph_source
from lightboard.query.graph_files import GraphFile, xplanes
from lightboard.query.graphs import ExportForm, LoadedGraph, export_graph, file_steps
from lightboard.query.xla_programs import programs_in
from lightboard.series.catalog import Asset
from lightboard.series.natural_sort import natural_key

HINT = (
    "lightboard graph FILE, with an ONNX model, a program of torch.export, a GraphDef or SavedModel of TensorFlow, "
    "a program of XLA, a capture of JAX, or a graph of Model Explorer"
)

MAX_NAMED = 10
"""Programs of a capture that an error lists."""

MAX_ROWS = 100_000
"""Rows of a summary."""


def number(name: str) -> Callable[[dict[str, Any]], str]:
    """The cell of a column of numbers."""
    return lambda row: number_text(row[name], partial=name in row["partial"])


SUMMARY: Columns = [
    ("SCOPE", lambda row: "  " * row["depth"] + (row["path"].rpartition("/")[2] or "(graph)")),
    ("OP", lambda row: row["op"]),
    ("PARAMETERS", number("parameters")),
    ("TRAINABLE", number("trainable")),
    ("BYTES", number("bytes")),
    ("FLOPS", number("flops")),
]


def run(args: argparse.Namespace) -> int:
    """Serve the graph until interrupted, or print its totals. Raises UsageError if there is none, before serving."""
    if len(args.path) != 1 or args.logdir or args.logdir_spec:
        raise UsageError("graph takes one file", hint=HINT)
    if args.output is not TABLE and not args.summary:
        raise UsageError(
            "--output and --json are for graph with --summary", hint="lightboard graph FILE --summary --output json"
        )
    if args.summary and args.export:
        raise UsageError("graph prints a summary or an export", hint="lightboard graph FILE --export dot")
    if args.program and not (args.summary or args.export):
        raise UsageError(
            "--program is for graph with --summary or --export", hint="the page shows all programs of a capture"
        )
    if args.export:
        return export(args.path[0], args.program, args.export)
    if not args.summary:
        serve(args)
    return summarize(args.path[0], args.program, args.output)


def serve(args: argparse.Namespace) -> NoReturn:
    """Serve the graph until interrupted."""
    path = os.path.abspath(os.path.expanduser(args.path[0]))
    check(args.path[0], None)
    folder, name = os.path.split(path)
    settings = settings_of(argparse.Namespace(**vars(args) | {"logdir": folder, "path": []}))
    settings = replace(settings, graph_file=name, window_title=args.window_title or name, home="")
    if line := exposure_note(settings):
        say(line)
    start(settings, say_with_page)


def summarize(path: str, program: str, output: Format) -> int:
    """Print the totals of a graph by scope. Raises UsageError if it cannot be read."""
    loaded = check(path, program)
    table = totals_table(loaded.scopes, MAX_ROWS)
    show_list((row._asdict() for row in table.rows), SUMMARY, output, "")
    for problem in loaded.problems:
        say(f"note: {problem}")
    if table.total > MAX_ROWS:
        say(f"note: only the outermost {MAX_ROWS:,} of {table.total:,} scopes and nodes are shown")
    return 0


def export(path: str, program: str, form: ExportForm) -> int:
    """Print a graph for another program. Raises UsageError if it cannot be read."""
    loaded = check(path, program)
    for piece in export_graph(loaded, form):
        sys.stdout.write(piece)
    for problem in loaded.problems:
        print(f"note: {problem}", file=sys.stderr)
    return 0


def number_text(value: int | None, *, partial: bool) -> str:
    """A number, with a sign if it is a lower bound."""
    return "-" if value is None else f"{'≥ ' if partial else ''}{value:,}"


def check(path: str, program: str | None) -> LoadedGraph:
    """Read the graph, which stays in memory for the board. Raises UsageError if it cannot be shown.

    `program` is the name of one in a capture, "" for the only one, None for any.
    """
    source = graph_source(path)
    try:
        return cancellation.finish(file_steps(file_of(source, program), None))
    except LightboardError as error:
        hint = error.hint if isinstance(error, Unshowable) and error.hint else HINT
        raise UsageError(f"{path} cannot be shown as a graph: {error.message}", hint=hint) from None


def file_of(source: Source, program: str | None) -> GraphFile:
    """The file of a source that has only one, or the program in it. Raises Unshowable."""
    found = likely_format(source.file)
    if found is None:
        raise Unshowable(
            "its name is not that of a graph", hint="known are .onnx, .pt2, .mlir, .hlo, .pb, .pbtxt and .json"
        )
    asset = Asset(".", source.storage, source.storage.stat(source.file))
    if captures := xplanes((), [asset]):
        return program_of(captures[0], program)
    if program:
        raise Unshowable("only captures have programs", hint="leave out --program")
    return GraphFile(asset_run(source, source.root), source.file, found, asset)


def program_of(capture: GraphFile, name: str | None) -> GraphFile:
    """One program in a capture. Raises Unshowable."""
    programs = {program.name.removeprefix(f"{capture.name}/"): program for program in programs_in(capture)}
    if not programs:
        raise Unshowable("the capture has no programs of XLA", hint="captures of JAX have them")
    if name is None or (not name and len(programs) == 1):
        return next(iter(programs.values()))
    if name in programs:
        return programs[name]
    names = sorted(programs, key=natural_key)
    more = ", …" if len(names) > MAX_NAMED else ""
    raise Unshowable(
        f"the capture has no program {name!r}" if name else f"the capture has {len(names)} programs",
        hint=f"choose one by --program: {', '.join(names[:MAX_NAMED])}{more}",
    )


def say_with_page(line: str) -> None:
    """Print a line of the start, and after the address that of the page."""
    say(line)
    if address := find_address(line):
        say(f"the graph is at {address.url}#graphs")
