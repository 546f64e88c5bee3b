"""Captures of profilers: the list, overviews, steps, operators, time lines, and single slices."""

import math
from collections.abc import Callable, Generator, Iterable
from operator import attrgetter
from typing import Any, TypeVar

import numpy as np
from starlette.requests import Request
from starlette.responses import Response

from lightboard import cancellation
from lightboard.asgi.params import page_of, read_query
from lightboard.asgi.scheduler import Pieces
from lightboard.asgi.streaming import stream
from lightboard.board import json_pieces
from lightboard.board.board import board_of
from lightboard.board.encoding import encode
from lightboard.board.endpoint import Endpoint
from lightboard.board.media import attachment
from lightboard.errors import NotFound
from lightboard.profiles.breakdown import device_totals
from lightboard.profiles.capture import CATEGORIES
from lightboard.profiles.comparison import OperatorDifference, compare
from lightboard.profiles.devices import host_label
from lightboard.profiles.export import export
from lightboard.profiles.flows import links_of
from lightboard.profiles.operators import Operator
from lightboard.profiles.slice_sums import SliceSum
from lightboard.query.capture_files import Capture
from lightboard.query.capture_store import CaptureStore, LoadedCapture, LoadedHost, key_of
from lightboard.query.graph_files import owner
from lightboard.query.profile_fields import (
    advice_fields,
    device_totals_fields,
    difference_fields,
    skew_fields,
    step_device_fields,
)
from lightboard.query.profiles import HostOverview, StepFigures
from lightboard.query.provider import Provider
from lightboard.query.slice_search import find_slice
from lightboard.query.time_lines import InstantColumns, MarkColumns, SampleColumns, read_window
from lightboard.query.time_ranges import TrackName, read_range
from lightboard.schema.profiles import (
    BreakdownResponse,
    CaptureQuery,
    CapturesResponse,
    FindQuery,
    FindResponse,
    OperatorsQuery,
    OperatorsResponse,
    OverviewResponse,
    ProfileDiffQuery,
    ProfileDiffResponse,
    ProfileExportQuery,
    SkewResponse,
    SliceDetails,
    SliceQuery,
    SliceRangeQuery,
    SliceRangeResponse,
    StepsQuery,
    StepsResponse,
    TimeLineQuery,
    TimeLineResponse,
)

Query = TypeVar("Query", bound=CaptureQuery)
Row = TypeVar("Row", Operator, OperatorDifference)

SORT_KEYS: dict[str, Callable[[Any], Any]] = {
    "name": attrgetter("name"),
    "category": attrgetter("category"),
    "scope": attrgetter("scope"),
    "count": attrgetter("count"),
    "total_us": attrgetter("total_ns"),
    "self_us": attrgetter("self_ns"),
    "mean_us": lambda row: row.total_ns / row.count,
}

DIFFERENCE_KEYS: dict[str, Callable[[OperatorDifference], Any]] = {
    "name": attrgetter("name"),
    "category": attrgetter("category"),
    "scope": attrgetter("scope"),
    "before_us": attrgetter("mean_before_ns"),
    "after_us": attrgetter("mean_after_ns"),
    "difference_us": attrgetter("difference_ns"),
    "ratio": lambda row: math.inf if row.ratio is None else row.ratio,
}

ENDINGS = {"perfetto": ".trace.json", "speedscope": ".speedscope.json"}
"""How files for other viewers are called."""

MAX_LINKS = 100
"""Slices at the other ends of flows that are told of a slice, in each direction."""

CHECKED_ROWS = 10_000
"""Operators that are searched between two checks for cancellation."""


async def read_captures(request: Request) -> Response:
    """GET /api/v1/profiles"""
    board = board_of(request)
    return await board.responses.stream(request, captures_of(board.provider))


def captures_of(provider: Provider) -> Pieces:
    """The fields of CapturesResponse."""
    generation = provider.generation
    ids = {row.name: row.id for row in provider.runs()}
    rows = (capture_fields(capture, ids) for capture in provider.profiles().captures())
    yield from json_pieces.fields_then({"generation": generation}, "captures", json_pieces.rows(rows))


def capture_fields(capture: Capture, ids: dict[str, int]) -> dict[str, Any]:
    """The fields of CaptureInfo."""
    run = owner(ids, capture.name)
    return {
        "name": capture.name,
        "run": None if run is None else ids[run],
        "format": capture.format,
        "hosts": [file.host for file in capture.files],
        "size_bytes": capture.size_bytes,
        "wall": max(file.info.mtime_ns for file in capture.files) / 1e9,
        "at": key_of(capture),
    }


