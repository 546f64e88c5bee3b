"""`lightboard profile ls|steps|ops|overview LOGDIR`: what captures of profilers say, without a server.

Times in JSON are microseconds; those of steps begin at the first event of the capture.
"""

import argparse
from typing import Any

from lightboard.cli.board import logdirs, readable_sources
from lightboard.cli.output import say
from lightboard.cli.tables import Columns, show_list, show_one
from lightboard.errors import UsageError
from lightboard.home import cache_folder
from lightboard.profiles.capture import HostCapture
from lightboard.profiles.steps import Step
from lightboard.query.capture_files import Capture, find_captures
from lightboard.query.capture_index import index_below
from lightboard.query.profiles import (
    StepFigures,
    begin_ns,
    capture_operators,
    capture_steps,
    choose_capture,
    host_overview,
    read_capture,
)
from lightboard.sizes import size_text

HINT = "lightboard profile ls|steps|ops|overview LOGDIR [--capture NAME] [--json]"

VERBS = ("ls", "steps", "ops", "overview")

TOP = 3
"""Operators in an overview."""

HOW_TO_MARK = (
    "call profiler.step() of torch.profiler, or put jax.profiler.StepTraceAnnotation or "
    "tf.profiler.experimental.Trace(name, step_num=..., _r=1) around each"
)

NO_STEPS = f"no steps are marked: {HOW_TO_MARK}"

INFERRED = f"no steps are marked, so they are inferred from calls that repeat; to mark them, {HOW_TO_MARK}"

CAPTURES: Columns = [
    ("CAPTURE", lambda row: row["name"]),
    ("FORMAT", lambda row: row["format"]),
    ("HOSTS", lambda row: ", ".join(row["hosts"])),
    ("SIZE", lambda row: size_text(row["size_bytes"])),
]
STEPS: Columns = [
    ("STEP", lambda row: str(row["step"])),
    ("START", lambda row: time_text(row["start_us"])),
    ("DURATION", lambda row: time_text(row["duration_us"])),
    ("HOST", lambda row: host_text(row)),
    ("NAME", lambda row: f"{row['name']} (inferred)" if row["inferred"] else row["name"]),
]
OPERATORS: Columns = [
    ("NAME", lambda row: row["name"]),
    ("CATEGORY", lambda row: row["category"]),
    ("COUNT", lambda row: str(row["count"])),
    ("TOTAL", lambda row: time_text(row["total_us"])),
    ("SELF", lambda row: time_text(row["self_us"])),
    ("SCOPE", lambda row: row["scope"]),
]
HOST: Columns = [
    ("Host", lambda row: host_text(row)),
    ("Duration", lambda row: time_text(row["duration_us"])),
    ("Events", lambda row: f"{row['slices']:,} on {row['tracks']:,} tracks"),
    ("Steps", lambda row: steps_text(row["steps"])),
    ("Time", lambda row: ", ".join(f"{name} {time_text(time)}" for name, time in row["categories_us"].items()) or "-"),
]


def run(args: argparse.Namespace) -> int:
    """Print what is asked for. Raises UsageError, LightboardError."""
    verb, args.path = args.path[0] if args.path else "", args.path[1:]
    if verb not in VERBS:
        problem = f"profile cannot {verb}" if verb else "profile needs a command"
        raise UsageError(problem, hint=f"{HINT}; a folder of that name: --logdir profile")
    if not (args.path or args.logdir or args.logdir_spec):
        raise UsageError(f"profile {verb} needs a folder", hint=HINT)
    captures = list_captures(args)
    if verb == "ls":
        show_list(map(capture_row, captures), CAPTURES, args.json, "no captures of profilers")
        return 0
    capture = choose_capture(captures, args.capture)
    hosts, problems = read_capture(capture, index_below(cache_folder()))
    if verb == "steps":
        rows = step_rows(hosts)
        show_list(rows, STEPS, args.json, NO_STEPS)
        if any(row["inferred"] for row in rows):
            say(f"note: {INFERRED}")
    elif verb == "ops":
        show_list(operator_rows(hosts), OPERATORS, args.json, "no operators")
    else:
        show_overview(capture, hosts, problems, args.json)
    for problem in problems:
        say(f"note: {problem}")
    return 0


