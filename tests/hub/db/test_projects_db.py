"""Projects, members and datasets in the database."""

from dataclasses import replace

import pytest

from lightboard.errors import Conflict, Invalid, NotFound, PermissionDenied
from lightboard.hub import lifecycle
from lightboard.hub.access import RIGHTS, Principal, Reach
from lightboard.hub.db import bindings, datasets, leases, projects, tensorboards, tokens
from lightboard.hub.resources.bindings import BindingKind
from lightboard.hub.resources.datasets import Dataset, DatasetKind
from lightboard.hub.resources.projects import Member, Project
from lightboard.hub.resources.roles import Role, Scope
from lightboard.hub.resources.sources import Source, SourceKind
from lightboard.hub.resources.tensorboards import Access
from lightboard.hub.resources.tokens import Token
from support.personas import START_TIME, Personas, folder_source, new_tensorboard


def dataset(personas: Personas, who: Principal | None = None, **fields: object) -> Dataset:
    """A dataset of the editor, unless it is said whose."""
    asked = Dataset(id="", name="data", project=personas.vision, owner="", kind=DatasetKind.PATH, uri="/data")
    with personas.database.write() as session:
        return datasets.create(session, who or personas.editor, replace(asked, **fields), START_TIME)


# Projects


def test_the_creator_owns_a_project(personas: Personas) -> None:
    """Its name is derived from its display name."""
    with personas.database.write() as session:
        made = projects.create(session, personas.stranger, Project(id="", name="", display_name="My Cars"), START_TIME)
        assert projects.find(session, personas.stranger) == [(made, Role.OWNER, 1)]
    assert (made.name, made.display_name) == ("my-cars", "My Cars")


def test_foreign_projects_are_not_visible(personas: Personas) -> None:
    """By id or name; administrators see all."""
    with personas.database.read() as session:
        for text in ("vision", personas.vision):
            with pytest.raises(NotFound):
                projects.get(session, personas.stranger, text)
        assert [project.name for project, _, _ in projects.find(session, personas.admin)] == ["default", "vision"]
        assert projects.find(session, personas.stranger) == []


@pytest.mark.parametrize("right", [right for right in RIGHTS if not right.startswith("tensorboards.")])
def test_rights_over_a_project(personas: Personas, right: str) -> None:
    """Each role has the rights of the table."""
    roles = {"owner": Role.OWNER, "leader": Role.ADMIN, "editor": Role.EDITOR, "viewer": Role.VIEWER}
    said = {}
    with personas.database.read() as session:
        for name in roles:
            try:
                projects.get(session, personas.people[name], "vision", right)
                said[name] = True
            except PermissionDenied:
                said[name] = False

    assert said == {name: RIGHTS[right].reach(role) is Reach.ANY for name, role in roles.items()}


def test_a_project_with_boards_cannot_be_deleted(personas: Personas) -> None:
    """Without boards, it goes with its datasets and tokens; its name stays reserved."""
    board = personas.create_board()
    dataset(personas)
    secret = Token(id="", account="", name="t", digest="d", shown="s", scopes=frozenset(Scope), project="vision")
    with personas.database.write() as session:
        tokens.create(session, personas.editor, secret, START_TIME)
    with pytest.raises(Conflict, match=r"still has 1 TensorBoard$"), personas.database.write() as session:
        projects.remove(session, personas.owner, "vision", START_TIME)
    for event in (lifecycle.DeleteRequested(), lifecycle.BoardEnded()):
        with personas.database.write() as session:
            board, _ = leases.apply_event(session, "loop", board, event, START_TIME)
    with personas.database.write() as session:
        projects.remove(session, personas.owner, "vision", START_TIME)

    with personas.database.read() as session:
        assert (projects.find(session, personas.owner), tokens.find(session, personas.editor)) == ([], [])
        assert datasets.find(session, personas.admin) == []
    with pytest.raises(Conflict, match="there is or was"), personas.database.write() as session:
        projects.create(session, personas.stranger, Project(id="", name="vision"), START_TIME)


def test_only_owners_delete_a_project(personas: Personas) -> None:
    """Project admins may not."""
    with pytest.raises(PermissionDenied, match=r"project\.delete"), personas.database.write() as session:
        projects.remove(session, personas.leader, "vision", START_TIME)


# Members


def test_members_are_listed_with_roles(personas: Personas) -> None:
    """For every member."""
    with personas.database.read() as session:
        members = projects.members(session, personas.viewer, "vision")

    assert [(account.name, member) for member, account in members] == [
        (name, Member(project=personas.vision, account=personas.people[name].account, role=role, since=START_TIME))
        for name, role in (
            ("editor", Role.EDITOR), ("leader", Role.ADMIN), ("owner", Role.OWNER), ("viewer", Role.VIEWER),
        )
    ]  # fmt: skip


@pytest.mark.parametrize(("name", "role"), [("leader", Role.OWNER), ("owner", Role.EDITOR)])
def test_only_owners_change_owners(personas: Personas, name: str, role: Role) -> None:
    """Admins cannot become owners or remove them."""
    with pytest.raises(PermissionDenied, match="only owners"), personas.database.write() as session:
        projects.set_member(session, personas.leader, "vision", name, role, START_TIME)


def test_editors_cannot_add_members(personas: Personas) -> None:
    """Project admins can."""
    with pytest.raises(PermissionDenied, match=r"members\.update"), personas.database.write() as session:
        projects.set_member(session, personas.editor, "vision", "stranger", Role.VIEWER, START_TIME)


