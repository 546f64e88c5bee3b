"""Datasets: named places with data."""

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any

from sqlalchemy import delete, func, or_, select
from sqlalchemy.orm import Session

from lightboard.errors import Conflict, Invalid, NotFound
from lightboard.hub.access import Principal
from lightboard.hub.db import audit, bindings, projects
from lightboard.hub.db.access_checks import Resource, check_access, check_right, has_right, rights_on
from lightboard.hub.db.accounts import check_fields
from lightboard.hub.db.records import check_version, fill, record, values
from lightboard.hub.db.tables import BindingRow, DatasetRow, MemberRow, TensorboardRow
from lightboard.hub.db.tensorboard_lists import visible
from lightboard.hub.resources.bindings import BindingKind
from lightboard.hub.resources.datasets import PREFIX, Dataset, DatasetKind
from lightboard.hub.resources.ids import is_id, new_id
from lightboard.hub.resources.jobs import STORAGE
from lightboard.hub.resources.names import check_name, name_from, numbered
from lightboard.hub.resources.sources import OBJECT_SCHEMES, SourceKind, parse_uri
from lightboard.hub.resources.tensorboards import Status, Tensorboard

KIND = "dataset"
CHANGEABLE = frozenset({"display_name", "uri", "credential", "labels"})


def create(session: Session, principal: Principal, new: Dataset, at: float) -> Dataset:
    """Creates a dataset of the principal; `project` is an id, a name, or "" for the default. Right `datasets.create`.

    A `name` of "" is derived from the display name. Raises Conflict if the name is taken, Invalid for invalid fields.
    """
    project = project_for(session, principal, new.project)
    taken = set(session.scalars(select(DatasetRow.name).where(DatasetRow.project == project)))
    name = check_name(new.name, "name of a dataset") if new.name else ""
    if name in taken:
        raise Conflict(f"there is a dataset {name} in this project already", hint="choose another name")
    made = replace(
        new,
        id=new_id(PREFIX, at),
        name=name or numbered(name_from(new.display_name, "dataset"), taken),
        display_name=new.display_name or name,
        project=project,
        owner=principal.account,
        uri=checked_uri(session, principal, project, new.kind, new.uri),
        created_at=at,
        updated_at=at,
        version=1,
    )
    session.add(DatasetRow(**values(made)))
    details = {"name": made.name, "uri": made.uri, "credential": made.credential}
    audit.add(session, principal, "dataset.create", kind=KIND, target=made.id, project=project, at=at, details=details)
    session.flush()
    return made


def project_for(session: Session, principal: Principal, id_or_name: str) -> str:
    """The id of the project of a new dataset; "" is the default project. Right `datasets.create`."""
    project = projects.get(session, principal, id_or_name) if id_or_name else projects.default(session, principal)
    check_right(session, principal, "datasets.create", Resource(project.id))
    return project.id


def checked_uri(session: Session, principal: Principal, project: str, kind: DatasetKind, uri: str) -> str:
    """The normalized URI, or the id of a referenced dataset. Raises Invalid if it does not fit the kind."""
    if kind is DatasetKind.REFERENCE:
        return usable(session, principal, uri, project).id
    found, _ref, path = parse_uri(uri)
    scheme = path.partition("://")[0] if found is SourceKind.URI else ""
    if kind.value in OBJECT_SCHEMES:
        fits, wanted = scheme == kind.value, f"{kind}://BUCKET/path"
    elif kind is DatasetKind.STORAGE:
        fits, wanted = found is SourceKind.STORAGE, "storage:PATH"
    else:
        fits, wanted = found is SourceKind.PATH, "an absolute folder"
    if not fits:
        raise Invalid(f"{uri!r} is not a location of the kind {kind}", hint=f"give {wanted}")
    return f"{STORAGE}{path}" if kind is DatasetKind.STORAGE else path


