"""`lightboard --inspect`: what the event files hold, in the form of TensorBoard's digest, and what was damaged.

Steps are listed as they lie in the files, superseded ones included. Unlike TensorBoard a scalar is a scalar in
whichever way it was written, and steps are called out of order only within one tag.
"""

import argparse
import math
import os
from array import array
from collections.abc import Iterable, Sequence
from itertools import pairwise

from lightboard.cli.board import places, readable_sources
from lightboard.cli.output import plain, say, show
from lightboard.errors import UsageError
from lightboard.events.decode import new_decoder, references, series_points
from lightboard.events.messages import CHECKPOINT, START, STOP
from lightboard.ingest.loader import Loader
from lightboard.series.catalog import Catalog
from lightboard.series.run import Run, RunFile
from lightboard.series.timeseries import Tag
from lightboard.storage.local import LocalStorage

RULE = "=" * 70

KINDS = {
    "audio": "audio",
    "graphs": "graph",
    "graph_tagged_run_metadata": "graph",
    "histograms": "histograms",
    "images": "images",
    "meta_graph": "graph",
    "scalars": "scalars",
}
"""Kinds with a line of their own; everything else is a tensor."""

LISTED = ("audio", "histograms", "images", "scalars", "tensor")
COUNTED = ("audio", "graph", "histograms", "images", "scalars")

READ_BYTES = 8 << 20


def inspect(asked: argparse.Namespace) -> int:
    """Prints the digest and gives the exit code. Raises UsageError."""
    names, runs = file_asked(asked) if asked.event_file else folder_asked(asked)
    if asked.tag:
        having = [(name, run) for name, run in zip(names, runs, strict=True) if has_tag(run, asked.tag)]
        if having:
            names, runs = [name for name, _ in having], [run for _, run in having]
        elif runs:
            say(f"note: no run has a tag {asked.tag!r}; without --tag all tags are listed")
    if runs and not asked.event_file:
        show(f"Found event files in:\n{lines(names)}\n")
    for name, run in zip(names, runs, strict=True):
        show(tag_digest(name, run, asked.tag) if asked.tag else run_digest(name, run))
    return 0


def file_asked(asked: argparse.Namespace) -> tuple[list[str], list[Run]]:
    """The file of --event_file as a run, and its name. Raises UsageError."""
    if asked.logdir or asked.logdir_spec or asked.path:
        raise UsageError("--event_file and a folder exclude each other", hint="leave one of them out")
    return [plain(asked.event_file)], [read_file(asked.event_file)]


def folder_asked(asked: argparse.Namespace) -> tuple[list[str], list[Run]]:
    """Every run of the logdir by name, and how it is shown. Raises UsageError."""
    logdir, logdir_spec = places(asked)
    chosen = readable_sources(logdir, logdir_spec, follow_links=asked.follow_links)
    catalog = Catalog()
    Loader(catalog, chosen).load()
    runs = sorted(catalog.runs(), key=lambda run: run.name)
    for path, message in catalog.unreadable.items():
        say(f"note: cannot read {path}: {message}")
    if catalog.skipped_links:
        say(f"note: links that lead outside are not followed: {catalog.skipped_links}")
    if not runs:
        say(f"no event files below {logdir or logdir_spec}")
    return [shown_name(logdir, run.name) for run in runs], runs


def has_tag(run: Run, tag: str) -> bool:
    """Does the run have a tag of this name, of any kind?"""
    return tag in run.tags()


def read_file(path: str) -> Run:
    """One event file as a run. Raises UsageError if it cannot be read."""
    file = RunFile(path, new_decoder())
    folder, name = os.path.split(os.path.abspath(os.path.expanduser(path)))
    try:
        fd = LocalStorage(folder).open_fd(name)
        try:
            while file.decoder.read(fd, READ_BYTES):
                pass
        finally:
            os.close(fd)
    except OSError as error:
        reason = error.strerror or "it is no regular file"
        raise UsageError(f"cannot read {path}: {reason}", hint="--event_file wants one event file") from None
    run = Run(path)
    run.set_files((file,))
    return run


def shown_name(logdir: str, run: str) -> str:
    """The folder of a run as the user would type it."""
    if not logdir:
        return plain(run)
    return plain(logdir.rstrip("/") if run == "." else f"{logdir.rstrip('/')}/{run}")


