"""Promises about what accounts are permitted, besides their roles."""

from dataclasses import replace
from typing import Any

import pytest
from acts import happen, running, settled
from cast import AT, Cast

from lightboard.errors import NotFound, PermissionDenied
from lightboard.hub import lifecycle
from lightboard.hub.access import PERMISSIONS, Permission
from lightboard.hub.db import accounts, audit, permissions, projects, shares, tensorboards
from lightboard.hub.resources.projects import Project
from lightboard.hub.resources.tensorboards import LONGEST_SECS, Access, Tensorboard
from lightboard.schema.audit import AuditQuestion

USE = Permission.USE_TENSORBOARDS
OPTIONS: list[tuple[Permission, dict[str, Any]]] = [
    (Permission.SHARE_PUBLICLY, {"access": Access.LINK}),
    (Permission.DISABLE_HTTP_AUTH, {"http_auth": False}),
    (Permission.RUN_WITHOUT_END, {"life_span_secs": 0.0}),
    (Permission.RUN_WITHOUT_END, {"life_span_secs": LONGEST_SECS + 1}),
    (Permission.RUN_WITHOUT_END, {"idle_timeout_secs": 0.0}),
    (Permission.RUN_WITHOUT_END, {"idle_timeout_secs": LONGEST_SECS + 1}),
]


def own(cast: Cast, name: str, wanted: dict[Permission, bool | None]) -> None:
    """An administrator makes exceptions for somebody."""
    with cast.database.write() as session:
        accounts.set_permissions(session, cast.admin, cast.people[name].account, wanted, AT)
        account = accounts.get(session, cast.admin, cast.people[name].account)
        cast.people[name] = accounts.principal(session, account)


def test_a_new_hub_permits_what_the_program_says(cast: Cast) -> None:
    """To everybody who is no administrator."""
    with cast.database.write() as session:
        for permission in Permission:
            permissions.settings.remove(session, f"{permissions.SETTING}{permission}")
        has = {name: permissions.of_account(session, cast.people[name].account) for name in ("owner", "stranger")}

    built_in = {permission for permission, grant in PERMISSIONS.items() if grant.by_default}
    assert has == {"owner": built_in, "stranger": built_in}
    assert cast.admin.permissions == set(Permission)


def test_exceptions_are_made_and_taken_back(cast: Cast) -> None:
    """And both are in the audit, as the defaults are."""
    cast.permit(USE)
    own(cast, "editor", {Permission.CREATE_PROJECTS: True, USE: False})
    assert cast.editor.permissions == {Permission.CREATE_PROJECTS}
    own(cast, "editor", {USE: True})
    own(cast, "editor", {Permission.CREATE_PROJECTS: None, USE: None})
    assert cast.editor.permissions == {USE}
    with cast.database.write() as session:
        accounts.set_default_permissions(session, cast.admin, {USE: False}, AT)
        events = audit.find(session, cast.admin, AuditQuestion(action="permissions.change"))[0]

    assert [(event.target, event.details) for event in events[:2]] == [
        ("", {"use_tensorboards": False}),
        (cast.editor.account, {"create_projects": None, "use_tensorboards": None}),
    ]


@pytest.mark.parametrize("name", ["owner", "editor", "stranger"])
def test_only_administrators_permit(cast: Cast, name: str) -> None:
    """Nobody to themselves."""
    who = cast.people[name]
    with cast.database.write() as session:
        with pytest.raises(PermissionDenied):
            accounts.set_permissions(session, who, who.account, {USE: True}, AT)
        with pytest.raises(PermissionDenied):
            accounts.set_default_permissions(session, who, {USE: True}, AT)


def test_projects_are_made_by_whom_it_is_permitted(cast: Cast) -> None:
    """One clear refusal, which says who can help; an administrator needs no permission."""
    cast.permit(USE)
    with cast.database.write() as session:
        with pytest.raises(PermissionDenied) as raised:
            projects.create(session, cast.owner, Project(id="", name="mine"), AT)
        projects.create(session, cast.admin, Project(id="", name="theirs"), AT)
    assert (raised.value.message, raised.value.hint) == (
        "this account is not permitted to make projects",
        "an administrator of the hub can permit it: create_projects",
    )


