"""A request repeated with its Idempotency-Key gets the earlier response, for the same requester only."""

import pathlib
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from lightboard.hub.db import projects
from lightboard.hub.db.engine import Database
from lightboard.hub.resources.projects import Project
from lightboard.hub.resources.roles import Role
from support.hub_client import HubClient
from support.personas import Personas

A_DAY = 86_401.0
TOKEN = {"name": "ci", "scopes": ["read"]}
BOARD = {"sources": [{"uri": "/logs/secret-runs"}]}


@pytest.fixture
def hub(database: Database, personas: Personas, tmp_path: pathlib.Path) -> Iterator[HubClient]:
    """With people and a project in it."""
    with HubClient(database, personas, tmp_path) as asked:
        yield asked


def repeat(hub: HubClient, path: str, body: Any, name: str = "editor", **more: Any) -> httpx.Response:
    """A POST with a key that a program chose for all its runs."""
    headers = {"Idempotency-Key": "nightly", **more.pop("headers", {})}
    return hub.request("POST", f"/api/v1/{path}", name, body, headers=headers, **more)


def test_a_repeated_request_returns_the_same_token(hub: HubClient) -> None:
    """The first response was lost."""
    first, again = (repeat(hub, "tokens", TOKEN) for _ in range(2))

    assert first.json() == again.json()
    assert (
        hub.request("GET", "/api/v1/me", headers={"Authorization": f"Bearer {first.json()['secret']}"}).status_code
        == 200
    )


def test_an_old_key_returns_a_new_secret(hub: HubClient) -> None:
    """The earlier one may have leaked and been revoked."""
    first = repeat(hub, "tokens", TOKEN).json()
    hub.request("DELETE", f"/api/v1/tokens/{first['id']}", "editor")
    hub.now += A_DAY
    later = repeat(hub, "tokens", TOKEN)

    assert (later.status_code, later.json()["secret"] != first["secret"]) == (201, True)
    leaked = hub.request("GET", "/api/v1/me", headers={"Authorization": f"Bearer {first['secret']}"})
    assert leaked.status_code == 401


def test_secrets_are_not_stored(hub: HubClient, database: Database) -> None:
    """In no column of any table."""
    secret = repeat(hub, "tokens", TOKEN).json()["secret"]

    with database.engine.connect() as connection:
        kept = connection.exec_driver_sql("SELECT body FROM answers").all()
    assert len(kept) == 1
    assert secret not in str(kept)
    assert secret.removeprefix("lb_") not in str(kept)


def test_a_token_of_another_project_gets_no_stored_response(hub: HubClient, personas: Personas) -> None:
    """Although it repeats the request with the same key."""
    with hub.database.write() as session:
        projects.create(session, personas.editor, Project(id="", name="beta"), hub.now)
        projects.set_member(session, personas.admin, "beta", "editor", Role.OWNER, hub.now)
    narrow = {"name": "narrow", "scopes": ["read", "write"], "project": "beta"}
    secret = hub.request("POST", "/api/v1/tokens", "editor", narrow).json()["secret"]
    made = repeat(hub, "tensorboards", BOARD)

    answer = repeat(hub, "tensorboards", BOARD, "", headers={"Authorization": f"Bearer {secret}"})

    assert (made.status_code, answer.status_code) == (201, 403)
    assert made.json()["id"] not in answer.text


def test_a_narrow_token_gets_no_secret_of_a_wider_one(hub: HubClient) -> None:
    """It may create only tokens like itself."""
    wanted = {"name": "all", "scopes": ["read", "write", "admin"]}
    admin_only = hub.request("POST", "/api/v1/tokens", "editor", {"name": "x", "scopes": ["admin"]}).json()["secret"]
    made = repeat(hub, "tokens", wanted)

    answer = repeat(hub, "tokens", wanted, "", headers={"Authorization": f"Bearer {admin_only}"})

    assert (made.status_code, answer.status_code) == (201, 409)
    assert made.json()["secret"] not in answer.text


def test_stored_responses_belong_to_one_account(hub: HubClient) -> None:
    """Keys of accounts are independent."""
    made, other = repeat(hub, "tensorboards", BOARD), repeat(hub, "tensorboards", BOARD, "leader")

    assert (made.status_code, other.status_code) == (201, 201)
    assert made.json()["id"] != other.json()["id"]


def test_the_query_is_part_of_the_request(hub: HubClient, personas: Personas) -> None:
    """The same board name in another project is another request."""
    id = hub.create_running_board(name="curves")
    first = repeat(hub, f"tensorboards/{id}/shares?project=vision", {"expires_secs": 60}, "leader")
    other = repeat(hub, f"tensorboards/{id}/shares?project=default", {"expires_secs": 60}, "leader")

    assert (first.status_code, other.status_code) == (201, 409)
