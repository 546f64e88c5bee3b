"""API tokens. The database contains only the digest of a secret."""

from collections.abc import Mapping
from dataclasses import replace

from sqlalchemy import delete, select, update
from sqlalchemy.orm import Session

from lightboard.errors import Invalid, NotFound, PermissionDenied
from lightboard.hub.access import Principal
from lightboard.hub.db import audit, changes, projects
from lightboard.hub.db.access_checks import check_hub_right
from lightboard.hub.db.records import record, values
from lightboard.hub.db.tables import AccountRow, TokenRow
from lightboard.hub.resources.accounts import Account
from lightboard.hub.resources.ids import new_id
from lightboard.hub.resources.tokens import PREFIX, Token

MAX_TOKENS = 200
"""The maximum number of tokens of an account."""


def create(session: Session, principal: Principal, new: Token, at: float) -> Token:
    """Creates a token of the principal. The caller has made its secret, with `digest` and `shown`. Right `own.update`.

    `new.project` is an id, a name, or "". Raises PermissionDenied for a scope that the principal's own token lacks.
    """
    check_hub_right(principal, "own.update")
    if not new.scopes <= principal.scopes:
        raise PermissionDenied("a token cannot have scopes that your own token lacks", hint="leave out scopes")
    if not new.scopes:
        raise Invalid("a token needs a scope", hint="use read, write or admin")
    if len(find(session, principal)) >= MAX_TOKENS:
        raise Invalid(f"{MAX_TOKENS} tokens are the maximum for an account", hint="revoke unused ones")
    project = projects.get(session, principal, new.project).id if new.project else ""
    made = replace(
        new, id=new_id(PREFIX, at), account=principal.account, project=project, created_at=at, last_used_at=None
    )
    session.add(TokenRow(**values(made)))
    details = {"name": made.name, "scopes": sorted(made.scopes), "project": project}
    audit.add(session, principal, "token.create", kind="token", target=made.id, at=at, details=details)
    session.flush()
    return made


def find(session: Session, principal: Principal) -> list[Token]:
    """The tokens of the principal, newest first. Right `own.read`."""
    check_hub_right(principal, "own.read")
    rows = session.scalars(
        select(TokenRow)
        .where(TokenRow.account == principal.account)
        .order_by(TokenRow.created_at.desc(), TokenRow.id.desc())
    )
    return [record(Token, row) for row in rows]


def remove(session: Session, principal: Principal, id: str, at: float) -> None:
    """Revokes a token of the principal, or for administrators any. Right `own.update`. Raises NotFound."""
    check_hub_right(principal, "own.update")
    row = session.get(TokenRow, id)
    if row is None or (row.account != principal.account and not principal.administrator):
        raise NotFound(f"there is no token {id}")
    audit.add(session, principal, "token.remove", kind="token", target=id, at=at, details={"name": row.name})
    session.delete(row)
    changes.note_access(session, row.account, at)
    session.flush()


def by_digest(session: Session, digest: str, now: float) -> tuple[Token, Account] | None:
    """The token and its account; None if it is unknown or expired, or the account is disabled."""
    row = session.scalar(select(TokenRow).where(TokenRow.digest == digest))
    if row is None or (row.expires_at is not None and row.expires_at <= now):
        return None
    account = session.get_one(AccountRow, row.account)
    return None if account.disabled else (record(Token, row), record(Account, account))


def touch(session: Session, used: Mapping[str, float]) -> None:
    """Stores when tokens were last used, by id."""
    for id, at in used.items():
        session.execute(update(TokenRow).where(TokenRow.id == id).values(last_used_at=at))


def delete_expired(session: Session, now: float, keep_secs: float) -> None:
    """Deletes tokens that expired `keep_secs` ago."""
    session.execute(delete(TokenRow).where(TokenRow.expires_at < now - keep_secs))
