"""`lightboard profile ls|overview|steps|ops|tree|… LOGDIR`: what captures of profilers say, without a server.

Times in JSON are microseconds; those of steps begin at the first event of the capture.
"""

import argparse
from typing import Any

from lightboard.cli.board import logdirs, readable_sources
from lightboard.cli.catalogs import load_catalog
from lightboard.cli.output import say, show
from lightboard.cli.profile_memory import choose_memory, show_memory
from lightboard.cli.profile_shapes import NO_OPERATORS, show_shapes
from lightboard.cli.profile_texts import OPERATOR_WIDTH, clipped, time_text
from lightboard.cli.profile_tree import show_tree
from lightboard.cli.tables import TABLE, Columns, Format, show_data, show_list, show_one
from lightboard.errors import LightboardError, UsageError
from lightboard.home import cache_folder
from lightboard.profiles.advice import advice_of
from lightboard.profiles.advice_texts import TEXTS
from lightboard.profiles.breakdown import device_totals
from lightboard.profiles.capture import HostCapture
from lightboard.profiles.comparison import OperatorDifference, compare, samples_of
from lightboard.profiles.devices import host_label
from lightboard.profiles.export import export
from lightboard.profiles.skew import skew_of
from lightboard.query.capture_files import Capture, find_captures
from lightboard.query.capture_index import index_below
from lightboard.query.profile_fields import (
    advice_fields,
    capture_fields,
    device_totals_fields,
    difference_fields,
    host_fields,
    operator_fields,
    skew_fields,
    step_device_fields,
    step_fields,
)
from lightboard.query.profiles import (
    begin_ns,
    capture_breakdown,
    capture_operators,
    capture_steps,
    choose_timed,
    have_shapes,
    host_overview,
    of_rank,
    read_capture,
    read_capture_files,
)
from lightboard.query.step_stats_listing import StepStatsListing
from lightboard.sizes import size_text

VERBS = ("ls", "overview", "steps", "ops", "tree", "breakdown", "skew", "memory", "diff", "export")

HINT = f"lightboard profile {'|'.join(VERBS)} LOGDIR [--capture NAME] [--json]"

EXPORT_HINT = "lightboard profile export LOGDIR FILE.json --format perfetto|speedscope"

DIFF_HINT = "lightboard profile diff BEFORE AFTER, or one folder with --rank 0,1"

NO_SKEW = "no steps that several ranks have in common"

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
    ("HOST", lambda row: label(row)),
    ("NAME", lambda row: f"{row['name']} (inferred)" if row["inferred"] else row["name"]),
]
DIFFERENCE_WIDTH = 90
"""The same of a comparison."""

