"""Finding TensorBoards in the database, by name and in lists."""

from typing import Any

import pytest

from lightboard.errors import Invalid, NotFound
from lightboard.hub import lifecycle
from lightboard.hub.db import projects, tensorboards
from lightboard.hub.resources.projects import Project
from lightboard.hub.resources.tensorboards import Access, Origin, Status
from lightboard.schema.tensorboards import TensorboardRequest
from support.board_events import apply_event, apply_events, find_names, mark_running
from support.personas import START_TIME, Personas, folder_source, new_tensorboard

# By name


def test_a_board_is_found_by_its_name(personas: Personas) -> None:
    """In a project, or among all visible boards."""
    board = personas.create_board(name="mnist")
    with personas.database.read() as session:
        assert [
            tensorboards.get(session, personas.editor, "mnist", project=project).id
            for project in ("", "vision", personas.vision)
        ] == [board.id] * 3


def test_an_unknown_name_gets_a_hint(personas: Personas) -> None:
    """People try the display name, which is no address. An unknown id gets no hint."""
    personas.create_board(display_name="Nightly sweep")
    hints = []
    for which in ("Nightly sweep", "tb-01m887w8pxxfgmjc9bzgxdt8ns"):
        with personas.database.read() as session, pytest.raises(NotFound) as refused:
            tensorboards.get(session, personas.editor, which)
        hints.append((refused.value.message, refused.value.hint))

    assert hints == [
        (
            "there is no TensorBoard Nightly sweep",
            "give its id or its name in URLs, not its display name; the list has both",
        ),
        ("there is no TensorBoard tb-01m887w8pxxfgmjc9bzgxdt8ns", ""),
    ]


def test_an_ambiguous_name_needs_a_project(personas: Personas) -> None:
    """Own boards come first; between two of them the hub does not guess."""
    with personas.database.write() as session:
        other = projects.create(session, personas.editor, Project(id="", name="other"), START_TIME).id
        tensorboards.create(session, personas.editor, new_tensorboard(other, name="mnist"), START_TIME)
    theirs = personas.create_board(personas.owner, name="mnist", access=Access.PROJECT)
    with personas.database.read() as session:
        assert tensorboards.get(session, personas.editor, "mnist").project == other
        assert tensorboards.get(session, personas.editor, "mnist", project="vision") == theirs
        with pytest.raises(Invalid, match="several projects"):
            tensorboards.get(session, personas.admin, "mnist")


def test_foreign_private_boards_are_not_found_by_name(personas: Personas) -> None:
    """As by id."""
    personas.create_board(personas.owner, name="secret")
    with pytest.raises(NotFound), personas.database.read() as session:
        tensorboards.get(session, personas.editor, "secret")


# Lists


def test_lists_contain_visible_boards(personas: Personas) -> None:
    """Own ones and the project's; all for its admins; none for strangers."""
    personas.create_board(personas.owner, name="private")
    personas.create_board(personas.owner, name="shared", access=Access.PROJECT)
    personas.create_board(personas.editor, name="own")
    names = {name: sorted(find_names(personas, who)) for name, who in personas.people.items()}

    everything = ["own", "private", "shared"]
    assert names == {
        "admin": everything,
        "owner": everything,
        "leader": everything,
        "editor": ["own", "shared"],
        "viewer": ["shared"],
        "stranger": [],
    }


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ({}, ["three", "two", "one"]),
        ({"sort": "created"}, ["one", "two", "three"]),
        ({"sort": "name"}, ["one", "three", "two"]),
        ({"sort": "-active"}, ["two", "three", "one"]),
        ({"page": 2, "page_size": 2}, ["one"]),
        ({"owner": "me"}, ["two", "one"]),
        ({"owner": "owner"}, ["three"]),
        ({"owner": "nobody"}, []),
        ({"status": "Running"}, ["two"]),
        ({"status": "Running,Pending"}, ["three", "two", "one"]),
        ({"status": "Nonsense"}, []),
        ({"reason": "Ready"}, ["two"]),
        ({"origin": "sdk,cli"}, ["one"]),
        ({"origin": "sdk", "origin_id": "job-1"}, ["one"]),
        ({"source": "CIFAR"}, ["two"]),
        ({"label": "team"}, ["three", "two", "one"]),
        ({"label": "team=cv"}, ["one"]),
        ({"label": "team=c"}, []),
        ({"label": "team,size=l"}, ["two"]),
        ({"tag": "fast"}, ["three"]),
        ({"tag": "fas"}, []),
        ({"tag": '"a, b"'}, ["three"]),
        ({"tag": ' "a, b" ,fast'}, ["three"]),
        ({"tag": "a, b"}, []),
        ({"tag": 'say "hi"'}, ["three"]),
        ({"tag": '"say ""hi"""'}, ["three"]),
        ({"label": '"team=a,b"'}, ["three"]),
        ({"search": "ПЕРВЫЙ"}, ["one"]),
        ({"search": "100%"}, ["three"]),
        ({"search": "%"}, ["three"]),
        ({"search": "_"}, []),
        ({"created_after": START_TIME + 1, "created_before": START_TIME + 2}, ["two"]),
        ({"project": "vision"}, ["three", "two", "one"]),
        ({"project": "default"}, []),
    ],
)
def test_filters_and_sort_orders(personas: Personas, question: dict[str, Any], names: list[str]) -> None:
    """Each returns what it says."""
    personas.create_board(
        name="one", display_name="a Первый", origin=Origin.SDK, origin_id="job-1", labels={"team": "cv"}
    )
    second = personas.create_board(
        name="two",
        display_name="C",
        at=START_TIME + 1,
        sources=(folder_source("/logs/cifar"),),
        labels={"team": "nlp", "size": "l"},
    )
    personas.create_board(
        personas.owner,
        name="three",
        display_name="B 100%",
        at=START_TIME + 2,
        tags=("fast", "a, b", 'say "hi"'),
        labels={"team": "a,b"},
        access=Access.PROJECT,
    )
    mark_running(personas, second, at=START_TIME + 5)
    who = personas.admin if question.get("project") == "default" else personas.editor

    assert find_names(personas, who, **question) == names


def test_the_total_counts_all_pages(personas: Personas) -> None:
    """Visible boards only."""
    personas.create_board(personas.owner)
    for _ in range(3):
        personas.create_board()
    with personas.database.read() as session:
        boards, total = tensorboards.find(session, personas.editor, TensorboardRequest(page_size=1))

    assert (len(boards), total) == (1, 3)


def test_lists_omit_deleted_boards(personas: Personas) -> None:
    """They are found by status or id."""
    gone = apply_events(
        personas,
        apply_event(personas, personas.editor, personas.create_board(name="gone"), lifecycle.DeleteRequested()),
        lifecycle.BoardEnded(),
    )

    assert (find_names(personas, personas.editor), find_names(personas, personas.editor, status="Deleted")) == (
        [],
        ["gone"],
    )
    with personas.database.read() as session:
        assert tensorboards.get(session, personas.editor, gone.id).status is Status.DELETED
