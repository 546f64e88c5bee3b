"""The reconciler, with a scripted launcher."""

import pathlib
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from lightboard.hub import lifecycle
from lightboard.hub.db import accounts, changes, leases, retention, tensorboard_changes, tensorboards
from lightboard.hub.db.engine import Database, open_database
from lightboard.hub.launchers.base import BoardSpec, Progress
from lightboard.hub.reconcile import LEASE_SECS, Reconciler
from lightboard.hub.resources.tensorboards import Progress as Kept
from lightboard.hub.resources.tensorboards import Status, Tensorboard
from support.hub_process import wait_for
from support.personas import START_TIME, folder_source
from support.reconciler_harness import ReconcilerHarness


def test_a_board_starts(harness: ReconcilerHarness) -> None:
    """Pending, Creating, Running with reasons; the launcher receives its spec."""
    board = harness.create_running_board(display_name="MNIST")

    assert harness.history(board) == [("Pending", "Creating"), ("Creating", "ProcessStarting"), ("Running", "Ready")]
    assert harness.launcher.boards[board.id].spec == BoardSpec(
        id=board.id,
        version=1,
        sources=(replace(harness.launcher.boards[board.id].spec.sources[0], url=str(harness.logs / "runs")),),
        prefix=f"/tb/{board.id}",
        title="MNIST",
        overlay=str(harness.source_resolver.folder / "overlays" / board.project / f"{board.source_key}.json"),
        reload_secs=5.0,
    )


def test_a_slow_board_stays_creating(harness: ReconcilerHarness) -> None:
    """It is running once it responds, with its progress."""
    harness.launcher.slow = True
    board = harness.create_running_board()
    assert board.status is Status.CREATING

    harness.launcher.finish(board.id)
    harness.launcher.tell(board.id, message="no event files under runs")
    harness.reconciler.step(START_TIME + 2)
    assert (harness.reload(board).status, harness.reload(board).message) == (
        Status.RUNNING,
        "no event files under runs",
    )


def test_a_board_that_never_responds_fails(harness: ReconcilerHarness) -> None:
    """After 300 seconds, without leftovers."""
    harness.launcher.slow = True
    board = harness.create_running_board()
    harness.reconciler.step(START_TIME + 299)
    assert harness.reload(board).status is Status.CREATING

    harness.reconciler.step(START_TIME + 300)
    after = harness.reload(board)
    assert (after.status, after.reason, harness.launcher.boards) == (Status.CREATING_FAILED, "StartTimeout", {})


def test_a_refused_start_is_reported(harness: ReconcilerHarness) -> None:
    """In the launcher's words."""
    harness.launcher.fail_next("SourceNotFound", "there is no folder /x")
    board = harness.create_running_board()

    assert (board.status, board.reason, board.message) == (
        Status.CREATING_FAILED, "SourceNotFound", "there is no folder /x",
    )  # fmt: skip


def test_a_forbidden_source_fails(harness: ReconcilerHarness) -> None:
    """Before the launcher is called, with a hint for administrators."""
    board = harness.create_running_board(sources=(folder_source("/etc"),))

    assert (board.status, board.reason, board.message) == (
        Status.CREATING_FAILED,
        "AccessDenied",
        "/etc is not below a folder that this project may show; "
        "an administrator can bind a folder to the project: lightboard project bind PROJECT --root FOLDER",
    )
    assert harness.launcher.boards == {}


def test_temporary_failures_are_retried(harness: ReconcilerHarness) -> None:
    """With backoff, and a limit."""
    for _ in range(20):
        harness.launcher.fail_next("NodeLost", "the worker ended")
    board = harness.create_board()
    tried = []
    for second in range(60):
        before = len(harness.launcher._failures)
        harness.reconciler.step(START_TIME + second)
        if len(harness.launcher._failures) < before:
            tried.append(second)

    assert tried == [0, 1, 2, 4, 8, 16]
    assert (harness.reload(board).status, harness.reload(board).reason) == (Status.CREATING_FAILED, "NodeLost")


def test_a_start_is_retried_although_the_clock_was_set_back(harness: ReconcilerHarness) -> None:
    """By an hour, which nobody waits for."""
    for _ in range(3):
        harness.launcher.fail_next("NodeLost", "the worker ended")
    board = harness.create_board()
    for second in (0, 1, 2):
        harness.reconciler.step(START_TIME + second)
    before = [harness.reload(board).status, harness.launcher._failures]
    for second in (3, 4):
        harness.reconciler.step(START_TIME - 3_600 + second)

    assert (before, harness.reload(board).status) == ([Status.PENDING, []], Status.RUNNING)


