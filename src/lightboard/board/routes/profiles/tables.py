"""Captures of profilers: the list, overviews, tables of steps and operators, comparison, and export."""

import math
from collections.abc import Callable, Generator, Iterable, Sequence
from operator import attrgetter
from typing import Any, TypeVar

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
from lightboard.board.routes.profiles.responses import SORT_KEYS, loaded_pieces, respond
from lightboard.profiles.advice import Advice
from lightboard.profiles.breakdown import StepBreakdown, device_totals
from lightboard.profiles.comparison import OperatorDifference, compare
from lightboard.profiles.export import export
from lightboard.profiles.operators import Operator
from lightboard.profiles.shape_operators import ShapeOperator, shapes_text
from lightboard.profiles.skew import StepSkew
from lightboard.profiles.steps import Step
from lightboard.query.capture_files import Capture
from lightboard.query.capture_store import CaptureStore, key_of
from lightboard.query.graph_files import owner
from lightboard.query.loaded_capture import LoadedCapture
from lightboard.query.profile_fields import (
    advice_fields,
    capture_fields,
    device_totals_fields,
    difference_fields,
    host_fields,
    longest_fields,
    mean_fields,
    operator_fields,
    shape_operator_fields,
    skew_fields,
    step_device_fields,
    step_fields,
)
from lightboard.query.provider import Provider
from lightboard.schema.profile_comparison import ProfileDiffQuery, ProfileDiffResponse
from lightboard.schema.profiles import (
    BreakdownResponse,
    CaptureQuery,
    CapturesResponse,
    OperatorsQuery,
    OperatorsResponse,
    OverviewResponse,
    ProfileExportQuery,
    SkewResponse,
    StepsQuery,
    StepsResponse,
)

Row = TypeVar("Row", Operator, ShapeOperator, OperatorDifference)
StepRow = TypeVar("StepRow", Step, StepBreakdown, StepSkew)

DIFFERENCE_KEYS: dict[str, Callable[[OperatorDifference], Any]] = {
    "name": attrgetter("name"),
    "category": attrgetter("category"),
    "scope": attrgetter("scope"),
    "before_us": attrgetter("mean_before_ns"),
    "after_us": attrgetter("mean_after_ns"),
    "difference_us": attrgetter("difference_ns"),
    "ratio": lambda row: math.inf if row.ratio is None else row.ratio,
}

OPERATOR_KEYS: dict[str, Callable[[Operator], Any]] = {
    **SORT_KEYS,
    "scope": attrgetter("scope"),
    "shapes": lambda _: "",
}
SHAPE_KEYS: dict[str, Callable[[ShapeOperator], Any]] = {
    **SORT_KEYS,
    "scope": lambda _: "",
    "shapes": lambda row: shapes_text(row.shapes),
}

ENDINGS = {"perfetto": ".trace.json", "speedscope": ".speedscope.json"}
"""How files for other viewers are called."""

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
    rows = (run_capture_fields(capture, ids) for capture in provider.profiles().captures())
    yield from json_pieces.fields_then({"generation": generation}, "captures", json_pieces.rows(rows))


def run_capture_fields(capture: Capture, ids: dict[str, int]) -> dict[str, Any]:
    """The fields of CaptureInfo."""
    run = owner(ids, capture.name)
    return {
        **capture_fields(capture),
        "run": None if run is None else ids[run],
        "wall": max(file.info.mtime_ns for file in capture.files) / 1e9,
        "at": key_of(capture),
    }


async def read_overview(request: Request) -> Response:
    """GET /api/v1/profiles/overview"""
    return await respond(request, read_query(request, CaptureQuery), overview_pieces)


def overview_pieces(loaded: LoadedCapture, _query: CaptureQuery) -> Pieces:
    """The fields of OverviewResponse. What each says is computed by itself, once."""
    for figures in ("steps", "operators", "overviews", "breakdown", "skew", "advice"):
        getattr(loaded, figures)
        yield None
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


async def read_breakdown(request: Request) -> Response:
    """GET /api/v1/profiles/breakdown"""
    return await respond(request, read_query(request, StepsQuery), breakdown_pieces)


def breakdown_pieces(loaded: LoadedCapture, query: StepsQuery) -> Pieces:
    """The fields of BreakdownResponse."""
    found = of_step(loaded.breakdown, query.step)
    rows = map(step_device_fields, page_of(found, query.start, query.limit))
    yield from json_pieces.fields_then({"total": len(found)}, "rows", json_pieces.rows(rows))


async def read_skew(request: Request) -> Response:
    """GET /api/v1/profiles/skew"""
    return await respond(request, read_query(request, StepsQuery), skew_pieces)


