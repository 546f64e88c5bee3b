"""Embeddings: which there are, their metadata and pictures, layouts of their points, neighbours, search."""

from collections.abc import AsyncIterator, Callable
from typing import TYPE_CHECKING, Any, TypeVar

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from lightboard.asgi.answers import respond
from lightboard.asgi.params import need_json, read_body, read_query
from lightboard.board.board import Board, board_of
from lightboard.board.embeddings import column_bytes, column_json, layout_of, layout_request_of, tensors_of
from lightboard.board.encoding import encode
from lightboard.board.endpoint import Endpoint
from lightboard.board.media import BOX, PIECE_BYTES, attachment
from lightboard.errors import BadRequest, NotFound, Unshowable
from lightboard.query.projector.folder import File
from lightboard.query.projector.layouts import Layout, positions_body
from lightboard.schema import projector as schema
from lightboard.untrusted.numbers import whole_number

if TYPE_CHECKING:
    from lightboard.query.projector.service import ProjectorService

T = TypeVar("T")

BINARY = "application/octet-stream"
MOST_ROWS = 2_000_000
"""Row numbers that one question may name by ranges."""

MOST_VECTOR_NUMBERS = 16 << 20


async def ask(request: Request, make: Callable[["ProjectorService"], T]) -> T:
    """The result of `make(service)`, called in a thread because the service may read files."""
    board = board_of(request)
    return await board.pool.call(lambda: make(board.projector.load()))


async def answer(request: Request, make: Callable[["ProjectorService"], Any]) -> Response:
    """200 with JSON of `make(service)`."""
    board = board_of(request)
    return await board.json(request, lambda: make(board.projector.load()))


# What there is


async def list_tensors(request: Request) -> Response:
    """GET /api/v1/projector"""
    board = board_of(request)
    return await answer(request, lambda service: tensors_of(board, service))


# What goes with the points


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

    body = await ask(request, make)
    media_type = BINARY if query.format == "binary" else "application/json"
    return await respond(request, body, media_type, pool=board_of(request).pool)


async def read_labels(request: Request) -> Response:
    """GET /api/v1/projector/labels"""
    query = read_query(request, schema.LabelsQuery)
    rows = None if query.rows is None else rows_in(query.rows)
    return await answer(
        request, lambda service: {"labels": service.labels(service.entry(query.run, query.name), query.column, rows)}
    )


async def read_sprite(request: Request) -> Response:
    """GET /api/v1/projector/sprite"""
    query = read_query(request, schema.TensorQuery)
    found = await ask(request, lambda service: service.sprite(service.entry(query.run, query.name)))
    if found is None:
        raise NotFound(f"tensor {query.name!r} has no sprite")
    file, picture = found
    headers = {
        "cache-control": "private, no-cache",
        "content-security-policy": BOX,
        "cross-origin-resource-policy": "same-origin",
        "content-length": str(file.size),
    }
    return StreamingResponse(pieces(board_of(request), file), headers=headers, media_type=picture.media_type)


async def pieces(board: Board, file: File) -> AsyncIterator[bytes]:
    """The bytes of a file, a piece at a time; where it ends early the answer breaks off."""
    at = 0
    while at < file.size:
        piece = await board.pool.call(file.read, at, min(PIECE_BYTES, file.size - at))
        if not piece:
            raise OSError("the file ended before the picture did")
        at += len(piece)
        yield piece


async def read_bookmarks(request: Request) -> Response:
    """GET /api/v1/projector/bookmarks"""
    query = read_query(request, schema.TensorQuery)
    return await answer(request, lambda service: service.bookmarks(service.entry(query.run, query.name)))


# What is asked of the vectors


async def find_neighbours(request: Request) -> Response:
    """POST /api/v1/projector/neighbours"""
    asked = await read_body(request, schema.NeighboursQuestion, board_of(request).pool)
    return await answer(
        request,
        lambda service: service.neighbours(
            service.entry(asked.run, asked.name), asked.row, asked.count, asked.metric
        )._asdict(),
    )


async def search_points(request: Request) -> Response:
    """POST /api/v1/projector/search"""
    asked = await read_body(request, schema.SearchQuestion, board_of(request).pool)
    return await answer(
        request,
        lambda service: service.search(
            service.entry(asked.run, asked.name), asked.column, asked.query, regex=asked.regex
        )._asdict(),
    )


async def read_vectors(request: Request) -> Response:
    """GET /api/v1/projector/vectors"""
    query = read_query(request, schema.VectorsQuery)

    def make(service: "ProjectorService") -> bytes:
        entry = service.entry(query.run, query.name)
        size = service.size(entry)
        rows = list(range(size.held)) if query.rows is None else rows_in(query.rows)
        if len(rows) * size.dims > MOST_VECTOR_NUMBERS:
            raise BadRequest(f"at most {MOST_VECTOR_NUMBERS} numbers are sent at once", hint="ask for fewer rows")
        vectors = service.vectors(entry, rows)
        if query.format == "json":
            return encode({"rows": rows, "vectors": vectors.tolist()})
        return "".join("\t".join(map(repr, row)) + "\n" for row in vectors.tolist()).encode()

    body = await ask(request, make)
    tsv = query.format == "tsv"
    headers = attachment(f"{query.run}-{query.name}.tsv") if tsv else {}
    media_type = "text/tab-separated-values; charset=utf-8" if tsv else "application/json"
    return await respond(request, body, media_type, pool=board_of(request).pool, headers=headers)


