"""The access table: who may do what."""

from dataclasses import replace
from itertools import product
from typing import Any, get_args

import pytest

from lightboard.hub.access import (
    HUB,
    HUB_RIGHTS,
    PERMISSIONS,
    RIGHTS,
    SEEN_BY,
    Permission,
    Principal,
    Reach,
    Visibility,
    allowed,
    allowed_on_hub,
    kinds_of,
    permitted,
    table,
    visibility_of,
)
from lightboard.hub.resources.roles import Role, Scope
from lightboard.hub.resources.tensorboards import Access
from lightboard.schema.accounts import PermissionWord

ANN = Principal(account="ann", permissions=frozenset(Permission))
ADMIN = Principal(account="root", administrator=True)


def test_strangers_have_no_rights_in_a_project() -> None:
    """Not even over their own resources."""
    found = {right: allowed(ANN, right, role=None, project="p", owner="ann") for right in RIGHTS}

    assert found == dict.fromkeys(RIGHTS, False)


def test_administrators_have_all_rights() -> None:
    """In every project, also over private resources."""
    private: dict[str, Any] = {"role": None, "project": "p", "owner": "ann", "visibility": Visibility.NOBODY}
    found = {right: allowed(ADMIN, right, **private) for right in RIGHTS}

    assert found == dict.fromkeys(RIGHTS, True)


@pytest.mark.parametrize("scope", Scope)
def test_tokens_are_limited_to_their_scope(scope: Scope) -> None:
    """Whatever its account may."""
    who = replace(ADMIN, scopes=frozenset({scope}))
    found = {right: allowed(who, right, role=Role.OWNER, project="p") for right in RIGHTS}

    assert found == {right: row.scope is scope for right, row in RIGHTS.items()}


@pytest.mark.parametrize(("project", "may"), [("p", True), ("q", False)])
def test_project_tokens_have_no_rights_elsewhere(project: str, may: bool) -> None:
    """Even those of administrators."""
    who = replace(ADMIN, project="p")
    found = {right: allowed(who, right, role=Role.OWNER, project=project) for right in RIGHTS}

    assert found == dict.fromkeys(RIGHTS, may)


@pytest.mark.parametrize("role", Role)
def test_roles_follow_the_table(role: Role) -> None:
    """Over own and foreign resources."""
    found = {
        right: [allowed(ANN, right, role=role, project="p", owner=owner) for owner in ("ann", "bob")]
        for right in RIGHTS
    }
    reaches = {right: row.reach(role) for right, row in RIGHTS.items()}

    assert found == {right: [reach is not Reach.NONE, reach is Reach.ANY] for right, reach in reaches.items()}


@pytest.mark.parametrize(("role", "visibility"), [*product(Role, Visibility)])
def test_invisible_resources_do_not_exist(role: Role, visibility: Visibility) -> None:
    """Except for their owner, within their role."""
    found = {
        right: [
            allowed(ANN, right, role=role, project="p", owner=owner, visibility=visibility) for owner in ("ann", "bob")
        ]
        for right in RIGHTS
    }
    seen = role in SEEN_BY[visibility]
    reaches = {right: row.reach(role) for right, row in RIGHTS.items()}

    assert found == {right: [reach is not Reach.NONE, seen and reach is Reach.ANY] for right, reach in reaches.items()}


@pytest.mark.parametrize(
    ("access", "chosen", "visibility"),
    [
        (Access.PRIVATE, True, Visibility.LEADERS),
        (Access.PRIVATE, False, Visibility.NOBODY),
        (Access.PROJECT, False, Visibility.MEMBERS),
        (Access.LINK, True, Visibility.MEMBERS),
    ],
)
def test_private_boards_are_visible_to_admins_of_explicit_projects(
    access: Access, chosen: bool, visibility: Visibility
) -> None:
    """And each kind of board has one visibility."""
    assert visibility_of(access, chosen) is visibility
    assert sorted(kind for each in Visibility for kind in kinds_of(each)) == sorted(product(Access, (True, False)))


def test_roles_are_ordered() -> None:
    """Owner, admin, editor, viewer."""
    order = {Reach.NONE: 0, Reach.OWN: 1, Reach.ANY: 2}
    for right in RIGHTS.values():
        reaches = [order[right.reach(role)] for role in Role]
        assert reaches == sorted(reaches, reverse=True)


@pytest.mark.parametrize(
    ("right", "person", "administrator", "token"),
    [
        ("projects.create", True, True, False),
        ("own.read", True, True, True),
        ("own.update", True, True, False),
        ("accounts.manage", False, True, False),
        ("hub.read", False, True, False),
    ],
)
def test_hub_rights(right: str, person: bool, administrator: bool, token: bool) -> None:
    """Of accounts, administrators and read tokens."""
    reader = replace(ANN, scopes=frozenset({Scope.READ}))

    assert (allowed_on_hub(ANN, right), allowed_on_hub(ADMIN, right), allowed_on_hub(reader, right)) == (
        person, administrator, token,
    )  # fmt: skip


@pytest.mark.parametrize("right", HUB_RIGHTS)
def test_project_tokens_have_no_hub_rights(right: str) -> None:
    """It was made for that project alone."""
    assert allowed_on_hub(replace(ADMIN, project="p"), right) is False


def test_exceptions_override_defaults() -> None:
    """Which override built-in values."""
    use, make, share = Permission.USE_TENSORBOARDS, Permission.CREATE_PROJECTS, Permission.SHARE_PUBLICLY

    assert permitted({}, {}) == {use, share}
    assert permitted({make: True, share: False}, {}) == {use, make}
    assert permitted({make: True, share: False}, {make: False, share: True}) == {use, share}


@pytest.mark.parametrize("right", [name for name, right in {**RIGHTS, **HUB_RIGHTS}.items() if right.needs])
def test_rights_may_need_permissions(right: str) -> None:
    """All of them, except for administrators."""
    needs = {**RIGHTS, **HUB_RIGHTS}[right].needs
    may = lambda who: (  # noqa: E731
        allowed(who, right, role=Role.OWNER, project="p", owner="ann")
        if right in RIGHTS
        else allowed_on_hub(who, right)
    )

    assert may(replace(ANN, permissions=needs)) is True
    assert [may(replace(ANN, permissions=frozenset(Permission) - {one})) for one in needs] == [False] * len(needs)
    assert may(replace(ADMIN, permissions=frozenset())) is True


def test_all_tensorboard_rights_need_the_permission() -> None:
    """Whatever the right is called."""
    without = [name for name in RIGHTS if Permission.USE_TENSORBOARDS not in RIGHTS[name].needs]

    assert [name for name in without if name.startswith("tensorboards.")] == []


def test_every_permission_is_in_the_schema() -> None:
    """And described in the documentation."""
    assert (set(get_args(PermissionWord)), set(PERMISSIONS)) == ({*map(str, Permission)}, {*Permission})


def test_the_hub_principal_has_all_rights() -> None:
    """It has no account."""
    assert (HUB.account, [allowed_on_hub(HUB, right) for right in HUB_RIGHTS]) == ("", [True] * len(HUB_RIGHTS))


def test_the_documentation_lists_every_right() -> None:
    """With description, reach for each role, and scope."""
    rows = list(table())

    assert [row[0] for row in rows] == list(RIGHTS)
    assert rows[-1] == ("audit.list", "read the audit log", "yes", "yes", "no", "no", "admin", "")
