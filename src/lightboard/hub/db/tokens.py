"""API tokens. The secret is never here, only its digest."""

from collections.abc import Mapping
from dataclasses import replace

from sqlalchemy import delete, select, update
from sqlalchemy.orm import Session

from lightboard.errors import Invalid, NotFound, PermissionDenied
from lightboard.hub.access import Principal
from lightboard.hub.db import audit, changes, projects
from lightboard.hub.db.records import record, values
from lightboard.hub.db.rights import check_on_hub
from lightboard.hub.db.tables import AccountRow, TokenRow
from lightboard.hub.resources.accounts import Account
from lightboard.hub.resources.ids import new_id
from lightboard.hub.resources.tokens import PREFIX, Token

MOST = 200
"""Tokens that one account can have."""


def create(session: Session, who: Principal, new: Token, at: float) -> Token:
    """A token of the asker, who has made its secret and gives `digest` and `shown`. Right `own.update`.

    `new.project` is an id, a name, or "". Raises PermissionDenied for a scope that the asker's own token lacks.
    """
    check_on_hub(who, "own.update")
    if not new.scopes <= who.scopes:
        raise PermissionDenied("a token gives no more than what it was made with", hint="leave out scopes")
    if not new.scopes:
        raise Invalid("a token without a scope can do nothing", hint="read, write, admin")
    if len(find(session, who)) >= MOST:
        raise Invalid(f"{MOST} tokens are the most that an account can have", hint="remove some that are not used")
    project = projects.get(session, who, new.project).id if new.project else ""
    made = replace(new, id=new_id(PREFIX, at), account=who.account, project=project, created_at=at, last_used_at=None)
    session.add(TokenRow(**values(made)))
    details = {"name": made.name, "scopes": sorted(made.scopes), "project": project}
    audit.add(session, who, "token.create", kind="token", target=made.id, at=at, details=details)
    session.flush()
    return made


def find(session: Session, who: Principal) -> list[Token]:
    """Those of the asker, newest first. Right `own.read`."""
    check_on_hub(who, "own.read")
    rows = session.scalars(
        select(TokenRow).where(TokenRow.account == who.account).order_by(TokenRow.created_at.desc(), TokenRow.id.desc())
    )
    return [record(Token, row) for row in rows]


def remove(session: Session, who: Principal, id: str, at: float) -> None:
    """Ends one of the asker's; for an administrator anybody's. Right `own.update`. Raises NotFound."""
    check_on_hub(who, "own.update")
    row = session.get(TokenRow, id)
    if row is None or (row.account != who.account and not who.administrator):
        raise NotFound(f"there is no token {id}")
    audit.add(session, who, "token.remove", kind="token", target=id, at=at, details={"name": row.name})
    session.delete(row)
    changes.note_access(session, row.account, at)
    session.flush()


def by_digest(session: Session, digest: str, now: float) -> tuple[Token, Account] | None:
    """The token and its account; None where it has expired or gone, or the account is disabled."""
    row = session.scalar(select(TokenRow).where(TokenRow.digest == digest))
    if row is None or (row.expires_at is not None and row.expires_at <= now):
        return None
    account = session.get_one(AccountRow, row.account)
    return None if account.disabled else (record(Token, row), record(Account, account))


def touch(session: Session, used: Mapping[str, float]) -> None:
    """When tokens were used last, by their ids."""
    for id, at in used.items():
        session.execute(update(TokenRow).where(TokenRow.id == id).values(last_used_at=at))


def retire(session: Session, now: float, keep_secs: float) -> None:
    """Forgets those that expired `keep_secs` ago."""
    session.execute(delete(TokenRow).where(TokenRow.expires_at < now - keep_secs))
