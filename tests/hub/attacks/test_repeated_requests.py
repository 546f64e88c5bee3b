"""A request that is repeated with its Idempotency-Key gets the answer of then: who has made it, and nobody else."""

import pathlib
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from cast import Cast
from hub_harness import HubHarness

from lightboard.hub.db import projects
from lightboard.hub.db.engine import Database
from lightboard.hub.resources.projects import Project
from lightboard.hub.resources.roles import Role

A_DAY = 86_401.0
TOKEN = {"name": "ci", "scopes": ["read"]}
BOARD = {"sources": [{"uri": "/logs/secret-runs"}]}


@pytest.fixture
def hub(database: Database, cast: Cast, tmp_path: pathlib.Path) -> Iterator[HubHarness]:
    """With people and a project in it."""
    with HubHarness(database, cast, tmp_path) as asked:
        yield asked


def repeat(hub: HubHarness, path: str, body: Any, name: str = "editor", **more: Any) -> httpx.Response:
    """A POST with a key that a program chose for all its runs."""
    headers = {"Idempotency-Key": "nightly", **more.pop("headers", {})}
    return hub.ask("POST", f"/api/v1/{path}", name, body, headers=headers, **more)


def test_a_repeated_token_is_the_same(hub: HubHarness) -> None:
    """Its secret was lost on the way."""
    first, again = (repeat(hub, "tokens", TOKEN) for _ in range(2))

    assert first.json() == again.json()
    assert (
        hub.ask("GET", "/api/v1/me", headers={"Authorization": f"Bearer {first.json()['secret']}"}).status_code == 200
    )


def test_a_key_that_is_used_again_later_gives_another_secret(hub: HubHarness) -> None:
    """The one of then may have leaked, and was ended for that."""
    first = repeat(hub, "tokens", TOKEN).json()
    hub.ask("DELETE", f"/api/v1/tokens/{first['id']}", "editor")
    hub.now += A_DAY
    later = repeat(hub, "tokens", TOKEN)

    assert (later.status_code, later.json()["secret"] != first["secret"]) == (201, True)
    leaked = hub.ask("GET", "/api/v1/me", headers={"Authorization": f"Bearer {first['secret']}"})
    assert leaked.status_code == 401


def test_no_secret_is_kept(hub: HubHarness, database: Database) -> None:
    """In no column of any table."""
    secret = repeat(hub, "tokens", TOKEN).json()["secret"]

    with database.engine.connect() as connection:
        kept = connection.exec_driver_sql("SELECT body FROM answers").all()
    assert len(kept) == 1
    assert secret not in str(kept)
    assert secret.removeprefix("lb_") not in str(kept)


def test_a_token_of_another_project_gets_no_answer_of_the_account(hub: HubHarness, cast: Cast) -> None:
    """Although it asks for the same with the same key."""
    with hub.database.write() as session:
        projects.create(session, cast.editor, Project(id="", name="beta"), hub.now)
        projects.set_member(session, cast.admin, "beta", "editor", Role.OWNER, hub.now)
    narrow = {"name": "narrow", "scopes": ["read", "write"], "project": "beta"}
    secret = hub.ask("POST", "/api/v1/tokens", "editor", narrow).json()["secret"]
    made = repeat(hub, "tensorboards", BOARD)

    answer = repeat(hub, "tensorboards", BOARD, "", headers={"Authorization": f"Bearer {secret}"})

    assert (made.status_code, answer.status_code) == (201, 403)
    assert made.json()["id"] not in answer.text


def test_a_token_for_less_gets_no_secret_of_one_for_more(hub: HubHarness) -> None:
    """It may make tokens, but only such as itself."""
    wanted = {"name": "all", "scopes": ["read", "write", "admin"]}
    admin_only = hub.ask("POST", "/api/v1/tokens", "editor", {"name": "x", "scopes": ["admin"]}).json()["secret"]
    made = repeat(hub, "tokens", wanted)

    answer = repeat(hub, "tokens", wanted, "", headers={"Authorization": f"Bearer {admin_only}"})

    assert (made.status_code, answer.status_code) == (201, 409)
    assert made.json()["secret"] not in answer.text


def test_nobody_gets_the_answer_of_another_account(hub: HubHarness) -> None:
    """Keys are each account's own."""
    made, other = repeat(hub, "tensorboards", BOARD), repeat(hub, "tensorboards", BOARD, "leader")

    assert (made.status_code, other.status_code) == (201, 201)
    assert made.json()["id"] != other.json()["id"]


def test_the_query_is_part_of_the_request(hub: HubHarness, cast: Cast) -> None:
    """The same board by its name in another project is another request."""
    id = hub.running(name="curves")
    first = repeat(hub, f"tensorboards/{id}/shares?project=vision", {"expires_secs": 60}, "leader")
    other = repeat(hub, f"tensorboards/{id}/shares?project=default", {"expires_secs": 60}, "leader")

    assert (first.status_code, other.status_code) == (201, 409)
