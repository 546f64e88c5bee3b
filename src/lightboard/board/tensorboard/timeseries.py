"""/data/plugin/timeseries: what TensorBoard's Time Series page asks."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from lightboard.asgi.bodies import parse, read_form
from lightboard.asgi.query_string import first
from lightboard.asgi.scheduler import Pieces
from lightboard.board import json_pieces
from lightboard.board.board import Board, board_of
from lightboard.board.descriptions import Descriptions
from lightboard.board.points import json_object_pieces
from lightboard.board.tensorboard import histograms, images
from lightboard.board.tensorboard.scalars import holding, read_samples
from lightboard.errors import BadRequest, NotFound
from lightboard.query.tags import Words

PLUGIN = "/data/plugin/timeseries"

RUNS_AT_ONCE = 16
"""Whose tags are encoded in one go."""

NEEDED = {"scalars": (), "histograms": ("run",), "images": ("run", "sample")}
"""Which fields a request of each kind must have beside the tag."""


async def tags(request: Request) -> Response:
    """GET /tags: tags of the three kinds of the page."""
    board = board_of(request)
    return await board.stream_json(request, tags_by_kind(board))


def tags_by_kind(board: Board) -> Pieces:
    """All tags of the three kinds, by kind; those of a run at a time."""
    html = Descriptions()
    return json_pieces.object_of(
        json_pieces.named(kind, by_tag(board, html) if kind == "images" else by_run(board, kind, html))
        for kind in ("scalars", "histograms", "images")
    )


def by_run(board: Board, kind: str, html: Descriptions) -> Pieces:
    """The form of scalars and histograms."""
    listed = board.provider.tags_by_run(kind)
    yield b'{"runTagInfo":'
    runs = list(listed)
    lots = (runs[at : at + RUNS_AT_ONCE] for at in range(0, len(runs), RUNS_AT_ONCE))
    yield from json_pieces.object_of(json_pieces.items({run: sorted(listed[run]) for run in lot}) for lot in lots)
    yield b',"tagDescriptions":'
    yield from json_pieces.object_of(descriptions(listed, html))
    yield b"}"


def by_tag(board: Board, html: Descriptions) -> Pieces:
    """The form of images."""
    listed = board.provider.tags_by_run("images")
    sampled: dict[str, dict[str, dict[str, int]]] = {}
    for run, tags in listed.items():
        for tag in tags:
            yield None
            if (samples := images.samples_per_step(board, run, tag)) is not None:
                sampled.setdefault(tag, {})[run] = {"maxSamplesPerStep": samples}
    yield b'{"tagDescriptions":'
    yield from json_pieces.object_of(descriptions(listed, html))
    yield b',"tagRunSampledInfo":'
    yield from json_pieces.object_of(json_pieces.named(tag, json_pieces.whole(runs)) for tag, runs in sampled.items())
    yield b"}"


def descriptions(listed: Mapping[str, Mapping[str, Words]], html: Descriptions) -> Iterator[json_pieces.Member | None]:
    """tag: its HTML, of each that was described."""
    given: dict[str, dict[str, list[str]]] = {}
    for run, tags in listed.items():
        yield None
        for tag, words in tags.items():
            if words.description:
                given.setdefault(tag, {}).setdefault(words.description, []).append(run)
    for tag, texts in given.items():
        yield json_pieces.named(tag, json_pieces.whole(html.html(texts)))


async def time_series(request: Request) -> Response:
    """GET or POST /timeSeries with `requests`, a JSON list of {plugin, tag, run?, sample?}."""
    board = board_of(request)
    text = first(request, "requests")
    if request.method == "POST":
        text = next(iter((await read_form(request, board.pool)).get("requests", [])), None)
    if not text:
        raise BadRequest("Missing 'requests' field")
    asked = await parse(requests_of, text.encode("utf-8", "surrogatepass"), board.pool)
    members = (one_series(board, one) for one in asked)
    return await board.stream_json(request, json_pieces.array(members))


def requests_of(text: bytes) -> list[dict[str, Any]]:
    """What is asked for. Raises BadRequest."""
    try:
        asked = json.loads(text)
    except (ValueError, RecursionError):
        raise BadRequest("Unable to parse 'requests' as JSON") from None
    if not isinstance(asked, list | dict) or not all(isinstance(one, dict) for one in asked):
        raise BadRequest("'requests' must be a list of objects")
    return list(asked)


def one_series(board: Board, request: dict[str, Any]) -> Pieces:
    """The answer of one request; errors stand in its place."""
    head = {name: request.get(name) for name in ("plugin", "tag")}
    head |= {name: request[name] for name in ("run", "sample") if request.get(name) is not None}
    error = error_of(request)
    if error:
        yield json.dumps({**head, "error": error}).encode()
        return
    yield json.dumps(head).encode()[:-1] + b',"runToSeries":'
    yield from json_pieces.object_of(series_by_run(board, request))
    yield b"}"


def series_by_run(board: Board, request: dict[str, Any]) -> Iterator[json_pieces.Member | None]:
    """run: its series, of those that have one."""
    plugin, tag, wanted = request["plugin"], request["tag"], request.get("run")
    if plugin == "images":
        yield from image_series(board, str(wanted), tag, request["sample"])
        return
    for run in board.provider.run_names() if wanted is None else [str(wanted)]:
        try:
            rows = series_rows(board, plugin, run, tag)
        except NotFound:
            yield None
            continue
        yield json_pieces.named(run, rows)


def series_rows(board: Board, plugin: str, run: str, tag: str) -> json_pieces.Member:
    """One series of numbers or of histograms. Raises NotFound before anything is read."""
    if plugin == "histograms":
        return histograms.time_series_rows(board, run, tag)
    held, stretches = read_samples(board, run, tag)
    return holding(held, json_object_pieces(stretches))


def image_series(board: Board, run: str, tag: str, sample: int) -> Iterator[json_pieces.Member | None]:
    """The images of that number, if there are any."""
    found = []
    try:
        for image in images.images_told(board, run, tag, sample):
            yield None
            if image is not None:
                found.append({"wallTime": image.wall, "step": image.step, "imageId": image.key})
    except NotFound:
        return
    if found:
        yield json_pieces.named(run, json_pieces.rows(found))


def error_of(request: Mapping[str, Any]) -> str:
    """What is wrong with a request, in TensorBoard's words; "" if nothing."""
    if not isinstance(request.get("tag"), str):
        return "Missing tag"
    needed = NEEDED.get(str(request.get("plugin")))
    if needed is None:
        return "Invalid plugin"
    missing = next((name for name in needed if request.get(name) is None), "")
    if not missing and "sample" in needed and type(request["sample"]) is not int:
        missing = "sample"
    return f"Missing {missing}" if missing else ""


async def image_data(request: Request) -> Response:
    """GET /imageData?imageId: the image."""
    key = first(request, "imageId")
    if not key:
        raise BadRequest("Missing 'imageId' field")
    return await images.image(request, key)


ROUTES = (
    Route(f"{PLUGIN}/tags", tags),
    Route(f"{PLUGIN}/timeSeries", time_series, methods=["GET", "POST"]),
    Route(f"{PLUGIN}/imageData", image_data),
)
