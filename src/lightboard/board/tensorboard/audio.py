"""/data/plugin/audio: tags, the values of a series, one clip."""

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from lightboard.asgi.query_string import first
from lightboard.board import json_pieces, media
from lightboard.board.board import board_of
from lightboard.board.tensorboard.blobs import Blob, blob_key, blob_of
from lightboard.board.tensorboard.tag_descriptions import tag_descriptions
from lightboard.config import BoardSettings
from lightboard.errors import BadRequest, NotFound, Unshowable
from lightboard.events.sampling import sample_indices
from lightboard.query.provider import ValueProvider
from lightboard.untrusted.numbers import whole_number

if TYPE_CHECKING:
    from lightboard.query.values import Values

PLUGIN = "/data/plugin/audio"

SAMPLES = 10
"""TensorBoard's default number of values per series. Our own API always returns all."""

WAV_TYPE, OTHER_TYPE = "audio/wav", "application/octet-stream"


async def tags(request: Request) -> Response:
    """GET /tags: run -> tag -> display name, description, clips of a value."""
    board = board_of(request)
    return await board.responses.stream(
        request, tag_descriptions(board.provider, "audio", partial(clip_counts, board.provider, board.settings))
    )


def clip_counts(provider: ValueProvider, settings: BoardSettings, run: str, tag: str) -> dict[str, Any]:
    """The extra field of a tag."""
    return {"samples": samples_per_step(provider, settings, run, tag)}


def samples_per_step(provider: ValueProvider, settings: BoardSettings, run: str, tag: str) -> int:
    """The largest number of clips in one of the returned values."""
    try:
        values = provider.values("audio", run, tag)
    except NotFound:
        return 0
    return max((count_of(provider, values, index) for index in sampled_indices(settings, values)), default=0)


def sampled_indices(settings: BoardSettings, values: "Values") -> list[int]:
    """The indices of the values that TensorBoard's routes return."""
    return sample_indices(len(values), settings.samples.get("audio", SAMPLES))


def count_of(provider: ValueProvider, values: "Values", index: int) -> int:
    """The number of clips in a value; 0 if it is malformed."""
    from lightboard.events.audio import parse_clips  # imports NumPy

    try:
        return len(parse_clips(provider.window(values.location(index))))
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
    return await board.responses.stream(
        request, json_pieces.rows(clip_rows(board.provider, board.settings, run, tag, number))
    )


def clip_rows(
    provider: ValueProvider, settings: BoardSettings, run: str, tag: str, sample: int
) -> Iterator[dict[str, Any] | None]:
    """The values with a clip at index `sample`. Raises NotFound with TensorBoard's message."""
    from lightboard.events.audio import is_wav_tag  # imports NumPy

    try:
        values = provider.values("audio", run, tag)
    except NotFound:
        raise NotFound(f"No audio data for run={run!r}, tag={tag!r}") from None
    media_type = WAV_TYPE if is_wav_tag(values.metadata) else OTHER_TYPE
    for index in sampled_indices(settings, values):
        if count_of(provider, values, index) <= sample:
            yield None
            continue
        key = blob_key(Blob(run, tag, values.key(index), sample))
        yield {
            "wall_time": values.walls[index],
            "label": "",
            "step": values.steps[index],
            "contentType": media_type,
            "query": urlencode({"blob_key": key, "content_type": media_type}),
        }


async def individual_audio(request: Request) -> Response:
    """GET /individualAudio?blob_key&content_type: the clip, with the type from /audio."""
    from lightboard.query.audio import locate_clip

    board = board_of(request)
    key, media_type = first(request, "blob_key"), first(request, "content_type")
    if key is None or media_type is None:
        raise BadRequest("Both blob_key and content_type must be specified")
    if media_type not in (WAV_TYPE, OTHER_TYPE):
        raise BadRequest(f"Illegal mime type {media_type!r}")
    blob = await board.pool.call(blob_of, key, board.provider, "audio")
    clip = await board.pool.call(locate_clip, board.provider, blob.run, blob.tag, blob.at, blob.sample)
    return await media.stream(
        request,
        board.provider,
        board.pool,
        media.ByteRange(clip.location, clip.clip.begin, clip.clip.end),
        media_type,
    )


ROUTES = (
    Route(f"{PLUGIN}/tags", tags),
    Route(f"{PLUGIN}/audio", audio),
    Route(f"{PLUGIN}/individualAudio", individual_audio),
)
