"""Captures of profilers in time: what is seen in a window, single slices, ranges, and what is found.

Times are microseconds; those of beginnings are from the first event of the capture.
"""

from typing import Annotated, Literal

from pydantic import Field

from lightboard.schema.model import ResponseModel, Whole
from lightboard.schema.profiles import CaptureQuery, Category

HostIndex = Annotated[int, Field(ge=0, le=2**31 - 1)]


class TimeLineQuery(CaptureQuery):
    """What is seen from `begin_us` to `end_us` (null: to the end) on `width` pixels.

    `limit` tracks from the one with index `start` are answered. If `search` has words, marks say how many of their
    slices have all of them in their names. With `partial`, the whole of a capture that is still being read is answered
    as what has been read so far; a window of it waits for all.
    """

    begin_us: Annotated[float, Field(ge=-1e15, le=1e15)] = 0
    end_us: Annotated[float, Field(ge=-1e15, le=1e15)] | None = None
    width: Annotated[int, Field(ge=1, le=16_384)] = 1000
    start: Whole = 0
    limit: Annotated[int, Field(ge=1, le=500)] = 100
    search: Annotated[str, Field(max_length=500)] = ""
    partial: bool = False


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

    `pixel_us` is the width of a pixel, or more if there is too much to be sent. `loaded` is which part of the bytes of
    the capture this is, from 0 to 1: less than 1 if the answer is `partial`. Then times may begin elsewhere in the next
    one.
    """

    loaded: float
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
