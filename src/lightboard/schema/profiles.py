"""Captures of profilers: which there are, their steps, and their operators.

Times are microseconds; those of beginnings are from the first event of the capture.
"""

from typing import Annotated, Literal

from pydantic import Field

from lightboard.schema.model import RequestModel, ResponseModel, RunId, Whole

ProfileFormat = Literal["xplane", "trace_json", "step_stats", "torch_memory", "pprof_memory"]

Category = Literal["compute", "communication", "copy", "input", "host", "annotation", "python"]
"""What time is spent on. Annotations are ranges that programs name, steps among them."""

OperatorColumn = Literal["name", "category", "scope", "shapes", "count", "total_us", "self_us", "mean_us", "p95_us"]

CaptureName = Annotated[str, Field(min_length=1, max_length=65536)]


class CaptureInfo(ResponseModel):
    """A capture. `run` is that in whose folder it is, or in the nearest folder above; null if there is none.

    `at` changes whenever a file of it does, and `wall` is when the last one did. `hosts` are by the names of files.
    """

    name: str
    run: RunId | None
    format: ProfileFormat
    hosts: list[str]
    size_bytes: int
    wall: float
    at: str


class CapturesResponse(ResponseModel):
    """The captures, in the order of folders."""

    generation: int
    captures: list[CaptureInfo]


class CaptureQuery(RequestModel):
    """One capture, by its name. `at` makes addresses of other contents differ; the capture is read as it is now."""

    capture: CaptureName
    at: Annotated[str, Field(max_length=100)] = ""


class StepTimes(ResponseModel):
    """The times of the steps of a host. `stddev_us` is that of a sample, null of a single step.

    If they are `inferred`, no program has marked them, and they are calls that repeat.
    """

    count: int
    mean_us: float
    stddev_us: float | None
    min_us: float
    max_us: float
    slowest: int
    inferred: bool


class HostSummary(ResponseModel):
    """What one must know about a host or rank. `categories_us` are self times, the longest first."""

    host: str
    rank: int | None
    duration_us: float
    slices: int
    tracks: int
    steps: StepTimes | None
    categories_us: dict[Category, float]


class DeviceTimes(ResponseModel):
    """What time on a device is made of, each kind counted once however many streams are busy.

    Of `communication_us` and `copy_us`, the hidden part runs while something is computed. `input_us` is idle time of a
    device in which the host prepares input, or the time in which a CPU does nothing else.
    """

    host: str
    rank: int | None
    device: str
    duration_us: float
    compute_us: float
    communication_us: float
    hidden_communication_us: float
    copy_us: float
    hidden_copy_us: float
    input_us: float
    busy_us: float
    idle_us: float


class DeviceSummary(DeviceTimes):
    """The steps of a device together; `steps` is 0 if it is the whole of a capture without steps."""

    steps: int


AdviceRule = Literal[
    "capped", "no_steps", "input", "launch", "copy_exposed", "copy_pageable", "straggler", "no_stacks", "no_shapes"
]


class AdviceRow(ResponseModel):
    """What to change in the program: the rule that applies, with its figures, and the change as code.

    `rank` is the host or rank that it is about; empty if it is about all.
    """

    rule: AdviceRule
    rank: str
    share: float
    number: int
    time_us: float
    change: str


class OverviewResponse(ResponseModel):
    """A capture at a glance. `problems` says in sentences what could not be read; `operators` is how many there are.

    `skew` is how many steps several ranks have in common.
    """

    name: str
    duration_us: float
    steps: int
    operators: int
    hosts: list[HostSummary]
    devices: list[DeviceSummary]
    skew: int
    advice: list[AdviceRow]
    problems: list[str]


class StepsQuery(CaptureQuery):
    """`limit` steps, from the one with index `start`; with `step`, of those with this number."""

    step: Annotated[int, Field(ge=-(2**63), le=2**63 - 1)] | None = None
    start: Whole = 0
    limit: Annotated[int, Field(ge=1, le=10_000)] = 1000


class ProfileStep(ResponseModel):
    """A step of a host. `name` is that of its marker, or of the calls from which it is inferred."""

    step: int
    start_us: float
    duration_us: float
    name: str
    host: str
    rank: int | None
    inferred: bool


class StepsResponse(ResponseModel):
    """Steps in the order of time, of `total`."""

    total: int
    steps: list[ProfileStep]


class StepTimesOfDevice(DeviceTimes):
    """A step on a device; null for the whole of a capture without steps."""

    step: int | None


class BreakdownResponse(ResponseModel):
    """Steps on devices, device by device, of `total`."""

    total: int
    rows: list[StepTimesOfDevice]


class RankName(ResponseModel):
    """A host or rank."""

    host: str
    rank: int | None


class SkewRow(ResponseModel):
    """A step that several ranks have in common: how far they are apart.

    The `straggler` is the rank for which the others wait in collective operations, `waited_us` at most; null if there
    are none.
    """

    step: int
    ranks: int
    shortest_us: float
    longest_us: float
    spread_us: float
    slowest: RankName
    straggler: RankName | None
    waited_us: float


class SkewResponse(ResponseModel):
    """Steps by their numbers, of `total`."""

    total: int
    steps: list[SkewRow]


class OperatorsQuery(CaptureQuery):
    """`limit` operators, from the one with index `start`, whose name, category and scope have all words of `search`.

    With `by=shape`, they are apart by the shapes of their inputs instead of by scopes, and searched by them.
    """

    by: Literal["scope", "shape"] = "scope"
    search: Annotated[str, Field(max_length=500)] = ""
    sort: OperatorColumn = "self_us"
    descending: bool = True
    start: Whole = 0
    limit: Annotated[int, Field(ge=1, le=5000)] = 1000


class LongestSlice(ResponseModel):
    """The longest slice of a row."""

    host: int
    slice: int
    start_us: float
    duration_us: float


class ProfileOperator(ResponseModel):
    """All slices of a name, category and scope, of all hosts. Self time is that in which no other one ran inside.

    `p95_us` is the least time that 95 % of them do not exceed, right to 1/64 of it, or exact if they are few.

    By shapes, `scope` is empty, `shapes` has the type and size of each input (`float[8,16]`; empty for one that has
    neither), null where none were recorded, and `longest` is the longest slice; otherwise both are null.
    """

    name: str
    category: Category
    scope: str
    shapes: list[str] | None
    count: int
    total_us: float
    self_us: float
    mean_us: float
    p95_us: float
    longest: LongestSlice | None


class OperatorsResponse(ResponseModel):
    """Operators in the order that was asked for, of `total`. `all_self_us` is the self time of all of these.

    By shapes, `has_shapes` says whether any operator of the capture has some, and `advice` how to record them if its
    profiler can; otherwise it is null, and there is none.
    """

    total: int
    all_self_us: float
    has_shapes: bool | None
    advice: list[AdviceRow]
    operators: list[ProfileOperator]


class ProfileExportQuery(CaptureQuery):
    """A capture for another viewer."""

    format: Literal["perfetto", "speedscope"]
