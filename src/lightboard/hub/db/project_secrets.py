"""Secrets of projects. Values leave the database only for the variables of jobs (`value_of`)."""

from collections.abc import Iterable
from dataclasses import replace

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from lightboard.errors import Invalid, LaunchError, NotFound
from lightboard.hub.access import Principal
from lightboard.hub.db import audit, projects
from lightboard.hub.db.access_checks import Resource, check_right, rights_on
from lightboard.hub.db.locks import lock
from lightboard.hub.db.records import fill, record, values
from lightboard.hub.db.tables import SecretRow
from lightboard.hub.resources.project_secrets import (
    SECRET_NOT_FOUND,
    SECRET_UNREADABLE,
    ProjectSecret,
    check_secret_name,
    check_value,
)
from lightboard.hub.secret_box import SecretBox

KIND = "secret"
MAX_SECRETS = 1_000
"""The maximum number of secrets of a project."""
HINT = "lightboard secret ls lists those of the project, and lightboard secret add adds one"


def put(
    session: Session, principal: Principal, box: SecretBox, project: str, name: str, value: str, at: float
) -> ProjectSecret:
    """Creates a secret of a project (id or name), or replaces its value.

    Rights `secrets.create` and `secrets.update`. Raises Invalid for an invalid name or value, which is not quoted.
    """
    home = projects.get(session, principal, project, "secrets.create")
    check_secret_name(name)
    check_value(value)
    lock(session, f"secrets {home.id}")
    row = session.get(SecretRow, (home.id, name), populate_existing=True)
    if row is None:
        made = create(session, principal, box.encrypt(value, home.id, name), home.id, name, at)
    else:
        check_right(session, principal, "secrets.update", Resource(home.id, row.owner))
        before = record(ProjectSecret, row)
        made = replace(before, updated_at=max(at, before.updated_at), version=before.version + 1)
        fill(row, made)
        row.sealed = box.encrypt(value, home.id, name)
    add_to_audit(session, principal, "create" if row is None else "replace", made, at)
    session.flush()
    return made


def create(session: Session, principal: Principal, sealed: bytes, project: str, name: str, at: float) -> ProjectSecret:
    """A new row. Raises Invalid if the project has MAX_SECRETS."""
    counted = select(func.count()).select_from(SecretRow).where(SecretRow.project == project)
    if (session.scalar(counted) or 0) >= MAX_SECRETS:
        raise Invalid(f"{MAX_SECRETS:,} secrets are the maximum for a project", hint="delete some")
    made = ProjectSecret(project=project, name=name, owner=principal.account, created_at=at, updated_at=at)
    session.add(SecretRow(**values(made), sealed=sealed))
    return made


def find(session: Session, principal: Principal, project: str) -> list[ProjectSecret]:
    """The secrets of a project (id or name), by name. Right `secrets.list`."""
    home = projects.get(session, principal, project, "secrets.list")
    rows = session.scalars(select(SecretRow).where(SecretRow.project == home.id).order_by(SecretRow.name))
    return [record(ProjectSecret, row) for row in rows]


def remove(session: Session, principal: Principal, project: str, name: str, at: float) -> None:
    """Deletes a secret of a project (id or name). Jobs that run keep its value. Right `secrets.delete`."""
    home = projects.get(session, principal, project, "secrets.list")
    row = session.get(SecretRow, (home.id, name))
    if row is None:
        raise NotFound(f"{home.name} has no secret {name}")
    check_right(session, principal, "secrets.delete", Resource(home.id, row.owner))
    add_to_audit(session, principal, "delete", record(ProjectSecret, row), at)
    session.delete(row)
    session.flush()


def check_exist(session: Session, project: str, names: Iterable[tuple[str, str]]) -> None:
    """Raises NotFound for the first variable whose secret the project (an id) does not have."""
    for variable, name in names:
        if session.get(SecretRow, (project, name)) is None:
            raise NotFound(f"the variable {variable}: there is no secret {name} in this project", hint=HINT)


def value_of(session: Session, box: SecretBox, project: str, name: str) -> str:
    """The value of a secret of a project (an id). Raises LaunchError. For the hub itself: no rights are checked."""
    row = session.get(SecretRow, (project, name))
    if row is None:
        raise LaunchError(f"there is no secret {name} in this project", reason=SECRET_NOT_FOUND, hint=HINT)
    try:
        return box.decrypt(row.sealed, project, name)
    except ValueError:
        raise LaunchError(
            f"the secret {name} cannot be decrypted: the hub has another key than when it was added",
            reason=SECRET_UNREADABLE,
            hint="add it again, or restore the key of the hub",
        ) from None


def rights_of(session: Session, principal: Principal, secret: ProjectSecret) -> list[str]:
    """The rights of the principal on a secret."""
    return rights_on(session, principal, "secrets", Resource(secret.project, secret.owner))


def add_to_audit(session: Session, principal: Principal, action: str, secret: ProjectSecret, at: float) -> None:
    """Adds an audit event, which has the name and nothing of the value."""
    audit.add(
        session,
        principal,
        f"secret.{action}",
        kind=KIND,
        target=secret.name,
        project=secret.project,
        at=at,
        details={"name": secret.name},
    )