def test_a_crashed_board_is_restarted(harness: ReconcilerHarness) -> None:
    """Its running time is kept."""
    board = harness.create_running_board()
    harness.launcher.lose(board.id)
    for second in (100, 100, 100):
        harness.reconciler.step(START_TIME + second)
    after = harness.reload(board)

    assert (after.status, after.restarts, after.running_secs(START_TIME + 100)) == (Status.RUNNING, 1, 100.0)
    assert harness.history(board)[3:] == [
        ("Pending", "Restarting"),
        ("Creating", "ProcessStarting"),
        ("Running", "Ready"),
    ]


def test_a_crash_loop_fails(harness: ReconcilerHarness) -> None:
    """After five restarts."""
    board = harness.create_running_board()
    at = START_TIME
    while harness.reload(board).status is Status.RUNNING:
        harness.launcher.lose(board.id)
        for _ in range(20):
            at += 1
            harness.reconciler.step(at)
            if harness.reload(board).status in (Status.RUNNING, Status.FAILED):
                break

    after = harness.reload(board)
    assert (after.status, after.reason, after.restarts) == (Status.FAILED, "NodeLost", 5)


def test_stopping_a_board(harness: ReconcilerHarness) -> None:
    """It is Stopping until the launcher has ended it."""
    board = harness.create_running_board()
    harness.apply_event(board, lifecycle.StopRequested())
    harness.reconciler.step(START_TIME + 1)

    assert (harness.reload(board).status, harness.launcher.stopped) == (Status.STOPPED, [board.id])


def test_deleting_a_board(harness: ReconcilerHarness) -> None:
    """Running or stopped."""
    board = harness.create_running_board()
    for status in (Status.STOPPED, Status.DELETED):
        harness.apply_event(
            board, lifecycle.StopRequested() if status is Status.STOPPED else lifecycle.DeleteRequested()
        )
        harness.reconciler.step(START_TIME + 1)
        assert harness.reload(board).status is status


def test_deleting_a_board_keeps_its_logs(harness: ReconcilerHarness) -> None:
    """What it showed stays where it is."""
    (pathlib.Path(harness.create_logs().path) / "events.out.tfevents.1").write_bytes(b"logs")
    board = harness.create_running_board()
    harness.apply_event(board, lifecycle.DeleteRequested())
    harness.reconciler.step(START_TIME + 1)

    assert (harness.logs / "runs" / "events.out.tfevents.1").read_bytes() == b"logs"


def test_a_board_stopped_before_its_start_never_starts(harness: ReconcilerHarness) -> None:
    """The launcher is not called."""
    board = harness.create_board()
    harness.apply_event(board, lifecycle.StopRequested())
    harness.reconciler.step(START_TIME + 1)

    assert (harness.reload(board).status, harness.launcher._starts) == (Status.STOPPED, 0)


def test_the_life_span_stops_a_board(harness: ReconcilerHarness) -> None:
    """It counts while the board runs, across restarts."""
    board = harness.create_running_board(life_span_secs=1_000.0, idle_timeout_secs=0.0)
    harness.launcher.lose(board.id)
    for second in (400, 400, 400, 999):
        harness.reconciler.step(START_TIME + second)
    assert harness.reload(board).status is Status.RUNNING

    for _ in range(2):
        harness.reconciler.step(START_TIME + 1_000)
    assert (harness.reload(board).status, harness.reload(board).reason) == (Status.STOPPED, "LifeSpanEnded")


def test_idle_boards_are_stopped(harness: ReconcilerHarness) -> None:
    """An hour after the last visit."""
    board = harness.create_running_board()
    with harness.database.write() as session:
        tensorboards.touch(session, {board.id: START_TIME + 1_000})
    harness.reconciler.step(START_TIME + 4_599)
    assert harness.reload(board).status is Status.RUNNING

    for _ in range(2):
        harness.reconciler.step(START_TIME + 4_600)
    assert (harness.reload(board).status, harness.reload(board).reason) == (Status.STOPPED, "IdleTimeout")


def crashed(harness: ReconcilerHarness, board: Tensorboard, at: float) -> None:
    """Its worker dies, and the hub starts it again."""
    harness.launcher.lose(board.id)
    for _ in range(3):
        harness.reconciler.step(at)


