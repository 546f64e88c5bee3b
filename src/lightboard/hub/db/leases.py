"""Leases on boards, and the results of the reconcile loop. Used by the hub itself: no rights are checked.

A lease keeps two replicas from working on the same board. Correctness does not depend on it: a replica may outlive its
lease, so results are applied to the current row, and only if that row is still in the state they were made for.
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
"""A lease is renewed when less than this fraction of it is left."""
LONGEST = 2.0
"""A lease that would last longer than this many times its length is from before the clock was set back. It is more
than once, because clocks of replicas differ."""


@dataclass(frozen=True)
class ClaimedBoard:
    """A board that this replica has a lease on.

    `lapsed_at` is when the lease of another replica ended, None if this replica had it before.
    """

    board: Tensorboard
    lapsed_at: float | None
    owner_disabled: bool


def claim(
    session: Session, replica: str, now: float, lease_secs: float, limit: int, busy_only: bool = False
) -> list[ClaimedBoard]:
    """Takes or renews leases for `lease_secs` on active boards whose lease is free or held by this replica.

    One that is from before the clock was set back counts as free.
    `busy_only` skips boards that are running and have read their logs. `placed_version` of a pending board is written
    before the launcher is called, so that a start can be recovered if this process dies before it gets the handle.
    """
    table = TensorboardRow
    where: list[ColumnElement[bool]] = [
        table.status.in_(AT_WORK),
        or_(
            table.leased_to.in_(("", replica)),
            table.leased_until <= now,
            table.leased_until > now + lease_secs * LONGEST,
        ),
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
    """Renews the lease of a row if that is due, and shortens it if the clock was set back."""
    lapsed_at = None if row.leased_to == replica else row.leased_until
    if lapsed_at is not None or not now + lease_secs * RENEW <= row.leased_until <= now + lease_secs:
        row.leased_to, row.leased_until = replica, now + lease_secs
    if row.status is Status.PENDING and row.placed_version != row.spec_version:
        row.placed_version = row.spec_version
    return ClaimedBoard(record(Tensorboard, row), lapsed_at, owner_disabled)


def apply_event(
    session: Session, replica: str, before: Tensorboard, event: lifecycle.Event, at: float
) -> tuple[Tensorboard, bool]:
    """Applies an event that was observed on `before`. Returns the board and whether the event was applied.

    It is ignored if the board has changed in the meantime: stopped, restarted, or taken over by another replica.
    """
    row, now = tensorboards.locked(session, before.id)
    same_placement = placement_of(now) == placement_of(before)
    if now.version != before.version and not (same_placement and row.leased_to == replica):
        return now, False
    after = lifecycle.apply(
        now, event, max(at, now.status_since)
    )  # clocks of replicas differ, but history must not go back
    if after == now:
        return now, False
    tensorboards.store(session, row, after)
    tensorboards.record_transition(session, HUB, after, now.status)
    session.flush()
    return after, True


def placement_of(board: Tensorboard) -> tuple[object, ...]:
    """The fields that identify one placement of a board. Changes of its name or times do not affect them."""
    return (board.status, board.status_since, board.executor_ref)


def acknowledge(
    session: Session, before: Tensorboard, handle: str, spec_version: int, reason: str, message: str
) -> None:
    """Records that the launcher has received a change of a running board, and its result.

    The version stays: the change itself has already incremented it.
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
    """What an observation of a running board has found. `reason` and `message` are about its logs.

    Both are None while a change of the board is pending or was refused, because the row then says why.
    """

    id: str
    version: int
    progress: Progress
    reason: str | None
    message: str | None
    memory_bytes: int | None
    cpu_secs: float | None


def store_states(session: Session, states: Sequence[ObservedState], at: float) -> None:
    """Stores observed states of boards that have not changed since. Their versions stay."""
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
    """The replicas that hold leases, dead ones included."""
    return [name for name in session.scalars(select(TensorboardRow.leased_to).distinct()) if name]


def release(session: Session, replica: str, now: float) -> None:
    """Releases all leases of a replica, so that others need not wait until they expire."""
    session.execute(
        update(TensorboardRow)
        .where(TensorboardRow.leased_to == replica, TensorboardRow.leased_until > now)
        .values(leased_to="", leased_until=now)
    )
