"""Datasets: named places with data."""

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any

from sqlalchemy import delete, func, or_, select
from sqlalchemy.orm import Session

from lightboard.errors import Conflict, Invalid, NotFound
from lightboard.hub.access import Principal
from lightboard.hub.db import audit, bindings, projects
from lightboard.hub.db.accounts import check_fields
from lightboard.hub.db.records import check_version, fill, record, values
from lightboard.hub.db.rights import check, check_seen, may, rights_over
from lightboard.hub.db.tables import BindingRow, DatasetRow, MemberRow, TensorboardRow
from lightboard.hub.db.tensorboard_lists import visible
from lightboard.hub.resources.bindings import BindingKind
from lightboard.hub.resources.datasets import PREFIX, Dataset, DatasetKind
from lightboard.hub.resources.ids import is_id, new_id
from lightboard.hub.resources.names import check_name, name_from, numbered
from lightboard.hub.resources.sources import OBJECT_SCHEMES, SourceKind, parse_uri
from lightboard.hub.resources.tensorboards import Status, Tensorboard

KIND = "dataset"
CHANGEABLE = frozenset({"display_name", "uri", "credential", "labels"})


def create(session: Session, who: Principal, new: Dataset, at: float) -> Dataset:
    """A new dataset of the asker; `project` is an id, a name, or "" for the asker's own. Right `datasets.create`.

    A `name` of "" is made of the display name. Raises Conflict for one that is taken, Invalid for what breaks a rule.
    """
    project = project_for(session, who, new.project)
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
        owner=who.account,
        uri=checked_uri(session, who, project, new.kind, new.uri),
        created_at=at,
        updated_at=at,
        version=1,
    )
    session.add(DatasetRow(**values(made)))
    details = {"name": made.name, "uri": made.uri, "credential": made.credential}
    audit.add(session, who, "dataset.create", kind=KIND, target=made.id, project=project, at=at, details=details)
    session.flush()
    return made


def project_for(session: Session, who: Principal, id_or_name: str) -> str:
    """The id of the project of a new dataset; "" is the asker's own. Right `datasets.create`."""
    project = projects.get(session, who, id_or_name) if id_or_name else projects.default(session, who)
    check(session, who, "datasets.create", project.id)
    return project.id


def checked_uri(session: Session, who: Principal, project: str, kind: DatasetKind, uri: str) -> str:
    """The place in its shortest form, a reference by its id. Raises Invalid where it does not fit the kind."""
    if kind is DatasetKind.REFERENCE:
        return usable(session, who, uri, project).id
    found, _ref, path = parse_uri(uri)
    scheme = path.partition("://")[0] if found is SourceKind.URI else ""
    fits = scheme == kind.value if kind.value in OBJECT_SCHEMES else found is SourceKind.PATH
    if not fits:
        wanted = f"{kind}://BUCKET/path" if kind.value in OBJECT_SCHEMES else "an absolute folder"
        raise Invalid(f"{uri!r} is no place of the kind {kind}", hint=f"give {wanted}")
    return path


def get(session: Session, who: Principal, id_or_name: str, right: str = "datasets.list", project: str = "") -> Dataset:
    """The dataset with this id, or of this name in `project` (id or name; "" is any that the asker sees).

    Raises NotFound for what the asker may not see, PermissionDenied where the `right` is missing, Invalid for a name
    that several projects have.
    """
    return record(Dataset, row_for(session, who, id_or_name, right, project))


def row_for(session: Session, who: Principal, id_or_name: str, right: str, project: str) -> DatasetRow:
    """The row for `get`."""
    known = is_id(id_or_name, PREFIX)
    row = session.get(DatasetRow, id_or_name) if known else named(session, who, id_or_name, project)
    if row is None:
        raise NotFound(f"there is no dataset {id_or_name}")
    check_seen(session, who, "datasets.list", right, f"dataset {id_or_name}", row.project, row.owner)
    return row


def named(session: Session, who: Principal, name: str, project: str) -> DatasetRow | None:
    """The one of this name that the asker sees."""
    query = select(DatasetRow).where(DatasetRow.name == name)
    if project:
        query = query.where(DatasetRow.project == projects.get(session, who, project).id)
    rows = [row for row in session.scalars(query) if may(session, who, "datasets.list", row.project, row.owner)]
    if len(rows) > 1:
        raise Invalid(f"several projects have a dataset {name}", hint="name the project, or give the id")
    return rows[0] if rows else None


def usable(session: Session, who: Principal, id_or_name: str, project: str) -> Dataset:
    """The dataset as the project with this id may use it: one of its own, or one of another that is bound to it.

    Raises NotFound for any other, whoever asks: what is shown in a project, all its members see.
    """
    check_seen(session, who, "datasets.list", "datasets.list", f"dataset {id_or_name}", project, "")
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
    """Whether the project with this id may use it, for the hub itself: no right is asked."""
    return dataset.project == project or dataset.id in bindings.values_of(session, project, BindingKind.DATASET)