def rows_in(text: str) -> list[int]:
    """The row numbers that `0-2,7` names. Raises BadRequest where they are too many."""
    rows: list[int] = []
    for part in text.split(","):
        first, _, last = part.partition("-")
        begin, end = whole_number(first), whole_number(last or first)
        if begin is None or end is None or end - begin + len(rows) >= MOST_ROWS:
            raise BadRequest(f"at most {MOST_ROWS} rows can be named")
        rows.extend(range(begin, end + 1))
    return rows


# Layouts


async def begin_layout(request: Request) -> Response:
    """POST /api/v1/projector/layouts"""
    need_json(request)
    asked = await read_body(request, schema.LayoutQuestion, board_of(request).pool)

    def make(service: "ProjectorService") -> dict[str, Any]:
        layout = service.lay_out(service.entry(asked.run, asked.name), layout_request_of(asked))
        return layout_of(layout) | {"rows": None if layout.rows is None else layout.rows.tolist()}

    return await answer(request, make)


async def read_layout(request: Request) -> Response:
    """GET /api/v1/projector/layouts/{id}"""
    return await answer(request, lambda service: layout_of(service.layouts.get(request.path_params["id"])))


async def read_positions(request: Request) -> Response:
    """GET /api/v1/projector/layouts/{id}/positions"""
    read_query(request, schema.PositionsQuery)
    layout, body = await ask(request, lambda service: positions_of(service.layouts.get(request.path_params["id"])))
    headers = {"lightboard-frame": str(layout.frame)}
    return await respond(request, body, BINARY, pool=board_of(request).pool, headers=headers)


def positions_of(layout: Layout) -> tuple[Layout, bytes]:
    """A layout and the positions it has."""
    return layout, positions_body(layout)


async def cancel_layout(request: Request) -> Response:
    """DELETE /api/v1/projector/layouts/{id}"""
    return await answer(request, lambda service: layout_of(service.layouts.cancel(request.path_params["id"])))


def endpoint(
    method: str, path: str, handler: Any, summary: str, answer: Any, errors: tuple[int, ...], **more: Any
) -> Endpoint:
    """One row of the table, below /api/v1/projector."""
    return Endpoint(
        method=method,
        path=f"/api/v1/projector{path}",
        handler=handler,
        summary=summary,
        answer=answer,
        errors=errors,
        **more,
    )


ENDPOINTS = (
    endpoint("GET", "", list_tensors, "Every tensor that a config of the projector names", schema.TensorList, ()),
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
        "The texts that a column has for some points",
        schema.LabelsAnswer,
        (400, 404, 422),
        query=schema.LabelsQuery,
    ),
    endpoint(
        "GET",
        "/sprite",
        read_sprite,
        "The picture that holds a small picture of each point",
        "image/png, image/jpeg, image/gif, image/webp",
        (400, 404, 422),
        query=schema.TensorQuery,
    ),
    endpoint(
        "GET",
        "/bookmarks",
        read_bookmarks,
        "The bookmarks that came with a tensor",
        "application/json",
        (400, 404, 422),
        query=schema.TensorQuery,
    ),
    endpoint(
        "GET",
        "/vectors",
        read_vectors,
        "Vectors as they are, to take away",
        "application/json, text/tab-separated-values",
        (400, 404, 422),
        query=schema.VectorsQuery,
    ),
    endpoint(
        "POST",
        "/neighbours",
        find_neighbours,
        "The nearest neighbours of a point, exactly, with their distances",
        schema.NeighboursAnswer,
        (400, 404, 422),
        body=schema.NeighboursQuestion,
    ),
    endpoint(
        "POST",
        "/search",
        search_points,
        "Points by their metadata",
        schema.SearchAnswer,
        (400, 404, 422),
        body=schema.SearchQuestion,
    ),
    endpoint(
        "POST",
        "/layouts",
        begin_layout,
        "Lay points out in 2 or 3 dimensions; what was asked before is not made again",
        schema.LayoutAnswer,
        (400, 404, 413, 422),
        body=schema.LayoutQuestion,
    ),
    endpoint("GET", "/layouts/{id}", read_layout, "How far a layout is", schema.LayoutAnswer, (404,)),
    endpoint("DELETE", "/layouts/{id}", cancel_layout, "Work on a layout no more", schema.LayoutAnswer, (404,)),
    endpoint(
        "GET",
        "/layouts/{id}/positions",
        read_positions,
        "The last positions of a layout",
        BINARY,
        (400, 404),
        query=schema.PositionsQuery,
    ),
)
