"""WAV: what its head says, as far as the bytes bear it out, and the outline of its wave.

Heads lie: lengths may be absurd, missing or left open by writers into a pipe. What is told here is what can be read.
Not here: playing, which browsers do; compressed codings, which have no outline.
"""

import struct
from collections.abc import Callable, Generator, Iterator
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from lightboard.errors import Unshowable
from lightboard.events.window import Window
from lightboard.events.wire import MalformedError

INTEGERS, FLOATS, EXTENSIBLE = 1, 3, 0xFFFE

MAX_CHUNKS = 1000
"""A head of more parts is no head."""

MAX_CHANNELS = 64
SHOWN_CHANNELS = 8
"""More are not drawn."""

PIECE_BYTES = 256 << 10
"""Read at a time, so that neither memory nor a turn grows with the clip."""

READ_BYTES = 64 << 20
"""Of a longer clip each column of the outline is made of its first samples only."""

FULL_SCALE = 127
"""An outline is told in whole numbers from -127 to 127."""


class Wav(NamedTuple):
    """`coding` is the number of the format tag, `bits` those of one sample as it lies; samples begin at `begin`.

    `rate` in frames a second, 0 where the head has none; a frame is one sample of each channel.
    """

    coding: int
    channels: int
    rate: int
    bits: int
    begin: int
    frames: int


class Peaks(NamedTuple):
    """Lowest and highest sample of each column, one row for each channel. Not `exact`: some samples were not read."""

    low: npt.NDArray[np.int8]
    high: npt.NDArray[np.int8]
    exact: bool


def is_wav(beginning: bytes) -> bool:
    """Do twelve bytes begin a WAV?"""
    return beginning[:4] in (b"RIFF", b"RF64") and beginning[8:12] == b"WAVE"


def wav_of(window: Window) -> Wav:
    """The head of the clip in `window`. Raises Unshowable."""
    try:
        return _head(window)
    except MalformedError:
        raise Unshowable("the sound ends early, or the file has changed", hint="reload and look again") from None


def _head(window: Window) -> Wav:
    if not is_wav(window.slice(0, min(12, window.length))):
        raise Unshowable("the sound is no WAV")
    at, layout = 12, None
    for _ in range(MAX_CHUNKS):
        if at + 8 > window.length:
            break
        name, length = struct.unpack("<4sI", window.slice(at, at + 8))
        at += 8
        if name == b"fmt ":
            layout = _layout(window.slice(at, min(at + min(length, 40), window.length)))
        elif name == b"data" and layout:
            coding, channels, rate, width = layout
            size = min(length, window.length - at)
            return Wav(coding, channels, rate, width * 8, at, size // (width * channels))
        at += length + (length & 1)
    raise Unshowable("the WAV has no head" if layout is None else "the WAV has no samples")


def _layout(fmt: bytes) -> tuple[int, int, int, int]:
    """Coding, channels, rate, and bytes of one sample. Raises Unshowable."""
    if len(fmt) < 16:
        raise Unshowable("the head of the WAV is cut off")
    coding, channels, rate, _, align, bits = struct.unpack_from("<HHIIHH", fmt)
    if coding == EXTENSIBLE and len(fmt) >= 26:
        (coding,) = struct.unpack_from("<H", fmt, 24)
    if not 1 <= channels <= MAX_CHANNELS:
        raise Unshowable(f"the WAV claims {channels} channels")
    width = align // channels if align and align % channels == 0 else (bits + 7) // 8
    if not 1 <= width <= 8:
        raise Unshowable(f"the WAV claims samples of {width} bytes")
    return coding, channels, rate, width


def peaks_of(window: Window, wav: Wav, px: int) -> Generator[None, None, Peaks]:
    """The outline in at most `px` columns, fewer where there are fewer frames. Raises Unshowable.

    Gives way after each stretch that was read.
    """
    if (wav.coding, wav.bits) not in _READERS:
        raise Unshowable(f"samples of {wav.bits} bits in coding {wav.coding} have no outline here")
    shown = min(wav.channels, SHOWN_CHANNELS)
    starts = np.arange(min(px, wav.frames), dtype=np.int64) * wav.frames // max(1, min(px, wav.frames))
    low = np.full((len(starts), shown), np.inf, np.float32)
    high = -low
    exact = wav.frames * wav.channels * wav.bits // 8 <= READ_BYTES
    for begin, end in _stretches(wav, starts, exact):
        samples = _samples(window, wav, begin, end)[:, :shown]
        first = int(np.searchsorted(starts, begin, "right")) - 1
        last = int(np.searchsorted(starts, end, "left"))
        borders = np.maximum(starts[first:last] - begin, 0)
        low[first:last] = np.minimum(low[first:last], np.minimum.reduceat(samples, borders))
        high[first:last] = np.maximum(high[first:last], np.maximum.reduceat(samples, borders))
        yield
    return Peaks(_scaled(low), _scaled(high), exact)


def _stretches(wav: Wav, starts: npt.NDArray[np.int64], exact: bool) -> Iterator[tuple[int, int]]:
    """The frames to read, [begin, end), none longer than PIECE_BYTES."""
    width = wav.channels * wav.bits // 8
    if exact:
        step = PIECE_BYTES // width
        yield from ((begin, min(begin + step, wav.frames)) for begin in range(0, wav.frames, step))
        return
    step = max(1, min(PIECE_BYTES, READ_BYTES // len(starts)) // width)
    ends = [*starts[1:].tolist(), wav.frames]
    yield from ((begin, min(begin + step, end)) for begin, end in zip(starts.tolist(), ends, strict=True))


def _samples(window: Window, wav: Wav, begin: int, end: int) -> npt.NDArray[np.float32]:
    """Frames as rows of numbers from -1 to 1; what is no number is silence."""
    width = wav.channels * wav.bits // 8
    try:
        raw = window.slice(wav.begin + begin * width, wav.begin + end * width)
    except MalformedError:
        raise Unshowable("the sound ends early, or the file has changed", hint="reload and look again") from None
    with np.errstate(all="ignore"):  # doubles may be larger than any float
        numbers = _READERS[wav.coding, wav.bits](raw).astype(np.float32).reshape(-1, wav.channels)
    return np.clip(np.nan_to_num(numbers), -1, 1)


def _bytes(raw: bytes) -> npt.NDArray[Any]:
    return (np.frombuffer(raw, np.uint8).astype(np.float32) - 128) / 128


def _threes(raw: bytes) -> npt.NDArray[Any]:
    """Three bytes each: the upper ones of 32 bits."""
    whole = np.zeros((len(raw) // 3, 4), np.uint8)
    whole[:, 1:] = np.frombuffer(raw, np.uint8).reshape(-1, 3)
    return whole.view("<i4").ravel() / 2.0**31


_READERS: dict[tuple[int, int], Callable[[bytes], npt.NDArray[Any]]] = {
    (INTEGERS, 8): _bytes,
    (INTEGERS, 16): lambda raw: np.frombuffer(raw, "<i2") / np.float32(2**15),
    (INTEGERS, 24): _threes,
    (INTEGERS, 32): lambda raw: np.frombuffer(raw, "<i4") / 2.0**31,
    (FLOATS, 32): lambda raw: np.frombuffer(raw, "<f4"),
    (FLOATS, 64): lambda raw: np.frombuffer(raw, "<f8"),
}


def _scaled(columns: npt.NDArray[np.float32]) -> npt.NDArray[np.int8]:
    """One row for each channel, in whole numbers."""
    return np.rint(columns.T * FULL_SCALE).astype(np.int8)
