"""Bindings of projects."""

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
MAX_BINDINGS = 1_000
"""The maximum number of bindings of a project."""


def create(session: Session, principal: Principal, new: Binding, at: float) -> Binding:
    """Binds `new.value` to `new.project` (id or name); `id` and time of `new` are ignored. Right `bindings.update`.

    Raises Conflict if it is bound already, Invalid for a value that does not fit its kind, NotFound for a missing
    dataset.
    """
    project = projects.get(session, principal, new.project, "bindings.update")
    value = check_value(new.kind, new.value, new.credential)
    if new.kind is BindingKind.DATASET:
        check_dataset(session, project.id, value)
    lock(session, f"bindings {project.id}")
    existing = of_project(session, project.id)
    if any((each.kind, each.value) == (new.kind, value) for each in existing):
        raise Conflict(f"{value} is bound to {project.name} already", hint="remove that binding first to change it")
    if len(existing) >= MAX_BINDINGS:
        raise Invalid(
            f"{MAX_BINDINGS} bindings are the maximum for a project", hint="remove some, or bind a higher folder"
        )
    made = replace(new, id=new_id(PREFIX, at), project=project.id, value=value, created_at=at)
    session.add(BindingRow(**values(made)))
    record_change(session, principal, "binding.create", made, at)
    return made


def find(session: Session, principal: Principal, project: str) -> list[Binding]:
    """The bindings of a project (id or name), by kind and value. Right `bindings.list`."""
    return of_project(session, projects.get(session, principal, project, "bindings.list").id)


def remove(session: Session, principal: Principal, project: str, id: str, at: float) -> Binding:
    """Removes a binding of a project (id or name). Right `bindings.update`. Raises NotFound."""
    owner = projects.get(session, principal, project, "bindings.update")
    row = session.get(BindingRow, id)
    if row is None or row.project != owner.id:
        raise NotFound(f"{owner.name} has no binding {id}")
    removed = record(Binding, row)
    session.delete(row)
    record_change(session, principal, "binding.remove", removed, at)
    return removed


def record_change(session: Session, principal: Principal, action: str, binding: Binding, at: float) -> None:
    """Adds the audit event, and updates the specs of boards in use, which contain the readable folders."""
    session.execute(
        update(TensorboardRow)
        .where(TensorboardRow.project == binding.project, TensorboardRow.status.in_(COUNTED))
        .values(spec_version=TensorboardRow.spec_version + 1)
    )
    details = {"kind": binding.kind.value, "value": binding.value, "credential": binding.credential}
    audit.add(session, principal, action, kind=KIND, target=binding.id, project=binding.project, at=at, details=details)
    session.flush()


def check_dataset(session: Session, project: str, id: str) -> None:
    """Raises NotFound for a missing dataset, Invalid for one of the project itself."""
    row = session.get(DatasetRow, id)
    if row is None:
        raise NotFound(f"there is no dataset {id}")
    if row.project == project:
        raise Invalid(
            f"the dataset {row.name} belongs to this project already",
            hint="only datasets of other projects need a binding",
        )


def of_project(session: Session, project: str) -> list[Binding]:
    """All bindings of the project with this id. For the hub itself: no rights are checked."""
    rows = session.scalars(
        select(BindingRow).where(BindingRow.project == project).order_by(BindingRow.kind, BindingRow.value)
    )
    return [record(Binding, row) for row in rows]


def values_of(session: Session, project: str, kind: BindingKind) -> list[str]:
    """The bound values of one kind of the project with this id. No rights are checked."""
    return [binding.value for binding in of_project(session, project) if binding.kind is kind]
