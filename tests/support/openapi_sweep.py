"""Requests to every route of the hub, found in its OpenAPI document."""

import functools
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlencode

import httpx

from lightboard.hub.api.app import create_api, openapi
from support.hub_client import HubClient

ACCOUNTS = ("editor", "admin")


@functools.cache
def document() -> dict[str, Any]:
    """The OpenAPI document. Not made at import, since each worker imports the tests that others run."""
    return openapi(create_api())


def resolve_schema(schema: dict[str, Any]) -> dict[str, Any]:
    """A schema without references at its top."""
    while "$ref" in schema:
        schema = document()["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
    return schema


def fill_path(path: str, hub: HubClient) -> str:
    """A path with the names of things that are there."""
    id = ""
    if "{id}" in path:
        id = hub.personas.create_job().id if "/jobs/" in path else hub.personas.create_board().id
    return path.replace("{id}", id).replace("{workspace}", "default").replace("{project}", "default")


def list_operations() -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Method, path and operation of every route."""
    for path, methods in document()["paths"].items():
        for method, operation in methods.items():
            yield method.upper(), path, operation


def find_failures(
    hub: HubClient, method: str, path: str, params: dict[str, str] | None = None, **more: Any
) -> list[tuple[str, str, str]]:
    """Answers that say that the hub failed."""
    if params:  # httpx looks at each letter of a long URL five times
        more["extensions"] = {"target": f"{path}?{urlencode(params)}".encode()}
    headers = [{"Authorization": f"Bearer {hub.token(who)}", **more.get("headers", {})} for who in ACCOUNTS]

    async def ask() -> list[httpx.Response]:
        """One account after the other, in one visit to the hub's thread."""
        return [await hub.open_session().ask(method, path, **{**more, "headers": each}) for each in headers]

    answers = zip(ACCOUNTS, hub.run(ask()), strict=True)
    return [(who, f"{method} {path[:200]}", answer.text) for who, answer in answers if answer.status_code >= 500]
