"""Promises about permissions over HTTP: what administrators set, and what then happens at the doors."""

from typing import Any

from cast import folder
from hub_harness import HubHarness

from lightboard.hub.access import Permission
from lightboard.hub.resources.tensorboards import Access

PERMISSIONS = "/api/v1/permissions"


def defaults(hub: HubHarness) -> dict[str, bool]:
    """What the hub permits."""
    return {item["name"]: item["allowed"] for item in hub.ask("GET", PERMISSIONS, "admin").json()["items"]}


def refuse(hub: HubHarness, *permissions: str) -> None:
    """An administrator takes something from everybody."""
    body = {"permissions": dict.fromkeys(permissions, False)}
    assert hub.ask("PATCH", PERMISSIONS, "admin", body).status_code == 200


def except_for(hub: HubHarness, name: str, **wanted: bool | None) -> Any:
    """An administrator makes an exception for somebody: the account as it then is."""
    answer = hub.ask("PATCH", f"/api/v1/accounts/{name}", "admin", {"permissions": wanted})
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_defaults_are_set_one_by_one(hub: HubHarness) -> None:
    """What is not named stays; each has a sentence for people."""
    refuse(hub, "create_projects", "run_without_end")

    assert defaults(hub) == {
        "use_tensorboards": True,
        "create_projects": False,
        "share_publicly": True,
        "disable_http_auth": True,
        "run_without_end": False,
    }
    assert all(item["what"] for item in hub.ask("GET", PERMISSIONS, "admin").json()["items"])
    wrong = hub.ask("PATCH", PERMISSIONS, "admin", {"permissions": {"fly": True}})
    assert wrong.status_code == 422


def test_an_account_says_what_it_is_permitted(hub: HubHarness) -> None:
    """To itself as well, at once; an administrator is permitted everything."""
    refuse(hub, *Permission)
    told = except_for(hub, "editor", create_projects=True, use_tensorboards=False)

    assert (told["permissions"], told["own_permissions"]) == (
        ["create_projects"],
        {"create_projects": True, "use_tensorboards": False},
    )
    me = hub.ask("GET", "/api/v1/me", "editor").json()
    assert (me["account"]["permissions"], "projects.create" in me["hub_rights"]) == (["create_projects"], True)
    assert [right for each in me["memberships"] for right in each["rights"] if right.startswith("tensorboards.")] == []
    admin = hub.ask("GET", "/api/v1/me", "admin").json()
    assert set(admin["account"]["permissions"]) == {*map(str, Permission)}
    assert except_for(hub, "editor", create_projects=None)["own_permissions"] == {"use_tensorboards": False}


def test_who_may_not_use_tensorboards_is_told_at_every_door(hub: HubHarness) -> None:
    """In lists, of one board, at its link and in the stream of news; everybody else goes on."""
    board = hub.running(access=Access.PROJECT, sources=(folder("/logs/runs"),))
    except_for(hub, "editor", use_tensorboards=False)

    paths = ("/api/v1/tensorboards", f"/api/v1/tensorboards/{board}", f"/tb/{board}/", "/api/v1/watch")
    for path in paths:
        answer = hub.ask("GET", path, "editor")
        assert answer.status_code == 403
        assert "not permitted to use TensorBoards at all" in answer.text
    assert hub.ask("GET", f"/api/v1/tensorboards/{board}", "viewer").status_code == 200


def test_public_links_close_with_the_permission_of_the_owner(hub: HubHarness) -> None:
    """For strangers; the project still sees the board. The stranger needs to be permitted boards as well."""
    board = hub.running(access=Access.LINK)
    seen = [door(hub, board, "stranger")]
    except_for(hub, "stranger", use_tensorboards=False)
    seen.append(door(hub, board, "stranger"))
    except_for(hub, "stranger", use_tensorboards=None)
    except_for(hub, "editor", share_publicly=False)
    seen += [door(hub, board, "stranger"), door(hub, board, "viewer")]

    assert seen == [True, False, False, True]


def test_boards_without_login_close_with_the_permission_of_the_owner(hub: HubHarness) -> None:
    """And open again with it."""
    board = hub.running(http_auth=False)
    seen = [door(hub, board)]
    for allowed in (False, True):
        except_for(hub, "editor", disable_http_auth=allowed)
        seen.append(door(hub, board))

    assert seen == [True, False, True]


def test_one_may_not_permit_oneself(hub: HubHarness) -> None:
    """By no field of one's own account."""
    refuse(hub, "create_projects")
    for field in ("permissions", "own_permissions"):
        answer = hub.ask("PATCH", "/api/v1/me", "editor", {field: {"create_projects": True}})
        assert answer.status_code == 422
    assert hub.ask("POST", "/api/v1/projects", "editor", {"name": "mine"}).status_code == 403


def door(hub: HubHarness, board: str, name: str = "") -> bool:
    """Whether somebody is let in to a board; nobody answers behind the door of a fake launcher, which is enough."""
    return hub.ask("GET", f"/tb/{board}/", name).status_code not in (303, 401, 403, 404)
