"""/data/plugin/timeseries: the routes of TensorBoard's Time Series page."""

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
from lightboard.board.board import board_of
from lightboard.board.descriptions import Descriptions
from lightboard.board.points import json_object_pieces
from lightboard.board.tensorboard import histograms, images
from lightboard.board.tensorboard.scalars import read_samples, with_size
from lightboard.config import BoardSettings
from lightboard.errors import BadRequest, NotFound
from lightboard.query.provider import DataProvider, IndexProvider, ValueProvider
from lightboard.query.tags import TagText

PLUGIN = "/data/plugin/timeseries"

RUNS_AT_ONCE = 16
"""Runs whose tags are encoded at once."""

REQUIRED_FIELDS = {"scalars": (), "histograms": ("run",), "images": ("run", "sample")}
"""Required fields of a request by kind, in addition to the tag."""


async def tags(request: Request) -> Response:
    """GET /tags: tags of the three kinds of the page."""
    board = board_of(request)
    return await board.responses.stream(request, tags_by_kind(board.provider, board.settings))


def tags_by_kind(provider: DataProvider, settings: BoardSettings) -> Pieces:
    """All tags of the three kinds, by kind."""
    html = Descriptions()
    return json_pieces.object_of(
        json_pieces.member(kind, by_tag(provider, settings, html) if kind == "images" else by_run(provider, kind, html))
        for kind in ("scalars", "histograms", "images")
    )


def by_run(provider: IndexProvider, kind: str, html: Descriptions) -> Pieces:
    """The format of scalars and histograms."""
    tags_by_run = provider.tags_by_run(kind)
    yield b'{"runTagInfo":'
    runs = list(tags_by_run)
    batches = (runs[start : start + RUNS_AT_ONCE] for start in range(0, len(runs), RUNS_AT_ONCE))
    yield from json_pieces.object_of(
        json_pieces.items({run: sorted(tags_by_run[run]) for run in batch}) for batch in batches
    )
    yield b',"tagDescriptions":'
    yield from json_pieces.object_of(descriptions(tags_by_run, html))
    yield b"}"


def by_tag(provider: DataProvider, settings: BoardSettings, html: Descriptions) -> Pieces:
    """The format of images."""
    tags_by_run = provider.tags_by_run("images")
    counts: dict[str, dict[str, dict[str, int]]] = {}
    for run, tags in tags_by_run.items():
        for tag in tags:
            yield None
            if (samples := images.samples_per_step(provider, settings, run, tag)) is not None:
                counts.setdefault(tag, {})[run] = {"maxSamplesPerStep": samples}
    yield b'{"tagDescriptions":'
    yield from json_pieces.object_of(descriptions(tags_by_run, html))
    yield b',"tagRunSampledInfo":'
    yield from json_pieces.object_of(
        json_pieces.member(tag, json_pieces.one_piece(runs)) for tag, runs in counts.items()
    )
    yield b"}"


def descriptions(
    tags_by_run: Mapping[str, Mapping[str, TagText]], html: Descriptions
) -> Iterator[json_pieces.Member | None]:
    """tag: HTML, for each tag with a description."""
    runs_by_text: dict[str, dict[str, list[str]]] = {}
    for run, tags in tags_by_run.items():
        yield None
        for tag, text in tags.items():
            if text.description:
                runs_by_text.setdefault(tag, {}).setdefault(text.description, []).append(run)
    for tag, texts in runs_by_text.items():
        yield json_pieces.member(tag, json_pieces.one_piece(html.html(texts)))


async def time_series(request: Request) -> Response:
    """GET or POST /timeSeries with `requests`, a JSON list of {plugin, tag, run?, sample?}."""
    board = board_of(request)
    text = first(request, "requests")
    if request.method == "POST":
        text = next(iter((await read_form(request, board.pool)).get("requests", [])), None)
    if not text:
        raise BadRequest("Missing 'requests' field")
    requests = await parse(requests_of, text.encode("utf-8", "surrogatepass"), board.pool)
    members = (one_series(board.provider, board.settings, item) for item in requests)
    return await board.responses.stream(request, json_pieces.array(members))


def requests_of(text: bytes) -> list[dict[str, Any]]:
    """The list of requests. Raises BadRequest."""
    try:
        requests = json.loads(text)
    except (ValueError, RecursionError):
        raise BadRequest("Unable to parse 'requests' as JSON") from None
    if not isinstance(requests, list | dict) or not all(isinstance(item, dict) for item in requests):
        raise BadRequest("'requests' must be a list of objects")
    return list(requests)


def one_series(provider: DataProvider, settings: BoardSettings, request: dict[str, Any]) -> Pieces:
    """The response to one request, or its error."""
    head = {name: request.get(name) for name in ("plugin", "tag")}
    head |= {name: request[name] for name in ("run", "sample") if request.get(name) is not None}
    error = error_of(request)
    if error:
        yield json.dumps({**head, "error": error}).encode()
        return
    yield json.dumps(head).encode()[:-1] + b',"runToSeries":'
    yield from json_pieces.object_of(series_by_run(provider, settings, request))
    yield b"}"


def series_by_run(
    provider: DataProvider, settings: BoardSettings, request: dict[str, Any]
) -> Iterator[json_pieces.Member | None]:
    """run: series, for runs that have the series."""
    plugin, tag, only_run = request["plugin"], request["tag"], request.get("run")
    if plugin == "images":
        yield from image_series(provider, settings, str(only_run), tag, request["sample"])
        return
    for run in provider.run_names() if only_run is None else [str(only_run)]:
        try:
            rows = series_rows(provider, settings, plugin, run, tag)
        except NotFound:
            yield None
            continue
        yield json_pieces.member(run, rows)


def series_rows(provider: DataProvider, settings: BoardSettings, plugin: str, run: str, tag: str) -> json_pieces.Member:
    """One series of scalars or histograms. Raises NotFound immediately."""
    if plugin == "histograms":
        return histograms.time_series_rows(provider, settings, run, tag)
    held_bytes, chunks = read_samples(provider, settings, run, tag)
    return with_size(held_bytes, json_object_pieces(chunks))


def image_series(
    provider: ValueProvider, settings: BoardSettings, run: str, tag: str, sample: int
) -> Iterator[json_pieces.Member | None]:
    """The images with index `sample` of one series, if there are any."""
    rows = []
    try:
        for image in images.list_images(provider, settings, run, tag, sample):
            yield None
            if image is not None:
                rows.append({"wallTime": image.wall, "step": image.step, "imageId": image.key})
    except NotFound:
        return
    if rows:
        yield json_pieces.member(run, json_pieces.rows(rows))


def error_of(request: Mapping[str, Any]) -> str:
    """The error of a request in TensorBoard's wording, or ""."""
    if not isinstance(request.get("tag"), str):
        return "Missing tag"
    required = REQUIRED_FIELDS.get(str(request.get("plugin")))
    if required is None:
        return "Invalid plugin"
    missing = next((name for name in required if request.get(name) is None), "")
    if not missing and "sample" in required and type(request["sample"]) is not int:
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
