"""Embeddings: tensors, metadata, sprites, layouts, nearest neighbours and search."""

from collections.abc import AsyncIterator, Callable
from typing import TYPE_CHECKING, Any, TypeVar

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from lightboard.asgi.params import need_json, read_body, read_query
from lightboard.asgi.responses import respond
from lightboard.asgi.scheduler import Scheduler
from lightboard.board.board import board_of
from lightboard.board.embeddings import column_bytes, column_json, layout_of, layout_request_of, tensors_of
from lightboard.board.encoding import encode
from lightboard.board.endpoint import Endpoint
from lightboard.board.media import PIECE_BYTES, SANDBOX, attachment
from lightboard.errors import BadRequest, NotFound, Unshowable
from lightboard.query.projector.folder import File
from lightboard.query.projector.layouts import Layout, positions_body
from lightboard.schema import projector as schema
from lightboard.untrusted.numbers import whole_number

if TYPE_CHECKING:
    from lightboard.query.projector.service import ProjectorService

T = TypeVar("T")

BINARY = "application/octet-stream"
MAX_ROWS = 2_000_000
"""Limit of row numbers in one request."""

MAX_VECTOR_NUMBERS = 16 << 20


async def query_service(request: Request, make: Callable[["ProjectorService"], T]) -> T:
    """The result of `make(service)`, called in a thread because the service may read files."""
    board = board_of(request)
    return await board.pool.call(lambda: make(board.projector.load()))


async def respond_json(request: Request, make: Callable[["ProjectorService"], Any]) -> Response:
    """200 with JSON of `make(service)`."""
    board = board_of(request)
    return await board.responses.json(request, lambda: make(board.projector.load()))


async def list_tensors(request: Request) -> Response:
    """GET /api/v1/projector"""
    board = board_of(request)
    return await respond_json(request, lambda service: tensors_of(board.provider, service))


async def read_column(request: Request) -> Response:
    """GET /api/v1/projector/column"""
    query = read_query(request, schema.ColumnQuery)

    def make(service: "ProjectorService") -> bytes:
        metadata = service.metadata(service.entry(query.run, query.name))
        if metadata is None:
            raise Unshowable(f"tensor {query.name!r} has no metadata")
        column = metadata.column(query.column)
        kind = query.form or ("number" if column.kind == "number" else "category")
        return column_bytes(column, kind) if query.format == "binary" else encode(column_json(column, kind))

    body = await query_service(request, make)
    media_type = BINARY if query.format == "binary" else "application/json"
    return await respond(request, body, media_type, pool=board_of(request).pool)


async def read_labels(request: Request) -> Response:
    """GET /api/v1/projector/labels"""
    query = read_query(request, schema.LabelsQuery)
    rows = None if query.rows is None else parse_rows(query.rows)
    return await respond_json(
        request, lambda service: {"labels": service.labels(service.entry(query.run, query.name), query.column, rows)}
    )


async def read_sprite(request: Request) -> Response:
    """GET /api/v1/projector/sprite"""
    query = read_query(request, schema.TensorQuery)
    sprite = await query_service(request, lambda service: service.sprite(service.entry(query.run, query.name)))
    if sprite is None:
        raise NotFound(f"tensor {query.name!r} has no sprite")
    file, picture = sprite
    headers = {
        "cache-control": "private, no-cache",
        "content-security-policy": SANDBOX,
        "cross-origin-resource-policy": "same-origin",
        "content-length": str(file.size),
    }
    return StreamingResponse(pieces(board_of(request).pool, file), headers=headers, media_type=picture.media_type)


async def pieces(pool: Scheduler, file: File) -> AsyncIterator[bytes]:
    """The bytes of a file in pieces. If it ends early, the response is aborted."""
    position = 0
    while position < file.size:
        piece = await pool.call(file.read, position, min(PIECE_BYTES, file.size - position))
        if not piece:
            raise OSError("the file ended before the picture did")
        position += len(piece)
        yield piece


async def read_bookmarks(request: Request) -> Response:
    """GET /api/v1/projector/bookmarks"""
    query = read_query(request, schema.TensorQuery)
    return await respond_json(request, lambda service: service.bookmarks(service.entry(query.run, query.name)))


async def find_neighbours(request: Request) -> Response:
    """POST /api/v1/projector/neighbours"""
    body = await read_body(request, schema.NeighboursRequest, board_of(request).pool)
    return await respond_json(
        request,
        lambda service: service.neighbours(
            service.entry(body.run, body.name), body.row, body.count, body.metric
        )._asdict(),
    )


async def search_points(request: Request) -> Response:
    """POST /api/v1/projector/search"""
    body = await read_body(request, schema.SearchRequest, board_of(request).pool)
    return await respond_json(
        request,
        lambda service: service.search(
            service.entry(body.run, body.name), body.column, body.query, regex=body.regex
        )._asdict(),
    )


