"""Who may do what with a TensorBoard in the database."""

from dataclasses import replace

import pytest

from lightboard.errors import NotFound, PermissionDenied
from lightboard.hub.access import RIGHTS, Principal, Reach
from lightboard.hub.db import projects, tensorboards
from lightboard.hub.resources.projects import Project
from lightboard.hub.resources.roles import Role, Scope
from lightboard.hub.resources.tensorboards import Access, Tensorboard
from lightboard.schema.tensorboards import TensorboardRequest
from support.board_events import find_names
from support.personas import START_TIME, Personas, new_tensorboard


def outcome(personas: Personas, who: Principal, board: Tensorboard, right: str) -> str:
    """What asking for a board with a right comes to."""
    with personas.database.read() as session:
        try:
            tensorboards.get(session, who, board.id, right)
        except NotFound:
            return "not there"
        except PermissionDenied:
            return "denied"
        return "allowed"


def expected(right: str, role: Role, *, mine: bool, hidden: bool) -> str:
    """The same as the table says it."""
    if hidden and not mine and role in (Role.EDITOR, Role.VIEWER):
        return "not there"
    reach = RIGHTS[right].reach(role)
    return "allowed" if reach is Reach.ANY or (reach is Reach.OWN and mine) else "denied"


@pytest.mark.parametrize("access", list(Access))
def test_boards_follow_the_access_table(personas: Personas, access: Access) -> None:
    """Every right, for every role, on own boards and those of others."""
    roles = {"owner": Role.OWNER, "leader": Role.ADMIN, "editor": Role.EDITOR, "viewer": Role.VIEWER}
    own = {name: personas.create_board(personas.people[name], access=access) for name in ("owner", "leader", "editor")}
    colleague = personas.add_account("colleague")
    with personas.database.write() as session:
        projects.set_member(session, personas.admin, personas.vision, "colleague", Role.EDITOR, START_TIME)
    foreign = personas.create_board(colleague, access=access)
    said, table = {}, {}
    for right in (right for right in RIGHTS if right.startswith("tensorboards.")):
        for name, role in roles.items():
            said[right, name] = outcome(personas, personas.people[name], foreign, right)
            table[right, name] = expected(right, role, mine=False, hidden=access is Access.PRIVATE)
        for name, board in own.items():
            said[right, name, "own"] = outcome(personas, personas.people[name], board, right)
            table[right, name, "own"] = expected(right, roles[name], mine=True, hidden=access is Access.PRIVATE)
        for name, word in (("admin", "allowed"), ("stranger", "not there")):
            said[right, name], table[right, name] = outcome(personas, personas.people[name], foreign, right), word

    assert said == table


def test_private_boards_in_the_default_project_are_hidden_from_owners(personas: Personas) -> None:
    """Being added to a project does not expose boards made without naming it."""
    unnamed, named = personas.create_board(project="").id, personas.create_board(project="vision").id
    by_token = personas.create_board(replace(personas.editor, project=personas.vision), project="").id
    with personas.database.read() as session:
        boards = {id: tensorboards.get(session, personas.editor, id) for id in (unnamed, named, by_token)}
        listed = {
            name: {board.id for board in tensorboards.find(session, personas.people[name], TensorboardRequest())[0]}
            for name in ("owner", "leader", "viewer", "editor", "admin")
        }

    assert {board.project for board in boards.values()} == {personas.vision}
    for name, seen in {"owner": {named, by_token}, "leader": {named, by_token}, "viewer": set()}.items():
        got = {id: outcome(personas, personas.people[name], board, "tensorboards.get") for id, board in boards.items()}
        assert (name, got) == (name, {id: "allowed" if id in seen else "not there" for id in boards})
        assert listed[name] == seen
    assert listed["editor"] == listed["admin"] == {unnamed, named, by_token}

    with personas.database.write() as session:
        tensorboards.change(session, personas.editor, unnamed, {"access": Access.PROJECT}, START_TIME)
    assert [
        outcome(personas, personas.people[name], boards[unnamed], "tensorboards.get") for name in ("owner", "viewer")
    ] == [
        "allowed",
        "allowed",
    ]


def test_tokens_restrict_their_account(personas: Personas) -> None:
    """Outside its project nothing exists; rights beyond its scope are denied."""
    with personas.database.write() as session:
        other = projects.create(session, personas.editor, Project(id="", name="other"), START_TIME).id
        mine = tensorboards.create(session, personas.editor, new_tensorboard(other), START_TIME)
    board = personas.create_board()
    token = replace(personas.editor, scopes=frozenset({Scope.READ}), project=personas.vision)

    assert {
        "other project": outcome(personas, token, mine, "tensorboards.get"),
        "looks": outcome(personas, token, board, "tensorboards.get"),
        "stops": outcome(personas, token, board, "tensorboards.stop"),
        "lists": find_names(personas, token),
    } == {"other project": "not there", "looks": "allowed", "stops": "denied", "lists": [board.name]}


def test_a_board_lists_the_requesters_rights(personas: Personas) -> None:
    """Pages offer only what is allowed."""
    board = personas.create_board(access=Access.PROJECT)
    with personas.database.read() as session:
        rights = tensorboards.rights_of(session, personas.viewer, board)

    assert rights == ["tensorboards.list", "tensorboards.get", "tensorboards.open"]


def test_publishing_a_board_needs_its_owner_or_an_admin(personas: Personas) -> None:
    """Other editors may not."""
    board = personas.create_board(access=Access.PROJECT)
    colleague = personas.add_account("colleague")
    with personas.database.write() as session:
        projects.set_member(session, personas.admin, personas.vision, "colleague", Role.EDITOR, START_TIME)
    with pytest.raises(PermissionDenied, match="opens without login"), personas.database.write() as session:
        tensorboards.change(session, colleague, board.id, {"http_auth": False}, START_TIME)
    with personas.database.write() as session:
        assert (
            tensorboards.change(session, personas.leader, board.id, {"http_auth": False}, START_TIME).http_auth is False
        )
