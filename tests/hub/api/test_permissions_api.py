"""Permissions over HTTP and their effects."""

from typing import Any

import pytest

from lightboard.hub.access import Permission
from lightboard.hub.resources.tensorboards import Access
from support.hub_client import HubClient
from support.personas import folder_source

pytestmark = pytest.mark.databases("sqlite")  # the SQL is tested in tests/hub/db

PERMISSIONS = "/api/v1/permissions"


def defaults(hub: HubClient) -> dict[str, bool]:
    """What the hub permits."""
    return {item["name"]: item["allowed"] for item in hub.request("GET", PERMISSIONS, "admin").json()["items"]}


def refuse(hub: HubClient, *permissions: str) -> None:
    """An administrator takes something from everybody."""
    body = {"permissions": dict.fromkeys(permissions, False)}
    assert hub.request("PATCH", PERMISSIONS, "admin", body).status_code == 200


def except_for(hub: HubClient, name: str, **wanted: bool | None) -> Any:
    """An administrator makes an exception for somebody: the account as it then is."""
    answer = hub.request("PATCH", f"/api/v1/accounts/{name}", "admin", {"permissions": wanted})
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_defaults_are_set_individually(hub: HubClient) -> None:
    """Others stay; each has a description."""
    refuse(hub, "create_projects", "run_without_end")

    assert defaults(hub) == {
        "use_tensorboards": True,
        "create_projects": False,
        "share_publicly": True,
        "disable_http_auth": True,
        "run_without_end": False,
        "run_jobs": True,
    }
    assert all(item["what"] for item in hub.request("GET", PERMISSIONS, "admin").json()["items"])
    wrong = hub.request("PATCH", PERMISSIONS, "admin", {"permissions": {"fly": True}})
    assert wrong.status_code == 422


@pytest.mark.databases("sqlite", "postgres")
def test_accounts_list_their_permissions(hub: HubClient) -> None:
    """Administrators have all."""
    refuse(hub, *Permission)
    told = except_for(hub, "editor", create_projects=True, use_tensorboards=False)

    assert (told["permissions"], told["own_permissions"]) == (
        ["create_projects"],
        {"create_projects": True, "use_tensorboards": False},
    )
    me = hub.request("GET", "/api/v1/me", "editor").json()
    assert (me["account"]["permissions"], "projects.create" in me["hub_rights"]) == (["create_projects"], True)
    assert [right for each in me["memberships"] for right in each["rights"] if right.startswith("tensorboards.")] == []
    admin = hub.request("GET", "/api/v1/me", "admin").json()
    assert set(admin["account"]["permissions"]) == {*map(str, Permission)}
    assert except_for(hub, "editor", create_projects=None)["own_permissions"] == {"use_tensorboards": False}


def test_tensorboards_need_a_permission_everywhere(hub: HubClient) -> None:
    """In lists, single boards, their links and the change stream; other accounts are not affected."""
    board = hub.create_running_board(access=Access.PROJECT, sources=(folder_source("/logs/runs"),))
    except_for(hub, "editor", use_tensorboards=False)

    paths = ("/api/v1/tensorboards", f"/api/v1/tensorboards/{board}", f"/tb/{board}/", "/api/v1/watch")
    for path in paths:
        answer = hub.request("GET", path, "editor")
        assert answer.status_code == 403
        assert "not permitted to use TensorBoards at all" in answer.text
    assert hub.request("GET", f"/api/v1/tensorboards/{board}", "viewer").status_code == 200


def test_boards_open_to_all_accounts_need_the_owners_permission(hub: HubClient) -> None:
    """Without it, only the project sees them."""
    board = hub.create_running_board(access=Access.LINK)
    seen = [door(hub, board, "stranger")]
    except_for(hub, "stranger", use_tensorboards=False)
    seen.append(door(hub, board, "stranger"))
    except_for(hub, "stranger", use_tensorboards=None)
    except_for(hub, "editor", share_publicly=False)
    seen += [door(hub, board, "stranger"), door(hub, board, "viewer")]

    assert seen == [True, False, False, True]


def test_public_boards_need_the_owners_permission(hub: HubClient) -> None:
    """Granting it again reopens them."""
    board = hub.create_running_board(http_auth=False)
    seen = [door(hub, board)]
    for allowed in (False, True):
        except_for(hub, "editor", disable_http_auth=allowed)
        seen.append(door(hub, board))

    assert seen == [True, False, True]


def test_accounts_cannot_grant_themselves_permissions(hub: HubClient) -> None:
    """By any field."""
    refuse(hub, "create_projects")
    for field in ("permissions", "own_permissions"):
        answer = hub.request("PATCH", "/api/v1/me", "editor", {field: {"create_projects": True}})
        assert answer.status_code == 422
    assert hub.request("POST", "/api/v1/projects", "editor", {"name": "mine"}).status_code == 403


def door(hub: HubClient, board: str, name: str = "") -> bool:
    """Whether somebody is let in to a board; nobody answers behind the door of a fake launcher, which is enough."""
    return hub.request("GET", f"/tb/{board}/", name).status_code not in (303, 401, 403, 404)
