"""Promises about projects, members and datasets in the database."""

from dataclasses import replace

import pytest
from cast import AT, Cast, folder, wanted

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


def dataset(cast: Cast, who: Principal | None = None, **fields: object) -> Dataset:
    """A dataset of the editor, unless it is said whose."""
    asked = Dataset(id="", name="data", project=cast.vision, owner="", kind=DatasetKind.PATH, uri="/data")
    with cast.database.write() as session:
        return datasets.create(session, who or cast.editor, replace(asked, **fields), AT)


# Projects


def test_who_makes_a_project_owns_it(cast: Cast) -> None:
    """Its name is made of what it is called."""
    with cast.database.write() as session:
        made = projects.create(session, cast.stranger, Project(id="", name="", display_name="My Cars"), AT)
        assert projects.find(session, cast.stranger) == [(made, Role.OWNER, 1)]
    assert (made.name, made.display_name) == ("my-cars", "My Cars")


def test_projects_of_others_are_not_seen(cast: Cast) -> None:
    """By id or name; an administrator sees all."""
    with cast.database.read() as session:
        for text in ("vision", cast.vision):
            with pytest.raises(NotFound):
                projects.get(session, cast.stranger, text)
        assert [project.name for project, _, _ in projects.find(session, cast.admin)] == ["default", "vision"]
        assert projects.find(session, cast.stranger) == []


@pytest.mark.parametrize("right", [right for right in RIGHTS if not right.startswith("tensorboards.")])
def test_rights_over_a_project(cast: Cast, right: str) -> None:
    """Each role has what the table says."""
    roles = {"owner": Role.OWNER, "leader": Role.ADMIN, "editor": Role.EDITOR, "viewer": Role.VIEWER}
    said = {}
    with cast.database.read() as session:
        for name in roles:
            try:
                projects.get(session, cast.people[name], "vision", right)
                said[name] = True
            except PermissionDenied:
                said[name] = False

    assert said == {name: RIGHTS[right].reach(role) is Reach.ANY for name, role in roles.items()}


def test_a_project_with_boards_is_not_deleted(cast: Cast) -> None:
    """Somebody looks at them first; then it goes with its datasets and tokens, and its name stays taken."""
    board = cast.board()
    dataset(cast)
    secret = Token(id="", account="", name="t", digest="d", shown="s", scopes=frozenset(Scope), project="vision")
    with cast.database.write() as session:
        tokens.create(session, cast.editor, secret, AT)
    with pytest.raises(Conflict, match="still has 1 TensorBoards"), cast.database.write() as session:
        projects.remove(session, cast.owner, "vision", AT)
    for event in (lifecycle.DeleteRequested(), lifecycle.BoardEnded()):
        with cast.database.write() as session:
            board, _ = leases.apply_event(session, "loop", board, event, AT)
    with cast.database.write() as session:
        projects.remove(session, cast.owner, "vision", AT)

    with cast.database.read() as session:
        assert (projects.find(session, cast.owner), tokens.find(session, cast.editor)) == ([], [])
        assert datasets.find(session, cast.admin) == []
    with pytest.raises(Conflict, match="there is, or was"), cast.database.write() as session:
        projects.create(session, cast.stranger, Project(id="", name="vision"), AT)


def test_only_its_owner_deletes_a_project(cast: Cast) -> None:
    """Who administers it does not."""
    with pytest.raises(PermissionDenied, match=r"project\.delete"), cast.database.write() as session:
        projects.remove(session, cast.leader, "vision", AT)


# Members


def test_members_by_name_with_their_roles(cast: Cast) -> None:
    """For everybody in the project."""
    with cast.database.read() as session:
        members = projects.members(session, cast.viewer, "vision")

    assert [(account.name, member) for member, account in members] == [
        (name, Member(project=cast.vision, account=cast.people[name].account, role=role, since=AT))
        for name, role in (
            ("editor", Role.EDITOR), ("leader", Role.ADMIN), ("owner", Role.OWNER), ("viewer", Role.VIEWER),
        )
    ]  # fmt: skip


@pytest.mark.parametrize(("name", "role"), [("leader", Role.OWNER), ("owner", Role.EDITOR)])
def test_only_owners_touch_owners(cast: Cast, name: str, role: Role) -> None:
    """Who administers a project makes no owner of themselves, and unmakes none."""
    with pytest.raises(PermissionDenied, match="only an owner"), cast.database.write() as session:
        projects.set_member(session, cast.leader, "vision", name, role, AT)


def test_an_editor_adds_nobody(cast: Cast) -> None:
    """That is for who administers the project."""
    with pytest.raises(PermissionDenied, match=r"members\.update"), cast.database.write() as session:
        projects.set_member(session, cast.editor, "vision", "stranger", Role.VIEWER, AT)


