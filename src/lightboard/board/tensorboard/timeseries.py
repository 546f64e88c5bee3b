"""/data/plugin/timeseries: what TensorBoard's Time Series page asks."""

import json
from collections.abc import Mapping
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from lightboard.asgi.query_string import first
from lightboard.board.board import Board, board_of
from lightboard.board.descriptions import description_html
from lightboard.board.points import json_objects
from lightboard.board.tensorboard import histograms, images
from lightboard.errors import BadRequest, NotFound
from lightboard.query.tags import Words

PLUGIN = "/data/plugin/timeseries"

NEEDED = {"scalars": (), "histograms": ("run",), "images": ("run", "sample")}
"""Which fields a request of each kind must have beside the tag."""


async def tags(request: Request) -> Response:
    """GET /tags: tags of the three kinds of the page."""
    board = board_of(request)
    return await board.json(request, tags_by_kind, board)


def tags_by_kind(board: Board) -> dict[str, Any]:
    """All tags of the three kinds."""
    answer = {kind: by_run(board.provider.tags_by_run(kind)) for kind in ("scalars", "histograms")}
    listed = board.provider.tags_by_run("images")
    sampled: dict[str, dict[str, dict[str, int]]] = {}
    for run, tags in listed.items():
        for tag in tags:
            if (samples := images.samples_per_step(board, run, tag)) is not None:
                sampled.setdefault(tag, {})[run] = {"maxSamplesPerStep": samples}
    answer["images"] = {"tagDescriptions": descriptions(listed), "tagRunSampledInfo": sampled}
    return answer


def by_run(listed: Mapping[str, Mapping[str, Words]]) -> dict[str, Any]:
    """The form of scalars and histograms."""
    return {"runTagInfo": {run: sorted(tags) for run, tags in listed.items()}, "tagDescriptions": descriptions(listed)}


def descriptions(listed: Mapping[str, Mapping[str, Words]]) -> dict[str, str]:
    """HTML of each tag that was described."""
    given: dict[str, dict[str, list[str]]] = {}
    for run, tags in listed.items():
        for tag, words in tags.items():
            if words.description:
                given.setdefault(tag, {}).setdefault(words.description, []).append(run)
    return {tag: description_html(texts) for tag, texts in given.items()}


async def time_series(request: Request) -> Response:
    """GET or POST /timeSeries with `requests`, a JSON list of {plugin, tag, run?, sample?}."""
    board = board_of(request)
    fields = request.query_params if request.method in ("GET", "HEAD") else await request.form()
    text = fields.get("requests")
    if not text or not isinstance(text, str):
        raise BadRequest("Missing 'requests' field")
    try:
        asked = json.loads(text)
    except (ValueError, RecursionError):
        raise BadRequest("Unable to parse 'requests' as JSON") from None
    if not isinstance(asked, list | dict) or not all(isinstance(one, dict) for one in asked):
        raise BadRequest("'requests' must be a list of objects")
    return await board.json(request, time_series_body, board, list(asked))


def time_series_body(board: Board, asked: list[dict[str, Any]]) -> bytes:
    """One answer for each request, in order; errors stand in their places."""
    return b"[" + b",".join(one_series(board, request) for request in asked) + b"]"


def one_series(board: Board, request: dict[str, Any]) -> bytes:
    """The answer of one request."""
    head = {name: request.get(name) for name in ("plugin", "tag")}
    head |= {name: request[name] for name in ("run", "sample") if request.get(name) is not None}
    error = error_of(request)
    if error:
        return json.dumps({**head, "error": error}).encode()
    plugin, tag, wanted = request["plugin"], request["tag"], request.get("run")
    if plugin == "images":
        found = images.time_series(board, str(wanted), tag, request["sample"])
        return json.dumps({**head, "runToSeries": {wanted: found} if found else {}}).encode()
    pieces = []
    for run in board.provider.run_names() if wanted is None else [wanted]:
        try:
            rows = series_rows(board, plugin, str(run), tag)
        except NotFound:
            continue
        pieces.append(json.dumps(run).encode() + b":" + rows)
    return json.dumps(head).encode()[:-1] + b',"runToSeries":{' + b",".join(pieces) + b"}}"


def series_rows(board: Board, plugin: str, run: str, tag: str) -> bytes:
    """One series of numbers or of histograms. Raises NotFound."""
    if plugin == "histograms":
        return histograms.time_series_rows(board, run, tag)
    return json_objects(board.provider.samples(run, tag, board.settings.scalar_samples))


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