async def read_overview(request: Request) -> Response:
    """GET /api/v1/profiles/overview"""
    return await respond(request, read_query(request, CaptureQuery), overview_pieces)


def overview_pieces(loaded: LoadedCapture, _query: CaptureQuery) -> Pieces:
    """The fields of OverviewResponse."""
    yield encode(
        {
            "name": loaded.capture.name,
            "duration_us": (loaded.end_ns - loaded.begin_ns) / 1000,
            "steps": len(loaded.steps),
            "operators": len(loaded.operators),
            "hosts": list(map(host_fields, loaded.overviews)),
            "devices": list(map(device_totals_fields, device_totals(loaded.breakdown))),
            "skew": len(loaded.skew),
            "advice": list(map(advice_fields, loaded.advice)),
            "problems": loaded.problems,
        }
    )


def host_fields(host: HostOverview) -> dict[str, Any]:
    """The fields of HostSummary."""
    return {
        "host": host.host,
        "rank": host.rank,
        "duration_us": host.duration_ns / 1000,
        "slices": host.slices,
        "tracks": host.tracks,
        "steps": None if host.steps is None else times_fields(host.steps),
        "categories_us": {name: time / 1000 for name, time in host.categories.items()},
    }


def times_fields(found: StepFigures) -> dict[str, Any]:
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


async def read_breakdown(request: Request) -> Response:
    """GET /api/v1/profiles/breakdown"""
    return await respond(request, read_query(request, StepsQuery), breakdown_pieces)


def breakdown_pieces(loaded: LoadedCapture, query: StepsQuery) -> Pieces:
    """The fields of BreakdownResponse."""
    rows = map(step_device_fields, page_of(loaded.breakdown, query.start, query.limit))
    yield from json_pieces.fields_then({"total": len(loaded.breakdown)}, "rows", json_pieces.rows(rows))


async def read_skew(request: Request) -> Response:
    """GET /api/v1/profiles/skew"""
    return await respond(request, read_query(request, StepsQuery), skew_pieces)


def skew_pieces(loaded: LoadedCapture, query: StepsQuery) -> Pieces:
    """The fields of SkewResponse."""
    rows = map(skew_fields, page_of(loaded.skew, query.start, query.limit))
    yield from json_pieces.fields_then({"total": len(loaded.skew)}, "steps", json_pieces.rows(rows))


async def read_steps(request: Request) -> Response:
    """GET /api/v1/profiles/steps"""
    return await respond(request, read_query(request, StepsQuery), step_pieces)


def step_pieces(loaded: LoadedCapture, query: StepsQuery) -> Pieces:
    """The fields of StepsResponse."""
    rows = (
        {
            "step": each.step,
            "start_us": (each.start_ns - loaded.begin_ns) / 1000,
            "duration_us": each.duration_ns / 1000,
            "name": each.name,
            "host": each.host,
            "rank": each.rank,
            "inferred": each.inferred,
        }
        for each in page_of(loaded.steps, query.start, query.limit)
    )
    yield from json_pieces.fields_then({"total": len(loaded.steps)}, "steps", json_pieces.rows(rows))


async def read_operators(request: Request) -> Response:
    """GET /api/v1/profiles/operators"""
    return await respond(request, read_query(request, OperatorsQuery), operator_pieces)


def operator_pieces(loaded: LoadedCapture, query: OperatorsQuery) -> Pieces:
    """The fields of OperatorsResponse."""
    found = list(matching(loaded.operators, query.search))
    found.sort(key=SORT_KEYS[query.sort], reverse=query.descending)
    rows = map(operator_fields, page_of(found, query.start, query.limit))
    fields = {"total": len(found), "all_self_us": sum(each.self_ns for each in found) / 1000}
    yield from json_pieces.fields_then(fields, "operators", json_pieces.rows(rows))


def matching(rows: Iterable[Row], search: str) -> Generator[Row]:
    """The operators with all words of `search`, whatever their case."""
    words = search.casefold().split()
    for at, row in enumerate(rows):
        if at % CHECKED_ROWS == 0:
            cancellation.check()
        if not words:
            yield row
            continue
        text = f"{row.name}\n{row.category}\n{row.scope}".casefold()
        if all(word in text for word in words):
            yield row


def operator_fields(row: Operator) -> dict[str, Any]:
    """The fields of ProfileOperator."""
    return {
        "name": row.name,
        "category": row.category,
        "scope": row.scope,
        "count": row.count,
        "total_us": row.total_ns / 1000,
        "self_us": row.self_ns / 1000,
        "mean_us": row.total_ns / row.count / 1000,
    }


