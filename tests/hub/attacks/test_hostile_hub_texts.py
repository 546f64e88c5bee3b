"""Hostile strings in every parameter, field, header and path: rejected or stored verbatim, never a server error.

Parameters, fields and path segments come from the OpenAPI document, so that new routes are covered too.
"""

import json
import pathlib
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

import pytest

from lightboard.hub.db.engine import Database
from support.hub_client import HubClient
from support.openapi_sweep import fill_path, find_failures, list_operations, resolve_schema
from support.personas import Personas

MANY = ",".join(f"a{number}" for number in range(8_000))
LONG = ["a" * 50_001, MANY, "%_\\" * 6_000]
"""Longer than anything that is kept, of many words, and with as many letters that mean something to a database."""
SHORT = [
    "\0",
    "a" * 4_096,
    "%_\\" * 60,
    "../" * 60,
    "'; --",
    "\r\nX-Injected: yes",
    "\u202e",
    "\uffff",
    "𝒳" * 60,
    "s3://",
    "dataset:",
]
SURROGATES = ["\ud800", "a\udfffb"]
"""JSON can spell them, UTF-8 cannot."""
DEEP = b'{"a":' * 60_000 + b"1" + b"}" * 60_000
BODIES = [
    DEEP, b"[" * 500_000, b"{", b"", b"null", b"[]", b'"a"', b"1", b"NaN", b"\xff\xfe", b"\0", b'{"a":1,"a":2}',
    b'{"name":' + b"9" * 100_000 + b"}", b'{"\\ud800":1}', b'{"labels":{"\\u0000":"\\u0000"}}',
]  # fmt: skip
JSON = {"content-type": "application/json"}


@pytest.fixture
def hub(database: Database, personas: Personas, tmp_path: pathlib.Path) -> Iterator[HubClient]:
    """With people and a project in it."""
    with HubClient(database, personas, tmp_path) as asked:
        yield asked


def is_text(schema: dict[str, Any]) -> bool:
    """May a text of any kind stand there?"""
    schema = resolve_schema(schema)
    free = schema.get("type") == "string" and "enum" not in schema and "const" not in schema
    return free or any(map(is_text, schema.get("anyOf", ())))


def test_text_parameters(hub: HubClient) -> None:
    """All query parameters, such as the search of a list."""
    swept, found = 0, []
    for method, path, operation in list_operations():
        for one in operation.get("parameters", ()):
            if one["in"] == "query" and is_text(one["schema"]):
                swept += 1
                filled = fill_path(path, hub)
                for text in (*LONG, "\0", "'; --", "𝒳"):
                    found += find_failures(hub, method, filled, params={one["name"]: text})

    assert (swept > 20, found) == (True, [])


def test_paths(hub: HubClient) -> None:
    """In place of every id or name."""
    swept, found = 0, []
    for method, path, _ in list_operations():
        if "{" in path:
            swept += 1
            for text in ("\0", "..", "%00", "a" * 4_096, "𝒳", "'"):
                parts = [quote(text, safe="") if part.startswith("{") else part for part in path.split("/")]
                found += find_failures(hub, method, "/".join(parts), content=b"{}", headers=JSON)

    assert (swept > 30, found) == (True, [])


def test_text_fields(hub: HubClient) -> None:
    """All request bodies; lists stay readable whatever was stored."""
    swept, found = 0, []
    for method, path, operation in list_operations():
        for content in operation.get("requestBody", {}).get("content", {}).values():
            schema = resolve_schema(content["schema"])
            for name, field in schema.get("properties", {}).items():
                filled = fill_path(path, hub)
                for value in hostile_values(field):
                    swept += 1
                    body = {**needed(schema), name: value}
                    found += find_failures(hub, method, filled, content=json.dumps(body).encode(), headers=JSON)

    assert (swept > 200, found) == (True, [])
    lists = [path for method, path, _ in list_operations() if method == "GET" and "{" not in path]
    assert [answer for path in lists for answer in find_failures(hub, "GET", path)] == []


