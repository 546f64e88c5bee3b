"""Audio: the clips of one value, their bytes for the player, and their waveforms."""

from starlette.requests import Request
from starlette.responses import Response

from lightboard.asgi.params import read_query
from lightboard.asgi.scheduler import Pieces
from lightboard.board import json_pieces, media
from lightboard.board.board import board_of
from lightboard.board.encoding import encode
from lightboard.board.endpoint import Endpoint
from lightboard.board.named_queries import read_series_query
from lightboard.events.audio import PLUGIN
from lightboard.events.wav import compute_peaks, read_wav_header
from lightboard.query.audio import ClipLocation, clip_window, locate_clip, read_clips
from lightboard.query.provider import ValueProvider
from lightboard.schema.audio import ClipPeaks, ClipQuery, Clips, ClipsQuery, PeaksQuery

WAV_TYPE, OTHER_TYPE = "audio/wav", "application/octet-stream"


async def list_clips(request: Request) -> Response:
    """GET /api/v1/audio/clips"""
    board = board_of(request)
    query = read_query(request, ClipsQuery)
    clips = (clip._asdict() for clip in read_clips(board.provider, query.run, query.tag, query.at))
    return await board.responses.stream(request, json_pieces.fields_then({}, "clips", json_pieces.rows(clips)))


async def read_data(request: Request) -> Response:
    """GET /api/v1/audio/data"""
    board = board_of(request)
    query = await read_series_query(request, ClipQuery, PLUGIN)
    sound = await board.pool.call(locate_clip, board.provider, query.run, query.tag, query.at, query.sample)
    ending = "wav" if sound.wav else "bin"
    name = f"{query.run}-{query.tag}-{query.sample}.{ending}"
    return await send(request, sound, media.attachment(name) if query.save else {})


async def send(request: Request, sound: ClipLocation, headers: dict[str, str]) -> Response:
    """The bytes of a clip. The media type is never that of a page."""
    board = board_of(request)
    media_type = WAV_TYPE if sound.wav else OTHER_TYPE
    byte_range = media.ByteRange(sound.location, sound.clip.begin, sound.clip.end)
    return await media.stream(request, board.provider, board.pool, byte_range, media_type, headers)


async def read_peaks(request: Request) -> Response:
    """GET /api/v1/audio/peaks"""
    board = board_of(request)
    return await board.responses.stream(request, peak_pieces(board.provider, read_query(request, PeaksQuery)))


def peak_pieces(provider: ValueProvider, query: PeaksQuery) -> Pieces:
    """The fields of ClipPeaks. Raises NotFound, Unshowable."""
    sound = locate_clip(provider, query.run, query.tag, query.at, query.sample)
    window = clip_window(provider, sound.location, sound.clip)
    peaks = yield from compute_peaks(window, read_wav_header(window), query.px)
    yield encode({"low": peaks.low.tolist(), "high": peaks.high.tolist(), "exact": peaks.exact})


ENDPOINTS = (
    Endpoint(
        method="GET",
        path="/api/v1/audio/clips",
        handler=list_clips,
        summary="The clips of one value: label, size, and the fields of their headers",
        query=ClipsQuery,
        response=Clips,
        errors=(400, 404, 422),
    ),
    Endpoint(
        method="GET",
        path="/api/v1/audio/data",
        handler=read_data,
        summary="One clip as it was written; supports ranges",
        query=ClipQuery,
        response="audio/wav, application/octet-stream",
        errors=(400, 404, 422),
    ),
    Endpoint(
        method="GET",
        path="/api/v1/audio/peaks",
        handler=read_peaks,
        summary="The waveform of one clip: lowest and highest sample of each column",
        query=PeaksQuery,
        response=ClipPeaks,
        errors=(400, 404, 422),
    ),
)
