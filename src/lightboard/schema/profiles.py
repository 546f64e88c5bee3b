"""Captures of profilers: which there are, their steps, their operators, and their slices in time.

Times are microseconds; those of beginnings are from the first event of the capture.
"""

from typing import Annotated, Literal

from pydantic import Field

from lightboard.schema.model import RequestModel, ResponseModel, RunId, Whole

ProfileFormat = Literal["xplane", "trace_json", "step_stats", "torch_memory", "pprof_memory"]

Category = Literal["compute", "communication", "copy", "input", "host", "annotation", "python"]
"""What time is spent on. Annotations are ranges that programs name, steps among them."""

OperatorColumn = Literal["name", "category", "scope", "count", "total_us", "self_us", "mean_us"]

CallColumn = Literal["name", "count", "total_us", "self_us", "mean_us"]

CaptureName = Annotated[str, Field(min_length=1, max_length=65536)]

HostIndex = Annotated[int, Field(ge=0, le=2**31 - 1)]


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
    """`limit` operators, from the one with index `start`, whose name, category or scope have all words of `search`."""

    search: Annotated[str, Field(max_length=500)] = ""
    sort: OperatorColumn = "self_us"
    descending: bool = True
    start: Whole = 0
    limit: Annotated[int, Field(ge=1, le=5000)] = 1000


class ProfileOperator(ResponseModel):
    """All slices of a name, category and scope, of all hosts. Self time is that in which no other one ran inside."""

    name: str
    category: Category
    scope: str
    count: int
    total_us: float
    self_us: float
    mean_us: float


class OperatorsResponse(ResponseModel):
    """Operators in the order that was asked for, of `total`. `all_self_us` is the self time of all of these."""

    total: int
    all_self_us: float
    operators: list[ProfileOperator]


CallPath = Annotated[str, Field(max_length=2000, pattern=r"^(\d{1,9}(,\d{1,9})*)?$")]
"""A node of a call tree, by the keys of the nodes from the first one on, apart by commas. Empty for all of it."""


class CallTreeQuery(CaptureQuery):
    """The nodes below that with this `path`, to a `depth`: at most `limit`, those with most time first.

    `down` is what runs inside of calls, thread by thread; `up` is what calls are inside of, by name, where self time
    counts. Nodes shorter than `least_share` of that node, or of all time, are left out. If `search` has words, there
    are only nodes whose name has all of them, with those that are around them and inside of them. With `sort`, the
    `limit` are the first ones in that order.
    """

    direction: Literal["down", "up"] = "down"
    path: CallPath = ""
    depth: Annotated[int, Field(ge=1, le=200)] = 1
    limit: Annotated[int, Field(ge=1, le=100_000)] = 200
    sort: CallColumn | None = None
    descending: bool = True
    least_share: Annotated[float, Field(ge=0, le=1)] = 0
    search: Annotated[str, Field(max_length=500)] = ""


class LongestCall(ResponseModel):
    """The longest slice of a node."""

    host: int
    slice: int
    start_us: float
    duration_us: float


class CallTreeNode(ResponseModel):
    """Calls with the same calls around them. `parent` is an index of nodes, null for those below the given path.

    `total_us` is self time and that of what runs inside; where a function calls itself, `up` counts its time once.
    `children` is how many nodes are inside (down), or around (up). Threads and scopes are no calls themselves.
    """

    parent: int | None
    path: CallPath
    name: str
    type: Literal["thread", "scope", "slice"]
    category: Category
    count: int
    total_us: float
    self_us: float
    children: int
    longest: LongestCall | None
    is_found: bool


class CallTreeResponse(ResponseModel):
    """Nodes, parents before their children, and how many were `left_out`. `whole_us` is the time of all threads.

    `around` are the nodes of the path that was asked for, from the outermost; none if it is not there.
    `calls_left_out` are calls without a node, since the tree has too many; what is around them has their time.
    """

    whole_us: float
    left_out: int
    calls_left_out: int
    around: list[CallTreeNode]
    nodes: list[CallTreeNode]


