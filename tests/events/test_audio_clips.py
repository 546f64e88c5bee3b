"""Clips of sound: every form a value may have."""

import pytest

from lightboard.errors import Unshowable
from lightboard.events.audio import clips_of, says_wav
from lightboard.events.window import Window
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


def window_of(value: bytes) -> Window:
    return Window(lambda at, length: value[at : at + length], len(value))


def heard(value: bytes) -> list[tuple[bytes, str]]:
    """The bytes and the label of each clip."""
    window = window_of(value)
    return [(window.slice(clip.begin, clip.end), clip.label) for clip in clips_of(window)]


def test_an_old_value_is_one_clip() -> None:
    """Summary.Audio, as torch and TF1 write it."""
    assert heard(audio_value("a", b"RIFF")) == [(b"RIFF", "")]


def test_a_list_is_clips_without_labels() -> None:
    """[k] strings."""
    assert heard(tensor_value("a", tensor(STRING, [b"one", b"two"], shape=[2]))) == [(b"one", ""), (b"two", "")]


def test_a_table_is_clips_with_labels() -> None:
    """[k, 2] strings, of which TensorBoard drops the second."""
    value = tensor_value("a", tensor(STRING, [b"one", b"dog", b"two", "кот".encode()], shape=[2, 2]))

    assert heard(value) == [(b"one", "dog"), (b"two", "кот")]


def test_a_label_of_any_size_is_read_to_its_limit() -> None:
    """And one that is no UTF-8 does no harm."""
    (clip,) = clips_of(window_of(tensor_value("a", tensor(STRING, [b"one", b"\xff" * 1_000_000], shape=[1, 2]))))

    assert clip.label == "\ufffd" * 10_000


def test_no_clips_are_no_clips() -> None:
    """An empty batch."""
    assert heard(tensor_value("a", tensor(STRING, [], shape=[0, 2]))) == []


@pytest.mark.parametrize(
    "value",
    [tensor_value("a", tensor(FLOAT, [1.0])[:-1] + b"\xff\xff"), b"\x0a\xff\xff\xff\xff\xff\xff\xff\xff\x7fx", b""],
)
def test_what_is_no_sound_says_so(value: bytes) -> None:
    """Never more than an answer."""
    with pytest.raises(Unshowable):
        clips_of(window_of(value))


def test_a_clip_is_found_without_being_read() -> None:
    """A value larger than memory costs a few reads of a few kilobytes."""
    whole = audio_value("a", bytes(50_000_000))
    read: list[int] = []

    def read_at(at: int, length: int) -> bytes:
        read.append(length)
        return whole[at : at + length]

    (clip,) = clips_of(Window(read_at, len(whole)))

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
def test_metadata_say_whether_tensorboard_takes_it_for_wav(metadata: bytes, wav: bool) -> None:
    """Old values without metadata are WAV; others say their encoding."""
    assert says_wav(metadata) is wav