def test_who_may_not_use_tensorboards_hears_it(cast: Cast) -> None:
    """Of boards they could see it is no secret that they are there; of others it stays one."""
    own_board, private = cast.board(cast.editor), cast.board(cast.owner, name="private")
    cast.permit(*(set(Permission) - {USE}))
    with cast.database.write() as session:
        for right in ("tensorboards.get", "tensorboards.open", "tensorboards.delete"):
            with pytest.raises(PermissionDenied, match="not permitted to use TensorBoards at all"):
                tensorboards.get(session, cast.editor, own_board.id, right)
        with pytest.raises(NotFound):
            tensorboards.get(session, cast.editor, private.id)
    with pytest.raises(PermissionDenied, match="not permitted to use TensorBoards at all"):
        cast.board(cast.editor)


@pytest.mark.parametrize(("permission", "options"), OPTIONS)
def test_a_board_is_what_its_owner_is_permitted(cast: Cast, permission: Permission, options: dict[str, Any]) -> None:
    """When it is made and when it is changed, by its owner or somebody else."""
    plain = cast.board(access=Access.PROJECT)
    cast.permit(*(set(Permission) - {permission}))
    own(cast, "leader", {permission: True})

    with pytest.raises(PermissionDenied, match="this account is not permitted to"):
        cast.board(cast.editor, **options)
    assert cast.board(cast.leader, **options).status == "Pending"
    said = []
    for who in (cast.editor, cast.leader, cast.admin):
        with cast.database.write() as session, pytest.raises(PermissionDenied) as raised:
            tensorboards.change(session, who, plain.id, options, AT)
        said.append(raised.value.message.partition(" is not permitted")[0])
    assert said == ["this account", *["editor, who owns this TensorBoard,"] * 2]

    own(cast, "editor", {permission: True})
    with cast.database.write() as session:
        tensorboards.change(session, cast.editor, plain.id, options, AT)


def test_what_a_board_is_already_may_stay(cast: Cast) -> None:
    """A change of something else asks for nothing."""
    board = cast.board(access=Access.LINK, http_auth=False, life_span_secs=0.0)
    cast.permit(USE)
    with cast.database.write() as session:
        after = tensorboards.change(session, cast.editor, board.id, {"display_name": "other"}, AT)
    assert after == replace(board, display_name="other", version=2, spec_version=2, updated_at=AT)


def test_time_is_added_up_to_thirty_days_from_now(cast: Cast) -> None:
    """Again and again, by somebody who comes back."""
    cast.permit(USE)
    board = running(cast, cast.board(life_span_secs=LONGEST_SECS))
    later = AT + LONGEST_SECS / 2
    with cast.database.write() as session:
        half = {"additional_secs": LONGEST_SECS / 2}
        assert tensorboards.extend(session, cast.editor, board.id, later, **half).life_span_secs == 1.5 * LONGEST_SECS
    for more in (half, {"total_secs": 0.0}):
        with cast.database.write() as session, pytest.raises(PermissionDenied, match="more than 30 days"):
            tensorboards.extend(session, cast.editor, board.id, later, **more)


def test_an_endless_board_goes_on_but_is_not_started_again(cast: Cast) -> None:
    """Not by anybody, before it has a life span."""
    board = running(cast, cast.board(life_span_secs=0.0, access=Access.PROJECT))
    cast.permit(USE)
    stopped = settled(cast, happen(cast, cast.editor, board, lifecycle.StopRequested()), lifecycle.BoardEnded())
    for who in (cast.editor, cast.owner):
        with pytest.raises(PermissionDenied, match="editor, who owns this TensorBoard, is not permitted to run"):
            happen(cast, who, stopped, lifecycle.StartRequested())
    with cast.database.write() as session:
        tensorboards.change(session, cast.editor, board.id, {"life_span_secs": 60.0}, AT)
    assert happen(cast, cast.editor, stopped, lifecycle.StartRequested()).status == "Pending"


def test_links_of_who_may_share_no_more_are_closed(cast: Cast) -> None:
    """Until they may again; no new one is made."""
    board = cast.board(access=Access.PROJECT)
    with cast.database.write() as session:
        share = shares.create(session, cast.leader, board.id, 60.0, AT)
    opened: list[Tensorboard | None] = []
    for allowed in (False, True):
        own(cast, "leader", {Permission.SHARE_PUBLICLY: allowed})
        with cast.database.read() as session:
            opened.append(shares.opened(session, share.id, AT))
    assert opened == [None, board]

    cast.permit(USE)
    with cast.database.write() as session, pytest.raises(PermissionDenied, match="outside their project"):
        shares.create(session, cast.editor, board.id, 60.0, AT)
