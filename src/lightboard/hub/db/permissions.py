"""Permissions of accounts: the hub's defaults, and exceptions."""

from collections.abc import Iterable, Mapping

from sqlalchemy import select
from sqlalchemy.orm import Session

from lightboard.errors import PermissionDenied
from lightboard.hub.access import PERMISSIONS, Permission, permitted
from lightboard.hub.db import settings
from lightboard.hub.db.tables import AccountRow, PermissionRow, SettingRow

SETTING = "permission."
"""Prefix of the settings with the defaults."""
WORDS = {True: "yes", False: "no"}


def defaults(session: Session) -> dict[Permission, bool]:
    """The permissions of accounts without exceptions."""
    names = {f"{SETTING}{permission}": permission for permission in Permission}
    rows = session.scalars(select(SettingRow).where(SettingRow.name.in_(names)))
    stored = {names[row.name]: row.value == WORDS[True] for row in rows}
    return {permission: stored.get(permission, grant.by_default) for permission, grant in PERMISSIONS.items()}


def own(session: Session, account: str) -> dict[Permission, bool]:
    """The exceptions for the account with this id."""
    rows = session.scalars(select(PermissionRow).where(PermissionRow.account == account))
    return {Permission(row.permission): row.allowed for row in rows if row.permission in set(Permission)}


def of_account(session: Session, account: str, administrator: bool = False) -> frozenset[Permission]:
    """The permissions of the account with this id; administrators have all."""
    return frozenset(Permission) if administrator else permitted(defaults(session), own(session, account))


def put_defaults(session: Session, wanted: Mapping[Permission, bool]) -> None:
    """Sets defaults. The caller checks the right."""
    for permission, allowed in wanted.items():
        settings.put(session, f"{SETTING}{permission}", WORDS[allowed])


def put_own(session: Session, account: str, wanted: Mapping[Permission, bool | None]) -> None:
    """Sets exceptions for an account, or removes them (None). The caller checks the right."""
    for permission, allowed in wanted.items():
        row = session.get(PermissionRow, (account, permission.value), populate_existing=True)
        if row is not None and allowed is None:
            session.delete(row)
        elif row is not None:
            row.allowed = bool(allowed)
        elif allowed is not None:
            session.add(PermissionRow(account=account, permission=permission.value, allowed=allowed))
    session.flush()


def is_permitted(session: Session, account: str, permission: Permission) -> bool:
    """Whether the account with this id has the permission. For the hub itself."""
    row = session.get(AccountRow, account)
    return row is not None and permission in of_account(session, account, row.administrator)


def refusal(needed: Iterable[Permission], whose: str = "this account") -> PermissionDenied:
    """The error for missing permissions; `whose` is who lacks them."""
    missing = sorted(needed)
    what = "; ".join(PERMISSIONS[permission].what for permission in missing)
    return PermissionDenied(
        f"{whose} is not permitted to {what}",
        hint=f"an administrator of the hub can permit it: {', '.join(missing)}",
    )
