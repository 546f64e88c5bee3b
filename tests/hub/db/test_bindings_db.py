"""Bindings of projects in the database."""

import pytest

from lightboard.errors import Conflict, Invalid, NotFound, PermissionDenied
from lightboard.hub.db import audit, bindings, datasets, projects
from lightboard.hub.resources.bindings import Binding, BindingKind
from lightboard.hub.resources.datasets import Dataset, DatasetKind
from lightboard.schema.audit import AuditRequest
from support.personas import START_TIME, Personas


def binding(value: str = "/srv/more", kind: BindingKind = BindingKind.ROOT, project: str = "vision") -> Binding:
    """Something to be bound."""
    return Binding(id="", project=project, kind=kind, value=value)


def dataset(personas: Personas, project: str, name: str = "data") -> Dataset:
    """A dataset of the administrator."""
    new = Dataset(id="", name=name, project=project, owner="", kind=DatasetKind.PATH, uri="/data")
    with personas.database.write() as session:
        return datasets.create(session, personas.admin, new, START_TIME)


def bound(personas: Personas, project: str = "vision") -> list[tuple[str, str]]:
    """Kind and value of all that a project has."""
    with personas.database.read() as session:
        return [(each.kind.value, each.value) for each in bindings.find(session, personas.admin, project)]


def test_an_administrator_binds_and_unbinds(personas: Personas) -> None:
    """Values are normalized, and the audit records each step."""
    root = personas.bind("//srv//more/", BindingKind.ROOT)
    personas.bind("s3://logs//vision/", BindingKind.STORAGE, credential="team")
    personas.bind("team", BindingKind.CREDENTIAL)
    assert bound(personas) == [("credential", "team"), ("root", "/srv/more"), ("storage", "s3://logs/vision")]

    with personas.database.write() as session:
        bindings.remove(session, personas.admin, "vision", root.id, START_TIME)
    assert bound(personas) == [("credential", "team"), ("storage", "s3://logs/vision")]
    with personas.database.read() as session:
        events = audit.find(session, personas.admin, AuditRequest(target=root.id))[0]
    assert [(event.action, event.details["value"]) for event in events] == [
        ("binding.remove", "/srv/more"),
        ("binding.create", "/srv/more"),
    ]


@pytest.mark.parametrize("name", ["owner", "leader", "editor", "viewer", "stranger"])
def test_only_administrators_bind(personas: Personas, name: str) -> None:
    """Owners may not: folders of the machine are not theirs to share."""
    who, made = personas.people[name], personas.bind("/srv/more")
    refused = NotFound if name == "stranger" else PermissionDenied
    with personas.database.write() as session:
        with pytest.raises(refused):
            bindings.create(session, who, binding("/srv/other"), START_TIME)
        with pytest.raises(refused):
            bindings.remove(session, who, "vision", made.id, START_TIME)
    assert bound(personas) == [("root", "/srv/more")]


def test_a_binding_is_removed_through_its_own_project(personas: Personas) -> None:
    """Ids of other projects are not found."""
    made = personas.bind("/srv/more")
    with personas.database.write() as session, pytest.raises(NotFound):
        bindings.remove(session, personas.admin, "default", made.id, START_TIME)
    assert bound(personas) == [("root", "/srv/more")]


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
def test_a_value_must_fit_its_kind(personas: Personas, kind: BindingKind, value: str) -> None:
    """Others are refused."""
    with personas.database.write() as session, pytest.raises(Invalid):
        bindings.create(session, personas.admin, binding(value, kind), START_TIME)


def test_duplicate_bindings_are_conflicts(personas: Personas) -> None:
    """However the value is written."""
    personas.bind("/srv/more")
    with personas.database.write() as session, pytest.raises(Conflict, match="/srv/more is bound to vision already"):
        bindings.create(session, personas.admin, binding("/srv/more/"), START_TIME)


def test_datasets_of_other_projects_are_bound_by_id(personas: Personas) -> None:
    """Own datasets need no binding, missing ones are refused, and deleting a dataset removes its bindings."""
    own, theirs = dataset(personas, "vision"), dataset(personas, "default")
    with personas.database.write() as session:
        with pytest.raises(Invalid, match="belongs to this project already"):
            bindings.create(session, personas.admin, binding(own.id, BindingKind.DATASET), START_TIME)
        with pytest.raises(NotFound):
            bindings.create(session, personas.admin, binding("ds-none", BindingKind.DATASET), START_TIME)
    personas.bind(theirs.id, BindingKind.DATASET)
    with personas.database.write() as session:
        assert [each.name for each in datasets.find(session, personas.viewer, "vision")] == ["data", "data"]
        datasets.remove(session, personas.admin, theirs.id, START_TIME)

    assert bound(personas) == []


def test_using_a_dataset_of_another_project_needs_a_binding(personas: Personas) -> None:
    """Even for members of both projects: every member of this one sees what is shown here."""
    theirs = dataset(personas, "default", "theirs")
    with personas.database.read() as session:
        for who in (personas.editor, personas.admin):
            for ref in (theirs.id, theirs.name):
                with pytest.raises(NotFound, match="there is no dataset"):
                    datasets.usable(session, who, ref, personas.vision)
    personas.bind(theirs.id, BindingKind.DATASET)
    with personas.database.read() as session:
        assert [
            datasets.usable(session, personas.editor, ref, personas.vision) for ref in (theirs.id, theirs.name)
        ] == [
            theirs,
            theirs,
        ]
        with pytest.raises(NotFound):
            datasets.usable(session, personas.stranger, theirs.id, personas.vision)


def test_deleting_a_project_removes_its_bindings(personas: Personas) -> None:
    """And those of its datasets to other projects."""
    theirs = dataset(personas, "default")
    personas.bind(theirs.id, BindingKind.DATASET)
    personas.bind("/srv/more", project="default")
    with personas.database.write() as session:
        projects.remove(session, personas.admin, "default", START_TIME)
        assert [each.value for each in bindings.of_project(session, personas.vision)] == []