OPERATORS: Columns = [
    ("NAME", lambda row: clipped(row["name"])),
    ("CATEGORY", lambda row: row["category"]),
    ("COUNT", lambda row: str(row["count"])),
    ("TOTAL", lambda row: time_text(row["total_us"])),
    ("SELF", lambda row: time_text(row["self_us"])),
    ("P95", lambda row: time_text(row["p95_us"])),
    ("SCOPE", lambda row: clipped(row["scope"], OPERATOR_WIDTH // 2)),
]
DEVICES: Columns = [
    ("HOST", lambda row: label(row)),
    ("DEVICE", lambda row: row["device"]),
    ("DURATION", lambda row: time_text(row["duration_us"])),
    ("COMPUTE", lambda row: part_text(row, "compute_us")),
    ("COMMUNICATION", lambda row: part_text(row, "communication_us")),
    ("HIDDEN", lambda row: part_text(row, "hidden_communication_us")),
    ("COPY", lambda row: part_text(row, "copy_us")),
    ("HIDDEN", lambda row: part_text(row, "hidden_copy_us")),
    ("INPUT", lambda row: part_text(row, "input_us")),
    ("IDLE", lambda row: part_text(row, "idle_us")),
]
BREAKDOWN: Columns = [("STEP", lambda row: "-" if row["step"] is None else str(row["step"])), *DEVICES]
SKEW: Columns = [
    ("STEP", lambda row: str(row["step"])),
    ("SHORTEST", lambda row: time_text(row["shortest_us"])),
    ("LONGEST", lambda row: time_text(row["longest_us"])),
    ("SPREAD", lambda row: time_text(row["spread_us"])),
    ("SLOWEST", lambda row: label(row["slowest"])),
    ("STRAGGLER", lambda row: label(row["straggler"]) if row["straggler"] else "-"),
    ("WAITED", lambda row: time_text(row["waited_us"])),
]
DIFFERENCES: Columns = [
    ("NAME", lambda row: clipped(row["name"], DIFFERENCE_WIDTH)),
    ("CATEGORY", lambda row: row["category"]),
    ("BEFORE", lambda row: time_text(row["before_us"])),
    ("AFTER", lambda row: time_text(row["after_us"])),
    ("DIFFERENCE", lambda row: difference_text(row)),
    ("RATIO", lambda row: "-" if row["ratio"] is None else f"{row['ratio']:.2f}"),
    ("SCOPE", lambda row: clipped(row["scope"], DIFFERENCE_WIDTH)),
]
HOST: Columns = [
    ("Host", lambda row: label(row)),
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
    if verb == "diff":
        show_list(map(difference_fields, differences(args)), DIFFERENCES, args.output, NO_OPERATORS)
        return 0
    if verb == "export":
        write_export(args)
        return 0
    captures = list_captures(args, every=verb == "ls")
    if verb == "ls":
        show_list(map(capture_fields, captures), CAPTURES, args.output, "no captures of profilers")
        return 0
    if verb == "memory":
        show_memory(choose_memory(captures, args.capture), args.output)
        return 0
    capture = choose_timed(captures, args.capture)
    pairs, problems = read_capture_files(capture, index_below(cache_folder()))
    hosts = of_rank([host for _, host in pairs], args.host or "", rank_of(args, 0))
    if verb == "steps":
        rows = step_rows(hosts)
        show_list(rows, STEPS, args.output, NO_STEPS)
        if any(row["inferred"] for row in rows):
            say(f"note: {INFERRED}")
    elif verb == "ops":
        if args.by_shape:
            show_shapes((each for each in pairs if any(each[1] is host for host in hosts)), args.output)
        else:
            show_list(operator_rows(hosts), OPERATORS, args.output, NO_OPERATORS)
    elif verb == "tree":
        show_tree(hosts, "up" if args.bottom_up else "down", args.output)
    elif verb == "breakdown":
        show_list(map(step_device_fields, capture_breakdown(hosts)), BREAKDOWN, args.output, NO_OPERATORS)
    elif verb == "skew":
        show_list(map(skew_fields, skew_of(capture_breakdown(hosts))), SKEW, args.output, NO_SKEW)
    else:
        show_overview(overview_row(capture.name, hosts, problems, has_shapes=have_shapes(pairs)), args.output)
    for problem in problems:
        say(f"note: {problem}")
    return 0


def rank_of(args: argparse.Namespace, place: int) -> int | None:
    """The rank of the first or the second capture. Raises UsageError."""
    words = args.rank.split(",") if args.rank else []
    if len(words) > 2 or not all(word.isascii() and word.isdigit() and len(word) < 10 for word in words):
        raise UsageError(f"--rank {args.rank} is no rank", hint="give --rank 0, or --rank 0,1 to profile diff")
    return int(words[min(place, len(words) - 1)]) if words else None


def differences(args: argparse.Namespace) -> list[OperatorDifference]:
    """The operators of two captures: those of two folders, or of two ranks of one. Raises UsageError, NotFound."""
    folders = args.path if len(args.path) > 1 else args.path * 2
    if len(folders) != 2:
        raise UsageError("profile diff needs two folders with a capture each", hint=DIFF_HINT)
    samples = []
    for place, folder in enumerate(folders):
        args.path = [folder]
        capture = choose_timed(list_captures(args), args.capture)
        hosts, problems = read_capture(capture, index_below(cache_folder()))
        samples.append(samples_of(of_rank(hosts, args.host or "", rank_of(args, place))))
        for problem in problems:
            say(f"note: {problem}")
    return compare(*samples)


def write_export(args: argparse.Namespace) -> None:
    """Write a capture for another viewer to the file after the folder. Raises UsageError, LightboardError."""
    if len(args.path) != 2:
        raise UsageError("profile export needs a folder and a file to write", hint=EXPORT_HINT)
    args.path, target = args.path[:1], args.path[1]
    capture = choose_timed(list_captures(args), args.capture)
    hosts, problems = read_capture(capture, index_below(cache_folder()))
    hosts = of_rank(hosts, args.host or "", rank_of(args, 0))
    try:
        with open(target, "w", encoding="utf-8", errors="replace") as file:
            file.writelines(export(hosts, capture.name, args.format))
    except OSError as error:
        raise LightboardError(f"cannot write {target}: {error.strerror}", hint="give another file") from None
    for problem in problems:
        say(f"note: {problem}")
    say(f"wrote {target}")


def list_captures(args: argparse.Namespace, *, every: bool = False) -> list[Capture]:
    """The captures in the logdir. Raises UsageError.

    Event files, which may be large, are only read for `every` one, or if what is asked for is nowhere else.
    """
    logdir, logdir_spec = logdirs(args)
    log_sources = readable_sources(logdir, logdir_spec, follow_links=args.follow_links)
    found = [
        capture
        for source in log_sources
        for capture in find_captures(source.storage, source.root, source.prefix, on_error=note_error)
    ]
    if not every and any(args.capture in ("", each.name) for each in found):
        return found
    return [*found, *StepStatsListing(load_catalog(log_sources)).captures()]


def note_error(path: str, error: OSError) -> None:
    """Say that a folder or a file cannot be read."""
    say(f"note: cannot read {path}: {error.strerror or error}")


def step_rows(hosts: list[HostCapture]) -> list[dict[str, Any]]:
    """Steps as JSON."""
    begin = begin_ns(hosts)
    return [step_fields(step, begin) for step in capture_steps(hosts)]


def operator_rows(hosts: list[HostCapture]) -> list[dict[str, Any]]:
    """Operators as JSON."""
    return list(map(operator_fields, capture_operators(hosts)))


def overview_row(name: str, hosts: list[HostCapture], problems: list[str], *, has_shapes: bool) -> dict[str, Any]:
    """An overview as JSON. `has_shapes` says whether operators have the shapes of their inputs, if they can."""
    rows = capture_breakdown(hosts)
    return {
        "name": name,
        "hosts": [host_fields(host_overview(host)) for host in hosts],
        "devices": list(map(device_totals_fields, device_totals(rows))),
        "skew": list(map(skew_fields, skew_of(rows))),
        "advice": list(map(advice_fields, advice_of(hosts, rows, skew_of(rows), problems, has_shapes=has_shapes))),
        "operators": operator_rows(hosts)[:TOP],
        "problems": problems,
    }


def show_overview(row: dict[str, Any], output: Format) -> None:
    """Print the figures of each host and the operators with most self time."""
    if output is not TABLE:
        show_data(row, output)
        return
    for host in row["hosts"]:
        show_one(host, HOST, output)
    show_list(row["devices"], DEVICES, output, NO_OPERATORS)
    show_list(row["operators"], OPERATORS, output, NO_OPERATORS)
    for advice in row["advice"]:
        show(advice_text(advice))
        show(f"    {advice['change']}")


def steps_text(found: dict[str, Any] | None) -> str:
    """`3, 2.8 ms ± 1.3 ms, slowest 2: 3.8 ms`."""
    if found is None:
        return NO_STEPS
    spread = "" if found["stddev_us"] is None else f" ± {time_text(found['stddev_us'])}"
    mean, slowest = time_text(found["mean_us"]), f"slowest {found['slowest']}: {time_text(found['max_us'])}"
    return f"{found['count']}{' inferred' if found['inferred'] else ''}, {mean}{spread}, {slowest}"


def label(row: dict[str, Any]) -> str:
    """A host, with the rank if there is one."""
    return host_label(row["host"], row["rank"]) or "-"


def difference_text(row: dict[str, Any]) -> str:
    """`+1.20 ms`, with a star if it is more than noise."""
    sign = "-" if row["difference_us"] < 0 else "+"
    return f"{sign}{time_text(abs(row['difference_us']))}{' *' if row['is_real'] else ''}"


def advice_text(row: dict[str, Any]) -> str:
    """A sentence, after the rank that it is about."""
    share, time = f"{100 * row['share']:.0f} %", time_text(row["time_us"])
    text = TEXTS[row["rule"]].format(share=share, number=f"{row['number']:,}", time=time)
    return f"* {row['rank']}: {text}" if row["rank"] else f"* {text}"


def part_text(row: dict[str, Any], name: str) -> str:
    """A time with its share: `3.84 ms 12 %`."""
    share = 100 * row[name] / row["duration_us"] if row["duration_us"] else 0
    return f"{time_text(row[name])} {share:.0f} %" if row[name] else "-"
