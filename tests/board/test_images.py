"""Image routes, of the API and of TensorBoard."""

from typing import Any

import pytest

from lightboard.config import BoardSettings
from lightboard.events.images import MAX_SAMPLES
from lightboard.query.provider import CatalogProvider
from lightboard.testing.encoded_images import gif, png
from lightboard.testing.event_files import (
    STRING,
    bytes_field,
    image_value,
    scalar_record,
    summary_metadata,
    summary_record,
    tensor,
    tensor_record,
    tensor_value,
    version_record,
)
from lightboard.testing.fakes import MemoryBoard
from support.board_client import BoardClient

SVG = b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>"
IMAGES = summary_metadata("images")


def client(*records: bytes, **settings: Any) -> BoardClient:
    """A board with one run `run` of these records."""
    memory = MemoryBoard({"run/events.out.tfevents.1": version_record() + b"".join(records)})
    provider = CatalogProvider(memory.catalog, BoardSettings(logdir="memory", **settings))
    return BoardClient(provider=provider, **settings)


def old(step: int, encoded: bytes) -> bytes:
    """An image as torch writes it, whose writer lies about its size."""
    return summary_record([image_value("photo", encoded, width=7, height=9)], step=step, wall_time=100.0 + step)


def batch(step: int, *encoded: bytes) -> bytes:
    """A batch of images as tf.summary writes it."""
    strings = [b"7", b"9", *encoded]
    return tensor_record("photo", step, tensor(STRING, strings, shape=[len(strings)]), 100.0 + step, IMAGES)


def keys(board: BoardClient) -> list[str]:
    """Keys of the values of `photo`."""
    answer = board.post("/api/v1/values", json={"plugin": "images", "tags": ["photo"]}).json()
    return [key for series in answer["series"] for key in series["keys"]]


def described(board: BoardClient, **question: Any) -> list[dict[str, Any]]:
    """What is said of the values of `photo`."""
    values = [{"run": "run", "at": key} for key in keys(board)]
    answer: list[dict[str, Any]] = board.post(
        "/api/v1/images", json={"tag": "photo", "values": values} | question
    ).json()["values"]
    return answer


def data(board: BoardClient, value: int = 0, **query: Any) -> Any:
    """One image of `photo`."""
    return board.get("/api/v1/images/data", params={"run": "run", "tag": "photo", "at": keys(board)[value]} | query)


def test_images_are_described() -> None:
    """Sizes come from the images, not from the writer."""
    small, large = png(3, 2), png(5, 4)
    one = {"media_type": "image/png", "width": 3, "height": 2, "whole": True, "size_bytes": len(small)}
    other = {"media_type": "image/png", "width": 5, "height": 4, "whole": True, "size_bytes": len(large)}
    assert described(client(old(1, small), batch(2, small, large))) == [
        {"count": 1, "images": [one], "error": ""},
        {"count": 2, "images": [one, other], "error": ""},
    ]


def test_image_lists_are_paged() -> None:
    """`first` and `most`; the count is complete."""
    found = described(client(batch(0, *[png(width, 1) for width in range(1, 10)])), first=3, most=2)
    assert [(one["count"], [image["width"] for image in one["images"]]) for one in found] == [(9, [4, 5])]


def test_empty_batches() -> None:
    """tf.summary writes them with max_outputs=0."""
    assert described(client(batch(0))) == [{"count": 0, "images": [], "error": ""}]


def test_image_counts_are_bounded() -> None:
    """The first ones are available."""
    found = described(client(batch(0, *[b""] * 1_000_000)), most=1)
    assert found == [
        {
            "count": MAX_SAMPLES,
            "images": [
                {"media_type": "application/octet-stream", "width": 0, "height": 0, "whole": True, "size_bytes": 0}
            ],
            "error": "",
        }
    ]


def test_truncated_batches_keep_complete_images() -> None:
    """Other values are not affected."""
    torn = tensor_value("photo", bytes_field(8, b"7") + bytes_field(8, b"9") + b"\x42\xff\xff", IMAGES)
    found = described(client(summary_record([torn], step=0), old(1, png(3, 2))))
    assert [(one["count"], one["error"]) for one in found] == [(0, ""), (1, "")]


def test_unknown_keys_are_errors_in_place() -> None:
    """Other items are not affected."""
    board = client(old(1, png(3, 2)))
    values = [{"run": "run", "at": "00000000.0"}, {"run": "run", "at": keys(board)[0]}]
    found = board.post("/api/v1/images", json={"tag": "photo", "values": values}).json()["values"]
    assert [(one["count"], bool(one["error"])) for one in found] == [(0, True), (1, False)]


@pytest.mark.parametrize(("encoded", "media_type"), [(png(3, 2), "image/png"), (gif(3, 2), "image/gif")])
def test_image_bytes_are_exact(encoded: bytes, media_type: str) -> None:
    """Content type from the bytes, sandboxed."""
    answer = data(client(old(1, encoded)))
    assert answer.content == encoded
    told = {
        name: answer.headers.get(name) for name in ("content-type", "content-disposition", "x-content-type-options")
    }
    assert told == {
        "content-type": media_type,
        "content-disposition": None,
        "x-content-type-options": "nosniff",
    }
    assert "sandbox" in answer.headers["content-security-policy"]


