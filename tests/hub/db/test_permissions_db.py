"""Permissions of accounts, beyond their roles."""

from dataclasses import replace
from typing import Any

import pytest

from lightboard.errors import NotFound, PermissionDenied
from lightboard.hub import lifecycle
from lightboard.hub.access import PERMISSIONS, Permission
from lightboard.hub.db import accounts, audit, permissions, projects, shares, tensorboards
from lightboard.hub.resources.projects import Project
from lightboard.hub.resources.tensorboards import LONGEST_SECS, Access, Tensorboard
from lightboard.schema.audit import AuditRequest
from lightboard.schema.life_spans import ExtendLifeSpan
from support.board_events import apply_event, apply_events, mark_running
from support.personas import START_TIME, Personas

USE = Permission.USE_TENSORBOARDS
OPTIONS: list[tuple[Permission, dict[str, Any]]] = [
    (Permission.SHARE_PUBLICLY, {"access": Access.LINK}),
    (Permission.DISABLE_HTTP_AUTH, {"http_auth": False}),
    (Permission.RUN_WITHOUT_END, {"life_span_secs": 0.0}),
    (Permission.RUN_WITHOUT_END, {"life_span_secs": LONGEST_SECS + 1}),
    (Permission.RUN_WITHOUT_END, {"idle_timeout_secs": 0.0}),
    (Permission.RUN_WITHOUT_END, {"idle_timeout_secs": LONGEST_SECS + 1}),
]


def own(personas: Personas, name: str, wanted: dict[Permission, bool | None]) -> None:
    """An administrator makes exceptions for somebody."""
    with personas.database.write() as session:
        accounts.set_permissions(session, personas.admin, personas.people[name].account, wanted, START_TIME)
        account = accounts.get(session, personas.admin, personas.people[name].account)
        personas.people[name] = accounts.principal_of(session, account)


def test_a_new_hub_has_default_permissions(personas: Personas) -> None:
    """For everybody but administrators."""
    with personas.database.write() as session:
        for permission in Permission:
            permissions.settings.remove(session, f"{permissions.SETTING}{permission}")
        has = {name: permissions.of_account(session, personas.people[name].account) for name in ("owner", "stranger")}

    built_in = {permission for permission, grant in PERMISSIONS.items() if grant.by_default}
    assert has == {"owner": built_in, "stranger": built_in}
    assert personas.admin.permissions == set(Permission)


def test_exceptions_can_be_set_and_removed(personas: Personas) -> None:
    """The audit records them and the defaults."""
    personas.set_permissions(USE)
    own(personas, "editor", {Permission.CREATE_PROJECTS: True, USE: False})
    assert personas.editor.permissions == {Permission.CREATE_PROJECTS}
    own(personas, "editor", {USE: True})
    own(personas, "editor", {Permission.CREATE_PROJECTS: None, USE: None})
    assert personas.editor.permissions == {USE}
    with personas.database.write() as session:
        accounts.set_default_permissions(session, personas.admin, {USE: False}, START_TIME)
        events = audit.find(session, personas.admin, AuditRequest(action="permissions.change"))[0]

    assert [(event.target, event.details) for event in events[:2]] == [
        ("", {"use_tensorboards": False}),
        (personas.editor.account, {"create_projects": None, "use_tensorboards": None}),
    ]


@pytest.mark.parametrize("name", ["owner", "editor", "stranger"])
def test_only_administrators_set_permissions(personas: Personas, name: str) -> None:
    """Nobody to themselves."""
    who = personas.people[name]
    with personas.database.write() as session:
        with pytest.raises(PermissionDenied):
            accounts.set_permissions(session, who, who.account, {USE: True}, START_TIME)
        with pytest.raises(PermissionDenied):
            accounts.set_default_permissions(session, who, {USE: True}, START_TIME)


def test_creating_projects_needs_a_permission(personas: Personas) -> None:
    """The error says who can help; administrators need no permission."""
    personas.set_permissions(USE)
    with personas.database.write() as session:
        with pytest.raises(PermissionDenied) as raised:
            projects.create(session, personas.owner, Project(id="", name="mine"), START_TIME)
        projects.create(session, personas.admin, Project(id="", name="theirs"), START_TIME)
    assert (raised.value.message, raised.value.hint) == (
        "this account is not permitted to create projects",
        "an administrator of the hub can permit it: create_projects",
    )


