"""Every number that a request to the hub may hold, hostile: refused or passed over, never an error of the hub.

Parameters and fields are found in the hub's document, so that a new route is swept as well.
"""

import json
import pathlib
from collections.abc import Iterator
from typing import Any

import pytest
from cast import Cast
from hub_harness import HubHarness

from lightboard.hub.api.app import create_api, openapi
from lightboard.hub.db.engine import Database

HOSTILE = ["²", "٣", "1_0", "-1", "1.5", "1e999", "NaN", "", "9" * 19, "9" * 20, "1" + "0" * 21, "9" * 5_000]
HOSTILE_JSON = [-1, 1.5, 2**63, 10**21, int("9" * 4_000), 1e300, "²", "1e999", "9" * 5_000, True, [], {}]
DOCUMENT = openapi(create_api())
PEOPLE = ("editor", "admin")


@pytest.fixture
def hub(database: Database, cast: Cast, tmp_path: pathlib.Path) -> Iterator[HubHarness]:
    """With people and a project in it."""
    with HubHarness(database, cast, tmp_path) as asked:
        yield asked


def resolved(schema: dict[str, Any]) -> dict[str, Any]:
    """A schema without references at its top."""
    while "$ref" in schema:
        schema = DOCUMENT["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
    return schema


def is_number(schema: dict[str, Any]) -> bool:
    """May a number stand there?"""
    schema = resolved(schema)
    return schema.get("type") in ("integer", "number") or any(map(is_number, schema.get("anyOf", ())))


def filled(path: str, hub: HubHarness) -> str:
    """A path with the names of things that are there."""
    board = hub.cast.board().id if "{id}" in path else ""
    return path.replace("{id}", board).replace("{workspace}", "default").replace("{project}", "default")


def operations() -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Method, path and operation of every route."""
    for path, methods in DOCUMENT["paths"].items():
        for method, operation in methods.items():
            yield method.upper(), path, operation


def failures(hub: HubHarness, method: str, path: str, **more: Any) -> list[tuple[str, str, str]]:
    """Answers that say that the hub failed."""
    answers = [(who, hub.ask(method, path, who, **more)) for who in PEOPLE]
    return [(who, f"{method} {path[:200]}", answer.text) for who, answer in answers if answer.status_code >= 500]


def test_parameters(hub: HubHarness) -> None:
    """Of every route, the page of a list for one."""
    swept, found = 0, []
    for method, path, operation in operations():
        for one in operation.get("parameters", ()):
            if one["in"] == "query" and is_number(one["schema"]):
                swept += 1
                for text in HOSTILE:
                    found += failures(hub, method, filled(path, hub), params={one["name"]: text})

    assert (swept >= 6, found) == (True, [])


def test_fields(hub: HubHarness) -> None:
    """Of every body."""
    swept, found = 0, []
    for method, path, operation in operations():
        for content in operation.get("requestBody", {}).get("content", {}).values():
            for name, field in resolved(content["schema"]).get("properties", {}).items():
                if is_number(field):
                    swept += 1
                    for value in HOSTILE_JSON:
                        sent = json.dumps({"name": "x", "sources": ["/logs/x"], name: value}).encode()
                        headers = {"content-type": "application/json"}
                        found += failures(hub, method, filled(path, hub), content=sent, headers=headers)

    assert (swept >= 3, found) == (True, [])


@pytest.mark.parametrize("name", ["If-Match", "Last-Event-ID", "Content-Length", "Range", "If-None-Match"])
def test_headers(hub: HubHarness, name: str) -> None:
    """A version that is none, a cursor that is none; a stream with a cursor that is none begins now."""
    board = f"/api/v1/tensorboards/{hub.cast.board().id}"
    asked = [("PATCH", board, {"content": b"{}"}), ("GET", board, {}), ("GET", "/api/v1/watch", {}), ("GET", "/", {})]
    found = []
    for text in HOSTILE:
        for form in ("{}", '"{}"', 'W/"{}"', "bytes={}-", "bytes=0-{}", "bytes=-{}"):
            headers = {name: form.format(text).encode(), "content-type": "application/json"}
            for method, path, more in asked:
                found += failures(hub, method, path, headers=headers, **more)

    assert found == []


def test_whole_numbers_have_bounds() -> None:
    """What a route takes fits the columns of both databases, also times the size of a page."""
    loose = [
        (path, one["name"])
        for _, path, operation in operations()
        for one in operation.get("parameters", ())
        if one["schema"].get("type") == "integer" and one["schema"].get("maximum", 2**64) > 2**53
    ]
    assert loose == []
