"""What captures of profilers say in figures. Which there are is in `capture_files`."""

import errno
import statistics
from collections.abc import Generator, Iterable
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from lightboard.errors import LightboardError, NotFound, Unshowable
from lightboard.profiles.breakdown import StepBreakdown, breakdown_of, breakdown_times
from lightboard.profiles.capture import CATEGORIES, MAX_SLICES, HostCapture
from lightboard.profiles.column_files import ColumnFiles
from lightboard.profiles.devices import host_label
from lightboard.profiles.input_shapes import ShapeReader, records_shapes
from lightboard.profiles.nesting import scopes_within
from lightboard.profiles.operators import Operator, host_operators, operators_of
from lightboard.profiles.prefix import PrefixTaker
from lightboard.profiles.profile_file import read_profile
from lightboard.profiles.shape_operators import ShapeOperator, shape_operators
from lightboard.profiles.slice_rows import arranged
from lightboard.profiles.step_stats import read_step_stats
from lightboard.profiles.steps import Step, infer_steps, steps_of
from lightboard.profiles.time_line import time_parts
from lightboard.query.capture_files import Capture, EventValues, ProfileFile
from lightboard.query.capture_index import CaptureIndex
from lightboard.query.capture_progress import CaptureProgress, HostFile, in_order
from lightboard.storage.base import ObjectInfo, Storage, printable, split
from lightboard.storage.block_reader import BlockReader

FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
"""What systems say when the disk, what a user may have of it, or a file is full."""

NO_SPACE = "the disk of the cache folder has no space for what was read"


class StepFigures(NamedTuple):
    """The times of steps in nanoseconds. `stddev_ns` is that of a sample, None of a single step.

    `inferred` says that no program has marked them.
    """

    count: int  # type: ignore[assignment]  # a method of tuples, which nobody needs here
    mean_ns: float
    stddev_ns: float | None
    min_ns: int
    max_ns: int
    slowest: int
    inferred: bool


class HostOverview(NamedTuple):
    """What one must know about a host. `categories` are the self times of operators by category."""

    host: str
    rank: int | None
    duration_ns: int
    slices: int
    tracks: int
    steps: StepFigures | None
    categories: dict[str, int]


def choose_capture(captures: list[Capture], name: str) -> Capture:
    """The capture of this name, or the only one if it is empty. Raises NotFound."""
    names = [capture.name for capture in captures]
    listed = f"one of {', '.join(names[:10])}{', …' if len(names) > 10 else ''}"
    if not captures:
        raise NotFound(
            "no captures of profilers",
            hint="they are plugins/profile/<session>/*.xplane.pb, *.pt.trace.json and *.trace.json, gzipped or not",
        )
    if not name and len(captures) > 1:
        raise NotFound(f"there are {len(captures)} captures", hint=f"choose with --capture: {listed}")
    if not name:
        return captures[0]
    if name not in names:
        raise NotFound(f"no capture {name}", hint=listed)
    return captures[names.index(name)]


def choose_timed(captures: list[Capture], name: str) -> Capture:
    """The capture of this name, or the only one that says where time goes if it is empty. Raises NotFound."""
    return choose_capture(captures if name else [each for each in captures if each.has_slices], name)


def read_capture(capture: Capture, index: CaptureIndex | None = None) -> tuple[list[HostCapture], list[str]]:
    """What each host has captured, and what could not be read. Raises Unshowable if nothing can."""
    hosts, problems = read_capture_files(capture, index)
    return [host for _, host in hosts], problems


def read_capture_files(
    capture: Capture, index: CaptureIndex | None = None, progress: CaptureProgress | None = None
) -> tuple[list[HostFile], list[str]]:
    """As `read_capture`, with the file of each host. `progress` gets what was read so far."""
    hosts, problems, last = list[HostFile](), list[str](), Unshowable("it has no files")
    for file in capture.files:
        base = base_name(file)
        if progress:
            progress.begin(file)
        try:
            host = read_host(file, index, progress)
        except OSError as error:
            last = Unshowable(f"{base} cannot be read: {error.strerror or error}")
        except LightboardError as error:
            last = Unshowable(f"{base}: {error.message}", hint=error.hint)
        else:
            hosts.append((file, host if host.host else with_host(host, file.host)))
            problems += [f"{base}: {problem}" for problem in host.problems]
            if progress:
                progress.end(hosts, problems)
            continue
        problems.append(last.message)
    if not hosts:
        raise last
    return in_order(hosts), problems


def read_host(file: ProfileFile, index: CaptureIndex | None, prefix: PrefixTaker | None = None) -> HostCapture:
    """What is in a file, from the index if it is there. Raises OSError, LightboardError."""
    if isinstance(file.source, EventValues):
        return read_step_stats(file.read, file.source.values)
    return read_file(file.source, file.info, index, prefix)


def read_file(
    storage: Storage, info: ObjectInfo, index: CaptureIndex | None, prefix: PrefixTaker | None = None
) -> HostCapture:
    """What is in a file that is a capture. `prefix` gets what was read so far. Raises OSError, LightboardError."""
    if index and (found := index.load(storage, info)):
        return found
    name, reader = printable(split(info.path)[1]), BlockReader(storage, info)
    if index is None or not index.wants(info):
        return read_profile(name, reader.read, info.size, prefix=prefix)
    try:
        files = index.column_files()
        host = prepared(read_profile(name, reader.read, info.size, files, prefix), files)
    except OSError as error:
        if error.errno not in FULL:
            raise
        host = read_profile(name, reader.read, info.size)
        host.problems.append(f"{NO_SPACE}, so it is read again at each start, and {MAX_SLICES:,} slices at most")
        return host
    try:
        index.store(storage, info, host, files.let_go)
    except OSError as error:
        if error.errno in FULL:
            host.problems.append(f"{NO_SPACE}, so it is read again at the next start")
        return host
    return index.load(storage, info) or host