def run_digest(name: str, run: Run) -> str:
    """Tags of a run by kind, steps by kind, damage."""
    tags = by_kind(run.tag_list())
    listed = [section(kind, sorted(plain(tag.name) for tag in tags.get(kind, ()))) for kind in LISTED]
    counted = [steps_section(kind, tags.get(kind, ())) for kind in COUNTED]
    counted += [*session_sections(run), steps_section("tensor", tags.get("tensor", ()))]
    pieces = [f"These tags are in {name}:", *listed, RULE, "", f"Event statistics for {name}:", *counted]
    damage = [
        f"bytes {region.offset} to {region.offset + region.length} of {plain(region.path)}" for region in run.damage()
    ]
    if damage:
        pieces.append(section("damaged, skipped", damage))
    return "\n".join([*pieces, RULE, ""])


def tag_digest(name: str, run: Run, tag: str) -> str:
    """Steps of one tag in a run."""
    tags = by_kind(one for one in run.tag_list() if one.name == tag)
    counted = [steps_section(kind, tags[kind]) for kind in (*COUNTED, "tensor") if kind in tags]
    return "\n".join([f"Event statistics for tag {plain(tag)} in {name}:", *counted, RULE, ""])


def by_kind(tags: Iterable[Tag]) -> dict[str, list[Tag]]:
    """Tags under the words of the digest."""
    found: dict[str, list[Tag]] = {}
    for tag in tags:
        found.setdefault(KINDS.get(tag.plugin, "tensor"), []).append(tag)
    return found


def steps_section(kind: str, tags: Sequence[Tag]) -> str:
    """First, last, lowest and highest step over some tags, how many different ones, and where they went back."""
    columns = [steps_of(tag) for tag in tags]
    columns = [column for column in columns if column[0]]
    if not columns:
        return f"{kind} -"
    steps = {step for column, _ in columns for step in column}
    first = min(columns, key=lambda column: key_of(column[1][0]))[0][0]
    last = max(columns, key=lambda column: key_of(column[1][-1]))[0][-1]
    went_back = sorted({pair for column, _ in columns for pair in out_of_order(column)})
    return figures_section(kind, first, last, steps, went_back)


def figures_section(kind: str, first: int, last: int, steps: set[int], went_back: list[tuple[int, int]]) -> str:
    """What TensorBoard prints of many steps."""
    rows = {
        "first_step": first,
        "last_step": last,
        "max_step": max(steps),
        "min_step": min(steps),
        "num_steps": len(steps),
        "outoforder_steps": went_back,
    }
    return section(kind, [f"{label:<20} {value}" for label, value in rows.items()])


def session_sections(run: Run) -> list[str]:
    """Where writers made checkpoints, started and stopped: the first as figures, the others step by step."""
    logs = [log for file in run.files for log in file.decoder.session_logs()]
    checkpoints = [step for status, step in logs if status == CHECKPOINT]
    sections = ["sessionlog:checkpoint -"]
    if checkpoints:
        ends = (checkpoints[0], checkpoints[-1])
        sections = [figures_section("sessionlog:checkpoint", *ends, set(checkpoints), out_of_order(checkpoints))]
    for kind, wanted in (("sessionlog:start", START), ("sessionlog:stop", STOP)):
        sections.append(list_section(kind, [step for status, step in logs if status == wanted]))
    return sections


def list_section(kind: str, steps: list[int]) -> str:
    """What TensorBoard prints of few steps."""
    rows = [f"{'outoforder_steps':<20} {out_of_order(steps)}", f"{'steps':<20} {steps}"]
    return section(kind, rows if steps else [])


def steps_of(tag: Tag) -> tuple[Sequence[int], Sequence[float]]:
    """Steps and wall times of a series as they lie in its files."""
    if tag.form == "scalar":
        steps, walls, _, _ = series_points(tag.parts, False)
    else:
        _, _, _, steps, walls = references(tag.parts, False)
    return array("q", steps), array("d", walls)


def key_of(wall: float) -> float:
    """Sorts a wall time that is no number first."""
    return wall if math.isfinite(wall) else -math.inf


def out_of_order(steps: Sequence[int]) -> list[tuple[int, int]]:
    """Neighbours of which the second is lower."""
    return [(a, b) for a, b in pairwise(steps) if b < a]


def section(name: str, items: Sequence[str]) -> str:
    """A name and its indented lines, or a dash."""
    return f"{name}\n{lines(f'   {item}' for item in items)}" if items else f"{name} -"


def lines(items: Iterable[str]) -> str:
    """One under the other."""
    return "\n".join(items)
