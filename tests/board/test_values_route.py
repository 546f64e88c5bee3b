"""/api/v1/values: positions, contents and bytes of values."""

from typing import Any
from urllib.parse import urlencode

import pytest

from lightboard.board import media
from lightboard.events.payloads import MAX_STRINGS
from lightboard.testing.event_files import (
    BFLOAT16,
    FLOAT,
    STRING,
    bare_value,
    bytes_field,
    image_value,
    summary_metadata,
    summary_record,
    tensor,
    tensor_value,
    varint_field,
    version_record,
)
from support.board_client import BoardClient

FILE = "run/events.out.tfevents.0"
MINE = summary_metadata("mine")


def client_of(*values: bytes) -> BoardClient:
    """A board with a run `run`, whose values come at steps 0, 1, ..."""
    client = BoardClient({})
    records = [summary_record([value], step=step, wall_time=100.0 + step) for step, value in enumerate(values)]
    client.memory.storage.write(FILE, version_record() + b"".join(records))
    client.memory.refresh()
    return client


def keys_of(client: BoardClient, plugin: str = "mine") -> list[str]:
    """Keys of the only series."""
    return client.post("/api/v1/values", json={"plugin": plugin}).json()["series"][0]["keys"]


def question(at: str, tag: str = "t", plugin: str = "mine") -> dict[str, str]:
    return {"plugin": plugin, "run": "run", "tag": tag, "at": at}


def test_series_are_listed_with_steps_times_sizes_and_keys() -> None:
    """For each run with the tag."""
    values = [tensor_value("t", tensor(FLOAT, [1.0]), MINE), tensor_value("t", tensor(FLOAT, [2.0]))]
    client = client_of(*values)
    (series,) = client.post("/api/v1/values", json={"plugin": "mine", "tags": ["t", "gone"]}).json()["series"]
    assert len(set(series.pop("keys"))) == 2
    assert series == {"tag": "t", "run": 0, "steps": [0, 1], "walls": [100.0, 101.0], "sizes": [*map(len, values)]}


def test_value_bytes_are_exact() -> None:
    """As an attachment."""
    value = tensor_value("t", tensor(FLOAT, [1.0]), MINE)
    client = client_of(value)
    answer = client.get("/api/v1/values/raw", params=question(*keys_of(client)))
    assert (answer.content, answer.headers["content-type"]) == (value, "application/octet-stream")
    assert answer.headers["content-disposition"] == 'attachment; filename="run-t-0.pb"'
    assert "sandbox" in answer.headers["content-security-policy"]


def test_long_tags_make_short_headers() -> None:
    """Clients and proxies limit headers, file systems limit names; the extension stays."""
    tag = "a" * 60_000 + "b"
    value = tensor_value(tag, tensor(FLOAT, [1.0]), MINE)
    client = client_of(value)
    query = urlencode(question(*keys_of(client), tag))
    answer = client.post("/api/v1/values/raw", content=query, headers={"x-http-method-override": "GET"})

    assert answer.content == value
    assert answer.headers["content-disposition"] == f'attachment; filename="run-{"a" * 86}_{"a" * 83}b-0.pb"'


@pytest.mark.parametrize(
    ("asked", "status", "begin", "end"),
    [
        ("bytes=2-4", 206, 2, 5),
        ("bytes=3-", 206, 3, None),
        ("bytes=-4", 206, -4, None),
        ("bytes=0-999999", 206, 0, None),
        ("bytes=a-b", 200, 0, None),
        ("bytes=-", 200, 0, None),
    ],
)
def test_values_support_ranges(asked: str, status: int, begin: int, end: int | None) -> None:
    """Invalid ranges return everything."""
    value = tensor_value("t", tensor(FLOAT, [1.0, 2.0, 3.0], shape=(3,)), MINE)
    client = client_of(value)
    answer = client.get("/api/v1/values/raw", params=question(*keys_of(client)), headers={"range": asked})
    assert (answer.status_code, answer.content) == (status, value[begin:end])


def test_ranges_beyond_the_end_are_416() -> None:
    """With the size."""
    value = tensor_value("t", tensor(FLOAT, [1.0]), MINE)
    client = client_of(value)
    answer = client.get("/api/v1/values/raw", params=question(*keys_of(client)), headers={"range": "bytes=5000-"})
    assert (answer.status_code, answer.headers["content-range"]) == (416, f"bytes */{len(value)}")


def test_matching_etags_of_values_get_304() -> None:
    """By the ETag of the first answer."""
    client = client_of(tensor_value("t", tensor(FLOAT, [1.0]), MINE))
    url, params = "/api/v1/values/raw", question(*keys_of(client))
    tag = client.get(url, params=params).headers["etag"]
    answer = client.get(url, params=params, headers={"if-none-match": tag})
    assert (answer.status_code, answer.content) == (304, b"")