DifferenceColumn = Literal["name", "category", "scope", "before_us", "after_us", "difference_us", "ratio"]


class ProfileDiffQuery(CaptureQuery):
    """`limit` operators of `capture` compared with those of `base`, from the one with index `start`.

    `rank` and `base_rank` are those that are compared, all if null; so ranks of one capture can be.
    """

    base: CaptureName
    base_at: Annotated[str, Field(max_length=100)] = ""
    rank: Annotated[int, Field(ge=0, le=2**31 - 1)] | None = None
    base_rank: Annotated[int, Field(ge=0, le=2**31 - 1)] | None = None
    search: Annotated[str, Field(max_length=500)] = ""
    sort: DifferenceColumn = "difference_us"
    descending: bool = True
    start: Whole = 0
    limit: Annotated[int, Field(ge=1, le=5000)] = 1000


class ProfileDifference(ResponseModel):
    """An operator of two captures: its self time in a step, on average, before and after.

    `is_real` says whether the difference is more than `noise_us`, two standard errors; null of single steps, which have
    no spread. `ratio` is null if it did not run before.
    """

    name: str
    category: Category
    scope: str
    calls_before: int
    calls_after: int
    total_before_us: float
    total_after_us: float
    before_us: float
    after_us: float
    difference_us: float
    ratio: float | None
    noise_us: float | None
    is_real: bool | None


class ProfileDiffResponse(ResponseModel):
    """Operators in the order that was asked for, of `total`, and how many steps were compared."""

    total: int
    steps_before: int
    steps_after: int
    operators: list[ProfileDifference]


class ProfileExportQuery(CaptureQuery):
    """A capture for another viewer."""

    format: Literal["perfetto", "speedscope"]


class TimeLineQuery(CaptureQuery):
    """What is seen from `begin_us` to `end_us` (null: to the end) on `width` pixels.

    `limit` tracks from the one with index `start` are answered. If `search` has words, marks say how many of their
    slices have all of them in their names.
    """

    begin_us: Annotated[float, Field(ge=-1e15, le=1e15)] = 0
    end_us: Annotated[float, Field(ge=-1e15, le=1e15)] | None = None
    width: Annotated[int, Field(ge=1, le=16_384)] = 1000
    start: Whole = 0
    limit: Annotated[int, Field(ge=1, le=500)] = 100
    search: Annotated[str, Field(max_length=500)] = ""


class ProfileTrack(ResponseModel):
    """A thread or a stream of a process or device. `depth` is the number of its rows.

    `host` is an index of hosts; `track_index` and `process_index` are those of the track and its process
    among all of the host.
    """

    host: int
    track_index: int
    process_index: int
    process: str
    name: str
    depth: int
    slices: int
    instants: int


class ProfileCounter(ResponseModel):
    """A counter of a process, with its extremes in the whole capture."""

    host: int
    process_index: int
    process: str
    name: str
    low: float
    high: float


class TimeLineInstants(ResponseModel):
    """Moments, as columns: the first one of each pixel of a track, and how many there are."""

    track: list[int]
    time_us: list[float]
    name: list[int]
    count: list[int]


class TimeLineSamples(ResponseModel):
    """Values of counters, as columns: for each pixel the extremes, and the value at its end."""

    counter: list[int]
    time_us: list[float]
    low: list[float]
    high: list[float]
    value: list[float]


class TimeLineMarks(ResponseModel):
    """What is drawn: columns of the same length.

    `track` and `name` are indices of `tracks` and `names`, `category` one of `categories`. A mark with a `count` above
    1 stands for slices that are narrower than a pixel: `slice` and `name` are those of the longest, and `busy_us` is
    the sum of their times. `found` is how many have the words that were asked for, and empty if none were.
    """

    track: list[int]
    depth: list[int]
    start_us: list[float]
    duration_us: list[float]
    name: list[int]
    category: list[int]
    count: list[int]
    busy_us: list[float]
    slice: list[int]
    found: list[int]


