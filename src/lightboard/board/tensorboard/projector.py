"""/data/plugin/projector: what TensorBoard's page of embeddings asks.

Tensors of checkpoints are here as well, which TensorBoard reads only beside TensorFlow; each step under its own name.
"""

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from lightboard.asgi.answers import respond
from lightboard.asgi.query_string import first
from lightboard.board.board import Board, board_of
from lightboard.errors import LightboardError, NotFound
from lightboard.storage.base import join
from lightboard.untrusted.numbers import whole_number

if TYPE_CHECKING:  # numpy is slow to load, and a start needs none of it
    from lightboard.query.projector.entries import Entry
    from lightboard.query.projector.service import ProjectorService

PLUGIN = "/data/plugin/projector"
TEXT, JSON, BINARY = "text/plain; charset=utf-8", "application/json", "application/octet-stream"
MOST_ASSET_BYTES = 256 << 20
CONFIG = "projector_config.pbtxt"


class Refusal(Exception):
    """The words of an answer 400, as TensorBoard says them."""


async def runs(request: Request) -> Response:
    """GET /runs: names of the runs that have tensors to show."""
    board = board_of(request)
    return await board.json(request, lambda: run_list(board))


def run_list(board: Board) -> list[str]:
    """In the order of the runs; folders that are none come last."""
    held = dict.fromkeys(entry.run for entry in shown(board.projector.load()))
    order = {name: at for at, name in enumerate(board.provider.run_names())}
    return sorted(held, key=lambda name: order.get(name, len(order)))


def shown(service: "ProjectorService", run: str | None = None) -> "list[Entry]":
    """The tensors that can be read, of one run or of all."""
    found = []
    for entry in service.found().entries:
        if run is None or entry.run == run:
            try:
                service.size(entry)
            except LightboardError:
                continue
            found.append(entry)
    return found


async def info(request: Request) -> Response:
    """GET /info?run: the config as JSON, with the shape of every tensor."""
    return await answered(request, ("run",), info_body, JSON)


def info_body(board: Board, run: str) -> bytes:
    """ProjectorConfig in protobuf's JSON."""
    service = board.projector.load()
    embeddings = [embedding_json(service, entry) for entry in shown(service, run)]
    if not embeddings:
        raise Refusal(f'Unknown run: "{run}"')
    return json.dumps({"embeddings": embeddings}, indent=2).encode()


def embedding_json(service: "ProjectorService", entry: "Entry") -> dict[str, Any]:
    """One EmbeddingInfo; what is empty is left out."""
    size, told = service.size(entry), entry.embedding
    sprite = told.sprite
    tile = [side for side in sprite.tile if side] if sprite else []
    fields: dict[str, Any] = {
        "tensorName": entry.name.removesuffix(":0"),
        "metadataPath": told.metadata_path,
        "bookmarksPath": told.bookmarks_path,
        "tensorShape": list(told.shape) or [size.rows, size.dims],
        "sprite": {"imagePath": sprite.path} | ({"singleImageDim": tile} if tile else {}) if sprite else None,
        "tensorPath": told.tensor_path,
    }
    return {name: value for name, value in fields.items() if value}


async def tensor(request: Request) -> Response:
    """GET /tensor?run&name[&num_rows]: float32, row by row."""
    return await answered(request, ("run", "name", "num_rows"), tensor_body, BINARY)


def tensor_body(board: Board, run: str, name: str, num_rows: str | None) -> bytes:
    """The first rows, or all that there are."""
    count = positive(num_rows)
    service = board.projector.load()
    entry = named(service, run, name)
    if entry is None:
        raise Refusal(f'Tensor "{name}" not found in checkpoint dir ""')
    rows = service.tables.rows(entry)
    body: bytes = rows[: count or len(rows)].astype("<f4").tobytes()
    return body


async def metadata(request: Request) -> Response:
    """GET /metadata?run&name[&num_rows]: the file as it is, cut after so many rows."""
    return await answered(request, ("run", "name", "num_rows"), metadata_body, TEXT)


def metadata_body(board: Board, run: str, name: str, num_rows: str | None) -> bytes:
    """The lines of the file; a head is no row."""
    count = positive(num_rows)
    data = asset(board, run, name, "metadata", lambda entry: entry.embedding.metadata_path)
    if not count:
        return data
    head = b"\t" in data.partition(b"\n")[0]
    return b"".join(data.splitlines(keepends=True)[: count + head])


