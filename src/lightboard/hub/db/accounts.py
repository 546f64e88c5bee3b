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
from lightboard.hub.db.locks import lock
from lightboard.hub.db.records import check_version, fill, record, values
from lightboard.hub.db.rights import check_on_hub
from lightboard.hub.db.tables import AccountRow, SessionRow
from lightboard.hub.resources.accounts import PREFIX, Account, login_name
from lightboard.hub.resources.ids import is_id, new_id
from lightboard.hub.resources.names import check_name
from lightboard.hub.resources.roles import Scope

OWN = frozenset({"display_name", "email", "language", "password_hash"})
"""What people may change of themselves."""
MANAGED = OWN | {"administrator", "disabled", "limit", "subject"}
KIND = "account"


def count(session: Session) -> int:
    """How many there are; 0 is a hub that waits for its first."""
    return session.scalar(select(func.count()).select_from(AccountRow)) or 0


def is_first(session: Session) -> bool:
    """Whether there is none yet. In a transaction that writes, nobody else makes one until it ends."""
    lock(session, "first account")
    return count(session) == 0


def first(session: Session, new: Account, at: float) -> Account:
    """The first account, an administrator. Raises Conflict where there is one already, Invalid for its name."""
    if not is_first(session):
        raise Conflict("the hub has been set up already", hint="log in, or ask an administrator for an account")
    made = insert(session, replace(new, administrator=True), at)
    audit.add(
        session,
        principal(session, made),
        "account.create",
        kind=KIND,
        target=made.id,
        at=at,
        details={"name": made.name},
    )
    return made


def create(session: Session, who: Principal, new: Account, at: float) -> Account:
    """A new account; `id` and times of `new` do not count. Right `accounts.manage`.

    Raises Conflict for a name that is taken, Invalid for one that cannot be.
    """
    check_on_hub(who, "accounts.manage")
    made = insert(session, new, at)
    audit.add(session, who, "account.create", kind=KIND, target=made.id, at=at, details={"name": made.name})
    return made


def insert(session: Session, new: Account, at: float) -> Account:
    """The row itself."""
    check_name(new.name, "name of an account")
    if session.scalar(select(AccountRow.id).where(AccountRow.name == new.name)):
        raise Conflict(f"there is an account {new.name} already", hint="choose another name")
    made = replace(new, id=new_id(PREFIX, at), created_at=at, updated_at=at, version=1)
    session.add(AccountRow(**values(made)))
    session.flush()
    return made


def principal(
    session: Session, account: Account, scopes: frozenset[Scope] = frozenset(Scope), project: str = "", label: str = ""
) -> Principal:
    """Who asks, where this account does; a token narrows it."""
    return Principal(
        account=account.id,
        administrator=account.administrator,
        scopes=scopes,
        project=project,
        label=label,
        permissions=permissions.of_account(session, account.id, account.administrator),
    )


def set_permissions(
    session: Session, who: Principal, id_or_name: str, wanted: Mapping[Permission, bool | None], at: float
) -> None:
    """Exceptions for an account; None is as the hub says. Right `accounts.manage`."""
    check_on_hub(who, "accounts.manage")
    account = get(session, who, id_or_name)
    permissions.put_own(session, account.id, wanted)
    changed.note_access(session, account.id, at)
    noted_permissions(session, who, account.id, wanted, at)


def set_default_permissions(session: Session, who: Principal, wanted: Mapping[Permission, bool], at: float) -> None:
    """What accounts may without an exception. Right `accounts.manage`."""
    check_on_hub(who, "accounts.manage")
    permissions.put_defaults(session, wanted)
    changed.note_access(session, "", at)
    noted_permissions(session, who, "", wanted, at)


def noted_permissions(
    session: Session, who: Principal, account: str, wanted: Mapping[Permission, bool | None], at: float
) -> None:
    """Writes the line of the audit; `account` "" is the hub's defaults."""
    details = {permission.value: allowed for permission, allowed in wanted.items()}
    audit.add(session, who, "permissions.change", kind="permission", target=account, at=at, details=details)
    session.flush()


