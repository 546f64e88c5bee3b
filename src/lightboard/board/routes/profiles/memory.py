"""What captures say of memory."""

from starlette.requests import Request
from starlette.responses import Response

from lightboard.asgi.params import read_query
from lightboard.asgi.scheduler import Pieces
from lightboard.board.board import board_of
from lightboard.board.encoding import encode
from lightboard.board.endpoint import Endpoint
from lightboard.profiles.capture import HostCapture
from lightboard.query.capture_files import ProfileFile
from lightboard.query.capture_store import CaptureStore, key_of
from lightboard.query.memory_fields import memory_fields
from lightboard.schema.profile_memory import MemoryQuery, MemoryResponse


async def read_memory(request: Request) -> Response:
    """GET /api/v1/profiles/memory"""
    query, board = read_query(request, MemoryQuery), board_of(request)
    return await board.responses.stream(request, memory_pieces(board.provider.profiles(), query))


def memory_pieces(store: CaptureStore, query: MemoryQuery) -> Pieces:
    """The fields of MemoryResponse. Raises NotFound, Unshowable."""
    capture = store.find(query.capture)
    hosts = list[tuple[ProfileFile, HostCapture]]()
    if capture.has_slices:
        loaded = yield from store.load(capture)
        hosts = [(each.file, each.host) for each in loaded.hosts]
    profile = yield from store.memory.load(capture, key_of(capture), hosts)
    yield encode({"name": capture.name, **memory_fields(profile, query.width, query.limit)})


ENDPOINTS = (
    Endpoint(
        method="GET",
        path="/api/v1/profiles/memory",
        handler=read_memory,
        summary="The memory of each device over time, and who holds it at the peak",
        query=MemoryQuery,
        response=MemoryResponse,
        errors=(400, 404, 422),
    ),
)
