"""Rows about captures as JSON, the same over HTTP and on the command line. Times are microseconds."""

from collections.abc import Sequence
from typing import Any

from lightboard.profiles.advice import Advice
from lightboard.profiles.advice_texts import CHANGES
from lightboard.profiles.breakdown import FIRST_TIME, DeviceTotals, StepBreakdown
from lightboard.profiles.call_paths import CallRow
from lightboard.profiles.call_tree import LongestSlice
from lightboard.profiles.capture import HostCapture
from lightboard.profiles.comparison import OperatorDifference
from lightboard.profiles.operators import Operator
from lightboard.profiles.shape_operators import ShapeOperator
from lightboard.profiles.skew import Rank, StepSkew
from lightboard.profiles.slice_sums import SliceSum
from lightboard.profiles.steps import Step
from lightboard.query.capture_files import Capture
from lightboard.query.profiles import HostOverview, StepFigures

TIMES = StepBreakdown._fields[FIRST_TIME:]


def capture_fields(capture: Capture) -> dict[str, Any]:
    """A capture: fields of CaptureInfo."""
    hosts = [file.host for file in capture.files]
    return {"name": capture.name, "format": capture.format, "hosts": hosts, "size_bytes": capture.size_bytes}


def host_fields(host: HostOverview) -> dict[str, Any]:
    """What one must know about a host: the fields of HostSummary."""
    return {
        "host": host.host,
        "rank": host.rank,
        "duration_us": host.duration_ns / 1000,
        "slices": host.slices,
        "tracks": host.tracks,
        "steps": None if host.steps is None else step_times_fields(host.steps),
        "categories_us": {name: time / 1000 for name, time in host.categories.items()},
    }


def step_times_fields(found: StepFigures) -> dict[str, Any]:
    """The fields of StepTimes."""
    return {
        "count": found.count,
        "mean_us": found.mean_ns / 1000,
        "stddev_us": None if found.stddev_ns is None else found.stddev_ns / 1000,
        "min_us": found.min_ns / 1000,
        "max_us": found.max_ns / 1000,
        "slowest": found.slowest,
        "inferred": found.inferred,
    }


def step_fields(step: Step, begin_ns: int) -> dict[str, Any]:
    """A step of a capture that begins then: the fields of ProfileStep."""
    return {
        "step": step.step,
        "start_us": (step.start_ns - begin_ns) / 1000,
        "duration_us": step.duration_ns / 1000,
        "name": step.name,
        "host": step.host,
        "rank": step.rank,
        "inferred": step.inferred,
    }


def operator_fields(row: Operator) -> dict[str, Any]:
    """An operator: the fields of ProfileOperator without the mean, which follows from the others."""
    return {"name": row.name, "category": row.category, "scope": row.scope, **sum_fields(row), **p95_fields(row)}


def shape_operator_fields(row: ShapeOperator) -> dict[str, Any]:
    """An operator with inputs of these shapes: the same with `shapes` and without a scope."""
    shapes = None if row.shapes is None else list(row.shapes)
    return {"name": row.name, "category": row.category, "shapes": shapes, **sum_fields(row), **p95_fields(row)}


def sum_fields(row: Operator | ShapeOperator | SliceSum | CallRow) -> dict[str, Any]:
    """How often something ran, and for how long."""
    return {"count": row.count, "total_us": row.total_ns / 1000, "self_us": row.self_ns / 1000}


def p95_fields(row: Operator | ShapeOperator) -> dict[str, Any]:
    """How long 95 % of it ran at most."""
    return {"p95_us": row.p95_ns / 1000}


def mean_fields(row: Operator | ShapeOperator | SliceSum) -> dict[str, Any]:
    """How long it ran each time."""
    return {"mean_us": row.total_ns / row.count / 1000}


def call_fields(row: CallRow, hosts: Sequence[HostCapture], begin_ns: int) -> dict[str, Any]:
    """A node of a call tree: the fields of CallTreeNode."""
    return {
        "parent": row.parent,
        "path": ",".join(map(str, row.path)),
        **row.key._asdict(),
        **sum_fields(row),
        "children": row.children,
        "longest": None if row.longest is None else longest_fields(row.longest, hosts, begin_ns),
        "is_found": row.is_found,
    }


def longest_fields(found: LongestSlice, hosts: Sequence[HostCapture], begin_ns: int) -> dict[str, Any]:
    """The fields of LongestSlice."""
    slices = hosts[found.host].slices
    start, duration = int(slices.start_ns[found.slice]), int(slices.duration_ns[found.slice])
    place = {"host": found.host, "slice": found.slice}
    return {**place, "start_us": (start - begin_ns) / 1000, "duration_us": duration / 1000}


def device_fields(row: StepBreakdown) -> dict[str, Any]:
    """What time on a device is made of: the fields of DeviceTimes."""
    names = {"host": row.host, "rank": row.rank, "device": row.device}
    times = {f"{name.removesuffix('_ns')}_us": getattr(row, name) / 1000 for name in TIMES}
    return {**names, **times, "idle_us": row.idle_ns / 1000}


def step_device_fields(row: StepBreakdown) -> dict[str, Any]:
    """The same of one step: the fields of StepTimesOfDevice."""
    return {**device_fields(row), "step": row.step}


def device_totals_fields(row: DeviceTotals) -> dict[str, Any]:
    """The same of all steps: the fields of DeviceSummary."""
    return {**device_fields(row.total), "steps": row.steps}


def skew_fields(row: StepSkew) -> dict[str, Any]:
    """How far ranks are apart in a step: the fields of SkewRow."""
    return {
        "step": row.step,
        "ranks": row.ranks,
        "shortest_us": row.shortest_ns / 1000,
        "longest_us": row.longest_ns / 1000,
        "spread_us": row.spread_ns / 1000,
        "slowest": rank_fields(row.slowest),
        "straggler": None if row.straggler is None else rank_fields(row.straggler),
        "waited_us": row.waited_ns / 1000,
    }


def advice_fields(row: Advice) -> dict[str, Any]:
    """The fields of AdviceRow."""
    return {
        "rule": row.rule,
        "rank": row.rank,
        "share": row.share,
        "number": row.number,
        "time_us": row.time_ns / 1000,
        "change": CHANGES[row.rule],
    }


def difference_fields(row: OperatorDifference) -> dict[str, Any]:
    """An operator before and after: the fields of ProfileDifference."""
    return {
        "name": row.name,
        "category": row.category,
        "scope": row.scope,
        "calls_before": row.calls_before,
        "calls_after": row.calls_after,
        "total_before_us": row.total_before_ns / 1000,
        "total_after_us": row.total_after_ns / 1000,
        "before_us": row.mean_before_ns / 1000,
        "after_us": row.mean_after_ns / 1000,
        "difference_us": row.difference_ns / 1000,
        "ratio": row.ratio,
        "noise_us": None if row.noise_ns is None else row.noise_ns / 1000,
        "is_real": row.is_real,
    }


def rank_fields(rank: Rank) -> dict[str, Any]:
    """The fields of RankName."""
    return {"host": rank[0], "rank": rank[1]}