def test_unknown_keys_are_404() -> None:
    """With the tag in the message."""
    client = client_of(tensor_value("t", tensor(FLOAT, [1.0]), MINE))
    answer = client.get("/api/v1/values/raw", params=question("00000000.10"))
    assert (answer.status_code, answer.json()["error"]["code"]) == (404, "value_not_found")


def preview_of(value: bytes) -> dict[str, Any]:
    """What the preview says of a value at step 0."""
    client = client_of(value)
    return client.get("/api/v1/values/preview", params=question(*keys_of(client))).json()


@pytest.mark.parametrize(
    ("value", "told"),
    [
        (
            tensor_value("t", tensor(FLOAT, [1.0, 2.5], shape=(2, 1)), MINE),
            {"what": "tensor", "dtype": "float32", "shape": [2, 1], "numbers": [1.0, 2.5], "strings": []},
        ),
        (
            tensor_value("t", tensor(FLOAT, [0.5] * 100, shape=(100,), content=True), MINE),
            {"what": "tensor", "dtype": "float32", "shape": [100], "numbers": [0.5] * 24, "strings": []},
        ),
        (
            tensor_value("t", tensor(BFLOAT16, [0x3FC0, 0xBF80], shape=(2,), content=True), MINE),
            {"what": "tensor", "dtype": "bfloat16", "shape": [2], "numbers": [1.5, -1.0], "strings": []},
        ),
        (
            tensor_value("t", tensor(STRING, ["каша".encode(), b"\xff"], shape=(2,)), MINE),
            {"what": "tensor", "dtype": "string", "shape": [2], "numbers": [], "strings": ["каша", "\ufffd"]},
        ),
        (bare_value("t", MINE), {"what": "nothing", "dtype": "", "shape": [], "numbers": [], "strings": []}),
    ],
    ids=["numbers", "content", "bfloat16", "strings", "nothing"],
)
def test_previews_show_form_and_first_items(value: bytes, told: dict[str, Any]) -> None:
    """For any kind."""
    assert preview_of(value) == told


def test_huge_shapes_allocate_nothing() -> None:
    """One number with a shape of a trillion."""
    shape = bytes_field(2, bytes_field(2, varint_field(1, 10**12)))
    value = tensor_value("t", varint_field(1, FLOAT) + shape + bytes_field(5, b"\0\0\0\0"), MINE)
    assert preview_of(value) == {"what": "tensor", "dtype": "float32", "shape": [10**12], "numbers": [], "strings": []}


def test_too_many_strings_are_refused() -> None:
    """The bytes remain available."""
    value = tensor_value("t", tensor(STRING, [b""] * (MAX_STRINGS + 1), shape=(MAX_STRINGS + 1,)), MINE)
    assert preview_of(value)["error"]["code"] == "unshowable"


def test_old_value_forms_are_named() -> None:
    """Old images have no tensor."""
    client = client_of(image_value("t", b"\x89PNG"))
    told = client.get("/api/v1/values/preview", params=question(*keys_of(client, "images"), plugin="images")).json()
    assert told["what"] == "image"


def test_too_many_dimensions_are_malformed() -> None:
    """Whatever its size, it is malformed."""
    dimension = bytes_field(2, varint_field(1, 1))
    shape = bytes_field(2, dimension * 10_000)
    value = tensor_value("t", varint_field(1, FLOAT) + shape + bytes_field(5, b"\0\0\0\0"), MINE)
    assert preview_of(value)["error"]["code"] == "unshowable"


def test_etags_depend_on_all_bytes() -> None:
    """Also where they begin and end alike, as the ETag stands for all of them."""
    bodies = [b"x" * 9000, b"x" * 5000 + b"y" + b"x" * 3999]
    values = [tensor_value("t", tensor(STRING, [body], shape=(1,)), MINE) for body in bodies]
    client = client_of(values[0])
    url, params = "/api/v1/values/raw", question(*keys_of(client))
    first = client.get(url, params=params).headers["etag"]
    record = summary_record([values[1]], step=0, wall_time=100.0)
    client.memory.storage.write(FILE, version_record() + record)
    client.memory.refresh()
    answer = client.get(url, params=params, headers={"if-none-match": first})
    assert (answer.status_code, b"y" in answer.content, answer.headers["etag"] == first) == (200, True, False)


def test_large_values_have_no_etag(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ranges work, but not conditional ones."""
    monkeypatch.setattr(media, "WHOLE_BYTES", 10)
    value = tensor_value("t", tensor(FLOAT, [1.0]), MINE)
    client = client_of(value)
    url, params = "/api/v1/values/raw", question(*keys_of(client))
    some = client.get(url, params=params, headers={"range": "bytes=1-3"})
    other = client.get(url, params=params, headers={"range": "bytes=1-3", "if-range": '"x"'})
    assert ("etag" in some.headers, some.status_code, some.content) == (False, 206, value[1:4])
    assert (other.status_code, other.content) == (200, value)