async def read_diff(request: Request) -> Response:
    """GET /api/v1/profiles/diff"""
    query, board = read_query(request, ProfileDiffQuery), board_of(request)
    return await board.responses.stream(request, diff_pieces(board.provider.profiles(), query))


def diff_pieces(store: CaptureStore, query: ProfileDiffQuery) -> Pieces:
    """The fields of ProfileDiffResponse. Raises NotFound, Unshowable."""
    base = yield from store.load(store.find(query.base))
    loaded = yield from store.load(store.find(query.capture))
    before, after = base.samples(query.base_rank), loaded.samples(query.rank)
    found = list(matching(compare(before, after), query.search))
    found.sort(key=DIFFERENCE_KEYS[query.sort], reverse=query.descending)
    rows = map(difference_fields, page_of(found, query.start, query.limit))
    fields = {"total": len(found), "steps_before": before.steps, "steps_after": after.steps}
    yield from json_pieces.fields_then(fields, "operators", json_pieces.rows(rows))


async def download(request: Request) -> Response:
    """GET /api/v1/profiles/export"""
    query, board = read_query(request, ProfileExportQuery), board_of(request)
    headers = attachment(f"{query.capture}{ENDINGS[query.format]}")
    pieces = loaded_pieces(board.provider.profiles(), query, export_pieces)
    return await stream(request, pieces, "application/json", pool=board.pool, headers=headers)


def export_pieces(loaded: LoadedCapture, query: ProfileExportQuery) -> Pieces:
    """The file."""
    for piece in export(loaded.captures, loaded.capture.name, query.format):
        cancellation.check()
        yield piece.encode("utf-8", "replace")


async def read_time_line(request: Request) -> Response:
    """GET /api/v1/profiles/timeline"""
    return await respond(request, read_query(request, TimeLineQuery), time_line_pieces)


def time_line_pieces(loaded: LoadedCapture, query: TimeLineQuery) -> Pieces:
    """The fields of TimeLineResponse."""
    begin = loaded.begin_ns + round(query.begin_us * 1000)
    end = loaded.end_ns if query.end_us is None else loaded.begin_ns + round(query.end_us * 1000)
    paging = query.width, query.start, query.limit
    window = yield from read_window(loaded, begin, max(begin + 1, end), *paging, query.search)
    fields = {
        "total": window.total,
        "begin_us": (begin - loaded.begin_ns) / 1000,
        "end_us": (max(begin + 1, end) - loaded.begin_ns) / 1000,
        "pixel_us": window.pixel_ns / 1000,
        "hosts": [host_label(each.host.host, each.host.rank) for each in loaded.hosts],
        "categories": CATEGORIES,
        "tracks": [track._asdict() for track in window.tracks],
        "names": window.names,
        "counters": [counter._asdict() for counter in window.counters],
        "instants": point_fields(loaded, window.instants),
        "samples": point_fields(loaded, window.samples),
    }
    yield None
    yield from json_pieces.fields_then(fields, "marks", mark_pieces(loaded, window.marks))


def point_fields(loaded: LoadedCapture, points: InstantColumns | SampleColumns) -> dict[str, list[Any]]:
    """The fields of TimeLineInstants or TimeLineSamples."""
    columns = points._asdict()
    times = [(time - loaded.begin_ns) / 1000 for time in columns.pop("time_ns")]
    return {**columns, "time_us": times}


def mark_pieces(loaded: LoadedCapture, marks: MarkColumns) -> Pieces:
    """The fields of TimeLineMarks."""
    columns: dict[str, Any] = {
        "track": marks.track,
        "depth": marks.depth,
        "start_us": (marks.start_ns - loaded.begin_ns) / 1000,
        "duration_us": marks.duration_ns / 1000,
        "name": marks.name,
        "category": marks.category,
        "count": marks.count,
        "busy_us": marks.busy_ns / 1000,
        "slice": marks.slice,
        "found": marks.found,
    }
    yield from json_pieces.object_of(
        json_pieces.member(name, json_pieces.column(np.asarray(column).tolist())) for name, column in columns.items()
    )


async def read_slice(request: Request) -> Response:
    """GET /api/v1/profiles/slice"""
    return await respond(request, read_query(request, SliceQuery), slice_pieces)