def test_a_project_keeps_an_owner(cast: Cast) -> None:
    """The last one neither goes nor becomes something else."""
    with pytest.raises(Conflict, match="no owner"), cast.database.write() as session:
        projects.remove_member(session, cast.owner, "vision", "owner", AT)
    with pytest.raises(Conflict, match="no owner"), cast.database.write() as session:
        projects.set_member(session, cast.admin, "vision", "owner", Role.VIEWER, AT)


def test_who_leaves_sees_nothing_any_more(cast: Cast) -> None:
    """Not even what they made."""
    board = cast.board()
    with cast.database.write() as session:
        projects.remove_member(session, cast.editor, "vision", "editor", AT)
        with pytest.raises(NotFound):
            tensorboards.get(session, cast.editor, board.id)


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
def test_a_dataset_is_a_place(cast: Cast, kind: DatasetKind, uri: str, kept: str) -> None:
    """In its shortest form."""
    assert dataset(cast, kind=kind, uri=uri).uri == kept


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
def test_a_dataset_is_of_its_kind(cast: Cast, kind: DatasetKind, uri: str) -> None:
    """A place of another is refused."""
    with pytest.raises(Invalid):
        dataset(cast, kind=kind, uri=uri)


def test_a_dataset_does_not_refer_to_itself(cast: Cast) -> None:
    """By no way around."""
    dataset(cast, name="real")
    first = dataset(cast, name="first", kind=DatasetKind.REFERENCE, uri="real")
    dataset(cast, name="second", kind=DatasetKind.REFERENCE, uri="first")
    with pytest.raises(Invalid, match="refer to itself"), cast.database.write() as session:
        datasets.change(session, cast.editor, first.id, {"uri": "second"}, AT)


def test_datasets_of_others_are_theirs(cast: Cast) -> None:
    """Seen in the project, changed by their owner and who administers it; strangers see none."""
    data = dataset(cast, cast.owner)
    with cast.database.write() as session:
        assert datasets.get(session, cast.viewer, "data", project="vision") == data
        with pytest.raises(PermissionDenied, match=r"datasets\.update"):
            datasets.change(session, cast.editor, data.id, {"display_name": "x"}, AT)
        with pytest.raises(NotFound):
            datasets.get(session, cast.stranger, data.id)
        assert datasets.find(session, cast.stranger) == []
        assert datasets.change(session, cast.leader, data.id, {"display_name": "x"}, AT).version == 2


def test_a_dataset_in_use_stays(cast: Cast) -> None:
    """It says who uses it, as far as the asker may know; once nobody does, it can go."""
    data = dataset(cast)
    source = Source(id="", kind=SourceKind.DATASET, ref=data.id)
    board = cast.board(sources=(source,))
    cast.board(cast.owner, sources=(source, folder()), name="hidden")
    with cast.database.write() as session:
        assert [used.name for used in datasets.used_by(session, cast.editor, data.id)] == [board.name]
        with pytest.raises(Conflict, match="2 TensorBoards or datasets"):
            datasets.remove(session, cast.editor, data.id, AT)

    with cast.database.write() as session:
        for name in (board.name, "hidden"):
            tensorboards.change(session, cast.owner, name, {"sources": (folder(),)}, AT, project="vision")
        datasets.remove(session, cast.editor, data.id, AT)
        assert datasets.find(session, cast.editor) == []


def test_a_board_keeps_a_dataset_that_its_project_lost(cast: Cast) -> None:
    """Who changes something else does not lose it; a new one must be of the project, or bound to it."""
    with cast.database.write() as session:
        other = projects.create(session, cast.owner, Project(id="", name="other"), AT).id
    theirs = dataset(cast, cast.owner, project=other, name="theirs")
    unseen = dataset(cast, cast.owner, project=other, name="unseen")
    bound = cast.bind(theirs.id, BindingKind.DATASET)
    board = cast.board(
        cast.editor, sources=(Source(id="", kind=SourceKind.DATASET, ref=theirs.id),), access=Access.PROJECT
    )  # fmt: skip
    with cast.database.write() as session:
        bindings.remove(session, cast.admin, "vision", bound.id, AT)
        after = tensorboards.change(
            session, cast.editor, board.id, {"sources": (*board.sources, *wanted("").sources)}, AT
        )  # fmt: skip
        assert [source.ref for source in after.sources] == [theirs.id, ""]
        more = (*after.sources, Source(id="", kind=SourceKind.DATASET, ref=unseen.id))
        with pytest.raises(NotFound):
            tensorboards.change(session, cast.editor, board.id, {"sources": more}, AT)
