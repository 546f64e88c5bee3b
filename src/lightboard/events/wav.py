"""Reads the header of a WAV file and computes the peaks of its waveform.

Headers may be wrong: lengths may be absurd, missing, or left open by writers into a pipe. The result describes what can
be read. Compressed encodings have no waveform here.
"""

import struct
from collections.abc import Callable, Generator, Iterator
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from lightboard.errors import Unshowable
from lightboard.events.byte_reader import ByteReader
from lightboard.events.wire import MalformedError

PCM, IEEE_FLOAT, EXTENSIBLE = 1, 3, 0xFFFE

MAX_CHUNKS = 1000
"""The maximum number of chunks before the samples."""

MAX_CHANNELS = 64
SHOWN_CHANNELS = 8
"""The maximum number of channels drawn."""

CHUNK_BYTES = 256 << 10
"""Read at a time, so that memory and the time between yields do not depend on the length of the clip."""

READ_BYTES = 64 << 20
"""For a longer clip, each column of the waveform is computed from its first samples only."""

FULL_SCALE = 127
"""Peaks are integers from -127 to 127."""


class Wav(NamedTuple):
    """`coding` is the format tag, `bits` the size of a stored sample; the samples begin at `begin`.

    `rate` in frames per second, 0 if the header states none; a frame is one sample of each channel.
    """

    coding: int
    channels: int
    rate: int
    bits: int
    begin: int
    frames: int


class Peaks(NamedTuple):
    """Lowest and highest sample of each column, one row per channel. Not `exact`: some samples were not read."""

    low: npt.NDArray[np.int8]
    high: npt.NDArray[np.int8]
    exact: bool


def is_wav(beginning: bytes) -> bool:
    """Whether these twelve bytes are the beginning of a WAV file."""
    return beginning[:4] in (b"RIFF", b"RF64") and beginning[8:12] == b"WAVE"


def read_wav_header(reader: ByteReader) -> Wav:
    """The header of the clip in `reader`. Raises Unshowable."""
    try:
        return _parse_header(reader)
    except MalformedError:
        raise Unshowable("the sound ends early, or the file has changed", hint="reload and try again") from None


