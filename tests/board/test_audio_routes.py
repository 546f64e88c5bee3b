"""Audio routes, of the API and of TensorBoard."""

import struct
from typing import Any

import pytest

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
from support.board_client import BoardClient

FRAMES = struct.pack("<4h", 0, 16384, -16384, 32767)
WAV = (
    b"RIFF\x2c\0\0\0WAVEfmt \x10\0\0\0" + struct.pack("<HHIIHH", 1, 1, 8000, 16000, 2, 16) + b"data\x08\0\0\0" + FRAMES
)
PAGE = b"<html><script>alert(1)</script>"
META = summary_metadata("audio", varint_field(2, 11), display_name="Speech", description="*loud*")


def sounds() -> BoardClient:
    """An old value, a pair with labels, and a page that says it is a sound."""
    client = BoardClient({})
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
    client.memory.storage.write("run/events.out.tfevents.1", b"".join([version_record(), *records]))
    client.memory.refresh()
    return client


def named(client: BoardClient, tag: str, **more: Any) -> dict[str, Any]:
    """The parameters that name the first value of a tag."""
    key = client.post("/api/v1/values", json={"plugin": "audio", "tags": [tag]}).json()["series"][0]["keys"][0]
    return {"run": "run", "tag": tag, "at": key, **more}


def test_clips_are_described_from_their_headers() -> None:
    """With labels and errors."""
    client = sounds()

    told = {"channels": 1, "rate": 8000, "bits": 16, "frames": 4, "trouble": ""}
    nothing = {"channels": None, "rate": None, "bits": None, "frames": None}
    assert client.get("/api/v1/audio/clips", params=named(client, "pair")).json() == {
        "clips": [
            {"label": "dog", "size": len(WAV), **told},
            {"label": "cat", "size": 4, **nothing, "trouble": "the sound is not a WAV file"},
        ]
    }


def test_clips_are_streamed() -> None:
    """Whole or as a range."""
    client = sounds()

    whole = client.get("/api/v1/audio/data", params=named(client, "old"))
    part = client.get("/api/v1/audio/data", params=named(client, "pair"), headers={"range": "bytes=44-47"})
    assert [whole.status_code, whole.headers["content-type"], whole.content] == [200, "audio/wav", WAV]
    assert [part.status_code, part.headers["content-range"], part.content] == [
        206,
        f"bytes 44-47/{len(WAV)}",
        FRAMES[:4],
    ]


def test_other_bytes_are_never_executed() -> None:
    """Opened in a tab."""
    client = sounds()

    answer = client.get("/api/v1/audio/data", params=named(client, "page"))
    assert [answer.headers[name] for name in ("content-type", "x-content-type-options")] == [
        "application/octet-stream",
        "nosniff",
    ]
    assert "sandbox" in answer.headers["content-security-policy"]


def test_clips_can_be_downloaded() -> None:
    """With a descriptive name."""
    client = sounds()

    answer = client.get("/api/v1/audio/data", params=named(client, "pair", sample=1, save=True))
    assert answer.headers["content-disposition"] == 'attachment; filename="run-pair-1.bin"'


def test_waveform_outlines() -> None:
    """With the requested number of columns."""
    client = sounds()

    assert client.get("/api/v1/audio/peaks", params=named(client, "old", px=2)).json() == {
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
def test_errors_have_reasons(tag: str, more: dict[str, int], status: int, code: str) -> None:
    """Missing clips, invalid WAV, invalid parameters."""
    client = sounds()

    answer = client.get("/api/v1/audio/peaks", params=named(client, tag, **more))
    assert [answer.status_code, answer.json()["error"]["code"]] == [status, code]


def test_tensorboard_tags() -> None:
    """With maximal clip counts and descriptions."""
    words = {"displayName": "Speech", "description": "<p><em>loud</em></p>", "samples": 2}

    assert sounds().get("/data/plugin/audio/tags").json() == {
        "run": {
            "old": {"displayName": "old", "description": "", "samples": 1},
            "pair": words,
            "page": {"displayName": "", "description": "", "samples": 1},
        }
    }


def test_tensorboard_audio_links() -> None:
    """Opaque queries; two content types only."""
    client = sounds()

    (row,) = client.get("/data/plugin/audio/audio", params={"run": "run", "tag": "pair", "sample": "0"}).json()
    query = row.pop("query")
    assert row == {"wall_time": 11.0, "label": "", "step": 1, "contentType": "audio/wav"}
    answer = client.get(f"/data/plugin/audio/individualAudio?{query}")
    assert [answer.headers["content-type"], answer.content] == ["audio/wav", WAV]
    page = client.get(f"/data/plugin/audio/individualAudio?{query.replace('audio%2Fwav', 'text%2Fhtml')}")
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
def test_tensorboard_errors(path: str, status: int) -> None:
    """400 where TensorBoard crashes."""
    assert sounds().get(f"/data/plugin/audio/{path}").status_code == status