def test_missing_tensorboard_permission_is_reported(personas: Personas) -> None:
    """For boards they could otherwise see; others stay hidden."""
    own_board, private = personas.create_board(personas.editor), personas.create_board(personas.owner, name="private")
    personas.set_permissions(*(set(Permission) - {USE}))
    with personas.database.write() as session:
        for right in ("tensorboards.get", "tensorboards.open", "tensorboards.delete"):
            with pytest.raises(PermissionDenied, match="not permitted to use TensorBoards at all"):
                tensorboards.get(session, personas.editor, own_board.id, right)
        with pytest.raises(NotFound):
            tensorboards.get(session, personas.editor, private.id)
    with pytest.raises(PermissionDenied, match="not permitted to use TensorBoards at all"):
        personas.create_board(personas.editor)


@pytest.mark.parametrize(("permission", "options"), OPTIONS)
def test_board_settings_need_the_owners_permission(
    personas: Personas, permission: Permission, options: dict[str, Any]
) -> None:
    """On creation and on change, by the owner or by others."""
    plain = personas.create_board(access=Access.PROJECT)
    personas.set_permissions(*(set(Permission) - {permission}))
    own(personas, "leader", {permission: True})

    with pytest.raises(PermissionDenied, match="this account is not permitted to"):
        personas.create_board(personas.editor, **options)
    assert personas.create_board(personas.leader, **options).status == "Pending"
    said = []
    for who in (personas.editor, personas.leader, personas.admin):
        with personas.database.write() as session, pytest.raises(PermissionDenied) as raised:
            tensorboards.change(session, who, plain.id, options, START_TIME)
        said.append(raised.value.message.partition(" is not permitted")[0])
    assert said == ["this account", *["editor, who owns this TensorBoard,"] * 2]

    own(personas, "editor", {permission: True})
    with personas.database.write() as session:
        tensorboards.change(session, personas.editor, plain.id, options, START_TIME)


def test_existing_settings_need_no_permission(personas: Personas) -> None:
    """Changing something else is allowed."""
    board = personas.create_board(access=Access.LINK, http_auth=False, life_span_secs=0.0)
    personas.set_permissions(USE)
    with personas.database.write() as session:
        after = tensorboards.change(session, personas.editor, board.id, {"display_name": "other"}, START_TIME)
    assert after == replace(board, display_name="other", version=2, spec_version=2, updated_at=START_TIME)


def test_a_life_span_extends_to_30_days_from_now(personas: Personas) -> None:
    """Repeatedly."""
    personas.set_permissions(USE)
    board = mark_running(personas, personas.create_board(life_span_secs=LONGEST_SECS))
    later = START_TIME + LONGEST_SECS / 2
    with personas.database.write() as session:
        half = ExtendLifeSpan(additional_secs=LONGEST_SECS / 2)
        assert tensorboards.extend(session, personas.editor, board.id, half, later).life_span_secs == 1.5 * LONGEST_SECS
    for more in (half, ExtendLifeSpan(total_secs=0.0)):
        with personas.database.write() as session, pytest.raises(PermissionDenied, match="more than 30 days"):
            tensorboards.extend(session, personas.editor, board.id, more, later)


def test_a_board_without_life_span_cannot_be_restarted(personas: Personas) -> None:
    """It keeps running, but a start needs a life span."""
    board = mark_running(personas, personas.create_board(life_span_secs=0.0, access=Access.PROJECT))
    personas.set_permissions(USE)
    stopped = apply_events(
        personas, apply_event(personas, personas.editor, board, lifecycle.StopRequested()), lifecycle.BoardEnded()
    )
    for who in (personas.editor, personas.owner):
        with pytest.raises(PermissionDenied, match="editor, who owns this TensorBoard, is not permitted to run"):
            apply_event(personas, who, stopped, lifecycle.StartRequested())
    with personas.database.write() as session:
        tensorboards.change(session, personas.editor, board.id, {"life_span_secs": 60.0}, START_TIME)
    assert apply_event(personas, personas.editor, stopped, lifecycle.StartRequested()).status == "Pending"


def test_losing_the_share_permission_disables_share_links(personas: Personas) -> None:
    """Until it is granted again; no new ones are created."""
    board = personas.create_board(access=Access.PROJECT)
    with personas.database.write() as session:
        share = shares.create(session, personas.leader, board.id, 60.0, START_TIME)
    opened: list[Tensorboard | None] = []
    for allowed in (False, True):
        own(personas, "leader", {Permission.SHARE_PUBLICLY: allowed})
        with personas.database.read() as session:
            opened.append(shares.find_shared_board(session, share.id, START_TIME))
    assert opened == [None, board]

    personas.set_permissions(USE)
    with personas.database.write() as session, pytest.raises(PermissionDenied, match="outside their project"):
        shares.create(session, personas.editor, board.id, 60.0, START_TIME)
