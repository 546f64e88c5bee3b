"""/data/plugin/projector: the routes of TensorBoard's embedding projector.

Includes tensors of checkpoints, which TensorBoard reads only with TensorFlow, with one name per step.
"""

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from lightboard.asgi.query_string import first
from lightboard.asgi.responses import respond
from lightboard.board.board import board_of
from lightboard.board.lazy_projector import LazyProjector
from lightboard.errors import LightboardError, NotFound
from lightboard.query.provider import IndexProvider
from lightboard.storage.base import join
from lightboard.untrusted.numbers import whole_number

if TYPE_CHECKING:  # imports NumPy
    from lightboard.query.projector.entries import Entry
    from lightboard.query.projector.service import ProjectorService

PLUGIN = "/data/plugin/projector"
TEXT, JSON, BINARY = "text/plain; charset=utf-8", "application/json", "application/octet-stream"
MAX_ASSET_BYTES = 256 << 20
CONFIG = "projector_config.pbtxt"


class InvalidRequest(Exception):
    """The message of a 400, in TensorBoard's wording."""


async def runs(request: Request) -> Response:
    """GET /runs: names of the runs with readable tensors."""
    board = board_of(request)
    return await board.responses.json(request, lambda: run_list(board.provider, board.projector))


def run_list(provider: IndexProvider, projector: LazyProjector) -> list[str]:
    """Run names in the order of runs; other folders come last."""
    runs = dict.fromkeys(entry.run for entry in readable_entries(projector.load()))
    order = {name: position for position, name in enumerate(provider.run_names())}
    return sorted(runs, key=lambda name: order.get(name, len(order)))


def readable_entries(service: "ProjectorService", run: str | None = None) -> "list[Entry]":
    """The readable tensors of one run or of all."""
    entries = []
    for entry in service.found().entries:
        if run is None or entry.run == run:
            try:
                service.size(entry)
            except LightboardError:
                continue
            entries.append(entry)
    return entries


async def info(request: Request) -> Response:
    """GET /info?run: the config as JSON, with the shape of every tensor."""
    return await respond_with(request, ("run",), info_body, JSON)


def info_body(projector: LazyProjector, run: str) -> bytes:
    """ProjectorConfig in protobuf's JSON."""
    service = projector.load()
    embeddings = [embedding_json(service, entry) for entry in readable_entries(service, run)]
    if not embeddings:
        raise InvalidRequest(f'Unknown run: "{run}"')
    return json.dumps({"embeddings": embeddings}, indent=2).encode()


def embedding_json(service: "ProjectorService", entry: "Entry") -> dict[str, Any]:
    """One EmbeddingInfo without empty fields."""
    size, embedding = service.size(entry), entry.embedding
    sprite = embedding.sprite
    tile = [side for side in sprite.tile if side] if sprite else []
    fields: dict[str, Any] = {
        "tensorName": entry.name.removesuffix(":0"),
        "metadataPath": embedding.metadata_path,
        "bookmarksPath": embedding.bookmarks_path,
        "tensorShape": list(embedding.shape) or [size.rows, size.dims],
        "sprite": {"imagePath": sprite.path} | ({"singleImageDim": tile} if tile else {}) if sprite else None,
        "tensorPath": embedding.tensor_path,
    }
    return {name: value for name, value in fields.items() if value}


async def tensor(request: Request) -> Response:
    """GET /tensor?run&name[&num_rows]: float32, row by row."""
    return await respond_with(request, ("run", "name", "num_rows"), tensor_body, BINARY)


def tensor_body(projector: LazyProjector, run: str, name: str, num_rows: str | None) -> bytes:
    """The first `num_rows` rows of a tensor, or all."""
    count = row_count(num_rows)
    service = projector.load()
    entry = find_entry(service, run, name)
    if entry is None:
        raise InvalidRequest(f'Tensor "{name}" not found in checkpoint dir ""')
    rows = service.tables.rows(entry)
    body: bytes = rows[: count or len(rows)].astype("<f4").tobytes()
    return body


async def metadata(request: Request) -> Response:
    """GET /metadata?run&name[&num_rows]: the file, truncated after `num_rows` rows."""
    return await respond_with(request, ("run", "name", "num_rows"), metadata_body, TEXT)


def metadata_body(projector: LazyProjector, run: str, name: str, num_rows: str | None) -> bytes:
    """The lines of the file. A header is not counted as a row."""
    count = row_count(num_rows)
    data = asset(projector, run, name, "metadata", lambda entry: entry.embedding.metadata_path)
    if not count:
        return data
    head = b"\t" in data.partition(b"\n")[0]
    return b"".join(data.splitlines(keepends=True)[: count + head])