def _parse_header(reader: ByteReader) -> Wav:
    if not is_wav(reader.slice(0, min(12, reader.length))):
        raise Unshowable("the sound is not a WAV file")
    at, layout = 12, None
    for _ in range(MAX_CHUNKS):
        if at + 8 > reader.length:
            break
        name, length = struct.unpack("<4sI", reader.slice(at, at + 8))
        at += 8
        if name == b"fmt ":
            layout = _parse_format(reader.slice(at, min(at + min(length, 40), reader.length)))
        elif name == b"data" and layout:
            coding, channels, rate, width = layout
            size = min(length, reader.length - at)
            return Wav(coding, channels, rate, width * 8, at, size // (width * channels))
        at += length + (length & 1)
    raise Unshowable("the WAV has no header" if layout is None else "the WAV has no samples")


def _parse_format(fmt: bytes) -> tuple[int, int, int, int]:
    """Coding, channels, rate, and bytes of one sample. Raises Unshowable."""
    if len(fmt) < 16:
        raise Unshowable("the header of the WAV is truncated")
    coding, channels, rate, _, align, bits = struct.unpack_from("<HHIIHH", fmt)
    if coding == EXTENSIBLE and len(fmt) >= 26:
        (coding,) = struct.unpack_from("<H", fmt, 24)
    if not 1 <= channels <= MAX_CHANNELS:
        raise Unshowable(f"the WAV claims {channels} channels")
    width = align // channels if align and align % channels == 0 else (bits + 7) // 8
    if not 1 <= width <= 8:
        raise Unshowable(f"the WAV claims samples of {width} bytes")
    return coding, channels, rate, width


def compute_peaks(reader: ByteReader, wav: Wav, px: int) -> Generator[None, None, Peaks]:
    """The peaks in at most `px` columns, or one per frame if there are fewer frames. Raises Unshowable.

    Yields after each chunk, so that other work can run.
    """
    if (wav.coding, wav.bits) not in _READERS:
        raise Unshowable(f"samples of {wav.bits} bits in coding {wav.coding} have no outline here")
    shown = min(wav.channels, SHOWN_CHANNELS)
    starts = np.arange(min(px, wav.frames), dtype=np.int64) * wav.frames // max(1, min(px, wav.frames))
    low = np.full((len(starts), shown), np.inf, np.float32)
    high = -low
    exact = wav.frames * wav.channels * wav.bits // 8 <= READ_BYTES
    for begin, end in _chunks(wav, starts, exact):
        samples = _samples(reader, wav, begin, end)[:, :shown]
        first = int(np.searchsorted(starts, begin, "right")) - 1
        last = int(np.searchsorted(starts, end, "left"))
        borders = np.maximum(starts[first:last] - begin, 0)
        low[first:last] = np.minimum(low[first:last], np.minimum.reduceat(samples, borders))
        high[first:last] = np.maximum(high[first:last], np.maximum.reduceat(samples, borders))
        yield
    return Peaks(_scaled(low), _scaled(high), exact)


def _chunks(wav: Wav, starts: npt.NDArray[np.int64], exact: bool) -> Iterator[tuple[int, int]]:
    """The ranges of frames to read, [begin, end), none larger than CHUNK_BYTES."""
    width = wav.channels * wav.bits // 8
    if exact:
        step = CHUNK_BYTES // width
        yield from ((begin, min(begin + step, wav.frames)) for begin in range(0, wav.frames, step))
        return
    step = max(1, min(CHUNK_BYTES, READ_BYTES // len(starts)) // width)
    ends = [*starts[1:].tolist(), wav.frames]
    yield from ((begin, min(begin + step, end)) for begin, end in zip(starts.tolist(), ends, strict=True))


def _samples(reader: ByteReader, wav: Wav, begin: int, end: int) -> npt.NDArray[np.float32]:
    """Frames as rows of numbers from -1 to 1. NaN becomes 0."""
    width = wav.channels * wav.bits // 8
    try:
        raw = reader.slice(wav.begin + begin * width, wav.begin + end * width)
    except MalformedError:
        raise Unshowable("the sound ends early, or the file has changed", hint="reload and try again") from None
    with np.errstate(all="ignore"):  # doubles may overflow
        numbers = _READERS[wav.coding, wav.bits](raw).astype(np.float32).reshape(-1, wav.channels)
    return np.clip(np.nan_to_num(numbers), -1, 1)


def _uint8(raw: bytes) -> npt.NDArray[Any]:
    return (np.frombuffer(raw, np.uint8).astype(np.float32) - 128) / 128


def _int24(raw: bytes) -> npt.NDArray[Any]:
    """24-bit samples, as the upper bytes of 32 bits."""
    whole = np.zeros((len(raw) // 3, 4), np.uint8)
    whole[:, 1:] = np.frombuffer(raw, np.uint8).reshape(-1, 3)
    return whole.view("<i4").ravel() / 2.0**31


_READERS: dict[tuple[int, int], Callable[[bytes], npt.NDArray[Any]]] = {
    (PCM, 8): _uint8,
    (PCM, 16): lambda raw: np.frombuffer(raw, "<i2") / np.float32(2**15),
    (PCM, 24): _int24,
    (PCM, 32): lambda raw: np.frombuffer(raw, "<i4") / 2.0**31,
    (IEEE_FLOAT, 32): lambda raw: np.frombuffer(raw, "<f4"),
    (IEEE_FLOAT, 64): lambda raw: np.frombuffer(raw, "<f8"),
}


def _scaled(columns: npt.NDArray[np.float32]) -> npt.NDArray[np.int8]:
    """One row per channel, scaled to integers."""
    return np.rint(columns.T * FULL_SCALE).astype(np.int8)
