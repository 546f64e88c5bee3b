"""Promises about who may do what."""

from dataclasses import replace
from itertools import product
from typing import get_args

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


@pytest.mark.parametrize("right", RIGHTS)
def test_who_is_in_no_project_may_nothing_in_it(right: str) -> None:
    """Not even with what is their own."""
    assert allowed(ANN, right, role=None, project="p", owner="ann") is False


@pytest.mark.parametrize("right", RIGHTS)
def test_an_administrator_of_the_hub_may_everything(right: str) -> None:
    """In every project, with what is private as well."""
    assert allowed(ADMIN, right, role=None, project="p", owner="ann", visibility=Visibility.NOBODY) is True


@pytest.mark.parametrize(("right", "scope"), [*product(RIGHTS, Scope)])
def test_a_token_may_only_what_its_scope_says(right: str, scope: Scope) -> None:
    """Whatever its account may."""
    who = replace(ADMIN, scopes=frozenset({scope}))

    assert allowed(who, right, role=Role.OWNER, project="p") is (RIGHTS[right].scope is scope)


@pytest.mark.parametrize("right", RIGHTS)
def test_a_token_of_one_project_is_nothing_in_another(right: str) -> None:
    """For administrators too."""
    who = replace(ADMIN, project="p")

    assert (allowed(who, right, role=Role.OWNER, project="p"), allowed(who, right, role=Role.OWNER, project="q")) == (
        True,
        False,
    )


@pytest.mark.parametrize(("right", "role"), [*product(RIGHTS, Role)])
def test_a_role_reaches_as_far_as_the_table_says(right: str, role: Role) -> None:
    """Over what is one's own, and what is another's."""
    reach = RIGHTS[right].reach(role)
    own = allowed(ANN, right, role=role, project="p", owner="ann")
    foreign = allowed(ANN, right, role=role, project="p", owner="bob")

    assert (own, foreign) == (reach is not Reach.NONE, reach is Reach.ANY)


@pytest.mark.parametrize(("right", "role", "visibility"), [*product(RIGHTS, Role, Visibility)])
def test_what_is_not_visible_does_not_exist(right: str, role: Role, visibility: Visibility) -> None:
    """Except for its owner, as far as their role reaches."""
    reach = RIGHTS[right].reach(role)
    others = allowed(ANN, right, role=role, project="p", owner="bob", visibility=visibility)
    own = allowed(ANN, right, role=role, project="p", owner="ann", visibility=visibility)

    assert (others, own) == (role in SEEN_BY[visibility] and reach is Reach.ANY, reach is not Reach.NONE)


@pytest.mark.parametrize(
    ("access", "chosen", "visibility"),
    [
        (Access.PRIVATE, True, Visibility.LEADERS),
        (Access.PRIVATE, False, Visibility.NOBODY),
        (Access.PROJECT, False, Visibility.MEMBERS),
        (Access.LINK, True, Visibility.MEMBERS),
    ],
)
def test_a_private_board_is_for_leaders_its_maker_chose(access: Access, chosen: bool, visibility: Visibility) -> None:
    """And each kind of board has one visibility."""
    assert visibility_of(access, chosen) is visibility
    assert sorted(kind for each in Visibility for kind in kinds_of(each)) == sorted(product(Access, (True, False)))


def test_a_higher_role_may_all_that_a_lower_one_may() -> None:
    """Owner, admin, editor, viewer, in this order."""
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
def test_rights_of_the_hub(right: str, person: bool, administrator: bool, token: bool) -> None:
    """What every account may, what administrators may, and a token that reads."""
    reader = replace(ANN, scopes=frozenset({Scope.READ}))

    assert (allowed_on_hub(ANN, right), allowed_on_hub(ADMIN, right), allowed_on_hub(reader, right)) == (
        person, administrator, token,
    )  # fmt: skip


@pytest.mark.parametrize("right", HUB_RIGHTS)
def test_a_token_of_a_project_has_no_right_over_the_hub(right: str) -> None:
    """It was made for that project alone."""
    assert allowed_on_hub(replace(ADMIN, project="p"), right) is False


def test_exceptions_go_before_defaults_and_these_before_the_programs() -> None:
    """Whichever way they go."""
    use, make, share = Permission.USE_TENSORBOARDS, Permission.CREATE_PROJECTS, Permission.SHARE_PUBLICLY

    assert permitted({}, {}) == {use, share}
    assert permitted({make: True, share: False}, {}) == {use, make}
    assert permitted({make: True, share: False}, {make: False, share: True}) == {use, share}


@pytest.mark.parametrize("right", [name for name, right in {**RIGHTS, **HUB_RIGHTS}.items() if right.needs])
def test_a_right_may_need_permissions_besides(right: str) -> None:
    """Each of them; for administrators none is asked."""
    needs = {**RIGHTS, **HUB_RIGHTS}[right].needs
    may = lambda who: (  # noqa: E731
        allowed(who, right, role=Role.OWNER, project="p", owner="ann")
        if right in RIGHTS
        else allowed_on_hub(who, right)
    )

    assert may(replace(ANN, permissions=needs)) is True
    assert [may(replace(ANN, permissions=frozenset(Permission) - {one})) for one in needs] == [False] * len(needs)
    assert may(replace(ADMIN, permissions=frozenset())) is True


def test_nothing_is_done_with_tensorboards_without_the_permission() -> None:
    """Whatever the right is called."""
    without = [name for name in RIGHTS if Permission.USE_TENSORBOARDS not in RIGHTS[name].needs]

    assert [name for name in without if name.startswith("tensorboards.")] == []


def test_the_schema_knows_every_permission() -> None:
    """And the documents a sentence for each."""
    assert (set(get_args(PermissionWord)), set(PERMISSIONS)) == ({*map(str, Permission)}, {*Permission})


def test_the_hub_itself_may_everything() -> None:
    """And is nobody."""
    assert (HUB.account, [allowed_on_hub(HUB, right) for right in HUB_RIGHTS]) == ("", [True] * len(HUB_RIGHTS))


def test_the_documents_print_every_right() -> None:
    """One row each: what it is, how far it goes for each role, and the scope."""
    rows = list(table())

    assert [row[0] for row in rows] == list(RIGHTS)
    assert rows[-1] == ("audit.list", "read who did what", "yes", "yes", "no", "no", "admin", "")
