"""Promises about who may do what."""

from dataclasses import replace
from itertools import product

import pytest

from lightboard.hub.access import HUB, HUB_RIGHTS, RIGHTS, Principal, Reach, allowed, allowed_on_hub, table
from lightboard.hub.resources.roles import Role, Scope

ANN = Principal(account="ann")
ADMIN = Principal(account="root", administrator=True)


@pytest.mark.parametrize("right", RIGHTS)
def test_who_is_in_no_project_may_nothing_in_it(right: str) -> None:
    """Not even with what is their own."""
    assert allowed(ANN, right, role=None, project="p", owner="ann") is False


@pytest.mark.parametrize("right", RIGHTS)
def test_an_administrator_of_the_hub_may_everything(right: str) -> None:
    """In every project, with what is private as well."""
    assert allowed(ADMIN, right, role=None, project="p", owner="ann", private=True) is True


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


@pytest.mark.parametrize(("right", "role"), [*product(RIGHTS, Role)])
def test_what_is_private_is_for_few(right: str, role: Role) -> None:
    """Its owner, and who leads the project."""
    seen = allowed(ANN, right, role=role, project="p", owner="bob", private=True)

    assert seen is (role in (Role.OWNER, Role.ADMIN) and RIGHTS[right].reach(role) is Reach.ANY)


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


def test_the_hub_itself_may_everything() -> None:
    """And is nobody."""
    assert (HUB.account, [allowed_on_hub(HUB, right) for right in HUB_RIGHTS]) == ("", [True] * len(HUB_RIGHTS))


def test_the_documents_print_every_right() -> None:
    """One row each: what it is, how far it goes for each role, and the scope."""
    rows = list(table())

    assert [row[0] for row in rows] == list(RIGHTS)
    assert rows[-1] == ("audit.list", "read who did what", "yes", "yes", "no", "no", "admin")