class TimeLineResponse(ResponseModel):
    """Tracks, of `total`, and what is seen of them.

    `pixel_us` is the width of a pixel, or more if there is too much to be sent.
    """

    total: int
    begin_us: float
    end_us: float
    pixel_us: float
    hosts: list[str]
    categories: list[Category]
    tracks: list[ProfileTrack]
    names: list[str]
    counters: list[ProfileCounter]
    instants: TimeLineInstants
    samples: TimeLineSamples
    marks: TimeLineMarks


TrackNames = Annotated[str, Field(max_length=10_000, pattern=r"^(?:\d{1,9}:\d{1,9}(?:,\d{1,9}:\d{1,9})*)?$")]
"""Tracks by the index of their host and their own: 0:3,0:4."""

RangeColumn = Literal["name", "category", "count", "total_us", "self_us", "mean_us"]


class SliceRangeQuery(CaptureQuery):
    """What lies between `begin_us` and `end_us`: `limit` rows from the one with index `start`.

    It is that on all tracks if `tracks` is empty.
    """

    begin_us: Annotated[float, Field(ge=-1e15, le=1e15)]
    end_us: Annotated[float, Field(ge=-1e15, le=1e15)]
    tracks: TrackNames = ""
    sort: RangeColumn = "self_us"
    descending: bool = True
    start: Whole = 0
    limit: Annotated[int, Field(ge=1, le=5000)] = 1000


class SliceRangeRow(ResponseModel):
    """All slices of a name and category that overlap a range, with their times in it.

    Self time is that in which nothing inside of them runs.
    """

    name: str
    category: Category
    count: int
    total_us: float
    self_us: float
    mean_us: float


class SliceRangeResponse(ResponseModel):
    """Rows in the order that was asked for, of `total`. `slices` and `self_us` are sums over all of them."""

    begin_us: float
    end_us: float
    total: int
    slices: int
    self_us: float
    rows: list[SliceRangeRow]


class FindQuery(CaptureQuery):
    """The nearest slice with all words of `search` in its name, whatever their case.

    It is behind `slice` of `host`, or at `begin_us` or later if that is null; with `backward`, before.
    """

    search: Annotated[str, Field(min_length=1, max_length=500)]
    host: HostIndex = 0
    slice: HostIndex | None = None
    begin_us: Annotated[float, Field(ge=-1e15, le=1e15)] = 0
    backward: bool = False


class FoundSliceResponse(ResponseModel):
    """The slice with index `index` of `total` in time; behind the last one is the first one."""

    total: int
    index: int
    host: int
    slice: int
    track_index: int
    depth: int
    name: str
    start_us: float
    duration_us: float


class FindResponse(ResponseModel):
    """Null if no slice has these words."""

    found: FoundSliceResponse | None


class SliceQuery(CaptureQuery):
    """One slice, by the index of its host and its own."""

    host: HostIndex
    slice: HostIndex


class SliceArg(ResponseModel):
    """An argument of an event. `cut` says that `value` is only its beginning."""

    name: str
    value: str
    cut: bool


class SliceReference(ResponseModel):
    """Another slice."""

    slice: int
    start_us: float
    duration_us: float


class LinkedSlice(ResponseModel):
    """A slice of the same host at the other end of a flow."""

    slice: int
    name: str
    track: str
    track_index: int
    depth: int
    start_us: float
    duration_us: float


class SliceDetails(ResponseModel):
    """One slice. `previous` and `next` are of the same name and host, of which it is the one with index `index` of
    `total` in time. It leads to other slices, and comes from some, by flows; the first 100 of each are told."""

    host: str
    rank: int | None
    process: str
    track: str
    track_index: int
    depth: int
    name: str
    category: Category
    start_us: float
    duration_us: float
    self_us: float
    args: list[SliceArg]
    index: int
    total: int
    previous: SliceReference | None
    next: SliceReference | None
    comes_from: list[LinkedSlice]
    leads_to: list[LinkedSlice]
