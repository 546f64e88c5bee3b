"""Promises about what administrators bind to projects."""

import pytest
from cast import AT, Cast

from lightboard.errors import Conflict, Invalid, NotFound, PermissionDenied
from lightboard.hub.db import audit, bindings, datasets, projects
from lightboard.hub.resources.bindings import Binding, BindingKind
from lightboard.hub.resources.datasets import Dataset, DatasetKind
from lightboard.schema.audit import AuditQuestion


def binding(value: str = "/srv/more", kind: BindingKind = BindingKind.ROOT, project: str = "vision") -> Binding:
    """Something to be bound."""
    return Binding(id="", project=project, kind=kind, value=value)


def dataset(cast: Cast, project: str, name: str = "data") -> Dataset:
    """A dataset of the administrator."""
    new = Dataset(id="", name=name, project=project, owner="", kind=DatasetKind.PATH, uri="/data")
    with cast.database.write() as session:
        return datasets.create(session, cast.admin, new, AT)


def bound(cast: Cast, project: str = "vision") -> list[tuple[str, str]]:
    """Kind and value of all that a project has."""
    with cast.database.read() as session:
        return [(each.kind.value, each.value) for each in bindings.find(session, cast.admin, project)]


def test_an_administrator_binds_and_unbinds(cast: Cast) -> None:
    """Each value in its shortest form, and each step is in the audit."""
    root = cast.bind("//srv//more/", BindingKind.ROOT)
    cast.bind("s3://logs//vision/", BindingKind.STORAGE, credential="team")
    cast.bind("team", BindingKind.CREDENTIAL)
    assert bound(cast) == [("credential", "team"), ("root", "/srv/more"), ("storage", "s3://logs/vision")]

    with cast.database.write() as session:
        bindings.remove(session, cast.admin, "vision", root.id, AT)
    assert bound(cast) == [("credential", "team"), ("storage", "s3://logs/vision")]
    with cast.database.read() as session:
        events = audit.find(session, cast.admin, AuditQuestion(target=root.id))[0]
    assert [(event.action, event.details["value"]) for event in events] == [
        ("binding.remove", "/srv/more"),
        ("binding.create", "/srv/more"),
    ]


@pytest.mark.parametrize("name", ["owner", "leader", "editor", "viewer", "stranger"])
def test_nobody_else_binds(cast: Cast, name: str) -> None:
    """Not even the owner: what lies on the hub's machine is not theirs to give."""
    who, made = cast.people[name], cast.bind("/srv/more")
    refused = NotFound if name == "stranger" else PermissionDenied
    with cast.database.write() as session:
        with pytest.raises(refused):
            bindings.create(session, who, binding("/srv/other"), AT)
        with pytest.raises(refused):
            bindings.remove(session, who, "vision", made.id, AT)
    assert bound(cast) == [("root", "/srv/more")]


def test_a_binding_is_removed_from_its_own_project_alone(cast: Cast) -> None:
    """An id of another one is not there."""
    made = cast.bind("/srv/more")
    with cast.database.write() as session, pytest.raises(NotFound):
        bindings.remove(session, cast.admin, "default", made.id, AT)
    assert bound(cast) == [("root", "/srv/more")]


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        (BindingKind.ROOT, "srv/more"),
        (BindingKind.ROOT, "s3://logs/a"),
        (BindingKind.ROOT, "storage:a"),
        (BindingKind.STORAGE, "/srv/more"),
        (BindingKind.STORAGE, "s3://key@logs/a"),
        (BindingKind.CREDENTIAL, "../team"),
        (BindingKind.CREDENTIAL, ""),
    ],
)
def test_a_value_fits_its_kind(cast: Cast, kind: BindingKind, value: str) -> None:
    """Or is refused."""
    with cast.database.write() as session, pytest.raises(Invalid):
        bindings.create(session, cast.admin, binding(value, kind), AT)


def test_what_is_bound_already_is_said(cast: Cast) -> None:
    """By its value, however it was written."""
    cast.bind("/srv/more")
    with cast.database.write() as session, pytest.raises(Conflict, match="/srv/more is bound to vision already"):
        bindings.create(session, cast.admin, binding("/srv/more/"), AT)


def test_datasets_of_others_are_bound_by_id(cast: Cast) -> None:
    """One's own need not be, and what is not there cannot be; a binding goes with its dataset."""
    own, theirs = dataset(cast, "vision"), dataset(cast, "default")
    with cast.database.write() as session:
        with pytest.raises(Invalid, match="belongs to this project already"):
            bindings.create(session, cast.admin, binding(own.id, BindingKind.DATASET), AT)
        with pytest.raises(NotFound):
            bindings.create(session, cast.admin, binding("ds-none", BindingKind.DATASET), AT)
    cast.bind(theirs.id, BindingKind.DATASET)
    with cast.database.write() as session:
        assert [each.name for each in datasets.find(session, cast.viewer, "vision")] == ["data", "data"]
        datasets.remove(session, cast.admin, theirs.id, AT)

    assert bound(cast) == []


def test_a_dataset_of_another_project_is_used_only_if_it_is_bound(cast: Cast) -> None:
    """By name or id, also by somebody who sees both projects: what is shown here, all members see."""
    theirs = dataset(cast, "default", "theirs")
    with cast.database.read() as session:
        for who in (cast.editor, cast.admin):
            for ref in (theirs.id, theirs.name):
                with pytest.raises(NotFound, match="there is no dataset"):
                    datasets.usable(session, who, ref, cast.vision)
    cast.bind(theirs.id, BindingKind.DATASET)
    with cast.database.read() as session:
        assert [datasets.usable(session, cast.editor, ref, cast.vision) for ref in (theirs.id, theirs.name)] == [
            theirs,
            theirs,
        ]
        with pytest.raises(NotFound):
            datasets.usable(session, cast.stranger, theirs.id, cast.vision)


def test_bindings_end_with_their_project(cast: Cast) -> None:
    """And those of its datasets to others."""
    theirs = dataset(cast, "default")
    cast.bind(theirs.id, BindingKind.DATASET)
    cast.bind("/srv/more", project="default")
    with cast.database.write() as session:
        projects.remove(session, cast.admin, "default", AT)
        assert [each.value for each in bindings.of_project(session, cast.vision)] == []