async def read_vectors(request: Request) -> Response:
    """GET /api/v1/projector/vectors"""
    query = read_query(request, schema.VectorsQuery)

    def make(service: "ProjectorService") -> bytes:
        entry = service.entry(query.run, query.name)
        size = service.size(entry)
        rows = list(range(size.held)) if query.rows is None else parse_rows(query.rows)
        if len(rows) * size.dims > MAX_VECTOR_NUMBERS:
            raise BadRequest(f"at most {MAX_VECTOR_NUMBERS} numbers are sent at once", hint="request fewer rows")
        vectors = service.vectors(entry, rows)
        if query.format == "json":
            return encode({"rows": rows, "vectors": vectors.tolist()})
        return "".join("\t".join(map(repr, row)) + "\n" for row in vectors.tolist()).encode()

    body = await query_service(request, make)
    tsv = query.format == "tsv"
    headers = attachment(f"{query.run}-{query.name}.tsv") if tsv else {}
    media_type = "text/tab-separated-values; charset=utf-8" if tsv else "application/json"
    return await respond(request, body, media_type, pool=board_of(request).pool, headers=headers)


def parse_rows(text: str) -> list[int]:
    """The row numbers of a list such as `0-2,7`. Raises BadRequest if there are too many."""
    rows: list[int] = []
    for part in text.split(","):
        first, _, last = part.partition("-")
        begin, end = whole_number(first), whole_number(last or first)
        if begin is None or end is None or end - begin + len(rows) >= MAX_ROWS:
            raise BadRequest(f"at most {MAX_ROWS} rows can be named")
        rows.extend(range(begin, end + 1))
    return rows


async def begin_layout(request: Request) -> Response:
    """POST /api/v1/projector/layouts"""
    need_json(request)
    body = await read_body(request, schema.LayoutBody, board_of(request).pool)

    def make(service: "ProjectorService") -> dict[str, Any]:
        layout = service.lay_out(service.entry(body.run, body.name), layout_request_of(body))
        return layout_of(layout) | {"rows": None if layout.rows is None else layout.rows.tolist()}

    return await respond_json(request, make)


async def read_layout(request: Request) -> Response:
    """GET /api/v1/projector/layouts/{id}"""
    return await respond_json(request, lambda service: layout_of(service.layouts.get(request.path_params["id"])))


async def read_positions(request: Request) -> Response:
    """GET /api/v1/projector/layouts/{id}/positions"""
    read_query(request, schema.PositionsQuery)
    layout, body = await query_service(
        request, lambda service: positions_of(service.layouts.get(request.path_params["id"]))
    )
    headers = {"lightboard-frame": str(layout.frame)}
    return await respond(request, body, BINARY, pool=board_of(request).pool, headers=headers)


def positions_of(layout: Layout) -> tuple[Layout, bytes]:
    """A layout and its encoded positions."""
    return layout, positions_body(layout)


async def cancel_layout(request: Request) -> Response:
    """DELETE /api/v1/projector/layouts/{id}"""
    return await respond_json(request, lambda service: layout_of(service.layouts.cancel(request.path_params["id"])))


def endpoint(
    method: str, path: str, handler: Any, summary: str, response: Any, errors: tuple[int, ...], **more: Any
) -> Endpoint:
    """An endpoint below /api/v1/projector."""
    return Endpoint(
        method=method,
        path=f"/api/v1/projector{path}",
        handler=handler,
        summary=summary,
        response=response,
        errors=errors,
        **more,
    )


ENDPOINTS = (
    endpoint("GET", "", list_tensors, "All tensors in configs of the projector", schema.TensorList, ()),
    endpoint(
        "GET",
        "/column",
        read_column,
        "One column of the metadata of the points",
        f"{BINARY}, application/json",
        (400, 404, 422),
        query=schema.ColumnQuery,
    ),
    endpoint(
        "GET",
        "/labels",
        read_labels,
        "The labels of some points in a metadata column",
        schema.LabelsResponse,
        (400, 404, 422),
        query=schema.LabelsQuery,
    ),
    endpoint(
        "GET",
        "/sprite",
        read_sprite,
        "The sprite image with a thumbnail of each point",
        "image/png, image/jpeg, image/gif, image/webp",
        (400, 404, 422),
        query=schema.TensorQuery,
    ),
    endpoint(
        "GET",
        "/bookmarks",
        read_bookmarks,
        "The bookmarks of a tensor",
        "application/json",
        (400, 404, 422),
        query=schema.TensorQuery,
    ),
    endpoint(
        "GET",
        "/vectors",
        read_vectors,
        "Vectors of some or all points",
        "application/json, text/tab-separated-values",
        (400, 404, 422),
        query=schema.VectorsQuery,
    ),
    endpoint(
        "POST",
        "/neighbours",
        find_neighbours,
        "The exact nearest neighbours of a point, with their distances",
        schema.NeighboursResponse,
        (400, 404, 422),
        body=schema.NeighboursRequest,
    ),
    endpoint(
        "POST",
        "/search",
        search_points,
        "Search points by their metadata",
        schema.SearchResponse,
        (400, 404, 422),
        body=schema.SearchRequest,
    ),
    endpoint(
        "POST",
        "/layouts",
        begin_layout,
        "Start a layout of points in 2 or 3 dimensions, or return an existing one",
        schema.LayoutResponse,
        (400, 404, 413, 422),
        body=schema.LayoutBody,
    ),
    endpoint("GET", "/layouts/{id}", read_layout, "The state of a layout", schema.LayoutResponse, (404,)),
    endpoint("DELETE", "/layouts/{id}", cancel_layout, "Cancel a layout", schema.LayoutResponse, (404,)),
    endpoint(
        "GET",
        "/layouts/{id}/positions",
        read_positions,
        "The latest positions of a layout",
        BINARY,
        (400, 404),
        query=schema.PositionsQuery,
    ),
)
