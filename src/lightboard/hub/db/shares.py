"""Share links. A link is signed elsewhere; its row here can be revoked."""

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from lightboard.errors import Conflict, Invalid, NotFound
from lightboard.hub import lifecycle
from lightboard.hub.access import Principal
from lightboard.hub.db import accounts, audit, changes, tensorboards
from lightboard.hub.db.access_checks import has_right
from lightboard.hub.db.records import record, values
from lightboard.hub.db.tables import AccountRow, ShareRow, TensorboardRow
from lightboard.hub.resources.accounts import Account
from lightboard.hub.resources.ids import new_id
from lightboard.hub.resources.tensorboards import Tensorboard
from lightboard.hub.resources.tokens import LONGEST_SHARE_SECS, SHARE_PREFIX, Share

KIND = "share"


def create(
    session: Session, principal: Principal, tensorboard: str, expires_secs: float, at: float, project: str = ""
) -> Share:
    """Creates a link to the board (id or name). Right `tensorboards.share`.

    Raises Invalid unless `expires_secs` is positive and at most seven days.
    """
    board = tensorboards.get(session, principal, tensorboard, "tensorboards.share", project)
    if not 0 < expires_secs <= LONGEST_SHARE_SECS:
        raise Invalid(f"{expires_secs} seconds", hint=f"a link lasts up to {LONGEST_SHARE_SECS} seconds, seven days")
    if board.status in lifecycle.GONE:
        raise Conflict(f"the TensorBoard {board.name} is deleted", hint="create a new one")
    made = Share(
        id=new_id(SHARE_PREFIX, at),
        tensorboard=board.id,
        issuer=principal.account,
        created_at=at,
        expires_at=at + expires_secs,
    )
    session.add(ShareRow(**values(made)))
    details = {"tensorboard": board.id, "expires_at": made.expires_at}
    audit.add(
        session, principal, "share.create", kind=KIND, target=made.id, project=board.project, at=at, details=details
    )
    session.flush()
    return made


def find(session: Session, principal: Principal, tensorboard: str, now: float, project: str = "") -> list[Share]:
    """The links to a board that have not expired, revoked ones included, newest first. Right `tensorboards.share`."""
    board = tensorboards.get(session, principal, tensorboard, "tensorboards.share", project)
    rows = session.scalars(
        select(ShareRow)
        .where(ShareRow.tensorboard == board.id, ShareRow.expires_at > now)
        .order_by(ShareRow.created_at.desc(), ShareRow.id.desc())
    )
    return [record(Share, row) for row in rows]


def revoke(session: Session, principal: Principal, tensorboard: str, id: str, at: float, project: str = "") -> Share:
    """Revokes a link; a revoked one is not changed. Right `tensorboards.share`. Raises NotFound."""
    board = tensorboards.get(session, principal, tensorboard, "tensorboards.share", project)
    row = session.get(ShareRow, id, with_for_update=True, populate_existing=True)
    if row is None or row.tensorboard != board.id:
        raise NotFound(f"there is no share {id} of {board.name}")
    if row.revoked_at is None:
        row.revoked_at = at
        changes.note_access(session, id, at)
        details = {"tensorboard": board.id}
        audit.add(
            session, principal, "share.revoke", kind=KIND, target=id, project=board.project, at=at, details=details
        )
        session.flush()
    return record(Share, row)


def find_shared_board(session: Session, id: str, now: float) -> Tensorboard | None:
    """The board that a link opens; None if it expired or was revoked, or if its issuer may no longer share."""
    row = session.get(ShareRow, id)
    if row is None or row.revoked_at is not None or row.expires_at <= now:
        return None
    board = session.get_one(TensorboardRow, row.tensorboard)
    issuer = record(Account, session.get_one(AccountRow, row.issuer))
    principal = accounts.principal_of(session, issuer)
    may_share = has_right(session, principal, "tensorboards.share", tensorboards.resource_of(board))
    if issuer.disabled or not may_share or board.status in lifecycle.GONE:
        return None
    return record(Tensorboard, board)


def delete_expired(session: Session, now: float, keep_secs: float) -> None:
    """Deletes links that expired `keep_secs` ago."""
    session.execute(delete(ShareRow).where(ShareRow.expires_at < now - keep_secs))