def skew_pieces(loaded: LoadedCapture, query: StepsQuery) -> Pieces:
    """The fields of SkewResponse."""
    found = of_step(loaded.skew, query.step)
    rows = map(skew_fields, page_of(found, query.start, query.limit))
    yield from json_pieces.fields_then({"total": len(found)}, "steps", json_pieces.rows(rows))


async def read_steps(request: Request) -> Response:
    """GET /api/v1/profiles/steps"""
    return await respond(request, read_query(request, StepsQuery), step_pieces)


def step_pieces(loaded: LoadedCapture, query: StepsQuery) -> Pieces:
    """The fields of StepsResponse."""
    found = of_step(loaded.steps, query.step)
    rows = (step_fields(each, loaded.begin_ns) for each in page_of(found, query.start, query.limit))
    yield from json_pieces.fields_then({"total": len(found)}, "steps", json_pieces.rows(rows))


def of_step(rows: list[StepRow], step: int | None) -> list[StepRow]:
    """The rows about the steps with this number; all of them if it is None."""
    return rows if step is None else [row for row in rows if row.step == step]


async def read_operators(request: Request) -> Response:
    """GET /api/v1/profiles/operators"""
    return await respond(request, read_query(request, OperatorsQuery), operator_pieces)


def operator_pieces(loaded: LoadedCapture, query: OperatorsQuery) -> Pieces:
    """The fields of OperatorsResponse. Raises Unshowable."""
    if query.by == "shape":
        yield from shape_pieces(loaded, query)
        return
    found = list(matching(loaded.operators, query.search, operator_text))
    found.sort(key=OPERATOR_KEYS[query.sort], reverse=query.descending)
    rest = {"shapes": None, "longest": None}
    rows = ({**operator_fields(row), **mean_fields(row), **rest} for row in page_of(found, query.start, query.limit))
    fields = {**table_fields(found), "has_shapes": None, "advice": []}
    yield from json_pieces.fields_then(fields, "operators", json_pieces.rows(rows))


def shape_pieces(loaded: LoadedCapture, query: OperatorsQuery) -> Pieces:
    """The same by the shapes of inputs, which are read from the files at first. Raises Unshowable."""
    every = yield from loaded.shape_operators()
    found = list(matching(every, query.search, shape_operator_text))
    found.sort(key=SHAPE_KEYS[query.sort], reverse=query.descending)
    rows = (shape_row(loaded, row) for row in page_of(found, query.start, query.limit))
    advice = [] if loaded.has_shapes else [advice_fields(Advice("no_shapes", "", 0))]
    has_shapes = any(row.shapes is not None for row in every)
    fields = {**table_fields(found), "has_shapes": has_shapes, "advice": advice}
    yield from json_pieces.fields_then(fields, "operators", json_pieces.rows(rows))


def shape_row(loaded: LoadedCapture, row: ShapeOperator) -> dict[str, Any]:
    """The fields of ProfileOperator, of an operator with inputs of some shapes."""
    longest = longest_fields(row.longest, loaded.captures, loaded.begin_ns)
    return {**shape_operator_fields(row), **mean_fields(row), "scope": "", "longest": longest}


def table_fields(rows: Sequence[Operator | ShapeOperator]) -> dict[str, Any]:
    """What is told of all rows that were found."""
    return {"total": len(rows), "all_self_us": sum(each.self_ns for each in rows) / 1000}


def operator_text(row: Operator | OperatorDifference) -> str:
    """What of an operator is searched."""
    return f"{row.name}\n{row.category}\n{row.scope}"


def shape_operator_text(row: ShapeOperator) -> str:
    """The same where there are shapes."""
    return f"{row.name}\n{row.category}\n{shapes_text(row.shapes)}"


def matching(rows: Iterable[Row], search: str, text_of: Callable[[Row], str]) -> Generator[Row]:
    """The rows whose text has all words of `search`, whatever their case."""
    words = search.casefold().split()
    for at, row in enumerate(rows):
        if at % CHECKED_ROWS == 0:
            cancellation.check()
        if not words:
            yield row
            continue
        text = text_of(row).casefold()
        if all(word in text for word in words):
            yield row


async def read_diff(request: Request) -> Response:
    """GET /api/v1/profiles/diff"""
    query, board = read_query(request, ProfileDiffQuery), board_of(request)
    return await board.responses.stream(request, diff_pieces(board.provider.profiles(), query))


def diff_pieces(store: CaptureStore, query: ProfileDiffQuery) -> Pieces:
    """The fields of ProfileDiffResponse. Raises NotFound, Unshowable."""
    base = yield from store.load(store.find(query.base))
    loaded = yield from store.load(store.find(query.capture))
    before, after = base.samples(query.base_rank), loaded.samples(query.rank)
    found = list(matching(compare(before, after), query.search, operator_text))
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
)
