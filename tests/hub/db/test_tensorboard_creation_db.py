"""Creating TensorBoards in the database."""

from dataclasses import replace
from typing import Any

import pytest

from lightboard.errors import Conflict, Invalid, NotFound
from lightboard.hub import lifecycle
from lightboard.hub.access import Principal
from lightboard.hub.db import datasets, projects, tensorboards
from lightboard.hub.resources.datasets import Dataset, DatasetKind
from lightboard.hub.resources.projects import Project
from lightboard.hub.resources.sources import Source, SourceKind
from lightboard.hub.resources.tensorboards import Access, Origin, Tensorboard
from support.board_events import apply_event, apply_events
from support.personas import START_TIME, Personas, folder_source, new_tensorboard


def test_a_created_board_is_read_back(personas: Personas) -> None:
    """With the requested fields and those that the hub adds."""
    made = personas.create_board(display_name="Первый запуск", labels={"team": "cv"}, tags=("a",), origin=Origin.SDK)
    with personas.database.read() as session:
        kept = tensorboards.get(session, personas.editor, made.id)

    assert kept == made
    assert made == replace(
        new_tensorboard(personas.vision),
        id=made.id,
        name="tensorboard",
        display_name="Первый запуск",
        owner=personas.editor.account,
        sources=(replace(folder_source(), id=made.sources[0].id),),
        source_key=made.source_key,
        labels={"team": "cv"},
        tags=("a",),
        origin=Origin.SDK,
        created_at=START_TIME,
        updated_at=START_TIME,
        status_since=START_TIME,
    )


def test_the_default_name_is_that_of_the_folder(personas: Personas) -> None:
    """The list says what it shows."""
    made = personas.create_board(sources=(folder_source("/logs/mnist-42"),))

    assert (made.name, made.display_name) == ("mnist-42", "mnist-42")


def test_duplicate_display_names_get_numbered_names(personas: Personas) -> None:
    """Two of the same display name are told apart."""
    assert [personas.create_board(display_name="Same").name for _ in range(3)] == ["same", "same-2", "same-3"]


def test_explicit_names_are_unique_in_a_project(personas: Personas) -> None:
    """Among boards that are not deleted."""
    personas.create_board(name="mnist")
    with pytest.raises(Conflict, match="TensorBoard mnist in this project"):
        personas.create_board(name="mnist")


def test_names_of_deleted_boards_are_available(personas: Personas) -> None:
    """Somebody who begins anew may call it the same."""
    old = apply_event(personas, personas.editor, personas.create_board(name="mnist"), lifecycle.DeleteRequested())
    apply_events(personas, old, lifecycle.BoardEnded())

    assert personas.create_board(name="mnist").name == "mnist"


def test_the_default_project_is_the_first_one_joined(personas: Personas) -> None:
    """Programs need not know about projects."""
    with personas.database.write() as session:
        made = tensorboards.create(session, personas.editor, new_tensorboard(""), START_TIME)

    assert made.project == personas.vision


def test_accounts_without_a_project_get_an_error(personas: Personas) -> None:
    """It says that somebody has to add them."""
    with pytest.raises(NotFound, match="not a member of any project"), personas.database.write() as session:
        tensorboards.create(session, personas.stranger, new_tensorboard(""), START_TIME)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"sources": ()}, "1 to 64 sources"),
        ({"sources": tuple(folder_source(f"/logs/{n}") for n in range(65))}, "1 to 64 sources"),
        ({"sources": (folder_source("/a", alias="x"), folder_source("/b", alias="x"))}, "same alias"),
        ({"tags": tuple("abcdefghijklmnopq")}, "17 tags"),
        ({"name": "No Name"}, "cannot be a name"),
    ],
)
def test_invalid_boards_are_refused(personas: Personas, fields: dict[str, Any], message: str) -> None:
    """The error names the rule."""
    with pytest.raises(Invalid, match=message):
        personas.create_board(**fields)


def test_boards_refer_to_datasets_by_id(personas: Personas) -> None:
    """Renaming a dataset changes nothing."""
    with personas.database.write() as session:
        asked = Dataset(
            id="", name="imagenet", project=personas.vision, owner="", kind=DatasetKind.PATH, uri="/data/in"
        )
        dataset = datasets.create(session, personas.editor, asked, START_TIME)
    made = personas.create_board(sources=(Source(id="", kind=SourceKind.DATASET, ref="imagenet", path="runs"),))

    assert [(source.ref, source.text) for source in made.sources] == [(dataset.id, f"dataset:{dataset.id}/runs")]


def test_a_board_needs_access_to_its_dataset(personas: Personas) -> None:
    """Its creator must be able to see the dataset."""
    with personas.database.write() as session:
        asked = Dataset(id="", name="secret", project=personas.vision, owner="", kind=DatasetKind.PATH, uri="/data/in")
        dataset = datasets.create(session, personas.editor, asked, START_TIME)
        projects.create(session, personas.stranger, Project(id="", name="elsewhere"), START_TIME)
    for ref in ("secret", dataset.id):
        source = Source(id="", kind=SourceKind.DATASET, ref=ref)
        with pytest.raises(NotFound, match="no dataset"), personas.database.write() as session:
            tensorboards.create(session, personas.stranger, new_tensorboard("elsewhere", sources=(source,)), START_TIME)


# Get or create


def reusable(personas: Personas, who: Principal, board: Tensorboard, origin_id: str = "") -> str | None:
    """The name of what is given back."""
    with personas.database.write() as session:
        kept = tensorboards.reusable(session, who, personas.vision, Origin.SDK, origin_id, board.source_key)
    return kept and kept.name


def test_get_or_create_finds_boards_by_sources(personas: Personas) -> None:
    """Active boards before stopped ones, own ones before others, newest first."""
    stopped = apply_events(
        personas, personas.create_board(name="stopped"), lifecycle.StopRequested(), lifecycle.BoardEnded()
    )
    assert reusable(personas, personas.editor, stopped) == "stopped"

    theirs = personas.create_board(personas.owner, name="theirs", access=Access.PROJECT)
    assert reusable(personas, personas.editor, theirs) == "theirs"

    personas.create_board(name="mine")
    assert reusable(personas, personas.editor, theirs) == "mine"


def test_get_or_create_finds_boards_by_job(personas: Personas) -> None:
    """Whatever the sources."""
    board = personas.create_board(
        name="of-job", origin=Origin.SDK, origin_id="job-1", sources=(folder_source("/elsewhere"),)
    )
    other = personas.create_board(name="other")

    assert (
        reusable(personas, personas.editor, other, "job-1"),
        reusable(personas, personas.editor, board, "job-2"),
    ) == (
        "of-job",
        None,
    )


def test_get_or_create_ignores_foreign_private_boards(personas: Personas) -> None:
    """The same places are no way to somebody's own board."""
    board = personas.create_board(personas.owner)

    assert reusable(personas, personas.editor, board) is None


def test_get_or_create_ignores_deleted_boards(personas: Personas) -> None:
    """Also while they are being deleted."""
    board = apply_event(personas, personas.editor, personas.create_board(), lifecycle.DeleteRequested())

    assert reusable(personas, personas.editor, board) is None


def test_the_last_activity_never_decreases(personas: Personas) -> None:
    """Replicas report it late and out of order."""
    board = personas.create_board()
    for at in (START_TIME + 5, START_TIME + 3):
        with personas.database.write() as session:
            tensorboards.touch(session, {board.id: at, "tb-unknown": at})
    with personas.database.read() as session:
        kept = tensorboards.get(session, personas.editor, board.id)

    assert (kept.last_active_at, kept.version) == (START_TIME + 5, 1)