async def bookmarks(request: Request) -> Response:
    """GET /bookmarks?run&name: the file as it is."""
    return await answered(request, ("run", "name"), bookmarks_body, JSON)


def bookmarks_body(board: Board, run: str, name: str) -> bytes:
    """The bookmarks of a tensor."""
    return asset(board, run, name, "bookmarks", lambda entry: entry.embedding.bookmarks_path)


async def sprite_image(request: Request) -> Response:
    """GET /sprite_image?run&name: the picture."""
    from lightboard.board.media import BOX

    answer = await answered(request, ("run", "name"), sprite_body, "")
    if answer.status_code == 200:
        answer.headers["content-security-policy"] = BOX
    return answer


def sprite_body(board: Board, run: str, name: str) -> tuple[bytes, str]:
    """The bytes of the picture and their type."""
    entry = having(board, run, name, "sprite image", lambda entry: entry.embedding.sprite)
    found = board.projector.load().sprite(entry)
    assert found is not None
    file, picture = found
    return file.all(file.size), picture.media_type


def asset(board: Board, run: str, name: str, word: str, path_of: "Callable[[Entry], str]") -> bytes:
    """The bytes of a file that goes with a tensor."""
    from lightboard.query.projector.folder import open_file

    entry = having(board, run, name, word, path_of)
    return open_file(entry.folder, path_of(entry)).all(MOST_ASSET_BYTES)


def having(board: Board, run: str, name: str, word: str, part_of: "Callable[[Entry], object]") -> "Entry":
    """The tensor of that name, whose config names such a file. Raises Refusal."""
    service = board.projector.load()
    entry = named(service, run, name)
    if entry is not None and part_of(entry):
        return entry
    folder = next(entry.folder for entry in service.found().entries if entry.run == run)
    config = folder.storage.locate(join(folder.path, CONFIG))
    raise Refusal(f'No {word} file found for tensor "{name}" in the config file "{config}"')


def named(service: "ProjectorService", run: str, name: str) -> "Entry | None":
    """The tensor of that name, with or without the number of an output. Raises Refusal where the run has none."""
    if not any(entry.run == run for entry in service.found().entries):
        raise Refusal(f'Unknown run: "{run}"')
    for each in (name, name.removesuffix(":0"), f"{name}:0"):
        try:
            return service.entry(run, each)
        except NotFound:
            continue
    return None


def positive(text: str | None) -> int | None:
    """A number of rows; None if none is given."""
    if not text:
        return None
    found = whole_number(text.strip())
    if not found:
        raise Refusal("query parameter num_rows must be integer > 0")
    return found


async def answered(
    request: Request, names: tuple[str, ...], make: Callable[..., bytes | tuple[bytes, str]], media_type: str
) -> Response:
    """200 with what `make` gives for these parameters (and its type, where `media_type` is ""), or 400."""
    board = board_of(request)
    given = {name: first(request, name) for name in names}
    # TensorBoard takes an empty run for none at two of its addresses.
    strict = make in (bookmarks_body, sprite_body)
    for name, value in given.items():
        if name != "num_rows" and (value is None or (strict and name == "run" and not value)):
            return Response(f'query parameter "{name}" is required', 400, media_type=TEXT)
    try:
        made = await board.pool.call(make, board, *given.values())
    except (Refusal, LightboardError) as error:
        return refused(error)
    body, kind = made if isinstance(made, tuple) else (made, media_type)
    return await respond(request, body, kind, pool=board.pool)


def refused(error: Exception) -> Response:
    """400 with the reason."""
    return Response(error.message if isinstance(error, LightboardError) else str(error), 400, media_type=TEXT)


ROUTES = (
    Route(f"{PLUGIN}/runs", runs),
    Route(f"{PLUGIN}/info", info),
    Route(f"{PLUGIN}/tensor", tensor),
    Route(f"{PLUGIN}/metadata", metadata),
    Route(f"{PLUGIN}/bookmarks", bookmarks),
    Route(f"{PLUGIN}/sprite_image", sprite_image),
)