async def bookmarks(request: Request) -> Response:
    """GET /bookmarks?run&name: the file."""
    return await respond_with(request, ("run", "name"), bookmarks_body, JSON)


def bookmarks_body(projector: LazyProjector, run: str, name: str) -> bytes:
    """The bookmarks of a tensor."""
    return asset(projector, run, name, "bookmarks", lambda entry: entry.embedding.bookmarks_path)


async def sprite_image(request: Request) -> Response:
    """GET /sprite_image?run&name: the image."""
    from lightboard.board.media import SANDBOX

    response = await respond_with(request, ("run", "name"), sprite_body, "")
    if response.status_code == 200:
        response.headers["content-security-policy"] = SANDBOX
    return response


def sprite_body(projector: LazyProjector, run: str, name: str) -> tuple[bytes, str]:
    """The bytes of the image and its media type."""
    entry = entry_with(projector, run, name, "sprite image", lambda entry: entry.embedding.sprite)
    sprite = projector.load().sprite(entry)
    assert sprite is not None
    file, picture = sprite
    return file.all(file.size), picture.media_type


def asset(projector: LazyProjector, run: str, name: str, word: str, path_of: "Callable[[Entry], str]") -> bytes:
    """The bytes of a file that belongs to a tensor."""
    from lightboard.query.projector.folder import open_file

    entry = entry_with(projector, run, name, word, path_of)
    return open_file(entry.folder, path_of(entry)).all(MAX_ASSET_BYTES)


def entry_with(
    projector: LazyProjector, run: str, name: str, word: str, part_of: "Callable[[Entry], object]"
) -> "Entry":
    """The tensor of this name. Raises InvalidRequest if its config names no such file."""
    service = projector.load()
    entry = find_entry(service, run, name)
    if entry is not None and part_of(entry):
        return entry
    folder = next(entry.folder for entry in service.found().entries if entry.run == run)
    config = folder.storage.locate(join(folder.path, CONFIG))
    raise InvalidRequest(f'No {word} file found for tensor "{name}" in the config file "{config}"')


def find_entry(service: "ProjectorService", run: str, name: str) -> "Entry | None":
    """The tensor of this name, with or without an output number. Raises InvalidRequest for runs without tensors."""
    if not any(entry.run == run for entry in service.found().entries):
        raise InvalidRequest(f'Unknown run: "{run}"')
    for spelling in (name, name.removesuffix(":0"), f"{name}:0"):
        try:
            return service.entry(run, spelling)
        except NotFound:
            continue
    return None


def row_count(text: str | None) -> int | None:
    """A number of rows; None if it is missing. Raises InvalidRequest."""
    if not text:
        return None
    count = whole_number(text.strip())
    if not count:
        raise InvalidRequest("query parameter num_rows must be integer > 0")
    return count


async def respond_with(
    request: Request, names: tuple[str, ...], make: Callable[..., bytes | tuple[bytes, str]], media_type: str
) -> Response:
    """200 with the result of `make` for these parameters (and its type, if `media_type` is ""), or 400."""
    board = board_of(request)
    params = {name: first(request, name) for name in names}
    # Two of TensorBoard's routes treat an empty run as missing.
    strict = make in (bookmarks_body, sprite_body)
    for name, value in params.items():
        if name != "num_rows" and (value is None or (strict and name == "run" and not value)):
            return Response(f'query parameter "{name}" is required', 400, media_type=TEXT)
    try:
        result = await board.pool.call(make, board.projector, *params.values())
    except (InvalidRequest, LightboardError) as error:
        return error_response(error)
    body, kind = result if isinstance(result, tuple) else (result, media_type)
    return await respond(request, body, kind, pool=board.pool)


def error_response(error: Exception) -> Response:
    """400 with the message of an error."""
    return Response(error.message if isinstance(error, LightboardError) else str(error), 400, media_type=TEXT)


ROUTES = (
    Route(f"{PLUGIN}/runs", runs),
    Route(f"{PLUGIN}/info", info),
    Route(f"{PLUGIN}/tensor", tensor),
    Route(f"{PLUGIN}/metadata", metadata),
    Route(f"{PLUGIN}/bookmarks", bookmarks),
    Route(f"{PLUGIN}/sprite_image", sprite_image),
)
