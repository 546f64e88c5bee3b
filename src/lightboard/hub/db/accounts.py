"""Accounts: who can log in."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from sqlalchemy import func, or_, select
from sqlalchemy.orm import Session

from lightboard.errors import Conflict, Invalid, NotFound
from lightboard.hub.access import Permission, Principal, allowed_on_hub
from lightboard.hub.db import audit, permissions, settings
from lightboard.hub.db import changes as changed
from lightboard.hub.db.access_checks import check_hub_right
from lightboard.hub.db.locks import lock
from lightboard.hub.db.records import check_version, fill, record, values
from lightboard.hub.db.tables import AccountRow, SessionRow
from lightboard.hub.resources.accounts import PREFIX, Account, login_name
from lightboard.hub.resources.ids import is_id, new_id
from lightboard.hub.resources.names import check_name
from lightboard.hub.resources.roles import Scope

OWN = frozenset({"display_name", "email", "language", "password_hash"})
"""Fields that accounts may change of themselves."""
MANAGED = OWN | {"administrator", "disabled", "limit", "subject"}
KIND = "account"


def count(session: Session) -> int:
    """The number of accounts; 0 means that the hub has not been set up."""
    return session.scalar(select(func.count()).select_from(AccountRow)) or 0


def is_first(session: Session) -> bool:
    """Whether there is no account yet. In a write transaction, nobody else can create one until it ends."""
    lock(session, "first account")
    return count(session) == 0


def create_first(session: Session, new: Account, at: float) -> Account:
    """Creates the first account, an administrator. Raises Conflict if there is one, Invalid for its name."""
    if not is_first(session):
        raise Conflict("the hub has been set up already", hint="log in, or ask an administrator for an account")
    made = insert(session, replace(new, administrator=True), at)
    audit.add(
        session,
        principal_of(session, made),
        "account.create",
        kind=KIND,
        target=made.id,
        at=at,
        details={"name": made.name},
    )
    return made


def create(session: Session, principal: Principal, new: Account, at: float) -> Account:
    """Creates an account; `id` and times of `new` are ignored. Right `accounts.manage`.

    Raises Conflict if the name is taken, Invalid if it is not valid.
    """
    check_hub_right(principal, "accounts.manage")
    made = insert(session, new, at)
    audit.add(session, principal, "account.create", kind=KIND, target=made.id, at=at, details={"name": made.name})
    return made


def insert(session: Session, new: Account, at: float) -> Account:
    """Inserts the row."""
    check_name(new.name, "name of an account")
    if session.scalar(select(AccountRow.id).where(AccountRow.name == new.name)):
        raise Conflict(f"there is an account {new.name} already", hint="choose another name")
    made = replace(new, id=new_id(PREFIX, at), created_at=at, updated_at=at, version=1)
    session.add(AccountRow(**values(made)))
    session.flush()
    return made


def principal_of(
    session: Session, account: Account, scopes: frozenset[Scope] = frozenset(Scope), project: str = "", label: str = ""
) -> Principal:
    """The principal of an account. A token narrows it."""
    return Principal(
        account=account.id,
        administrator=account.administrator,
        scopes=scopes,
        project=project,
        label=label,
        permissions=permissions.of_account(session, account.id, account.administrator),
    )


def set_permissions(
    session: Session, principal: Principal, id_or_name: str, wanted: Mapping[Permission, bool | None], at: float
) -> None:
    """Sets exceptions for an account; None removes one. Right `accounts.manage`."""
    check_hub_right(principal, "accounts.manage")
    account = get(session, principal, id_or_name)
    permissions.put_own(session, account.id, wanted)
    changed.note_access(session, account.id, at)
    audit_permissions(session, principal, account.id, wanted, at)


def set_default_permissions(
    session: Session, principal: Principal, wanted: Mapping[Permission, bool], at: float
) -> None:
    """Sets the default permissions. Right `accounts.manage`."""
    check_hub_right(principal, "accounts.manage")
    permissions.put_defaults(session, wanted)
    changed.note_access(session, "", at)
    audit_permissions(session, principal, "", wanted, at)


def audit_permissions(
    session: Session, principal: Principal, account: str, wanted: Mapping[Permission, bool | None], at: float
) -> None:
    """Adds the audit event; `account` "" is the defaults."""
    details = {permission.value: allowed for permission, allowed in wanted.items()}
    audit.add(session, principal, "permissions.change", kind="permission", target=account, at=at, details=details)
    session.flush()


def get(session: Session, principal: Principal, id_or_name: str) -> Account:
    """The own account, or any for administrators. Raises NotFound for all others."""
    row = row_of(session, id_or_name)
    mine = row is not None and row.id == principal.account and allowed_on_hub(principal, "own.read")
    if row is None or not (mine or allowed_on_hub(principal, "accounts.manage")):
        raise NotFound(f"there is no account {id_or_name}")
    return record(Account, row)


def find(session: Session, principal: Principal, search: str = "") -> list[Account]:
    """All accounts by name. Right `accounts.manage`."""
    check_hub_right(principal, "accounts.manage")
    query = select(AccountRow).order_by(AccountRow.name)
    if search:
        columns = (AccountRow.name, AccountRow.display_name, AccountRow.email)
        query = query.where(or_(*(column.icontains(search, autoescape=True) for column in columns)))
    return [record(Account, row) for row in session.scalars(query)]


def change(
    session: Session,
    principal: Principal,
    id_or_name: str,
    changes: Mapping[str, Any],
    at: float,
    version: int | None = None,
) -> Account:
    """Changes fields: OWN of oneself (right `own.update`), MANAGED of any account (right `accounts.manage`).

    A new password, or disabling the account, ends all its logins. Raises Conflict for another version, or if the hub
    would have no administrator.
    """
    before = get(session, principal, id_or_name)
    mine = before.id == principal.account and set(changes) <= OWN
    check_hub_right(principal, "own.update" if mine else "accounts.manage")
    check_fields(changes, MANAGED)
    row = session.get_one(AccountRow, before.id, with_for_update=True, populate_existing=True)
    before = record(Account, row)
    check_version(f"the account {before.name}", before.version, version)
    after = replace(before, **changes)
    if after == before:
        return before
    if before.administrator and not before.disabled and (after.disabled or not after.administrator):
        check_not_last(session, before)
    after = replace(after, updated_at=at, version=before.version + 1)
    fill(row, after)
    if after.disabled or after.password_hash != before.password_hash:
        for login in session.scalars(select(SessionRow).where(SessionRow.account == after.id)):
            session.delete(login)
    access_fields = ("administrator", "disabled", "password_hash")
    if any(getattr(after, name) != getattr(before, name) for name in access_fields):
        changed.note_access(session, after.id, at)
    details = {name: "changed" if name == "password_hash" else value for name, value in changes.items()}
    audit.add(session, principal, "account.change", kind=KIND, target=after.id, at=at, details=details)
    session.flush()
    return after


def check_fields(changes: Mapping[str, Any], known: frozenset[str]) -> None:
    """Raises Invalid for a field that cannot be changed."""
    unknown = sorted(set(changes) - known)
    if unknown:
        raise Invalid(f"{unknown[0]} cannot be changed", hint=f"fields that can be changed: {', '.join(sorted(known))}")


def check_not_last(session: Session, account: Account) -> None:
    """Raises Conflict if this is the only administrator who can log in."""
    lock(session, "administrators")
    others = select(AccountRow.id).where(
        AccountRow.administrator, AccountRow.disabled.is_(False), AccountRow.id != account.id
    )
    if session.scalar(others.limit(1)) is None:
        raise Conflict(f"{account.name} is the last administrator", hint="appoint another one first")


def by_login(session: Session, name_or_email: str) -> Account | None:
    """The account that logs in with this name or email; None if there is none, or if two have the email."""
    wanted = login_name(name_or_email)
    emails = {wanted, name_or_email.lower()} - {""}
    rows = session.scalars(
        select(AccountRow).where(or_(AccountRow.name == wanted, func.lower(AccountRow.email).in_(emails)))
    ).all()
    named = [row for row in rows if row.name == wanted]
    chosen = named or rows
    return record(Account, chosen[0]) if len(chosen) == 1 else None


def by_subject(session: Session, subject: str) -> Account | None:
    """The account of an external user `issuer|sub`."""
    row = session.scalar(select(AccountRow).where(AccountRow.subject == subject)) if subject else None
    return record(Account, row) if row else None


def get_unchecked(session: Session, id: str) -> Account | None:
    """The account with this id. For the hub itself: no rights are checked."""
    row = session.get(AccountRow, id)
    return record(Account, row) if row else None


def names(session: Session, ids: Iterable[str]) -> dict[str, str]:
    """Names by id, for ids that the principal sees anyway. Unknown ids are left out."""
    rows = session.execute(select(AccountRow.id, AccountRow.name).where(AccountRow.id.in_(set(ids) - {""})))
    return dict(rows.all())


def find_owner(session: Session, principal: Principal, text: str) -> str | None:
    """The account id of an owner filter: "" for everybody, None if there is no such account."""
    if text in ("", "me"):
        return principal.account if text else ""
    row = row_of(session, text)
    return row.id if row else None


def limit_of(session: Session, account: Account) -> int:
    """How many TensorBoards the account may have in use."""
    return settings.limit(session) if account.limit is None else account.limit


def row_of(session: Session, id_or_name: str) -> AccountRow | None:
    """The row with this id or name. No rights are checked."""
    if is_id(id_or_name, PREFIX):
        return session.get(AccountRow, id_or_name)
    return session.scalar(select(AccountRow).where(AccountRow.name == id_or_name))
