"""Sound: the clips of one value, the bytes of one for the player, the outline of its wave."""

from starlette.requests import Request
from starlette.responses import Response

from lightboard.asgi.params import read_query
from lightboard.asgi.scheduler import Pieces
from lightboard.board import json_pieces, media
from lightboard.board.board import Board, board_of
from lightboard.board.encoding import encode
from lightboard.board.endpoint import Endpoint
from lightboard.board.named_queries import read_series_query
from lightboard.events.audio import PLUGIN
from lightboard.events.wav import peaks_of, wav_of
from lightboard.query.audio import Sound, inside, read_clips, read_sound
from lightboard.schema.audio import ClipPeaks, ClipQuery, Clips, ClipsQuery, PeaksQuery

WAV_TYPE, OTHER_TYPE = "audio/wav", "application/octet-stream"


async def list_clips(request: Request) -> Response:
    """GET /api/v1/audio/clips"""
    board = board_of(request)
    query = read_query(request, ClipsQuery)
    found = (clip._asdict() for clip in read_clips(board.provider, query.run, query.tag, query.at))
    return await board.stream_json(request, json_pieces.fields_then({}, "clips", json_pieces.rows(found)))


async def read_data(request: Request) -> Response:
    """GET /api/v1/audio/data"""
    board = board_of(request)
    query = await read_series_query(request, ClipQuery, PLUGIN)
    sound = await board.pool.call(read_sound, board.provider, query.run, query.tag, query.at, query.sample)
    ending = "wav" if sound.wav else "bin"
    name = f"{query.run}-{query.tag}-{query.sample}.{ending}"
    return await send(request, board, sound, media.attachment(name) if query.save else {})


async def send(request: Request, board: Board, sound: Sound, headers: dict[str, str]) -> Response:
    """The bytes of a clip. Whatever they are, they are no page."""
    media_type = WAV_TYPE if sound.wav else OTHER_TYPE
    cut = media.Cut(sound.place, sound.clip.begin, sound.clip.end)
    return await media.stream(request, board, cut, media_type, headers)


async def read_peaks(request: Request) -> Response:
    """GET /api/v1/audio/peaks"""
    board = board_of(request)
    return await board.stream_json(request, peak_pieces(board, read_query(request, PeaksQuery)))


def peak_pieces(board: Board, query: PeaksQuery) -> Pieces:
    """The fields of ClipPeaks. Raises NotFound, Unshowable."""
    sound = read_sound(board.provider, query.run, query.tag, query.at, query.sample)
    window = inside(board.provider, sound.place, sound.clip)
    peaks = yield from peaks_of(window, wav_of(window), query.px)
    yield encode({"low": peaks.low.tolist(), "high": peaks.high.tolist(), "exact": peaks.exact})


ENDPOINTS = (
    Endpoint(
        method="GET",
        path="/api/v1/audio/clips",
        handler=list_clips,
        summary="The clips of one value: label, size, and what their heads say",
        query=ClipsQuery,
        answer=Clips,
        errors=(400, 404, 422),
    ),
    Endpoint(
        method="GET",
        path="/api/v1/audio/data",
        handler=read_data,
        summary="One clip, byte for byte as it was written; ranges can be asked for",
        query=ClipQuery,
        answer="audio/wav, application/octet-stream",
        errors=(400, 404, 422),
    ),
    Endpoint(
        method="GET",
        path="/api/v1/audio/peaks",
        handler=read_peaks,
        summary="The outline of one clip: lowest and highest sample of each column",
        query=PeaksQuery,
        answer=ClipPeaks,
        errors=(400, 404, 422),
    ),
)
