"""Which replica of the hub works on which board, and what comes of its work. For the reconcile loop: no right is asked.

A lease keeps two replicas from doing the same; that nothing is lost where one was too slow for its lease is a matter of
versions: what somebody has learned of a board is applied to the board as it is now, and only if it is still about that.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from sqlalchemy import ColumnElement, or_, select, update
from sqlalchemy.orm import Session

from lightboard.hub import lifecycle
from lightboard.hub.access import HUB
from lightboard.hub.db import changes, tensorboards
from lightboard.hub.db.records import record
from lightboard.hub.db.tables import AccountRow, TensorboardRow
from lightboard.hub.resources.tensorboards import AT_WORK, Progress, Status, Tensorboard

CHANGING = AT_WORK - {Status.RUNNING}
RENEW = 2 / 3
"""A lease is renewed when less than this part of it is left."""


@dataclass(frozen=True)
class ClaimedBoard:
    """A board that is ours to work on. `lapsed_at` is when another's lease on it ended, None where it was ours before.

    `unwanted`: its owner's account is disabled.
    """

    board: Tensorboard
    lapsed_at: float | None
    owner_disabled: bool


def claim(
    session: Session, replica: str, now: float, lease_secs: float, limit: int, busy_only: bool = False
) -> list[ClaimedBoard]:
    """Boards at work whose lease is free or ours, now ours for `lease_secs`; no other replica gets them.

    `busy_only` leaves out those that run and have read their logs. A board to be started is marked as told to the
    launcher before it is: a start that nobody lives to hear of leaves a trace.
    """
    table = TensorboardRow
    where: list[ColumnElement[bool]] = [
        table.status.in_(AT_WORK),
        or_(table.leased_to == replica, table.leased_until <= now),
    ]
    if busy_only:
        where.append(or_(table.status.in_(CHANGING), table.loading, table.spec_version != table.placed_version))
    rows = session.execute(
        select(table, AccountRow.disabled)
        .join(AccountRow, AccountRow.id == table.owner)
        .where(*where)
        .order_by(table.leased_until, table.id)
        .limit(limit)
        .with_for_update(of=table, skip_locked=True)
    )
    return [renew(row, replica, now, lease_secs, disabled) for row, disabled in rows]


def renew(row: TensorboardRow, replica: str, now: float, lease_secs: float, owner_disabled: bool) -> ClaimedBoard:
    """The row with its lease renewed where that is due."""
    lapsed_at = None if row.leased_to == replica else row.leased_until
    if lapsed_at is not None or row.leased_until < now + lease_secs * RENEW:
        row.leased_to, row.leased_until = replica, now + lease_secs
    if row.status is Status.PENDING and row.placed_version != row.spec_version:
        row.placed_version = row.spec_version
    return ClaimedBoard(record(Tensorboard, row), lapsed_at, owner_disabled)


def apply_event(
    session: Session, replica: str, before: Tensorboard, event: lifecycle.Event, at: float
) -> tuple[Tensorboard, bool]:
    """The board after `event`, which was learned of `before`; and whether it was taken in.

    It is not where the board has gone on meanwhile: stopped, started anew, or taken over by another replica.
    """
    row, now = tensorboards.locked(session, before.id)
    same_placement = placement_of(now) == placement_of(before)
    if now.version != before.version and not (same_placement and row.leased_to == replica):
        return now, False
    after = lifecycle.apply(now, event, max(at, now.status_since))  # clocks of replicas differ; history goes forward
    if after == now:
        return now, False
    tensorboards.store(session, row, after)
    tensorboards.record_transition(session, HUB, after, now.status)
    session.flush()
    return after, True


def placement_of(board: Tensorboard) -> tuple[object, ...]:
    """What stays the same while a board is left alone, whatever people change of its name or times."""
    return (board.status, board.status_since, board.executor_ref)


def acknowledge(
    session: Session, before: Tensorboard, handle: str, spec_version: int, reason: str, message: str
) -> None:
    """The launcher was told of a change of a board that runs; `reason` and `message` say how that went.

    No new version: what people have changed has made one.
    """
    row, now = tensorboards.locked(session, before.id)
    if now.executor_ref != before.executor_ref or now.status not in (Status.CREATING, Status.RUNNING):
        return
    row.executor_ref, row.placed_version = handle, spec_version
    row.progress, row.loading = replace(now.progress, loading=True), True
    if now.status is Status.RUNNING:
        row.reason, row.message = reason, message
    changes.note(session, changes.Change(tensorboards.KIND, row.id), now.updated_at)
    session.flush()


@dataclass(frozen=True)
class ObservedState:
    """How a Running board was seen. `reason` and `message` are about its logs, as that there are none.

    Both are None where they stay what they are: they say why a change was refused, or will in a moment.
    """

    id: str
    version: int
    progress: Progress
    reason: str | None
    message: str | None
    memory_bytes: int | None
    cpu_secs: float | None


def store_states(session: Session, states: Sequence[ObservedState], at: float) -> None:
    """Keeps what was seen of boards that have not changed since. No new version: nobody has decided anything."""
    for state in sorted(states, key=lambda state: state.id):
        reported = {} if state.reason is None else {"reason": state.reason, "message": state.message}
        changed = session.execute(
            update(TensorboardRow)
            .where(TensorboardRow.id == state.id, TensorboardRow.version == state.version)
            .values(
                progress=state.progress,
                loading=state.progress.loading,
                memory_bytes=state.memory_bytes,
                cpu_secs=state.cpu_secs,
                **reported,
            )
        )
        if changed.rowcount:  # type: ignore[attr-defined]  # an UPDATE has one
            changes.note(session, changes.Change(tensorboards.KIND, state.id), at)


def holders(session: Session) -> list[str]:
    """The replicas that have leases, whether they live or not."""
    return [name for name in session.scalars(select(TensorboardRow.leased_to).distinct()) if name]


def release(session: Session, replica: str, now: float) -> None:
    """Lets go of everything a replica has, so that no other need wait for the leases to end."""
    session.execute(
        update(TensorboardRow)
        .where(TensorboardRow.leased_to == replica, TensorboardRow.leased_until > now)
        .values(leased_to="", leased_until=now)
    )
