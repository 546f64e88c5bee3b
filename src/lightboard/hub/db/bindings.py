"""What projects may use, as administrators have bound it to them."""

from dataclasses import replace

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from lightboard.errors import Conflict, Invalid, NotFound
from lightboard.hub.access import Principal
from lightboard.hub.db import audit, projects
from lightboard.hub.db.locks import lock
from lightboard.hub.db.records import record, values
from lightboard.hub.db.tables import BindingRow, DatasetRow, TensorboardRow
from lightboard.hub.resources.bindings import PREFIX, Binding, BindingKind, check_value
from lightboard.hub.resources.ids import new_id
from lightboard.hub.resources.tensorboards import COUNTED

KIND = "binding"
MOST = 1_000
"""Bindings that one project can have."""


def create(session: Session, who: Principal, new: Binding, at: float) -> Binding:
    """Binds `new.value` to `new.project` (id or name); `id` and time of `new` do not count. Right `bindings.update`.

    Raises Conflict for what is bound already, Invalid for a value that does not fit its kind, NotFound for a dataset
    that is not there.
    """
    project = projects.get(session, who, new.project, "bindings.update")
    value = check_value(new.kind, new.value, new.credential)
    if new.kind is BindingKind.DATASET:
        check_dataset(session, project.id, value)
    lock(session, f"bindings {project.id}")
    bound = of_project(session, project.id)
    if any((each.kind, each.value) == (new.kind, value) for each in bound):
        raise Conflict(f"{value} is bound to {project.name} already", hint="remove that binding first to change it")
    if len(bound) >= MOST:
        raise Invalid(f"{MOST} bindings are the most that a project can have", hint="remove some, or bind more at once")
    made = replace(new, id=new_id(PREFIX, at), project=project.id, value=value, created_at=at)
    session.add(BindingRow(**values(made)))
    noted(session, who, "binding.create", made, at)
    return made


def find(session: Session, who: Principal, project: str) -> list[Binding]:
    """Those of a project (id or name), by kind and value. Right `bindings.list`."""
    return of_project(session, projects.get(session, who, project, "bindings.list").id)


def remove(session: Session, who: Principal, project: str, id: str, at: float) -> Binding:
    """Takes one away from a project (id or name). Right `bindings.update`. Raises NotFound."""
    owner = projects.get(session, who, project, "bindings.update")
    row = session.get(BindingRow, id)
    if row is None or row.project != owner.id:
        raise NotFound(f"{owner.name} has no binding {id}")
    gone = record(Binding, row)
    session.delete(row)
    noted(session, who, "binding.remove", gone, at)
    return gone


def noted(session: Session, who: Principal, action: str, binding: Binding, at: float) -> None:
    """Writes the line of the audit, and has boards in use told anew which folders they may read."""
    session.execute(
        update(TensorboardRow)
        .where(TensorboardRow.project == binding.project, TensorboardRow.status.in_(COUNTED))
        .values(spec_version=TensorboardRow.spec_version + 1)
    )
    details = {"kind": binding.kind.value, "value": binding.value, "credential": binding.credential}
    audit.add(session, who, action, kind=KIND, target=binding.id, project=binding.project, at=at, details=details)
    session.flush()


def check_dataset(session: Session, project: str, id: str) -> None:
    """Raises NotFound for a dataset that is not there, Invalid for one that the project owns."""
    row = session.get(DatasetRow, id)
    if row is None:
        raise NotFound(f"there is no dataset {id}")
    if row.project == project:
        raise Invalid(f"the dataset {row.name} belongs to this project already", hint="only others need be bound")


def of_project(session: Session, project: str) -> list[Binding]:
    """All of the project with this id, for the hub itself: no right is asked."""
    rows = session.scalars(
        select(BindingRow).where(BindingRow.project == project).order_by(BindingRow.kind, BindingRow.value)
    )
    return [record(Binding, row) for row in rows]


def values_of(session: Session, project: str, kind: BindingKind) -> list[str]:
    """The values of one kind that are bound to the project with this id: no right is asked."""
    return [binding.value for binding in of_project(session, project) if binding.kind is kind]