def slice_pieces(loaded: LoadedCapture, query: SliceQuery) -> Pieces:
    """The fields of SliceDetails. Raises NotFound."""
    found = slice_host(loaded, query.host, query.slice)
    host, line = found.host, found.time_line
    slices, at = host.slices, query.slice
    yield None
    track = host.tracks[int(slices.track[at])]
    same = line.same_name(at)
    index = int(np.flatnonzero(same == at)[0])
    yield None
    links = links_of(line, host.flow_begins, host.flow_ends, at)

    def reference(of: int) -> dict[str, Any] | None:
        if not 0 <= of < len(same):
            return None
        other = int(same[of])
        start = (int(slices.start_ns[other]) - loaded.begin_ns) / 1000
        return {"slice": other, "start_us": start, "duration_us": int(slices.duration_ns[other]) / 1000}

    yield encode(
        {
            "host": host.host,
            "rank": host.rank,
            "process": host.processes[track.process].name or host.processes[track.process].id,
            "track": track.name or track.id,
            "track_index": int(slices.track[at]),
            "depth": int(line.depth[at]),
            "name": host.names[int(slices.name[at])],
            "category": CATEGORIES[int(slices.category[at])],
            "start_us": (int(slices.start_ns[at]) - loaded.begin_ns) / 1000,
            "duration_us": int(slices.duration_ns[at]) / 1000,
            "self_us": int(line.self_ns[at]) / 1000,
            "args": [arg._asdict() for arg in loaded.args(query.host, at)],
            "index": index,
            "total": len(same),
            "previous": reference(index - 1),
            "next": reference(index + 1),
            "comes_from": [link_fields(loaded, found, each) for each in links.comes_from[:MAX_LINKS]],
            "leads_to": [link_fields(loaded, found, each) for each in links.leads_to[:MAX_LINKS]],
        }
    )


def link_fields(loaded: LoadedCapture, loaded_host: LoadedHost, at: int) -> dict[str, Any]:
    """The fields of LinkedSlice."""
    host, slices = loaded_host.host, loaded_host.host.slices
    track = host.tracks[int(slices.track[at])]
    return {
        "slice": at,
        "name": host.names[int(slices.name[at])],
        "track": track.name or track.id,
        "track_index": int(slices.track[at]),
        "depth": int(loaded_host.time_line.depth[at]),
        "start_us": (int(slices.start_ns[at]) - loaded.begin_ns) / 1000,
        "duration_us": int(slices.duration_ns[at]) / 1000,
    }


async def read_range_sums(request: Request) -> Response:
    """GET /api/v1/profiles/range"""
    return await respond(request, read_query(request, SliceRangeQuery), range_pieces)


def range_pieces(loaded: LoadedCapture, query: SliceRangeQuery) -> Pieces:
    """The fields of SliceRangeResponse."""
    begin, end = (loaded.begin_ns + round(time * 1000) for time in sorted((query.begin_us, query.end_us)))
    rows = yield from read_range(loaded, begin, end, tracks_of(query.tracks))
    rows.sort(key=SORT_KEYS[query.sort], reverse=query.descending)
    fields = {
        "begin_us": (begin - loaded.begin_ns) / 1000,
        "end_us": (end - loaded.begin_ns) / 1000,
        "total": len(rows),
        "slices": sum(row.count for row in rows),
        "self_us": sum(row.self_ns for row in rows) / 1000,
    }
    page = map(range_fields, page_of(rows, query.start, query.limit))
    yield from json_pieces.fields_then(fields, "rows", json_pieces.rows(page))


def tracks_of(text: str) -> set[TrackName] | None:
    """The tracks that a query names, None if it names none."""
    pairs = (each.split(":") for each in text.split(",") if each)
    return {(int(host), int(track)) for host, track in pairs} or None


def range_fields(row: SliceSum) -> dict[str, Any]:
    """The fields of SliceRangeRow."""
    return {
        "name": row.name,
        "category": row.category,
        "count": row.count,
        "total_us": row.total_ns / 1000,
        "self_us": row.self_ns / 1000,
        "mean_us": row.total_ns / row.count / 1000,
    }


async def read_found(request: Request) -> Response:
    """GET /api/v1/profiles/find"""
    return await respond(request, read_query(request, FindQuery), found_pieces)


def found_pieces(loaded: LoadedCapture, query: FindQuery) -> Pieces:
    """The fields of FindResponse. Raises NotFound."""
    place = loaded.begin_ns + round(query.begin_us * 1000), -1, -1
    if query.slice is not None:
        host = slice_host(loaded, query.host, query.slice)
        place = int(host.host.slices.start_ns[query.slice]), query.host, query.slice
    found = yield from find_slice(loaded, query.search, place, backward=query.backward)
    if found is None:
        yield encode({"found": None})
        return
    host, at = loaded.hosts[found.host], found.slice
    slices = host.host.slices
    fields = {
        "track_index": int(slices.track[at]),
        "depth": int(host.time_line.depth[at]),
        "name": host.host.names[int(slices.name[at])],
        "start_us": (int(slices.start_ns[at]) - loaded.begin_ns) / 1000,
        "duration_us": int(slices.duration_ns[at]) / 1000,
    }
    yield encode({"found": {**found._asdict(), **fields}})