def hostile_values(schema: dict[str, Any]) -> list[Any]:
    """For a field: texts, lists of them, tables from them and to them."""
    schema = resolve_schema(schema)
    texts: list[Any] = [*SHORT, *LONG, *SURROGATES]
    kinds = [schema, *map(resolve_schema, schema.get("anyOf", ()))]
    if any(kind.get("type") == "array" for kind in kinds):
        return [*([text] for text in texts), [{"uri": text} for text in texts], ["a"] * 10_000]
    if any(kind.get("type") == "object" for kind in kinds):
        return [
            *({text: "a"} for text in texts),
            *({"a": text} for text in texts),
            dict.fromkeys(map(str, range(9_999)), ""),
        ]
    return texts if is_text(schema) else []


def needed(schema: dict[str, Any]) -> dict[str, Any]:
    """A value for each field that must be there."""
    known = {"name": "fine", "sources": [{"uri": "/logs/x"}], "uri": "/logs/x", "kind": "path", "account": "viewer",
             "role": "viewer", "value": "/logs",
             "permissions": {}, "key": "key", "password": "password",
             "command": ["true"], "baseConfig": {}, "tensorboard": True}  # fmt: skip
    return {name: known[name] for name in schema.get("required", ())}


@pytest.mark.databases("sqlite")  # no database sees what cannot be read; a NUL in labels is among the fields
def test_bodies(hub: HubClient) -> None:
    """Invalid or deeply nested JSON."""
    found = []
    for method, path, operation in list_operations():
        if "requestBody" in operation:
            filled = fill_path(path, hub)
            for body in BODIES:
                found += find_failures(hub, method, filled, content=body, headers=JSON)

    assert found == []


def test_stored_fields_of_a_board_are_bounded(hub: HubClient) -> None:
    """So that a list of boards with maximal fields is bounded as well."""
    texts = {"display_name": "d" * 200, "origin_id": "o" * 200, "tags": [f"{n:064}" for n in range(16)]}
    labels = {f"{n:0200}": "v" * 200 for n in range(64)}
    body = {"sources": [{"uri": "/logs/" + "x" * 3_000}], **texts, "labels": labels, "project": "vision"}
    made = hub.request("POST", "/api/v1/tensorboards", "editor", body)
    longer = hub.request("POST", "/api/v1/tensorboards", "editor", {**body, "labels": {"k" * 201: ""}})

    assert (made.status_code, longer.status_code) == (201, 422)
    assert len(made.content) < 64_000


@pytest.mark.parametrize("header", ["Idempotency-Key", "Authorization", "Cookie"])
def test_text_headers(hub: HubClient, header: str) -> None:
    """With any content; the database is asked for these."""
    assert find_header_failures(hub, header) == []


@pytest.mark.databases("sqlite")
@pytest.mark.parametrize("header", ["X-CSRF-Token", "Accept", "Host"])
def test_text_headers_that_no_database_sees(hub: HubClient, header: str) -> None:
    """With any content."""
    assert find_header_failures(hub, header) == []


def find_header_failures(hub: HubClient, header: str) -> list[tuple[str, bytes, str]]:
    """Answers to every hostile text in a header that say that the hub failed."""
    found = []
    for text in [text.encode() for text in (*LONG, *SHORT)] + [
        b"\xff\xfe",
        b"Bearer",
        b"Bearer ",
        b"Basic Og==",
        b"a=b;" * 9_000,
    ]:
        for method, path, body in (("POST", "/api/v1/projects", b'{"name":"fresh"}'), ("GET", "/api/v1/me", b"")):
            for name in ("", "admin"):
                answer = hub.request(method, path, name, content=body, headers={**JSON, header: text})
                if answer.status_code >= 500:
                    found.append((header, text[:40], answer.text))
    return found


@pytest.mark.databases("sqlite")  # before any database is asked
def test_unknown_fields_are_refused_early(hub: HubClient) -> None:
    """No login is needed to send a body to the login route; errors do not echo long input."""
    many = b"{" + b",".join(b'"%x":1' % number for number in range(90_000)) + b"}"
    long = b'{"' + b"a" * 500_000 + b'":1}'
    answers = [hub.request("POST", "/api/v1/login", content=body, headers=JSON) for body in (many, long)]

    assert [answer.status_code for answer in answers] == [413, 422]
    assert max(len(answer.content) for answer in answers) < 1_000