def test_crashes_do_not_reset_the_idle_clock(harness: ReconcilerHarness) -> None:
    """A board whose worker crashes again and again stops an hour after the last person, not after the last crash."""
    board = harness.create_running_board()
    for minutes in (20, 40, 59):
        crashed(harness, board, START_TIME + minutes * 60)
        assert (harness.reload(board).status, harness.reload(board).last_active_at) == (Status.RUNNING, START_TIME)

    for _ in range(2):
        harness.reconciler.step(START_TIME + 61 * 60)
    assert (harness.reload(board).status, harness.reload(board).reason) == (Status.STOPPED, "IdleTimeout")


def test_a_start_resets_the_idle_clock(harness: ReconcilerHarness) -> None:
    """However long the board was stopped."""
    board = harness.create_running_board()
    harness.apply_event(board, lifecycle.StopRequested(), START_TIME + 100)
    harness.reconciler.step(START_TIME + 100)
    harness.apply_event(board, lifecycle.StartRequested(), START_TIME + 9_000)
    for _ in range(2):
        harness.reconciler.step(START_TIME + 9_010)

    assert (harness.reload(board).last_active_at, harness.reload(board).idle_at()) == (
        START_TIME + 9_000,
        START_TIME + 12_600,
    )


def test_boards_of_a_disabled_account_are_stopped(harness: ReconcilerHarness) -> None:
    """They show nothing to anybody any more."""
    board = harness.create_running_board()
    with harness.database.write() as session:
        accounts.change(session, harness.personas.admin, "editor", {"disabled": True}, START_TIME)
    for _ in range(2):
        harness.reconciler.step(START_TIME + 1)

    assert (harness.reload(board).status, harness.reload(board).reason) == (Status.STOPPED, "AccountDisabled")


def test_progress_is_stored_and_published(harness: ReconcilerHarness) -> None:
    """Without a new version."""
    board = harness.create_running_board()
    with harness.database.read() as session:
        cursor = changes.latest(session)
    harness.launcher.tell(board.id, progress=Progress(runs=3, bytes_read=10, bytes_total=20, loading=True))
    harness.reconciler.step(START_TIME + 1)
    after = harness.reload(board)

    assert after == replace(
        board,
        progress=Kept(runs=3, bytes_read=10, bytes_total=20, loading=True),
        memory_bytes=after.memory_bytes,
        cpu_secs=after.cpu_secs,
    )
    with harness.database.read() as session:
        told, _ = tensorboard_changes.changes_after(session, harness.personas.editor, cursor)
    assert [item.board for item in told] == [after]


def test_progress_is_observed_soon_after_the_start(harness: ReconcilerHarness) -> None:
    """Before the next full pass."""
    board = harness.create_running_board()
    harness.launcher.tell(board.id, progress=Progress(runs=3))
    harness.reconciler.run_pass(START_TIME + 1, full=False)

    assert harness.reload(board).progress == Kept(runs=3)


def test_unchanged_boards_cause_no_writes(harness: ReconcilerHarness) -> None:
    """Even a hundred of them."""
    harness.create_running_board()
    harness.reconciler.step(START_TIME + 1)
    with harness.database.read() as session:
        cursor = changes.latest(session)
    harness.reconciler.step(START_TIME + 2)
    with harness.database.read() as session:
        assert changes.latest(session) == cursor


def test_a_board_stopped_during_its_start_is_ended(harness: ReconcilerHarness) -> None:
    """Even if it came up meanwhile."""
    board = harness.create_board()
    start = harness.launcher.start

    def start_slowly(spec: BoardSpec) -> str:
        harness.apply_event(board, lifecycle.StopRequested())
        return start(spec)

    harness.launcher.start = start_slowly  # type: ignore[method-assign]
    harness.reconciler.step(START_TIME)

    assert (harness.reload(board).status, harness.launcher.boards) == (Status.STOPPED, {})


def test_failures_are_isolated(harness: ReconcilerHarness) -> None:
    """Whatever a launcher raises."""
    bad, good = harness.create_board(name="bad"), harness.create_board(name="good")
    start = harness.launcher.start

    def start_some(spec: BoardSpec) -> str:
        if spec.id == bad.id:
            raise RuntimeError("a fault of the launcher")
        return start(spec)

    harness.launcher.start = start_some  # type: ignore[method-assign]
    for _ in range(2):
        harness.reconciler.step(START_TIME)

    assert (harness.reload(bad).status, harness.reload(good).status) == (Status.PENDING, Status.RUNNING)


# Crashes


def test_recovering_from_a_crash_during_start(harness: ReconcilerHarness) -> None:
    """The next process finds the board at the launcher and does not start it twice."""
    board = harness.create_board()
    crash(harness, "apply_event")
    later = START_TIME + LEASE_SECS
    second = harness.add_replica("second")
    for _ in range(2):
        second.step(later)

    assert (harness.reload(board).status, harness.launcher._starts) == (Status.RUNNING, 1)


