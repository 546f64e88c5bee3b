"""Audio clips: the clips of one value with the fields of their headers, and their locations."""

from collections.abc import Iterator
from typing import NamedTuple

from lightboard.errors import Unshowable, ValueNotFound
from lightboard.events.audio import PLUGIN, Clip, parse_clips
from lightboard.events.byte_reader import ByteReader
from lightboard.query.provider import ValueProvider
from lightboard.query.values import ValueLocation

MAX_CLIPS = 1000
"""Limit of the clips of one value."""


class ClipLocation(NamedTuple):
    """The location of a clip. `wav`: whether it begins with a WAV header."""

    location: ValueLocation
    clip: Clip
    wav: bool


class ClipInfo(NamedTuple):
    """A clip and its WAV header, whose fields are None if it is missing or invalid, with the reason."""

    label: str
    size: int
    channels: int | None
    rate: int | None
    bits: int | None
    frames: int | None
    trouble: str


def read_clips(provider: ValueProvider, run: str, tag: str, key: str) -> Iterator[ClipInfo]:
    """The first MAX_CLIPS clips of one value. Raises NotFound, Unshowable before the first one."""
    location = location_of(provider, run, tag, key)
    for clip in parse_clips(provider.window(location))[:MAX_CLIPS]:
        yield clip_info(provider, location, clip)


def clip_info(provider: ValueProvider, location: ValueLocation, clip: Clip) -> ClipInfo:
    """A clip, from its header."""
    from lightboard.events.wav import read_wav_header  # imports NumPy

    size = clip.end - clip.begin
    try:
        wav = read_wav_header(clip_window(provider, location, clip))
    except Unshowable as error:
        return ClipInfo(clip.label, size, None, None, None, None, error.message)
    return ClipInfo(clip.label, size, wav.channels, wav.rate, wav.bits, wav.frames, "")


def locate_clip(provider: ValueProvider, run: str, tag: str, key: str, sample: int) -> ClipLocation:
    """One clip of one value. Raises NotFound, Unshowable."""
    from lightboard.events.wav import is_wav  # imports NumPy

    location = location_of(provider, run, tag, key)
    clips = parse_clips(provider.window(location))
    if not 0 <= sample < len(clips):
        raise ValueNotFound(f"the value holds {len(clips)} clips, none is number {sample}")
    clip = clips[sample]
    return ClipLocation(location, clip, is_wav(provider.read(location, clip.begin, min(12, clip.end - clip.begin))))


def location_of(provider: ValueProvider, run: str, tag: str, key: str) -> ValueLocation:
    """The location of the value with a key, which may be superseded. Raises NotFound."""
    values = provider.values(PLUGIN, run, tag, orphans=True)
    return values.location(values.find(key))


def clip_window(provider: ValueProvider, location: ValueLocation, clip: Clip) -> ByteReader:
    """The bytes of a clip."""
    return ByteReader(lambda at, length: provider.read(location, clip.begin + at, length), clip.end - clip.begin)
