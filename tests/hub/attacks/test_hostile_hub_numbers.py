"""Hostile numbers in every parameter, field and header: rejected or ignored, never a server error.

Parameters and fields come from the OpenAPI document, so that new routes are covered too.
"""

import json
import pathlib
from collections.abc import Iterator
from typing import Any

import pytest

from lightboard.hub.db.engine import Database
from support.hub_client import HubClient
from support.openapi_sweep import fill_path, find_failures, list_operations, resolve_schema
from support.personas import Personas

HOSTILE = ["²", "٣", "1_0", "-1", "1.5", "1e999", "NaN", "", "9" * 19, "9" * 20, "1" + "0" * 21, "9" * 5_000]
HOSTILE_JSON = [-1, 1.5, 2**63, 10**21, int("9" * 4_000), 1e300, "²", "1e999", "9" * 5_000, True, [], {}]


@pytest.fixture
def hub(database: Database, personas: Personas, tmp_path: pathlib.Path) -> Iterator[HubClient]:
    """With people and a project in it."""
    with HubClient(database, personas, tmp_path) as asked:
        yield asked


def is_number(schema: dict[str, Any]) -> bool:
    """May a number stand there?"""
    schema = resolve_schema(schema)
    return schema.get("type") in ("integer", "number") or any(map(is_number, schema.get("anyOf", ())))


def test_parameters(hub: HubClient) -> None:
    """All numeric query parameters."""
    swept, found = 0, []
    for method, path, operation in list_operations():
        for one in operation.get("parameters", ()):
            if one["in"] == "query" and is_number(one["schema"]):
                swept += 1
                filled = fill_path(path, hub)
                for text in HOSTILE:
                    found += find_failures(hub, method, filled, params={one["name"]: text})

    assert (swept >= 6, found) == (True, [])


def test_fields(hub: HubClient) -> None:
    """All numeric fields of request bodies."""
    swept, found = 0, []
    for method, path, operation in list_operations():
        for content in operation.get("requestBody", {}).get("content", {}).values():
            for name, field in resolve_schema(content["schema"]).get("properties", {}).items():
                if is_number(field):
                    swept += 1
                    filled = fill_path(path, hub)
                    for value in HOSTILE_JSON:
                        sent = json.dumps({"name": "x", "sources": ["/logs/x"], name: value}).encode()
                        headers = {"content-type": "application/json"}
                        found += find_failures(hub, method, filled, content=sent, headers=headers)

    assert (swept >= 3, found) == (True, [])


@pytest.mark.parametrize("name", ["If-Match", "Last-Event-ID"])
def test_versions_and_cursors(hub: HubClient, name: str) -> None:
    """What the database is asked for; a stream with an invalid cursor starts now."""
    assert find_header_failures(hub, name) == []


@pytest.mark.databases("sqlite")
@pytest.mark.parametrize("name", ["Content-Length", "Range", "If-None-Match"])
def test_headers(hub: HubClient, name: str) -> None:
    """What no database learns of."""
    assert find_header_failures(hub, name) == []


def find_header_failures(hub: HubClient, name: str) -> list[tuple[str, str, str]]:
    """Answers to every hostile number in a header that say that the hub failed."""
    board = f"/api/v1/tensorboards/{hub.personas.create_board().id}"
    asked = [("PATCH", board, {"content": b"{}"}), ("GET", board, {}), ("GET", "/api/v1/watch", {}), ("GET", "/", {})]
    found = []
    for text in HOSTILE:
        for form in ("{}", '"{}"', 'W/"{}"', "bytes={}-", "bytes=0-{}", "bytes=-{}"):
            headers = {name: form.format(text).encode(), "content-type": "application/json"}
            for method, path, more in asked:
                found += find_failures(hub, method, path, headers=headers, **more)
    return found


def test_integers_have_upper_bounds() -> None:
    """Values fit the columns of both databases, also multiplied by the page size."""
    loose = [
        (path, one["name"])
        for _, path, operation in list_operations()
        for one in operation.get("parameters", ())
        if one["schema"].get("type") == "integer" and one["schema"].get("maximum", 2**64) > 2**53
    ]
    assert loose == []