def test_recovering_from_a_crash_before_a_stop_request(harness: ReconcilerHarness) -> None:
    """The running board is found and ended."""
    board = harness.create_board()
    crash(harness, "apply_event")
    harness.apply_event(board, lifecycle.StopRequested())
    harness.add_replica("second").step(START_TIME + LEASE_SECS)

    assert (harness.reload(board).status, harness.launcher.boards) == (Status.STOPPED, {})


def test_recovering_from_a_crash_during_stop(harness: ReconcilerHarness) -> None:
    """The next process completes the stop."""
    board = harness.create_running_board()
    harness.apply_event(board, lifecycle.StopRequested())
    crash(harness, "apply_event")
    assert harness.reload(board).status is Status.STOPPING

    harness.add_replica("second").step(START_TIME + LEASE_SECS)
    assert (harness.reload(board).status, harness.launcher.stopped) == (Status.STOPPED, [board.id])


def crash(harness: ReconcilerHarness, where: str) -> None:
    """The first replica does one pass that ends when it would write what came of it."""
    dying = harness.add_replica("first")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(leases, where, die)
        with pytest.raises(Killed):
            dying.step(START_TIME)


class Killed(BaseException):
    """The end of a process, which nothing catches."""


def die(*_: object) -> None:
    """A process that is killed here."""
    raise Killed


def test_boards_of_an_ended_process_restart(harness: ReconcilerHarness) -> None:
    """The gap counts neither as running time nor as a restart."""
    board = harness.create_running_board()
    harness.launcher.lose(board.id)
    much_later = START_TIME + 10_000
    second = harness.add_replica("second")
    for _ in range(3):
        second.step(much_later)
    after = harness.reload(board)

    assert (after.status, after.restarts, after.running_secs(much_later)) == (Status.RUNNING, 0, LEASE_SECS)
    assert ("Pending", "Restarting") in harness.history(board)


def test_downtime_does_not_fail_pending_boards(harness: ReconcilerHarness) -> None:
    """A hub that was down does not fail what it never began."""
    board = harness.create_board()
    for _ in range(2):
        harness.reconciler.step(START_TIME + 100_000)

    assert harness.reload(board).status is Status.RUNNING


# Replicas


def test_boards_are_leased_by_one_replica(harness: ReconcilerHarness) -> None:
    """Others wait until the lease expires."""
    board = harness.create_running_board()
    second = harness.add_replica("second")

    def holder(now: float) -> list[str]:
        with harness.database.write() as session:
            claimed = leases.claim(session, "second", now, LEASE_SECS, 10)
        return [item.board.id for item in claimed]

    assert (holder(START_TIME + LEASE_SECS - 1), holder(START_TIME + LEASE_SECS)) == ([], [board.id])
    second.step(START_TIME + LEASE_SECS)
    assert harness.reload(board).status is Status.RUNNING


@pytest.mark.parametrize("is_ordered", [True, False], ids=["released", "left"])
def test_leases_end_although_the_clock_was_set_back(harness: ReconcilerHarness, is_ordered: bool) -> None:
    """Those of a replica that has ended, which nobody waits an hour for."""
    board = harness.create_running_board()
    if is_ordered:
        with harness.database.write() as session:
            leases.release(session, "first", START_TIME)
    back = START_TIME - 3_600
    with harness.database.write() as session:
        claimed = leases.claim(session, "second", back, LEASE_SECS, 10)
    with harness.database.write() as session:
        in_time = leases.claim(session, "third", back + LEASE_SECS - 1, LEASE_SECS, 10)

    assert ([item.board.id for item in claimed], in_time) == ([board.id], [])


def test_a_replica_whose_clock_is_behind_respects_leases(harness: ReconcilerHarness) -> None:
    """Clocks of machines differ, by less than a lease lasts."""
    harness.create_running_board()
    with harness.database.write() as session:
        claimed = leases.claim(session, "second", START_TIME - LEASE_SECS, LEASE_SECS, 10)

    assert claimed == []


def test_leases_are_shortened_when_the_clock_was_set_back(harness: ReconcilerHarness) -> None:
    """By the replica that has them."""
    board = harness.create_running_board()
    back = START_TIME - 3_600
    harness.reconciler.step(back)
    with harness.database.write() as session:
        claimed = leases.claim(session, "second", back + LEASE_SECS, LEASE_SECS, 10)

    assert [item.board.id for item in claimed] == [board.id]


