"""Captures of profilers in time: what is seen in a window, single slices, ranges, and what is found."""

from typing import Any

import numpy as np
from starlette.requests import Request
from starlette.responses import Response

from lightboard.asgi.params import page_of, read_query
from lightboard.asgi.scheduler import Pieces
from lightboard.board import json_pieces
from lightboard.board.encoding import encode
from lightboard.board.endpoint import Endpoint
from lightboard.board.routes.profiles.responses import SORT_KEYS, respond
from lightboard.errors import NotFound
from lightboard.profiles.capture import CATEGORIES, HostCapture
from lightboard.profiles.devices import host_label
from lightboard.profiles.flows import links_of
from lightboard.profiles.slice_sums import SliceSum
from lightboard.query.loaded_capture import LoadedCapture, LoadedHost
from lightboard.query.profile_fields import mean_fields, sum_fields
from lightboard.query.slice_search import find_slice
from lightboard.query.time_lines import InstantColumns, MarkColumns, SampleColumns, read_window
from lightboard.query.time_ranges import TrackName, read_range
from lightboard.schema.time_lines import (
    FindQuery,
    FindResponse,
    SliceDetails,
    SliceQuery,
    SliceRangeQuery,
    SliceRangeResponse,
    TimeLineQuery,
    TimeLineResponse,
)

MAX_LINKS = 100
"""Slices at the other ends of flows that are told of a slice, in each direction."""


async def read_time_line(request: Request) -> Response:
    """GET /api/v1/profiles/timeline"""
    query = read_query(request, TimeLineQuery)
    is_whole = query.begin_us == 0 and query.end_us is None
    return await respond(request, query, time_line_pieces, partial=query.partial and is_whole)


def time_line_pieces(loaded: LoadedCapture, query: TimeLineQuery) -> Pieces:
    """The fields of TimeLineResponse."""
    begin = loaded.begin_ns + round(query.begin_us * 1000)
    end = loaded.end_ns if query.end_us is None else loaded.begin_ns + round(query.end_us * 1000)
    paging = query.width, query.start, query.limit
    window = yield from read_window(loaded, begin, max(begin + 1, end), *paging, query.search)
    fields = {
        "loaded": loaded.loaded,
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
        return {"slice": other, **slice_times(loaded, host, other)}

    yield encode(
        {
            "host": host.host,
            "rank": host.rank,
            "process": host.processes[track.process].name or host.processes[track.process].id,
            "track": track.name or track.id,
            "category": CATEGORIES[int(slices.category[at])],
            **slice_place(loaded, found, at),
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
    host = loaded_host.host
    track = host.tracks[int(host.slices.track[at])]
    return {"slice": at, "track": track.name or track.id, **slice_place(loaded, loaded_host, at)}


def slice_place(loaded: LoadedCapture, loaded_host: LoadedHost, at: int) -> dict[str, Any]:
    """The name of a slice, and where it is."""
    host = loaded_host.host
    return {
        "track_index": int(host.slices.track[at]),
        "depth": int(loaded_host.time_line.depth[at]),
        "name": host.names[int(host.slices.name[at])],
        **slice_times(loaded, host, at),
    }


def slice_times(loaded: LoadedCapture, host: HostCapture, at: int) -> dict[str, float]:
    """When a slice is."""
    start, duration = int(host.slices.start_ns[at]), int(host.slices.duration_ns[at])
    return {"start_us": (start - loaded.begin_ns) / 1000, "duration_us": duration / 1000}


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
    return {"name": row.name, "category": row.category, **sum_fields(row), **mean_fields(row)}


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
    place_fields = slice_place(loaded, loaded.hosts[found.host], found.slice)
    yield encode({"found": {**found._asdict(), **place_fields}})


def slice_host(loaded: LoadedCapture, host: int, slice_: int) -> LoadedHost:
    """The host of a slice. Raises NotFound."""
    if host >= len(loaded.hosts) or slice_ >= len(loaded.hosts[host].host.slices):
        raise NotFound("the capture has no such slice", hint="ask for its time line again")
    return loaded.hosts[host]


ENDPOINTS = (
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