def test_the_last_owner_cannot_be_removed(personas: Personas) -> None:
    """Nor change role."""
    with pytest.raises(Conflict, match="no owner"), personas.database.write() as session:
        projects.remove_member(session, personas.owner, "vision", "owner", START_TIME)
    with pytest.raises(Conflict, match="no owner"), personas.database.write() as session:
        projects.set_member(session, personas.admin, "vision", "owner", Role.VIEWER, START_TIME)


def test_leaving_a_project_ends_access(personas: Personas) -> None:
    """Even to their own boards."""
    board = personas.create_board()
    with personas.database.write() as session:
        projects.remove_member(session, personas.editor, "vision", "editor", START_TIME)
        with pytest.raises(NotFound):
            tensorboards.get(session, personas.editor, board.id)


# Datasets


@pytest.mark.parametrize(
    ("kind", "uri", "kept"),
    [
        (DatasetKind.PATH, "/data//x/", "/data/x"),
        (DatasetKind.NFS, "/mnt/nfs", "/mnt/nfs"),
        (DatasetKind.S3, "s3://b/p/", "s3://b/p"),
        (DatasetKind.OSS, "oss://b", "oss://b"),
    ],
)
def test_dataset_uris_are_normalized(personas: Personas, kind: DatasetKind, uri: str, kept: str) -> None:
    """In its shortest form."""
    assert dataset(personas, kind=kind, uri=uri).uri == kept


@pytest.mark.parametrize(
    ("kind", "uri"),
    [
        (DatasetKind.PATH, "s3://b"),
        (DatasetKind.S3, "gs://b"),
        (DatasetKind.S3, "/data"),
        (DatasetKind.PATH, "storage:a"),
        (DatasetKind.PATH, "dataset:other"),
        (DatasetKind.S3, "s3://key:secret@b"),
    ],
)
def test_a_dataset_uri_must_fit_its_kind(personas: Personas, kind: DatasetKind, uri: str) -> None:
    """A place of another is refused."""
    with pytest.raises(Invalid):
        dataset(personas, kind=kind, uri=uri)


def test_datasets_cannot_form_cycles(personas: Personas) -> None:
    """Directly or indirectly."""
    dataset(personas, name="real")
    first = dataset(personas, name="first", kind=DatasetKind.REFERENCE, uri="real")
    dataset(personas, name="second", kind=DatasetKind.REFERENCE, uri="first")
    with pytest.raises(Invalid, match="refer to itself"), personas.database.write() as session:
        datasets.change(session, personas.editor, first.id, {"uri": "second"}, START_TIME)


def test_datasets_are_changed_by_owner_or_admins(personas: Personas) -> None:
    """Members see them; strangers do not."""
    data = dataset(personas, personas.owner)
    with personas.database.write() as session:
        assert datasets.get(session, personas.viewer, "data", project="vision") == data
        with pytest.raises(PermissionDenied, match=r"datasets\.update"):
            datasets.change(session, personas.editor, data.id, {"display_name": "x"}, START_TIME)
        with pytest.raises(NotFound):
            datasets.get(session, personas.stranger, data.id)
        assert datasets.find(session, personas.stranger) == []
        assert datasets.change(session, personas.leader, data.id, {"display_name": "x"}, START_TIME).version == 2


def test_a_dataset_in_use_cannot_be_deleted(personas: Personas) -> None:
    """The error names the visible users; without users it can be deleted."""
    data = dataset(personas)
    source = Source(id="", kind=SourceKind.DATASET, ref=data.id)
    board = personas.create_board(sources=(source,))
    personas.create_board(personas.owner, sources=(source, folder_source()), name="hidden")
    with personas.database.write() as session:
        assert [used.name for used in datasets.used_by(session, personas.editor, data.id)] == [board.name]
        with pytest.raises(Conflict, match=r"TensorBoards or datasets use .*: 2$"):
            datasets.remove(session, personas.editor, data.id, START_TIME)

    with personas.database.write() as session:
        for name in (board.name, "hidden"):
            tensorboards.change(
                session, personas.owner, name, {"sources": (folder_source(),)}, START_TIME, project="vision"
            )
        datasets.remove(session, personas.editor, data.id, START_TIME)
        assert datasets.find(session, personas.editor) == []


def test_a_board_keeps_an_unbound_dataset(personas: Personas) -> None:
    """Other updates keep it; new datasets must belong to the project or be bound to it."""
    with personas.database.write() as session:
        other = projects.create(session, personas.owner, Project(id="", name="other"), START_TIME).id
    theirs = dataset(personas, personas.owner, project=other, name="theirs")
    unseen = dataset(personas, personas.owner, project=other, name="unseen")
    bound = personas.bind(theirs.id, BindingKind.DATASET)
    board = personas.create_board(
        personas.editor, sources=(Source(id="", kind=SourceKind.DATASET, ref=theirs.id),), access=Access.PROJECT
    )  # fmt: skip
    with personas.database.write() as session:
        bindings.remove(session, personas.admin, "vision", bound.id, START_TIME)
        after = tensorboards.change(
            session, personas.editor, board.id, {"sources": (*board.sources, *new_tensorboard("").sources)}, START_TIME
        )  # fmt: skip
        assert [source.ref for source in after.sources] == [theirs.id, ""]
        more = (*after.sources, Source(id="", kind=SourceKind.DATASET, ref=unseen.id))
        with pytest.raises(NotFound):
            tensorboards.change(session, personas.editor, board.id, {"sources": more}, START_TIME)
