"""Every text that a request to the hub may hold, hostile: refused or kept as it is, never an error of the hub.

Parameters, fields and parts of paths are found in the hub's document, so that a new route is swept as well.
"""

import json
import pathlib
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

import pytest
from cast import Cast
from hub_harness import HubHarness
from test_numbers_sent_to_the_hub import failures, filled, operations, resolved

from lightboard.hub.db.engine import Database

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
def hub(database: Database, cast: Cast, tmp_path: pathlib.Path) -> Iterator[HubHarness]:
    """With people and a project in it."""
    with HubHarness(database, cast, tmp_path) as asked:
        yield asked


def is_text(schema: dict[str, Any]) -> bool:
    """May a text of any kind stand there?"""
    schema = resolved(schema)
    free = schema.get("type") == "string" and "enum" not in schema and "const" not in schema
    return free or any(map(is_text, schema.get("anyOf", ())))


def test_parameters(hub: HubHarness) -> None:
    """Of every route, the search of a list for one."""
    swept, found = 0, []
    for method, path, operation in operations():
        for one in operation.get("parameters", ()):
            if one["in"] == "query" and is_text(one["schema"]):
                swept += 1
                for text in (*LONG, "\0", "'; --", "𝒳"):
                    found += failures(hub, method, filled(path, hub), params={one["name"]: text})

    assert (swept > 20, found) == (True, [])


def test_paths(hub: HubHarness) -> None:
    """Whatever stands where an id or a name should."""
    swept, found = 0, []
    for method, path, _ in operations():
        if "{" in path:
            swept += 1
            for text in ("\0", "..", "%00", "a" * 4_096, "𝒳", "'"):
                parts = [quote(text, safe="") if part.startswith("{") else part for part in path.split("/")]
                found += failures(hub, method, "/".join(parts), content=b"{}", headers=JSON)

    assert (swept > 30, found) == (True, [])


def test_fields(hub: HubHarness) -> None:
    """Of every body; what was refused or kept leaves all lists as readable as they were."""
    swept, found = 0, []
    for method, path, operation in operations():
        for content in operation.get("requestBody", {}).get("content", {}).values():
            schema = resolved(content["schema"])
            for name, field in schema.get("properties", {}).items():
                for value in hostile_values(field):
                    swept += 1
                    body = {**needed(schema), name: value}
                    found += failures(hub, method, filled(path, hub), content=json.dumps(body).encode(), headers=JSON)

    assert (swept > 200, found) == (True, [])
    lists = [path for method, path, _ in operations() if method == "GET" and "{" not in path]
    assert [answer for path in lists for answer in failures(hub, "GET", path)] == []


def hostile_values(schema: dict[str, Any]) -> list[Any]:
    """For a field: texts, lists of them, tables from them and to them."""
    schema = resolved(schema)
    texts: list[Any] = [*SHORT, *LONG, *SURROGATES]
    kinds = [schema, *map(resolved, schema.get("anyOf", ()))]
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
             "role": "viewer", "value": "/logs", "permissions": {}, "key": "key", "password": "password"}  # fmt: skip
    return {name: known[name] for name in schema.get("required", ())}


def test_bodies(hub: HubHarness) -> None:
    """That are no JSON, or are very deep."""
    found = []
    for method, path, operation in operations():
        if "requestBody" in operation:
            for body in BODIES:
                found += failures(hub, method, filled(path, hub), content=body, headers=JSON)

    assert found == []


def test_what_is_kept_of_a_board_is_bounded(hub: HubHarness) -> None:
    """So that a list of them is: everything as long as it may be."""
    texts = {"display_name": "d" * 200, "origin_id": "o" * 200, "tags": [f"{n:064}" for n in range(16)]}
    labels = {f"{n:0200}": "v" * 200 for n in range(64)}
    body = {"sources": [{"uri": "/logs/" + "x" * 3_000}], **texts, "labels": labels, "project": "vision"}
    made = hub.ask("POST", "/api/v1/tensorboards", "editor", body)
    longer = hub.ask("POST", "/api/v1/tensorboards", "editor", {**body, "labels": {"k" * 201: ""}})

    assert (made.status_code, longer.status_code) == (201, 422)
    assert len(made.content) < 64_000


@pytest.mark.parametrize("header", ["Idempotency-Key", "Authorization", "Cookie", "X-CSRF-Token", "Accept", "Host"])
def test_headers(hub: HubHarness, header: str) -> None:
    """Whatever they hold."""
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
                answer = hub.ask(method, path, name, content=body, headers={**JSON, header: text})
                if answer.status_code >= 500:
                    found.append((header, text[:40], answer.text))

    assert found == []


def test_a_body_of_wrong_fields_is_refused_before_it_is_looked_at(hub: HubHarness) -> None:
    """Nobody has to be logged in to send one to the login; and nothing long is said back."""
    many = b"{" + b",".join(b'"%x":1' % number for number in range(90_000)) + b"}"
    long = b'{"' + b"a" * 500_000 + b'":1}'
    answers = [hub.ask("POST", "/api/v1/login", content=body, headers=JSON) for body in (many, long)]

    assert [answer.status_code for answer in answers] == [413, 422]
    assert max(len(answer.content) for answer in answers) < 1_000
