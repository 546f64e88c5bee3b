"""Sound clips: those of one value with what their heads say, and where the bytes of one lie."""

from collections.abc import Iterator
from typing import NamedTuple

from lightboard.errors import Unshowable, ValueNotFound
from lightboard.events.audio import PLUGIN, Clip, clips_of
from lightboard.events.window import Window
from lightboard.query.provider import Provider
from lightboard.query.values import Place

MAX_CLIPS = 1000
"""Heads of more clips of one value are not read."""


class Sound(NamedTuple):
    """One clip in its file. `wav`: does it begin as one?"""

    place: Place
    clip: Clip
    wav: bool


class Described(NamedTuple):
    """One clip: size in bytes; what a WAV head says, None where there is none or it makes no sense, with the reason."""

    label: str
    size: int
    channels: int | None
    rate: int | None
    bits: int | None
    frames: int | None
    trouble: str


def read_clips(provider: Provider, run: str, tag: str, key: str) -> Iterator[Described]:
    """The first MAX_CLIPS clips of one value. Raises NotFound, Unshowable before the first one."""
    place = place_of(provider, run, tag, key)
    for clip in clips_of(provider.window(place))[:MAX_CLIPS]:
        yield describe(provider, place, clip)


def describe(provider: Provider, place: Place, clip: Clip) -> Described:
    """One clip by its head."""
    from lightboard.events.wav import wav_of  # needs NumPy

    size = clip.end - clip.begin
    try:
        wav = wav_of(inside(provider, place, clip))
    except Unshowable as error:
        return Described(clip.label, size, None, None, None, None, error.message)
    return Described(clip.label, size, wav.channels, wav.rate, wav.bits, wav.frames, "")


def read_sound(provider: Provider, run: str, tag: str, key: str, sample: int) -> Sound:
    """One clip of one value. Raises NotFound, Unshowable."""
    from lightboard.events.wav import is_wav  # needs NumPy

    place = place_of(provider, run, tag, key)
    clips = clips_of(provider.window(place))
    if not 0 <= sample < len(clips):
        raise ValueNotFound(f"the value holds {len(clips)} clips, none is number {sample}")
    clip = clips[sample]
    return Sound(place, clip, is_wav(provider.read(place, clip.begin, min(12, clip.end - clip.begin))))


def place_of(provider: Provider, run: str, tag: str, key: str) -> Place:
    """Where the value of that key lies; superseded ones can be asked for. Raises NotFound."""
    values = provider.values(PLUGIN, run, tag, orphans=True)
    return values.place(values.find(key))


def inside(provider: Provider, place: Place, clip: Clip) -> Window:
    """The clip alone."""
    return Window(lambda at, length: provider.read(place, clip.begin + at, length), clip.end - clip.begin)