def get(
    session: Session, principal: Principal, id_or_name: str, right: str = "datasets.list", project: str = ""
) -> Dataset:
    """The dataset with this id, or this name in `project` (id or name; "" is any that the principal sees).

    Raises NotFound if the principal may not see it, PermissionDenied without the `right`, Invalid if several projects
    have the name.
    """
    return record(Dataset, row_for(session, principal, id_or_name, right, project))


def row_for(session: Session, principal: Principal, id_or_name: str, right: str, project: str) -> DatasetRow:
    """The row that `get` returns as a dataset."""
    known = is_id(id_or_name, PREFIX)
    row = session.get(DatasetRow, id_or_name) if known else find_by_name(session, principal, id_or_name, project)
    if row is None:
        raise NotFound(f"there is no dataset {id_or_name}")
    check_access(session, principal, "datasets.list", right, f"dataset {id_or_name}", Resource(row.project, row.owner))
    return row


def find_by_name(session: Session, principal: Principal, name: str, project: str) -> DatasetRow | None:
    """The dataset with this name that the principal sees."""
    query = select(DatasetRow).where(DatasetRow.name == name)
    if project:
        query = query.where(DatasetRow.project == projects.get(session, principal, project).id)
    rows = [
        row
        for row in session.scalars(query)
        if has_right(session, principal, "datasets.list", Resource(row.project, row.owner))
    ]
    if len(rows) > 1:
        raise Invalid(f"several projects have a dataset {name}", hint="name the project, or give the id")
    return rows[0] if rows else None


def usable(session: Session, principal: Principal, id_or_name: str, project: str) -> Dataset:
    """A dataset that the project with this id may use: its own, or one that is bound to it.

    Raises NotFound for any other, whoever the principal is, because all members see what is shown in a project.
    """
    check_access(session, principal, "datasets.list", "datasets.list", f"dataset {id_or_name}", Resource(project))
    bound = bindings.values_of(session, project, BindingKind.DATASET)
    column = DatasetRow.id if is_id(id_or_name, PREFIX) else DatasetRow.name
    usable = or_(DatasetRow.project == project, DatasetRow.id.in_(bound))
    rows = session.scalars(select(DatasetRow).where(column == id_or_name, usable)).all()
    own = [row for row in rows if row.project == project] or rows
    if not own:
        raise NotFound(f"there is no dataset {id_or_name} in this project", hint=BIND)
    if len(own) > 1:
        raise Invalid(f"several datasets {id_or_name} are bound to this project", hint="give the id")
    return record(Dataset, own[0])


BIND = "an administrator can bind a dataset of another project to it"


def is_of(session: Session, dataset: Dataset, project: str) -> bool:
    """Whether the project with this id may use the dataset. For the hub itself: no rights are checked."""
    return dataset.project == project or dataset.id in bindings.values_of(session, project, BindingKind.DATASET)


def find(session: Session, principal: Principal, project: str = "") -> list[Dataset]:
    """The datasets that a project may use, or those of all visible projects, by name."""
    query = select(DatasetRow).order_by(DatasetRow.name, DatasetRow.id)
    if project:
        chosen = projects.get(session, principal, project, "datasets.list").id
        bound = bindings.values_of(session, chosen, BindingKind.DATASET)
        query = query.where(or_(DatasetRow.project == chosen, DatasetRow.id.in_(bound)))
        return [record(Dataset, row) for row in session.scalars(query)]
    if not principal.administrator:
        query = query.where(
            DatasetRow.project.in_(select(MemberRow.project).where(MemberRow.account == principal.account))
        )
    rows = session.scalars(query)
    return [
        record(Dataset, row)
        for row in rows
        if has_right(session, principal, "datasets.list", Resource(row.project, row.owner))
    ]


