"""Hostile numbers in every parameter, field and header: rejected or ignored, never a server error.

Parameters and fields come from the OpenAPI document, so that new routes are covered too; TensorBoard's routes have no
document and are listed here.
"""

import json
from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest

from lightboard.board.api import every_endpoint
from lightboard.board.openapi import document
from lightboard.schema.model import MAX_WHOLE
from lightboard.testing.event_files import STRING, summary_metadata, tensor, tensor_record, version_record
from support.board_client import BoardClient, start_threads

HOSTILE = ["²", "٣", "1_0", "-1", "1.5", "1e999", "NaN", "0x10", "", " ", "%00", "9" * 20, "1" + "0" * 21, "9" * 5_000]
HOSTILE_JSON = [-1, 1.5, 10**21, int("9" * 4_000), "²", "1e999", float("1e300"), True, None, [], {}, "9" * 5_000]

TENSORBOARD = [
    "/data/plugin/scalars/scalars?run=run&tag=loss&sample={}",
    "/data/plugin/images/images?run=run&tag=loss&sample={}",
    "/data/plugin/audio/audio?run=run&tag=loss&sample={}",
    "/data/plugin/mesh/meshes?run=run&tag=loss&sample={}",
    "/data/plugin/mesh/data?run=run&tag=loss&content_type=VERTEX&step={}",
    "/data/plugin/mesh/data?run=run&tag=loss&content_type=VERTEX&sample={}",
    "/data/plugin/projector/tensor?run=run&name=loss&num_rows={}",
    "/data/plugin/projector/metadata?run=run&name=loss&num_rows={}",
    "/data/plugin/graphs/graph?run=run&limit_attr_size={}",
    "/data/plugin/timeseries/imageData?imageId={}",
    "/data/plugin/images/individualImage?blob_key={}",
    "/data/plugin/audio/individualAudio?content_type=audio/wav&blob_key={}",
]


@pytest.fixture(scope="module")
def board() -> BoardClient:
    """A board with a text, whose bytes can be asked for."""
    made = BoardClient()
    record = tensor_record("note", 0, tensor(STRING, [b"0123456789"]), 10.0, summary_metadata("text"))
    made.memory.storage.write("run/events.out.tfevents.1", version_record() + record)
    made.memory.refresh()
    start_threads(made.shared.pool)
    return made