def find(session: Session, who: Principal, project: str = "") -> list[Dataset]:
    """Those that a project may use, or those of all projects that the asker sees, by name."""
    query = select(DatasetRow).order_by(DatasetRow.name, DatasetRow.id)
    if project:
        chosen = projects.get(session, who, project, "datasets.list").id
        bound = bindings.values_of(session, chosen, BindingKind.DATASET)
        query = query.where(or_(DatasetRow.project == chosen, DatasetRow.id.in_(bound)))
        return [record(Dataset, row) for row in session.scalars(query)]
    if not who.administrator:
        query = query.where(DatasetRow.project.in_(select(MemberRow.project).where(MemberRow.account == who.account)))
    rows = session.scalars(query)
    return [record(Dataset, row) for row in rows if may(session, who, "datasets.list", row.project, row.owner)]


def change(
    session: Session, who: Principal, id_or_name: str, wanted: Mapping[str, Any], at: float, version: int | None = None
) -> Dataset:
    """Changes fields of CHANGEABLE. Right `datasets.update`. Raises Conflict for another version.

    TensorBoards over it that run go on with the old place until they start again.
    """
    seen = row_for(session, who, id_or_name, "datasets.update", "")
    check_fields(wanted, CHANGEABLE)
    row = session.get_one(DatasetRow, seen.id, with_for_update=True, populate_existing=True)
    before = record(Dataset, row)
    check_version(f"the dataset {before.name}", before.version, version)
    after = replace(before, **wanted)
    if after.uri != before.uri:
        after = replace(after, uri=checked_uri(session, who, row.project, row.kind, after.uri))
        check_no_circle(session, after)
    if after == before:
        return before
    after = replace(after, updated_at=at, version=before.version + 1)
    fill(row, after)
    audit.add(
        session, who, "dataset.change", kind=KIND, target=row.id, project=row.project, at=at, details=dict(wanted)
    )  # fmt: skip
    session.flush()
    return after


def check_no_circle(session: Session, dataset: Dataset) -> None:
    """Raises Invalid where a reference leads back to where it began."""
    seen, at = {dataset.id}, dataset
    while at.kind is DatasetKind.REFERENCE:
        row = session.get(DatasetRow, at.uri)
        if row is None:
            return
        if row.id in seen:
            raise Invalid(f"the dataset {dataset.name} would refer to itself", hint="refer to one that is a place")
        seen.add(row.id)
        at = record(Dataset, row)


def remove(session: Session, who: Principal, id_or_name: str, at: float) -> None:
    """Takes it out of the hub; the data stays. Right `datasets.delete`. Raises Conflict while something is over it."""
    row = row_for(session, who, id_or_name, "datasets.delete", "")
    number = uses(session, row.id)
    if number:
        raise Conflict(f"{number} TensorBoards or datasets are over {row.name}", hint="delete or change them first")
    audit.add(
        session, who, "dataset.delete", kind=KIND, target=row.id, project=row.project, at=at,
        details={"name": row.name, "uri": row.uri},
    )  # fmt: skip
    session.execute(delete(BindingRow).where(BindingRow.kind == BindingKind.DATASET, BindingRow.value == row.id))
    session.delete(row)
    session.flush()


def used_by(session: Session, who: Principal, id_or_name: str) -> list[Tensorboard]:
    """TensorBoards over it that the asker may see, newest first."""
    row = row_for(session, who, id_or_name, "datasets.list", "")
    query = select(TensorboardRow).where(over(row.id), visible(who)).order_by(TensorboardRow.created_at.desc())
    return [record(Tensorboard, board) for board in session.scalars(query)]


def uses(session: Session, id: str) -> int:
    """How many TensorBoards, and datasets that refer to it, would miss it."""
    boards = session.scalar(select(func.count()).select_from(TensorboardRow).where(over(id))) or 0
    refers = (DatasetRow.kind == DatasetKind.REFERENCE) & (DatasetRow.uri == id)
    return boards + (session.scalar(select(func.count()).select_from(DatasetRow).where(refers)) or 0)


def over(id: str) -> Any:
    """The condition that a board is over the dataset with this id."""
    return (TensorboardRow.status != Status.DELETED) & TensorboardRow.sources_sought.contains(id)


def peek(session: Session, id: str) -> Dataset | None:
    """The dataset with this id, for the hub itself: no right is asked."""
    row = session.get(DatasetRow, id)
    return record(Dataset, row) if row else None


def names(session: Session, ids: Collection[str]) -> dict[str, str]:
    """Names for ids that stand in what the asker sees anyway; ids of nothing are left out."""
    rows = session.execute(select(DatasetRow.id, DatasetRow.name).where(DatasetRow.id.in_(ids)))
    return dict(rows.all())


def rights_of(session: Session, who: Principal, dataset: Dataset) -> list[str]:
    """What the asker may do with it, by the names of the table."""
    return rights_over(session, who, "datasets", dataset.project, dataset.owner)
