"""Sound over HTTP: our own addresses and TensorBoard's."""

import struct
from typing import Any

import pytest
from asking import Asker

from lightboard.testing.event_files import (
    STRING,
    audio_value,
    summary_metadata,
    summary_record,
    tensor,
    tensor_value,
    varint_field,
    version_record,
)

FRAMES = struct.pack("<4h", 0, 16384, -16384, 32767)
WAV = (
    b"RIFF\x2c\0\0\0WAVEfmt \x10\0\0\0" + struct.pack("<HHIIHH", 1, 1, 8000, 16000, 2, 16) + b"data\x08\0\0\0" + FRAMES
)
PAGE = b"<html><script>alert(1)</script>"
META = summary_metadata("audio", varint_field(2, 11), display_name="Speech", description="*loud*")


def sounds() -> Asker:
    """An old value, a pair with labels, and a page that says it is a sound."""
    asker = Asker({})
    records = [
        summary_record([audio_value("old", WAV)], step=0, wall_time=10.0),
        summary_record(
            [tensor_value("pair", tensor(STRING, [WAV, b"dog", b"RIFF", b"cat"], shape=[2, 2]), META)],
            step=1,
            wall_time=11.0,
        ),
        summary_record(
            [tensor_value("page", tensor(STRING, [PAGE], shape=[1]), summary_metadata("audio"))], wall_time=12.0
        ),
    ]
    asker.memory.storage.write("run/events.out.tfevents.1", b"".join([version_record(), *records]))
    asker.memory.look()
    return asker


def named(asker: Asker, tag: str, **more: Any) -> dict[str, Any]:
    """The parameters that name the first value of a tag."""
    key = asker.post("/api/v1/values", json={"plugin": "audio", "tags": [tag]}).json()["series"][0]["keys"][0]
    return {"run": "run", "tag": tag, "at": key, **more}


def test_the_clips_of_a_value_are_told_by_their_heads() -> None:
    """With labels, and with what is wrong."""
    asker = sounds()

    told = {"channels": 1, "rate": 8000, "bits": 16, "frames": 4, "trouble": ""}
    nothing = {"channels": None, "rate": None, "bits": None, "frames": None}
    assert asker.get("/api/v1/audio/clips", params=named(asker, "pair")).json() == {
        "clips": [
            {"label": "dog", "size": len(WAV), **told},
            {"label": "cat", "size": 4, **nothing, "trouble": "the sound is no WAV"},
        ]
    }


def test_a_clip_is_streamed_from_its_file() -> None:
    """Byte for byte, and any part of it."""
    asker = sounds()

    whole = asker.get("/api/v1/audio/data", params=named(asker, "old"))
    part = asker.get("/api/v1/audio/data", params=named(asker, "pair"), headers={"range": "bytes=44-47"})
    assert [whole.status_code, whole.headers["content-type"], whole.content] == [200, "audio/wav", WAV]
    assert [part.status_code, part.headers["content-range"], part.content] == [
        206,
        f"bytes 44-47/{len(WAV)}",
        FRAMES[:4],
    ]


def test_what_is_no_sound_is_no_page_either() -> None:
    """Opened in a tab it runs nothing."""
    asker = sounds()

    answer = asker.get("/api/v1/audio/data", params=named(asker, "page"))
    assert [answer.headers[name] for name in ("content-type", "x-content-type-options")] == [
        "application/octet-stream",
        "nosniff",
    ]
    assert "sandbox" in answer.headers["content-security-policy"]


def test_a_clip_can_be_saved() -> None:
    """Under a name that tells what it is."""
    asker = sounds()

    answer = asker.get("/api/v1/audio/data", params=named(asker, "pair", sample=1, save=True))
    assert answer.headers["content-disposition"] == 'attachment; filename="run-pair-1.bin"'


def test_the_outline_is_told() -> None:
    """In as many columns as asked."""
    asker = sounds()

    assert asker.get("/api/v1/audio/peaks", params=named(asker, "old", px=2)).json() == {
        "low": [[0, -64]],
        "high": [[64, 127]],
        "exact": True,
    }


@pytest.mark.parametrize(
    ("tag", "more", "status", "code"),
    [
        ("pair", {"sample": 2}, 404, "value_not_found"),
        ("page", {}, 422, "unshowable"),
        ("pair", {"sample": -1}, 400, "bad_request"),
        ("pair", {"px": 1_000_000}, 400, "bad_request"),
    ],
)
def test_what_cannot_be_told_is_said_why(tag: str, more: dict[str, int], status: int, code: str) -> None:
    """No such clip, no WAV, no sense."""
    asker = sounds()

    answer = asker.get("/api/v1/audio/peaks", params=named(asker, tag, **more))
    assert [answer.status_code, answer.json()["error"]["code"]] == [status, code]


def test_tensorboards_tags() -> None:
    """How many clips a value has at most, and what the writer said."""
    words = {"displayName": "Speech", "description": "<p><em>loud</em></p>", "samples": 2}

    assert sounds().get("/data/plugin/audio/tags").json() == {
        "run": {
            "old": {"displayName": "old", "description": "", "samples": 1},
            "pair": words,
            "page": {"displayName": "", "description": "", "samples": 1},
        }
    }


def test_tensorboards_sounds_lead_to_their_bytes() -> None:
    """By a query that nobody needs to understand; only two types can be asked for."""
    asker = sounds()

    (row,) = asker.get("/data/plugin/audio/audio", params={"run": "run", "tag": "pair", "sample": "0"}).json()
    query = row.pop("query")
    assert row == {"wall_time": 11.0, "label": "", "step": 1, "contentType": "audio/wav"}
    answer = asker.get(f"/data/plugin/audio/individualAudio?{query}")
    assert [answer.headers["content-type"], answer.content] == ["audio/wav", WAV]
    page = asker.get(f"/data/plugin/audio/individualAudio?{query.replace('audio%2Fwav', 'text%2Fhtml')}")
    assert [page.status_code, page.text] == [400, "Invalid argument: Illegal mime type 'text/html'"]


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("audio?run=run&tag=pair&sample=2", 200),
        ("audio?run=run&tag=pair&sample=x", 400),
        ("audio?run=run", 400),
        ("audio?run=run&tag=none", 404),
        ("individualAudio", 400),
        ("individualAudio?blob_key=xx&content_type=audio/wav", 400),
    ],
)
def test_tensorboards_errors(path: str, status: int) -> None:
    """Where it answers with a crash, ours is the reader's fault."""
    assert sounds().get(f"/data/plugin/audio/{path}").status_code == status