def base_name(file: ProfileFile) -> str:
    """What a file is called, without its folder."""
    return printable(split(file.info.path)[1])


def have_shapes(pairs: Iterable[tuple[ProfileFile, HostCapture]]) -> bool:
    """Whether the operators of each host have the shapes of their inputs, if they can and their file can be read."""
    for file, host in pairs:
        try:
            if not records_shapes(host, base_name(file), file.read, file.info.size):
                return False
        except OSError:
            continue
    return True


def prepared(host: HostCapture, files: ColumnFiles) -> HostCapture:
    """The same with what is computed once for all views of it, in files."""
    rows, modules = arranged(host, files, with_modules=not len(host.scope))
    host = replace(host, rows=rows, let_go=files.let_go)
    scopes = None if modules is None else scopes_within(host, modules, files)
    table = host_operators(host, scopes, files.let_go)
    host = replace(host, operators=table.rows, durations=table.durations)
    host = host if host.steps else replace(host, inferred_steps=infer_steps(host))
    return replace(host, breakdown=breakdown_times(host, time_parts(host)))


def with_host(capture: HostCapture, host: str) -> HostCapture:
    """The same with a name for its host, which the file does not say."""
    return replace(capture, host=host)


def begin_ns(hosts: Iterable[HostCapture]) -> int:
    """When the first event of any host begins."""
    return min((first_ns(host) for host in hosts if len(host.slices)), default=0)


def first_ns(host: HostCapture) -> int:
    """When the first slice of a host begins, which has one."""
    starts = host.slices.start_ns if host.rows is None else host.rows.blocks.start_ns
    return int(starts.min())


def last_ns(host: HostCapture) -> int:
    """When the last slice of a host ends, which has one."""
    if host.rows is None:
        return int((host.slices.start_ns + host.slices.duration_ns).max())
    return int(host.rows.blocks.end_ns.max())


def capture_steps(hosts: list[HostCapture]) -> list[Step]:
    """The steps of all hosts in the order of time."""
    steps = [step for host in hosts for step in steps_of(host)]
    return sorted(steps, key=lambda each: (each.start_ns, -1 if each.rank is None else each.rank, each.host))


def capture_operators(hosts: list[HostCapture]) -> list[Operator]:
    """The operators of all hosts."""
    return operators_of(hosts)


def capture_shape_operators(
    pairs: Iterable[tuple[ProfileFile, HostCapture]],
) -> Generator[None, None, list[ShapeOperator]]:
    """The operators of all hosts by the shapes of their inputs, which are read from the files.

    Yields to other work. Raises Unshowable if a file cannot be read any more.
    """
    readers = [
        (host, ShapeReader(printable(split(file.info.path)[1]), file.read, file.info.size)) for file, host in pairs
    ]
    try:
        return (yield from shape_operators(readers))
    except OSError as error:
        raise Unshowable(f"the capture cannot be read: {error.strerror or error}", hint="reload") from None


def capture_breakdown(hosts: list[HostCapture]) -> list[StepBreakdown]:
    """What the steps of all hosts are made of, device by device."""
    return [row for host in hosts for row in breakdown_of(host)]


def of_rank(hosts: list[HostCapture], host: str, rank: int | None) -> list[HostCapture]:
    """Those of this host and this rank; "" and None are any. Raises NotFound if there are none."""
    found = [each for each in hosts if host in ("", each.host) and rank in (None, each.rank)]
    if not found:
        names = ", ".join(host_label(each.host, each.rank) for each in hosts[:10])
        raise NotFound(
            f"no {host_label(host, rank)} in the capture", hint=f"it has {names}{', …' if len(hosts) > 10 else ''}"
        )
    return found


def host_overview(host: HostCapture) -> HostOverview:
    """The figures of a host."""
    slices, steps = host.slices, steps_of(host)
    duration = last_ns(host) - first_ns(host) if len(slices) else 0
    tracks = len(np.unique(slices.track if host.rows is None else host.rows.rows[:, 0]))
    return HostOverview(
        *(host.host, host.rank, duration, len(slices), tracks, step_figures(steps)),
        category_times(host),
    )


def step_figures(steps: list[Step]) -> StepFigures | None:
    """Their count, mean and spread; None without steps."""
    if not steps:
        return None
    times = [step.duration_ns for step in steps]
    slowest = max(steps, key=lambda each: each.duration_ns)
    spread = statistics.stdev(times) if len(times) > 1 else None
    mean = statistics.fmean(times)
    return StepFigures(len(times), mean, spread, min(times), max(times), slowest.step, slowest.inferred)


def category_times(host: HostCapture) -> dict[str, int]:
    """The self times of operators by category, the longest first."""
    sums = dict.fromkeys(CATEGORIES, 0)
    for row in host_operators(host).rows:
        sums[row.category] += row.self_ns
    times = {category: time for category, time in sums.items() if time}
    return dict(sorted(times.items(), key=lambda item: -item[1]))