def test_an_ordered_exit_releases_leases(harness: ReconcilerHarness) -> None:
    """Another replica continues at once, without losing running time."""
    board = harness.create_running_board()
    with harness.database.write() as session:
        leases.release(session, "first", START_TIME + 5)
    harness.launcher.lose(board.id)
    for _ in range(3):
        harness.add_replica("second").step(START_TIME + 6)

    assert (harness.reload(board).status, harness.reload(board).ran_secs) == (Status.RUNNING, 5.0)


def test_stale_observations_are_ignored(harness: ReconcilerHarness) -> None:
    """From replicas without the lease, about older versions."""
    old = harness.create_running_board()
    harness.apply_event(old, lifecycle.StopRequested())
    harness.reconciler.step(START_TIME)
    harness.apply_event(old, lifecycle.StartRequested(), START_TIME + 5)
    with harness.database.write() as session:
        now, taken = leases.apply_event(session, "another", old, lifecycle.BoardLost("Error"), START_TIME + 6)

    assert (taken, now) == (False, harness.reload(old))


def together(*calls: Callable[[], object]) -> None:
    """All at once, to the end; what one raises is raised."""
    with ThreadPoolExecutor(len(calls)) as pool:
        for future in [pool.submit(call) for call in calls]:
            future.result()


def test_concurrent_replicas_start_boards_once(harness: ReconcilerHarness, database_url: str) -> None:
    """With separate pools, one launcher, and concurrent stops and starts."""
    for who in ("editor", "owner", "leader"):
        with harness.database.write() as session:
            accounts.change(session, harness.personas.admin, who, {"limit": 100}, START_TIME)
    boards = [harness.create_board(name=f"board-{n}") for n in range(20)]
    others: list[Database] = [open_database(database_url) for _ in range(2)]
    replicas = [
        Reconciler(other, harness.launcher, harness.source_resolver.board_spec, replica=f"replica-{n}")
        for n, other in enumerate(others)
    ]

    def steps(replica: Reconciler) -> None:
        for n in range(10):
            replica.step(START_TIME + n)

    def people() -> None:
        for n, board in enumerate(boards[:10]):
            harness.apply_event(board, lifecycle.StopRequested(), START_TIME + n)

    together(*(lambda replica=replica: steps(replica) for replica in replicas), people)
    for replica in replicas:
        steps(replica)
        replica.close()
    for other in others:
        other.close()

    states = [harness.reload(board).status.value for board in boards]
    assert states == ["Stopped"] * 10 + ["Running"] * 10
    assert sorted(harness.launcher.boards) == sorted(board.id for board in boards[10:])
    assert harness.launcher._starts - len(harness.launcher.stopped) == 10
    assert [len(harness.history(board)) for board in boards[10:]] == [3] * 10


# What is old


def test_old_boards_are_purged(harness: ReconcilerHarness) -> None:
    """Deleted ones after 180 days, with history."""
    board = harness.create_running_board()
    harness.apply_event(board, lifecycle.DeleteRequested())
    harness.reconciler.step(START_TIME)
    kept = []
    for days in (179, 181):
        with harness.database.write() as session:
            retention.delete_expired(session, START_TIME + days * 86_400)
        with harness.database.read() as session:
            kept.append(tensorboards.get_unchecked(session, board.id) is not None)

    assert kept == [True, False]


def test_the_reconciler_thread_runs_and_stops(harness: ReconcilerHarness) -> None:
    """It wakes up on requests."""
    loop = Reconciler(harness.database, harness.launcher, harness.source_resolver.board_spec)
    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(loop.run)
        board = harness.create_board()
        wait_for(lambda: harness.reload(board).status, Status.RUNNING.__eq__, "the board to run")
        harness.launcher.lose(board.id)
        wait_for(
            lambda: (harness.reload(board).restarts, harness.reload(board).status),
            (1, Status.RUNNING).__eq__,
            "a restart",
        )
        loop.close()
        running.result()
    with harness.database.read() as session:
        assert leases.holders(session) == []


def test_leases_of_a_dead_process_are_released(harness: ReconcilerHarness) -> None:
    """A restarted hub does not wait for them to expire."""
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    former = f"{socket.gethostname()}/{gone.pid}/former"
    board = harness.create_board(at=time.time())
    with harness.database.write() as session:
        leases.claim(session, former, time.time(), 3_600.0, 10)
    loop = Reconciler(harness.database, harness.launcher, harness.source_resolver.board_spec)
    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(loop.run)
        wait_for(lambda: harness.reload(board).status, Status.RUNNING.__eq__, "the board to run")
        loop.close()
        running.result()
