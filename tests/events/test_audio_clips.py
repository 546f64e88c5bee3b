"""Audio values in each form: legacy, list and table."""

import pytest

from lightboard.errors import Unshowable
from lightboard.events.audio import is_wav_tag, parse_clips
from lightboard.events.byte_reader import ByteReader
from lightboard.testing.event_files import (
    FLOAT,
    STRING,
    audio_value,
    bytes_field,
    summary_metadata,
    tensor,
    tensor_value,
    varint_field,
)


def reader_of(value: bytes) -> ByteReader:
    return ByteReader(lambda at, length: value[at : at + length], len(value))


def read_clips(value: bytes) -> list[tuple[bytes, str]]:
    """The bytes and the label of each clip."""
    reader = reader_of(value)
    return [(reader.slice(clip.begin, clip.end), clip.label) for clip in parse_clips(reader)]


def test_legacy_audio_values_hold_one_clip() -> None:
    """Summary.Audio, which torch and TF1 write."""
    assert read_clips(audio_value("a", b"RIFF")) == [(b"RIFF", "")]


def test_string_lists_are_clips_without_labels() -> None:
    """A tensor of shape [k]."""
    assert read_clips(tensor_value("a", tensor(STRING, [b"one", b"two"], shape=[2]))) == [(b"one", ""), (b"two", "")]


def test_string_tables_are_clips_with_labels() -> None:
    """A tensor of shape [k, 2]. TensorBoard drops the second column."""
    value = tensor_value("a", tensor(STRING, [b"one", b"dog", b"two", "кот".encode()], shape=[2, 2]))

    assert read_clips(value) == [(b"one", "dog"), (b"two", "кот")]


def test_long_labels_are_cut() -> None:
    """Bytes that are not UTF-8 become replacement characters."""
    (clip,) = parse_clips(reader_of(tensor_value("a", tensor(STRING, [b"one", b"\xff" * 1_000_000], shape=[1, 2]))))

    assert clip.label == "\ufffd" * 10_000


def test_empty_tables_have_no_clips() -> None:
    """A tensor of shape [0, 2]."""
    assert read_clips(tensor_value("a", tensor(STRING, [], shape=[0, 2]))) == []


@pytest.mark.parametrize(
    "value",
    [tensor_value("a", tensor(FLOAT, [1.0])[:-1] + b"\xff\xff"), b"\x0a\xff\xff\xff\xff\xff\xff\xff\xff\x7fx", b""],
)
def test_values_without_audio_are_unshowable(value: bytes) -> None:
    """Wrong types, malformed fields, no bytes at all."""
    with pytest.raises(Unshowable):
        parse_clips(reader_of(value))


def test_clips_are_located_without_reading_them() -> None:
    """A value larger than memory costs a few reads of a few kilobytes."""
    whole = audio_value("a", bytes(50_000_000))
    read: list[int] = []

    def read_at(at: int, length: int) -> bytes:
        read.append(length)
        return whole[at : at + length]

    (clip,) = parse_clips(ByteReader(read_at, len(whole)))

    assert [clip.end - clip.begin, sum(read) < 50_000] == [50_000_000, True]


@pytest.mark.parametrize(
    ("metadata", "wav"),
    [
        (b"", True),
        (summary_metadata("audio", varint_field(2, 11)), True),
        (summary_metadata("audio"), False),
        (summary_metadata("audio", bytes_field(2, b"x")), False),
        (b"\xff", False),
    ],
)
def test_tags_are_wav_if_their_metadata_says_so(metadata: bytes, wav: bool) -> None:
    """Legacy values have no metadata and count as WAV; others declare an encoding."""
    assert is_wav_tag(metadata) is wav
