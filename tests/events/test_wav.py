"""WAV headers and waveform outlines."""

import struct

import numpy as np
import pytest

from lightboard.cancellation import finish
from lightboard.errors import Unshowable
from lightboard.events import wav as wav_module
from lightboard.events.byte_reader import ByteReader
from lightboard.events.wav import Wav, compute_peaks, read_wav_header

ABSURD = 0xFFFF_FFF0


def wav_file(
    samples: bytes,
    *,
    coding: int = 1,
    channels: int = 1,
    rate: int = 8000,
    bits: int = 16,
    length: int | None = None,
    before: bytes = b"",
    extensible: bool = False,
) -> bytes:
    """A WAV file; `length` is the size that its header claims for the samples."""
    width = (bits + 7) // 8
    tag = 0xFFFE if extensible else coding
    fmt = struct.pack(
        "<HHIIHH", tag, channels, rate, rate * channels * width & 0xFFFF_FFFF, channels * width & 0xFFFF, bits
    )
    if extensible:
        fmt += struct.pack("<HHIH", 22, bits, 0, coding) + bytes(14)
    head = b"fmt " + struct.pack("<I", len(fmt)) + fmt + before
    data = b"data" + struct.pack("<I", len(samples) if length is None else length) + samples
    return b"RIFF" + struct.pack("<I", 4 + len(head) + len(data)) + b"WAVE" + head + data


def reader_of(clip: bytes) -> ByteReader:
    return ByteReader(lambda at, length: clip[at : at + length], len(clip))


def outline(clip: bytes, px: int) -> tuple[list[list[int]], list[list[int]], bool]:
    """The lows, the highs, and whether they are exact."""
    reader = reader_of(clip)
    peaks = finish(compute_peaks(reader, read_wav_header(reader), px))
    return peaks.low.tolist(), peaks.high.tolist(), peaks.exact


SAMPLES = np.array([0, 0.5, -0.5, 1, -1, 0.25])


@pytest.mark.parametrize(
    ("coding", "bits", "samples"),
    [
        (1, 8, np.clip(SAMPLES * 128 + 128, 0, 255).astype(np.uint8).tobytes()),
        (1, 16, np.clip(SAMPLES * 2**15, -(2**15), 2**15 - 1).astype("<i2").tobytes()),
        (
            1,
            24,
            b"".join(int(min(v * 2**23, 2**23 - 1)).to_bytes(3, "little", signed=True) for v in SAMPLES),
        ),
        (1, 32, np.clip(SAMPLES * 2**31, -(2**31), 2**31 - 1).astype("<i4").tobytes()),
        (3, 32, SAMPLES.astype("<f4").tobytes()),
        (3, 64, SAMPLES.astype("<f8").tobytes()),
    ],
)
@pytest.mark.parametrize("extensible", [False, True])
def test_all_sample_formats_have_the_same_outline(coding: int, bits: int, samples: bytes, extensible: bool) -> None:
    """Integers of 8 to 32 bits, floats of 32 and 64, in the plain or the extensible header."""
    low, high, _ = outline(wav_file(samples, coding=coding, bits=bits, extensible=extensible), 3)

    assert np.abs(np.array([*low, *high]) - [[0, -64, -127], [64, 127, 32]]).max() <= 1


def test_each_channel_has_an_outline() -> None:
    """The left one rises, the right one falls."""
    frames = np.array([[0, 0], [8192, -8192], [16384, -16384], [32767, -32768]], "<i2")

    assert outline(wav_file(frames.tobytes(), channels=2), 2) == (
        [[0, 64], [-32, -127]],
        [[32, 127], [0, -64]],
        True,
    )


def test_chunks_do_not_change_the_outline(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever their size."""
    frames = np.random.default_rng(0).integers(-(2**15), 2**15, 5000).astype("<i2")
    clip = wav_file(frames.tobytes())
    at_once = outline(clip, 77)
    monkeypatch.setattr(wav_module, "CHUNK_BYTES", 122)

    assert outline(clip, 77) == at_once


def test_long_clips_are_sampled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each column uses its first samples, and the result is marked as inexact."""
    monkeypatch.setattr(wav_module, "READ_BYTES", 400)
    frames = np.repeat(np.array([-32768, 0, 32767, 16384], "<i2"), 1000)

    assert outline(wav_file(frames.tobytes()), 4) == ([[-127, 0, 127, 64]], [[-127, 0, 127, 64]], False)


def test_short_clips_have_one_column_per_frame() -> None:
    """Empty clips have none."""
    assert outline(wav_file(struct.pack("<2h", 0, 16384)), 100) == ([[0, 64]], [[0, 64]], True)
    assert outline(wav_file(b""), 100) == ([[]], [[]], True)


def test_nan_samples_are_silent() -> None:
    """Infinities are clipped."""
    floats = np.array([np.nan, np.inf, -np.inf, 1e300], "<f8").tobytes()

    assert outline(wav_file(floats, coding=3, bits=64), 4) == ([[0, 127, -127, 127]], [[0, 127, -127, 127]], True)


@pytest.mark.parametrize("length", [ABSURD, 0xFFFF_FFFF, 1000])
def test_lengths_beyond_the_end_are_clipped(length: int) -> None:
    """Writers to a pipe do not know the length."""
    assert read_wav_header(reader_of(wav_file(bytes(10), length=length))).frames == 5


def test_chunks_before_the_samples_are_skipped() -> None:
    """LIST, fact and others, also of odd length."""
    before = b"LIST" + struct.pack("<I", 3) + b"abc\0"

    assert read_wav_header(reader_of(wav_file(bytes(4), before=before, rate=44100))) == Wav(1, 1, 44100, 16, 56, 2)


@pytest.mark.parametrize(
    "clip",
    [
        b"",
        b"RIFF",
        b"OggS" + bytes(100),
        b"RIFF\0\0\0\0WAVE",
        b"RIFF\0\0\0\0WAVEfmt " + struct.pack("<I", ABSURD),
        b"RIFF\0\0\0\0WAVEdata" + struct.pack("<I", 4) + bytes(4),
        b"RIFF\0\0\0\0WAVE" + b"junk\0\0\0\0" * 5000,
        wav_file(bytes(8), channels=0),
        wav_file(bytes(8), channels=65535),
        wav_file(bytes(8), bits=0),
        wav_file(bytes(8), bits=65535),
    ],
)
def test_invalid_headers_are_unshowable(clip: bytes) -> None:
    """Absurd numbers cost no time or memory."""
    with pytest.raises(Unshowable):
        read_wav_header(reader_of(clip))


def test_unsupported_codings_are_unshowable() -> None:
    """µ-law, for example. Players may know it."""
    reader = reader_of(wav_file(bytes(8), coding=7, bits=8))

    with pytest.raises(Unshowable, match="coding 7"):
        finish(compute_peaks(reader, read_wav_header(reader), 10))


def test_files_that_shrink_are_unshowable() -> None:
    """Between the header and the samples."""
    clip = wav_file(bytes(1000))
    reader = ByteReader(lambda at, length: clip[at : min(at + length, 200)], len(clip))

    with pytest.raises(Unshowable, match="ends early"):
        finish(compute_peaks(reader, read_wav_header(reader), 10))