def get(session: Session, who: Principal, id_or_name: str) -> Account:
    """One's own account, or any for administrators; for all others it is NotFound."""
    row = row_of(session, id_or_name)
    mine = row is not None and row.id == who.account and allowed_on_hub(who, "own.read")
    if row is None or not (mine or allowed_on_hub(who, "accounts.manage")):
        raise NotFound(f"there is no account {id_or_name}")
    return record(Account, row)


def find(session: Session, who: Principal, search: str = "") -> list[Account]:
    """All accounts by name. Right `accounts.manage`."""
    check_on_hub(who, "accounts.manage")
    query = select(AccountRow).order_by(AccountRow.name)
    if search:
        columns = (AccountRow.name, AccountRow.display_name, AccountRow.email)
        query = query.where(or_(*(column.icontains(search, autoescape=True) for column in columns)))
    return [record(Account, row) for row in session.scalars(query)]


def change(
    session: Session,
    who: Principal,
    id_or_name: str,
    changes: Mapping[str, Any],
    at: float,
    version: int | None = None,
) -> Account:
    """Changes fields: OWN of oneself (right `own.update`), MANAGED of anybody (right `accounts.manage`).

    A new password, and being disabled, end all logins of the account. Raises Conflict where the version is another one,
    or the hub would be left without an administrator.
    """
    before = get(session, who, id_or_name)
    mine = before.id == who.account and set(changes) <= OWN
    check_on_hub(who, "own.update" if mine else "accounts.manage")
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
    powers = ("administrator", "disabled", "password_hash")
    if any(getattr(after, name) != getattr(before, name) for name in powers):
        changed.note_access(session, after.id, at)
    shown = {name: "changed" if name == "password_hash" else value for name, value in changes.items()}
    audit.add(session, who, "account.change", kind=KIND, target=after.id, at=at, details=shown)
    session.flush()
    return after


def check_fields(changes: Mapping[str, Any], known: frozenset[str]) -> None:
    """Raises Invalid for a field that cannot be changed."""
    unknown = sorted(set(changes) - known)
    if unknown:
        raise Invalid(f"{unknown[0]} cannot be changed", hint=f"what can: {', '.join(sorted(known))}")


def check_not_last(session: Session, account: Account) -> None:
    """Raises Conflict where this is the only administrator that can log in."""
    lock(session, "administrators")
    others = select(AccountRow.id).where(
        AccountRow.administrator, AccountRow.disabled.is_(False), AccountRow.id != account.id
    )
    if session.scalar(others.limit(1)) is None:
        raise Conflict(f"{account.name} is the last administrator", hint="make another one first")


def by_login(session: Session, name_or_email: str) -> Account | None:
    """Whom somebody means who logs in; None for nobody, or where two have the email."""
    wanted = login_name(name_or_email)
    emails = {wanted, name_or_email.lower()} - {""}
    rows = session.scalars(
        select(AccountRow).where(or_(AccountRow.name == wanted, func.lower(AccountRow.email).in_(emails)))
    ).all()
    named = [row for row in rows if row.name == wanted]
    chosen = named or rows
    return record(Account, chosen[0]) if len(chosen) == 1 else None


def by_subject(session: Session, subject: str) -> Account | None:
    """The account of who is called `issuer|sub` elsewhere."""
    row = session.scalar(select(AccountRow).where(AccountRow.subject == subject)) if subject else None
    return record(Account, row) if row else None


def peek(session: Session, id: str) -> Account | None:
    """The account with this id, for the hub itself: no right is asked."""
    row = session.get(AccountRow, id)
    return record(Account, row) if row else None


def names(session: Session, ids: Iterable[str]) -> dict[str, str]:
    """Names for ids that stand in what the asker sees anyway; ids of nobody are left out."""
    rows = session.execute(select(AccountRow.id, AccountRow.name).where(AccountRow.id.in_(set(ids) - {""})))
    return dict(rows.all())


def limit_of(session: Session, account: Account) -> int:
    """How many TensorBoards it may have in use."""
    return settings.limit(session) if account.limit is None else account.limit


def row_of(session: Session, id_or_name: str) -> AccountRow | None:
    """The row, whoever asks."""
    if is_id(id_or_name, PREFIX):
        return session.get(AccountRow, id_or_name)
    return session.scalar(select(AccountRow).where(AccountRow.name == id_or_name))