def list_captures(args: argparse.Namespace) -> list[Capture]:
    """The captures in the logdir. Raises UsageError."""
    logdir, logdir_spec = logdirs(args)
    return [
        capture
        for source in readable_sources(logdir, logdir_spec, follow_links=args.follow_links)
        for capture in find_captures(source.storage, source.root, source.prefix, on_error=note_error)
    ]


def note_error(path: str, error: OSError) -> None:
    """Say that a folder or a file cannot be read."""
    say(f"note: cannot read {path}: {error.strerror or error}")


def capture_row(capture: Capture) -> dict[str, Any]:
    """A capture as JSON."""
    hosts = [file.host for file in capture.files]
    return {"name": capture.name, "format": capture.format, "hosts": hosts, "size_bytes": capture.size_bytes}


def step_rows(hosts: list[HostCapture]) -> list[dict[str, Any]]:
    """Steps as JSON."""
    begin = begin_ns(hosts)
    return [step_row(step, begin) for step in capture_steps(hosts)]


def step_row(step: Step, begin: int) -> dict[str, Any]:
    """A step as JSON."""
    times = {"start_us": (step.start_ns - begin) / 1000, "duration_us": step.duration_ns / 1000}
    who = {"name": step.name, "host": step.host, "rank": step.rank, "inferred": step.inferred}
    return {"step": step.step, **times, **who}


def operator_rows(hosts: list[HostCapture]) -> list[dict[str, Any]]:
    """Operators as JSON."""
    return [
        {
            "name": each.name,
            "category": each.category,
            "scope": each.scope,
            "count": each.count,
            "total_us": each.total_ns / 1000,
            "self_us": each.self_ns / 1000,
        }
        for each in capture_operators(hosts)
    ]


def overview_row(capture: Capture, hosts: list[HostCapture], problems: list[str]) -> dict[str, Any]:
    """An overview as JSON."""
    return {
        "name": capture.name,
        "hosts": [host_row(host) for host in hosts],
        "operators": operator_rows(hosts)[:TOP],
        "problems": problems,
    }


def host_row(host: HostCapture) -> dict[str, Any]:
    """The overview of a host as JSON."""
    found = host_overview(host)
    return {
        "host": found.host,
        "rank": found.rank,
        "duration_us": found.duration_ns / 1000,
        "slices": found.slices,
        "tracks": found.tracks,
        "steps": figures_row(found.steps),
        "categories_us": {name: time / 1000 for name, time in found.categories.items()},
    }


def figures_row(found: StepFigures | None) -> dict[str, Any] | None:
    """The times of steps as JSON."""
    if found is None:
        return None
    spread = None if found.stddev_ns is None else found.stddev_ns / 1000
    return {
        "count": found.count,
        "mean_us": found.mean_ns / 1000,
        "stddev_us": spread,
        "min_us": found.min_ns / 1000,
        "max_us": found.max_ns / 1000,
        "slowest": found.slowest,
        "inferred": found.inferred,
    }


def show_overview(capture: Capture, hosts: list[HostCapture], problems: list[str], as_json: bool) -> None:
    """Print the figures of each host and the operators with most self time."""
    row = overview_row(capture, hosts, problems)
    if as_json:
        show_one(row, [], as_json)
        return
    for host in row["hosts"]:
        show_one(host, HOST, as_json)
    show_list(row["operators"], OPERATORS, as_json, "no operators")


def steps_text(found: dict[str, Any] | None) -> str:
    """`3, 2.8 ms ± 1.3 ms, slowest 2: 3.8 ms`."""
    if found is None:
        return NO_STEPS
    spread = "" if found["stddev_us"] is None else f" ± {time_text(found['stddev_us'])}"
    mean, slowest = time_text(found["mean_us"]), f"slowest {found['slowest']}: {time_text(found['max_us'])}"
    return f"{found['count']}{' inferred' if found['inferred'] else ''}, {mean}{spread}, {slowest}"


def host_text(row: dict[str, Any]) -> str:
    """A host, with the rank if there is one."""
    rank = "" if row["rank"] is None else f"rank {row['rank']}"
    return f"{row['host']} {rank}".strip() or "-"


def time_text(microseconds: float) -> str:
    """A time with three or more digits: `12.5 µs`, `3.84 ms`, `1.20 s`."""
    for unit, size in (("s", 1e6), ("ms", 1e3)):
        if microseconds >= size:
            return f"{microseconds / size:,.2f} {unit}"
    return f"{microseconds:.1f} µs"