def change(
    session: Session,
    principal: Principal,
    id_or_name: str,
    wanted: Mapping[str, Any],
    at: float,
    version: int | None = None,
) -> Dataset:
    """Changes fields of CHANGEABLE. Right `datasets.update`. Raises Conflict for another version.

    Running TensorBoards keep the old location until they are started again.
    """
    visited = row_for(session, principal, id_or_name, "datasets.update", "")
    check_fields(wanted, CHANGEABLE)
    row = session.get_one(DatasetRow, visited.id, with_for_update=True, populate_existing=True)
    before = record(Dataset, row)
    check_version(f"the dataset {before.name}", before.version, version)
    after = replace(before, **wanted)
    if after.uri != before.uri:
        after = replace(after, uri=checked_uri(session, principal, row.project, row.kind, after.uri))
        check_no_cycle(session, after)
    if after == before:
        return before
    after = replace(after, updated_at=at, version=before.version + 1)
    fill(row, after)
    audit.add(
        session, principal, "dataset.change", kind=KIND, target=row.id, project=row.project, at=at, details=dict(wanted)
    )
    session.flush()
    return after


def check_no_cycle(session: Session, dataset: Dataset) -> None:
    """Raises Invalid if references form a cycle."""
    visited, at = {dataset.id}, dataset
    while at.kind is DatasetKind.REFERENCE:
        row = session.get(DatasetRow, at.uri)
        if row is None:
            return
        if row.id in visited:
            raise Invalid(f"the dataset {dataset.name} would refer to itself", hint="refer to a dataset with data")
        visited.add(row.id)
        at = record(Dataset, row)


def remove(session: Session, principal: Principal, id_or_name: str, at: float) -> None:
    """Removes a dataset from the hub; the data is kept. Right `datasets.delete`. Raises Conflict while it is used."""
    row = row_for(session, principal, id_or_name, "datasets.delete", "")
    number = uses(session, row.id)
    if number:
        raise Conflict(f"TensorBoards or datasets use {row.name}: {number}", hint="delete or change them first")
    audit.add(
        session,
        principal,
        "dataset.delete",
        kind=KIND,
        target=row.id,
        project=row.project,
        at=at,
        details={"name": row.name, "uri": row.uri},
    )
    session.execute(delete(BindingRow).where(BindingRow.kind == BindingKind.DATASET, BindingRow.value == row.id))
    session.delete(row)
    session.flush()


def used_by(session: Session, principal: Principal, id_or_name: str) -> list[Tensorboard]:
    """The visible TensorBoards that use the dataset, newest first."""
    row = row_for(session, principal, id_or_name, "datasets.list", "")
    query = (
        select(TensorboardRow)
        .where(uses_dataset(row.id), visible(principal))
        .order_by(TensorboardRow.created_at.desc())
    )
    return [record(Tensorboard, board) for board in session.scalars(query)]


def uses(session: Session, id: str) -> int:
    """The number of TensorBoards and datasets that use it."""
    boards = session.scalar(select(func.count()).select_from(TensorboardRow).where(uses_dataset(id))) or 0
    refers = (DatasetRow.kind == DatasetKind.REFERENCE) & (DatasetRow.uri == id)
    return boards + (session.scalar(select(func.count()).select_from(DatasetRow).where(refers)) or 0)


def uses_dataset(id: str) -> Any:
    """The condition that a board uses the dataset with this id."""
    return (TensorboardRow.status != Status.DELETED) & TensorboardRow.sources_sought.contains(id)


def get_unchecked(session: Session, id: str) -> Dataset | None:
    """The dataset with this id. For the hub itself: no rights are checked."""
    row = session.get(DatasetRow, id)
    return record(Dataset, row) if row else None


def names(session: Session, ids: Collection[str]) -> dict[str, str]:
    """Names by id, for ids that the principal sees anyway. Unknown ids are left out."""
    rows = session.execute(select(DatasetRow.id, DatasetRow.name).where(DatasetRow.id.in_(ids)))
    return dict(rows.all())


def rights_of(session: Session, principal: Principal, dataset: Dataset) -> list[str]:
    """The rights of the principal on the dataset."""
    return rights_on(session, principal, "datasets", Resource(dataset.project, dataset.owner))