def test_images_are_chosen_by_index() -> None:
    """By its number."""
    board = client(batch(2, b"first", png(3, 2)))
    assert [data(board, sample=number).content for number in (0, 1)] == [b"first", png(3, 2)]


def test_unknown_indices_are_404() -> None:
    """In our words."""
    answer = data(client(old(1, png(3, 2))), sample=1)
    assert [answer.status_code, answer.json()["error"]["code"]] == [404, "value_not_found"]


def test_svg_and_html_are_attachments() -> None:
    """They could run scripts."""
    answer = data(client(old(1, SVG)))
    told = [answer.headers[name] for name in ("content-type", "content-disposition")]
    assert told == ["application/octet-stream", 'attachment; filename="run-photo-1-0.bin"']
    assert answer.content == SVG


def test_images_can_be_downloaded() -> None:
    """Named by run, tag, step and index."""
    answer = data(client(old(4, png(3, 2))), save=1)
    assert answer.headers["content-disposition"] == 'attachment; filename="run-photo-4-0.png"'


def test_images_support_ranges() -> None:
    """As of any file."""
    board = client(old(1, png(3, 2)))
    answer = board.get(
        "/api/v1/images/data",
        params={"run": "run", "tag": "photo", "at": keys(board)[0]},
        headers={"range": "bytes=1-3"},
    )
    assert [answer.status_code, answer.content] == [206, b"PNG"]


# TensorBoard's addresses


def test_tensorboard_image_tags() -> None:
    """With maximal counts; newer plugin versions are skipped."""
    later = tensor_record("later", 0, tensor(STRING, [b"1", b"1", b""]), 0.0, summary_metadata("images", b"\x08\x01"))
    board = client(batch(1, b"a"), batch(2, b"a", b"b"), later, scalar_record("loss", 0, 1.0))
    assert board.get("/data/plugin/images/tags").json() == {
        "run": {"photo": {"displayName": "", "description": "", "samples": 2}}
    }
    assert board.get("/data/plugin/timeseries/tags").json()["images"] == {
        "tagDescriptions": {},
        "tagRunSampledInfo": {"photo": {"run": {"maxSamplesPerStep": 2}}},
    }


def test_tensorboard_image_lists() -> None:
    """Steps without that index are omitted."""
    board = client(batch(1, b"a"), batch(2, png(1, 1), png(3, 2)))
    listed = board.get("/data/plugin/images/images?run=run&tag=photo&sample=1").json()
    assert [(one["wall_time"], one["step"]) for one in listed] == [(102.0, 2)]
    answer = board.get(f"/data/plugin/images/individualImage?{listed[0]['query']}")
    assert [answer.headers["content-type"], answer.content] == ["image/png", png(3, 2)]


def test_samples_per_plugin_limits_images() -> None:
    """Ten by default; 0 means all."""
    records = [old(step, png(1, 1)) for step in range(30)]
    counts = []
    for settings in ({}, {"samples": {"images": 4}}, {"samples": {"images": 0}}):
        board = client(*records, **settings)
        counts.append(len(board.get("/data/plugin/images/images?run=run&tag=photo").json()))
    assert counts == [10, 4, 30]


def test_time_series_images() -> None:
    """/timeSeries and /imageData."""
    board = client(old(3, png(3, 2)))
    requests = (
        '[{"plugin": "images", "tag": "photo", "run": "run", "sample": 0},'
        ' {"plugin": "images", "tag": "photo", "run": "run", "sample": 9},'
        ' {"plugin": "images", "tag": "photo", "run": "run", "sample": "x"}]'
    )
    first, beyond, wrong = board.get("/data/plugin/timeseries/timeSeries", params={"requests": requests}).json()
    (image,) = first["runToSeries"]["run"]
    assert [image["wallTime"], image["step"], beyond["runToSeries"], wrong["error"]] == [103.0, 3, {}, "Missing sample"]
    assert board.get(f"/data/plugin/timeseries/imageData?imageId={image['imageId']}").content == png(3, 2)


@pytest.mark.parametrize(
    ("url", "answer"),
    [
        ("images/images?run=run&tag=nope", (404, "Not found: No image data for run='run', tag='nope'")),
        ("images/images?run=run&tag=photo&sample=x", (400, "Invalid argument: sample must be a number: 'x'")),
        ("images/individualImage", (400, "Invalid argument: Invalid run, tag, index, or sample")),
        ("images/individualImage?blob_key=xx", (400, "Invalid argument: Invalid blob key")),
        ("images/individualImage?blob_key=W10", (400, "Invalid argument: Invalid blob key")),
        ("timeseries/imageData?imageId=", (400, "Invalid argument: Missing 'imageId' field")),
    ],
)
def test_invalid_image_requests_are_refused(url: str, answer: tuple[int, str]) -> None:
    """With TensorBoard's messages where it has any."""
    found = client(old(3, png(3, 2))).get(f"/data/plugin/{url}")
    assert (found.status_code, found.text) == answer