def slice_host(loaded: LoadedCapture, host: int, slice_: int) -> LoadedHost:
    """The host of a slice. Raises NotFound."""
    if host >= len(loaded.hosts) or slice_ >= len(loaded.hosts[host].host.slices):
        raise NotFound("the capture has no such slice", hint="ask for its time line again")
    return loaded.hosts[host]


async def respond(request: Request, query: Query, pieces: Callable[[LoadedCapture, Query], Pieces]) -> Response:
    """The answer about one capture, which is read once however many ask for it."""
    board = board_of(request)
    store = board.provider.profiles()
    return await board.responses.stream(request, loaded_pieces(store, query, pieces))


def loaded_pieces(store: CaptureStore, query: Query, pieces: Callable[[LoadedCapture, Query], Pieces]) -> Pieces:
    """The pieces of an answer, behind those of reading the capture. Raises NotFound, Unshowable."""
    loaded = yield from store.load(store.find(query.capture))
    yield from pieces(loaded, query)


ENDPOINTS = (
    Endpoint(
        method="GET",
        path="/api/v1/profiles",
        handler=read_captures,
        summary="The captures of profilers: run, format, hosts and size of each",
        response=CapturesResponse,
    ),
    Endpoint(
        method="GET",
        path="/api/v1/profiles/overview",
        handler=read_overview,
        summary="A capture at a glance: times of steps and what they are made of, for each host",
        query=CaptureQuery,
        response=OverviewResponse,
        errors=(400, 404, 422),
    ),
    Endpoint(
        method="GET",
        path="/api/v1/profiles/steps",
        handler=read_steps,
        summary="When each step of a capture began, and how long it took",
        query=StepsQuery,
        response=StepsResponse,
        errors=(400, 404, 422),
    ),
    Endpoint(
        method="GET",
        path="/api/v1/profiles/breakdown",
        handler=read_breakdown,
        summary="What each step is made of on each device: work, overlap and idle time",
        query=StepsQuery,
        response=BreakdownResponse,
        errors=(400, 404, 422),
    ),
    Endpoint(
        method="GET",
        path="/api/v1/profiles/skew",
        handler=read_skew,
        summary="How far ranks are apart in each step, and how long they wait for each other",
        query=StepsQuery,
        response=SkewResponse,
        errors=(400, 404, 422),
    ),
    Endpoint(
        method="GET",
        path="/api/v1/profiles/operators",
        handler=read_operators,
        summary="How often each operator of a capture ran, and for how long",
        query=OperatorsQuery,
        response=OperatorsResponse,
        errors=(400, 404, 422),
    ),
    Endpoint(
        method="GET",
        path="/api/v1/profiles/diff",
        handler=read_diff,
        summary="What takes longer or shorter than in another capture, or on another rank, by operator",
        query=ProfileDiffQuery,
        response=ProfileDiffResponse,
        errors=(400, 404, 422),
    ),
    Endpoint(
        method="GET",
        path="/api/v1/profiles/export",
        handler=download,
        summary="A capture as a file for Perfetto or speedscope",
        query=ProfileExportQuery,
        response="application/json",
        errors=(400, 404, 422),
    ),
    Endpoint(
        method="GET",
        path="/api/v1/profiles/timeline",
        handler=read_time_line,
        summary="What of a capture is seen in a window of so many pixels",
        query=TimeLineQuery,
        response=TimeLineResponse,
        errors=(400, 404, 422),
    ),
    Endpoint(
        method="GET",
        path="/api/v1/profiles/range",
        handler=read_range_sums,
        summary="What lies in a range of time: slices by name, with their times in it",
        query=SliceRangeQuery,
        response=SliceRangeResponse,
        errors=(400, 404, 422),
    ),
    Endpoint(
        method="GET",
        path="/api/v1/profiles/find",
        handler=read_found,
        summary="The next slice whose name has some words, and how many there are",
        query=FindQuery,
        response=FindResponse,
        errors=(400, 404, 422),
    ),
    Endpoint(
        method="GET",
        path="/api/v1/profiles/slice",
        handler=read_slice,
        summary="One slice: times, arguments, and where the next one of its name is",
        query=SliceQuery,
        response=SliceDetails,
        errors=(400, 404, 422),
    ),
)
