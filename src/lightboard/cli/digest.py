"""`lightboard --inspect`: prints the contents and the damage of event files, in the format of TensorBoard's digest.

Steps are listed in file order, including superseded ones. Unlike in TensorBoard, scalars are recognised in every
encoding, and steps count as out of order only within one tag.
"""

import argparse
import math
import os
from array import array
from collections.abc import Iterable, Sequence
from itertools import pairwise

from lightboard.cli.board import logdirs, readable_sources
from lightboard.cli.catalogs import load_catalog, note_what_is_missing
from lightboard.cli.output import plain, say, show
from lightboard.errors import UsageError
from lightboard.events.decode import new_decoder, references, series_points
from lightboard.events.messages import CHECKPOINT, START, STOP
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
"""Kinds with a section of their own. All others are listed as tensors."""

LISTED = ("audio", "histograms", "images", "scalars", "tensor")
COUNTED = ("audio", "graph", "histograms", "images", "scalars")

READ_BYTES = 8 << 20


def inspect(args: argparse.Namespace) -> int:
    """Print the digest and return the exit code. Raises UsageError."""
    names, runs = select_file(args) if args.event_file else select_runs(args)
    if args.tag:
        matching = [(name, run) for name, run in zip(names, runs, strict=True) if has_tag(run, args.tag)]
        if matching:
            names, runs = [name for name, _ in matching], [run for _, run in matching]
        elif runs:
            say(f"note: no run has a tag {args.tag!r}; without --tag all tags are listed")
    if runs and not args.event_file:
        show(f"Found event files in:\n{lines(names)}\n")
    for name, run in zip(names, runs, strict=True):
        show(tag_digest(name, run, args.tag) if args.tag else run_digest(name, run))
    return 0


def select_file(args: argparse.Namespace) -> tuple[list[str], list[Run]]:
    """The file of --event_file as a run, and its name. Raises UsageError."""
    if args.logdir or args.logdir_spec or args.path:
        raise UsageError("--event_file and a folder cannot be used together", hint="leave one of them out")
    return [plain(args.event_file)], [read_file(args.event_file)]


def select_runs(args: argparse.Namespace) -> tuple[list[str], list[Run]]:
    """The displayed names of all runs of the logdir, and the runs, ordered by name. Raises UsageError."""
    logdir, logdir_spec = logdirs(args)
    log_sources = readable_sources(logdir, logdir_spec, follow_links=args.follow_links)
    catalog = load_catalog(log_sources)
    runs = sorted(catalog.runs(), key=lambda run: run.name)
    note_what_is_missing(catalog)
    if not runs:
        say(f"no event files below {logdir or logdir_spec}")
    return [shown_name(logdir, run.name) for run in runs], runs


def has_tag(run: Run, tag: str) -> bool:
    """Whether the run has a tag of this name, of any kind."""
    return tag in run.tags()


def read_file(path: str) -> Run:
    """Read one event file as a run. Raises UsageError if it cannot be read."""
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
        reason = error.strerror or "it is not a regular file"
        raise UsageError(f"cannot read {path}: {reason}", hint="--event_file requires one event file") from None
    run = Run(path)
    run.set_files((file,))
    return run


def shown_name(logdir: str, run: str) -> str:
    """The folder of a run as the user would type it."""
    if not logdir:
        return plain(run)
    return plain(logdir.rstrip("/") if run == "." else f"{logdir.rstrip('/')}/{run}")


def run_digest(name: str, run: Run) -> str:
    """The digest of a run: its tags by kind, statistics of steps by kind, and damage."""
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
    """The digest of one tag of a run."""
    tags = by_kind(info for info in run.tag_list() if info.name == tag)
    counted = [steps_section(kind, tags[kind]) for kind in (*COUNTED, "tensor") if kind in tags]
    return "\n".join([f"Event statistics for tag {plain(tag)} in {name}:", *counted, RULE, ""])


def by_kind(tags: Iterable[Tag]) -> dict[str, list[Tag]]:
    """Group tags by the digest's names of their kinds."""
    groups: dict[str, list[Tag]] = {}
    for tag in tags:
        groups.setdefault(KINDS.get(tag.plugin, "tensor"), []).append(tag)
    return groups


def steps_section(kind: str, tags: Sequence[Tag]) -> str:
    """The section of several tags: first, last, lowest and highest step, distinct steps, and where steps go back."""
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
    """A section with statistics of steps, as TensorBoard prints them."""
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
    """Sections for the steps of session logs: statistics of checkpoints, and lists of starts and stops."""
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
    """A section that lists all steps, as TensorBoard prints them."""
    rows = [f"{'outoforder_steps':<20} {out_of_order(steps)}", f"{'steps':<20} {steps}"]
    return section(kind, rows if steps else [])


def steps_of(tag: Tag) -> tuple[Sequence[int], Sequence[float]]:
    """The steps and wall times of a series in file order."""
    if tag.form == "scalar":
        steps, walls, _, _ = series_points(tag.parts, False)
    else:
        _, _, _, steps, walls = references(tag.parts, False)
    return array("q", steps), array("d", walls)


def key_of(wall: float) -> float:
    """A sort key for wall times. Values that are not finite come first."""
    return wall if math.isfinite(wall) else -math.inf


def out_of_order(steps: Sequence[int]) -> list[tuple[int, int]]:
    """Pairs of consecutive steps, the second of which is lower."""
    return [(a, b) for a, b in pairwise(steps) if b < a]


def section(name: str, items: Sequence[str]) -> str:
    """A name with indented lines below it, or with a dash if there are none."""
    return f"{name}\n{lines(f'   {item}' for item in items)}" if items else f"{name} -"


def lines(items: Iterable[str]) -> str:
    """Join lines."""
    return "\n".join(items)