def resolved(schema: dict[str, Any], everything: dict[str, Any]) -> dict[str, Any]:
    """A schema without references at its top."""
    while "$ref" in schema:
        schema = everything["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
    return schema


def is_number(schema: dict[str, Any], everything: dict[str, Any]) -> bool:
    """May a number stand there?"""
    schema = resolved(schema, everything)
    return schema.get("type") in ("integer", "number") or any(
        is_number(one, everything) for one in (*schema.get("anyOf", ()), *schema.get("oneOf", ()))
    )


def filler(schema: dict[str, Any], everything: dict[str, Any]) -> Any:
    """Something that fits a schema more or less."""
    schema = resolved(schema, everything)
    if "anyOf" in schema:
        return filler(schema["anyOf"][0], everything)
    if "enum" in schema or "const" in schema:
        return schema.get("const", schema.get("enum", [None])[0])
    match schema.get("type"):
        case "object":
            needed, fields = schema.get("required", ()), schema.get("properties", {})
            return {name: filler(fields[name], everything) for name in needed}
        case "array":
            return [filler(schema["items"], everything)] * schema.get("minItems", 0)
        case "integer" | "number":
            return schema.get("minimum", 1)
        case "boolean":
            return True
    return "loss"


def number_fields(schema: dict[str, Any], everything: dict[str, Any]) -> list[str]:
    """Names of fields of an object that may hold numbers, or lists of them."""
    found = []
    for name, field in resolved(schema, everything).get("properties", {}).items():
        inner = resolved(field, everything)
        if is_number(field, everything) or is_number(inner.get("items", {}), everything):
            found.append(name)
    return found


def operations() -> Iterator[tuple[str, str, dict[str, Any], dict[str, Any]]]:
    """Method, path, operation, and the whole document."""
    everything = document(every_endpoint())
    for path, methods in everything["paths"].items():
        for method, operation in methods.items():
            yield method.upper(), path.replace("{id}", "x"), operation, everything


def parameters() -> list[tuple[str, str, str]]:
    """Path, the query that it needs besides, and the parameter that is a number."""
    found = []
    for _, path, operation, everything in operations():
        given = [each for each in operation.get("parameters", ()) if each["in"] == "query"]
        for one in given:
            if is_number(one["schema"], everything):
                others = [each for each in given if each.get("required") and each is not one]
                found.append((path, "&".join(f"{each['name']}=loss" for each in others), one["name"]))
    return found


def bodies() -> list[tuple[str, str, dict[str, Any], str]]:
    """Method, path, a body, and the field that holds a number."""
    found = []
    for method, path, operation, everything in operations():
        for content in operation.get("requestBody", {}).get("content", {}).values():
            body = filler(content["schema"], everything)
            found += [(method, path, body, name) for name in number_fields(content["schema"], everything)]
    return found


def test_the_sweep_finds_parameters() -> None:
    """The sweep finds what it looks for."""
    assert len(parameters()) >= 10
    assert len(bodies()) >= 5


@pytest.mark.parametrize(("path", "others", "name"), parameters())
def test_api_parameters(board: BoardClient, path: str, others: str, name: str) -> None:
    """4xx with a reason, or a valid response."""
    statuses = {text: board.get(f"{path}?{others}&{name}={text}").status_code for text in HOSTILE}

    assert {text: status for text, status in statuses.items() if status >= 500} == {}


@pytest.mark.parametrize(("method", "path", "body", "name"), bodies())
def test_api_fields(board: BoardClient, method: str, path: str, body: dict[str, Any], name: str) -> None:
    """As numbers and in lists."""
    headers = {"content-type": "application/json"}
    for value in HOSTILE_JSON:
        for given in (value, [value], {"a": value}):
            sent = json.dumps({**body, name: given}).encode()
            answer = board.request(method, path, content=sent, headers=headers)
            assert answer.status_code < 500, (name, str(given)[:60], answer.text)


def test_integers_are_bounded_to_64_bits() -> None:
    """A whole number that a question holds fits 64 bits, so that nothing behind it overflows."""

    def unbounded(schema: Any) -> list[Any]:
        if isinstance(schema, list):
            return [found for each in schema for found in unbounded(each)]
        if not isinstance(schema, dict):
            return []
        free = schema.get("type") == "integer" and not {"enum", "const"} & set(schema)
        own = [schema] if free and schema.get("maximum", 2**64) > MAX_WHOLE else []
        return own + [found for each in schema.values() for found in unbounded(each)]

    loose = []
    for _, path, operation, everything in operations():
        loose += [(path, each["name"]) for each in operation.get("parameters", ()) if unbounded(each["schema"])]
        for content in operation.get("requestBody", {}).get("content", {}).values():
            loose += [(path, found) for found in unbounded(resolved(content["schema"], everything))]
    assert loose == []


@pytest.mark.parametrize("url", TENSORBOARD)
def test_tensorboard_parameters(board: BoardClient, url: str) -> None:
    """Refused, or nothing found."""
    statuses = {text: board.get(url.format(text)).status_code for text in HOSTILE}

    assert {text: status for text, status in statuses.items() if status >= 500} == {}


@pytest.mark.parametrize("value", HOSTILE_JSON, ids=lambda value: str(value)[:20])
def test_tensorboard_json(board: BoardClient, value: Any) -> None:
    """Messages and lists."""
    asked = [{"plugin": "images", "tag": "loss", "run": "run", "sample": value}]
    groups = [{"startIndex": value}, {"sliceSize": value}, {"colParams": [{"filterInterval": {"minValue": value}}]}]

    assert board.post("/data/plugin/timeseries/timeSeries", data={"requests": json.dumps(asked)}).status_code < 500
    for question in groups:
        for given in (question, {**question, "allowedStatuses": [value]}, {"aggregationType": value}):
            assert board.post("/data/plugin/hparams/session_groups", json=given).status_code < 500


@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: text[:25])
def test_range_headers(board: BoardClient, text: str) -> None:
    """Invalid ones are ignored; those past the end are 416."""
    key = board.post("/api/v1/values", json={"plugin": "text"}).json()["series"][0]["keys"][0]
    url = f"/api/v1/text/data?run=run&tag=note&at={key}"
    found = {
        form: board.get(url, headers={"range": form.format(text).encode()}).status_code
        for form in ("bytes={0}-", "bytes=-{0}", "bytes=0-{0}", "bytes={0}-{0}")
    }

    digits = text.isascii() and text.isdigit()
    expected = [416, 206, 206, 416] if digits else [200, 200, 200, 200]
    if not text.strip():
        expected = [200, 200, 206, 200]
    if text == "-1":
        expected = [200, 200, 200, 200]
    assert list(found.values()) == expected


@pytest.mark.parametrize("name", ["content-length", "last-event-id", "if-match", "if-none-match", "if-range"])
def test_other_headers(board: BoardClient, name: str) -> None:
    """Whatever a header says."""
    statuses = {}
    for path, text in product(("/api/v1/runs", "/api/v1/scalars/chart", "/data/runs"), HOSTILE):
        headers = {name: text.encode()}
        statuses["POST", path, text] = board.request("POST", path, content=b"{}", headers=headers).status_code
        statuses["GET", path, text] = board.get(path, headers=headers).status_code

    assert {asked: status for asked, status in statuses.items() if status >= 500} == {}


def test_value_keys(board: BoardClient) -> None:
    """Hexadecimal numbers of any length."""
    for digits in ("f" * 5_000, "²", "-1", "0x1", "1_0", "٣"):
        answer = board.get("/api/v1/text/value", params={"run": "run", "tag": "note", "at": f"00000000.{digits}"})
        assert answer.status_code in (400, 404)
