"""Links by which anybody may look at one board for a while. A link is signed elsewhere; here is what can be revoked."""

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from lightboard.errors import Conflict, Invalid, NotFound
from lightboard.hub import lifecycle
from lightboard.hub.access import Principal
from lightboard.hub.db import accounts, audit, changes, tensorboards
from lightboard.hub.db.records import record, values
from lightboard.hub.db.rights import may
from lightboard.hub.db.tables import AccountRow, ShareRow, TensorboardRow
from lightboard.hub.resources.accounts import Account
from lightboard.hub.resources.ids import new_id
from lightboard.hub.resources.tensorboards import Tensorboard
from lightboard.hub.resources.tokens import LONGEST_SHARE_SECS, SHARE_PREFIX, Share

KIND = "share"


def create(
    session: Session, who: Principal, tensorboard: str, expires_secs: float, at: float, project: str = ""
) -> Share:
    """A link to the board (id or name) for so long. Right `tensorboards.share`.

    Raises Invalid for a time that is not between nothing and seven days.
    """
    board = tensorboards.get(session, who, tensorboard, "tensorboards.share", project)
    if not 0 < expires_secs <= LONGEST_SHARE_SECS:
        raise Invalid(f"{expires_secs} seconds", hint=f"a link lasts up to {LONGEST_SHARE_SECS} seconds, seven days")
    if board.status in lifecycle.GONE:
        raise Conflict(f"the TensorBoard {board.name} is deleted", hint="make a new one")
    made = Share(
        id=new_id(SHARE_PREFIX, at),
        tensorboard=board.id,
        issuer=who.account,
        created_at=at,
        expires_at=at + expires_secs,
    )
    session.add(ShareRow(**values(made)))
    details = {"tensorboard": board.id, "expires_at": made.expires_at}
    audit.add(session, who, "share.create", kind=KIND, target=made.id, project=board.project, at=at, details=details)
    session.flush()
    return made


def find(session: Session, who: Principal, tensorboard: str, now: float, project: str = "") -> list[Share]:
    """Links to the board that have not expired, revoked ones too, newest first. Right `tensorboards.share`."""
    board = tensorboards.get(session, who, tensorboard, "tensorboards.share", project)
    rows = session.scalars(
        select(ShareRow)
        .where(ShareRow.tensorboard == board.id, ShareRow.expires_at > now)
        .order_by(ShareRow.created_at.desc(), ShareRow.id.desc())
    )
    return [record(Share, row) for row in rows]


def revoke(session: Session, who: Principal, tensorboard: str, id: str, at: float, project: str = "") -> Share:
    """Ends a link now; one that is revoked already stays as it is. Right `tensorboards.share`. Raises NotFound."""
    board = tensorboards.get(session, who, tensorboard, "tensorboards.share", project)
    row = session.get(ShareRow, id, with_for_update=True, populate_existing=True)
    if row is None or row.tensorboard != board.id:
        raise NotFound(f"there is no share {id} of {board.name}")
    if row.revoked_at is None:
        row.revoked_at = at
        changes.note_access(session, id, at)
        details = {"tensorboard": board.id}
        audit.add(session, who, "share.revoke", kind=KIND, target=id, project=board.project, at=at, details=details)
        session.flush()
    return record(Share, row)


def opened(session: Session, id: str, now: float) -> Tensorboard | None:
    """The board that a link opens; None where it has expired, was revoked, or who gave it may not any more."""
    row = session.get(ShareRow, id)
    if row is None or row.revoked_at is not None or row.expires_at <= now:
        return None
    board = session.get_one(TensorboardRow, row.tensorboard)
    issuer = record(Account, session.get_one(AccountRow, row.issuer))
    seen = tensorboards.visibility(board)
    who = accounts.principal(session, issuer)
    gives = may(session, who, "tensorboards.share", board.project, board.owner, seen)
    if issuer.disabled or not gives or board.status in lifecycle.GONE:
        return None
    return record(Tensorboard, board)


def retire(session: Session, now: float, keep_secs: float) -> None:
    """Forgets those that expired `keep_secs` ago."""
    session.execute(delete(ShareRow).where(ShareRow.expires_at < now - keep_secs))
