"""/data/plugin/audio: tags, the values of one series, one clip."""

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from lightboard.asgi.query_string import first
from lightboard.board import json_pieces, media
from lightboard.board.board import Board, board_of
from lightboard.board.tensorboard.blobs import Blob, blob_key, blob_of
from lightboard.board.tensorboard.words import tag_words
from lightboard.errors import BadRequest, NotFound, Unshowable
from lightboard.events.sampling import kept_indices
from lightboard.untrusted.numbers import whole_number

if TYPE_CHECKING:
    from lightboard.query.values import Values

PLUGIN = "/data/plugin/audio"

SAMPLES = 10
"""Values of one series that TensorBoard keeps when nothing else is asked; our own API always has all."""

WAV_TYPE, OTHER_TYPE = "audio/wav", "application/octet-stream"


async def tags(request: Request) -> Response:
    """GET /tags: run -> tag -> display name, description, clips of a value."""
    board = board_of(request)
    return await board.stream_json(request, tag_words(board, "audio", partial(clips_told, board)))


def clips_told(board: Board, run: str, tag: str) -> dict[str, Any]:
    """What is said of a tag beside its words."""
    return {"samples": samples_per_step(board, run, tag)}


def samples_per_step(board: Board, run: str, tag: str) -> int:
    """The most clips of one value, of those values that are told."""
    try:
        values = board.provider.values("audio", run, tag)
    except NotFound:
        return 0
    return max((count_of(board, values, at) for at in told(board, values)), default=0)


def told(board: Board, values: "Values") -> list[int]:
    """The numbers of the values that TensorBoard's addresses tell of."""
    return kept_indices(len(values), board.settings.samples.get("audio", SAMPLES))


def count_of(board: Board, values: "Values", at: int) -> int:
    """How many clips one value holds; none that are malformed."""
    from lightboard.events.audio import clips_of  # needs NumPy

    try:
        return len(clips_of(board.provider.window(values.place(at))))
    except (NotFound, Unshowable):
        return 0


async def audio(request: Request) -> Response:
    """GET /audio?run&tag[&sample]: [{wall_time, label, step, contentType, query}, ...]"""
    board = board_of(request)
    run, tag, sample = first(request, "run"), first(request, "tag"), first(request, "sample") or "0"
    if run is None or tag is None:
        raise BadRequest(f"Both run and tag must be specified: tag={tag!r}, run={run!r}")
    number = whole_number(sample)
    if number is None:
        raise BadRequest(f"sample must be a number: {sample[:40]!r}")
    return await board.stream_json(request, json_pieces.rows(clip_rows(board, run, tag, number)))


def clip_rows(board: Board, run: str, tag: str, sample: int) -> Iterator[dict[str, Any] | None]:
    """The values that have a clip of that number. Raises NotFound in TensorBoard's words."""
    from lightboard.events.audio import says_wav  # needs NumPy

    try:
        values = board.provider.values("audio", run, tag)
    except NotFound:
        raise NotFound(f"No audio data for run={run!r}, tag={tag!r}") from None
    media_type = WAV_TYPE if says_wav(values.metadata) else OTHER_TYPE
    for at in told(board, values):
        if count_of(board, values, at) <= sample:
            yield None
            continue
        key = blob_key(Blob(run, tag, values.key(at), sample))
        yield {
            "wall_time": values.walls[at],
            "label": "",
            "step": values.steps[at],
            "contentType": media_type,
            "query": urlencode({"blob_key": key, "content_type": media_type}),
        }


async def individual_audio(request: Request) -> Response:
    """GET /individualAudio?blob_key&content_type: the clip, as the type that the client read in /audio."""
    from lightboard.query.audio import read_sound

    board = board_of(request)
    key, media_type = first(request, "blob_key"), first(request, "content_type")
    if key is None or media_type is None:
        raise BadRequest("Both blob_key and content_type must be specified")
    if media_type not in (WAV_TYPE, OTHER_TYPE):
        raise BadRequest(f"Illegal mime type {media_type!r}")
    blob = await board.pool.call(blob_of, key, board.provider, "audio")
    sound = await board.pool.call(read_sound, board.provider, blob.run, blob.tag, blob.at, blob.sample)
    return await media.stream(request, board, media.Cut(sound.place, sound.clip.begin, sound.clip.end), media_type)


ROUTES = (
    Route(f"{PLUGIN}/tags", tags),
    Route(f"{PLUGIN}/audio", audio),
    Route(f"{PLUGIN}/individualAudio", individual_audio),
)
