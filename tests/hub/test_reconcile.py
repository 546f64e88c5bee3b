"""Promises about the loop that makes boards what the database says, over a launcher that a test moves by hand."""

import pathlib
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from cast import AT, folder
from loop_stage import Stage

from lightboard.hub import lifecycle
from lightboard.hub.db import accounts, changes, leases, retention, tensorboards
from lightboard.hub.db.engine import Database, open_database
from lightboard.hub.launchers.base import BoardSpec, Progress
from lightboard.hub.reconcile import LEASE_SECS, Reconciler
from lightboard.hub.resources.tensorboards import Progress as Kept
from lightboard.hub.resources.tensorboards import Status, Tensorboard
from running_hub import until


def test_a_board_comes_to_run(stage: Stage) -> None:
    """Pending, Creating, Running: each with its reason, and the launcher has it as it was asked for."""
    board = stage.running(display_name="MNIST")

    assert stage.steps(board) == [("Pending", "Creating"), ("Creating", "ProcessStarting"), ("Running", "Ready")]
    assert stage.launcher.boards[board.id].spec == BoardSpec(
        id=board.id,
        version=1,
        sources=(replace(stage.launcher.boards[board.id].spec.sources[0], url=str(stage.logs / "runs")),),
        prefix=f"/tb/{board.id}",
        title="MNIST",
        overlay=str(stage.source_resolver.folder / "overlays" / board.project / f"{board.source_key}.json"),
        reload_secs=5.0,
    )


def test_a_board_that_is_slow_is_creating(stage: Stage) -> None:
    """It runs once it answers, with what it has to say."""
    stage.launcher.slow = True
    board = stage.running()
    assert board.status is Status.CREATING

    stage.launcher.finish(board.id)
    stage.launcher.tell(board.id, message="no event files under runs")
    stage.first.step(AT + 2)
    assert (stage.now(board).status, stage.now(board).message) == (Status.RUNNING, "no event files under runs")


def test_a_board_that_never_answers_has_failed(stage: Stage) -> None:
    """After 300 seconds; nothing of it is left."""
    stage.launcher.slow = True
    board = stage.running()
    stage.first.step(AT + 299)
    assert stage.now(board).status is Status.CREATING

    stage.first.step(AT + 300)
    after = stage.now(board)
    assert (after.status, after.reason, stage.launcher.boards) == (Status.CREATING_FAILED, "StartTimeout", {})


def test_a_start_that_is_refused_says_why(stage: Stage) -> None:
    """In the launcher's words."""
    stage.launcher.fail_next("SourceNotFound", "there is no folder /x")
    board = stage.running()

    assert (board.status, board.reason, board.message) == (
        Status.CREATING_FAILED, "SourceNotFound", "there is no folder /x",
    )  # fmt: skip


def test_a_place_that_is_not_allowed_is_refused(stage: Stage) -> None:
    """Before the launcher hears of it, with what an administrator can do."""
    board = stage.running(sources=(folder("/etc"),))

    assert (board.status, board.reason, board.message) == (
        Status.CREATING_FAILED,
        "AccessDenied",
        "/etc is not below a folder that this project may show; "
        "an administrator binds a folder to the project: lightboard project bind PROJECT --root FOLDER",
    )
    assert stage.launcher.boards == {}


def test_a_start_that_may_work_later_is_tried_again(stage: Stage) -> None:
    """With ever longer pauses, and not for ever."""
    for _ in range(20):
        stage.launcher.fail_next("NodeLost", "the worker ended")
    board = stage.board()
    tried = []
    for second in range(60):
        before = len(stage.launcher._failures)
        stage.first.step(AT + second)
        if len(stage.launcher._failures) < before:
            tried.append(second)

    assert tried == [0, 1, 2, 4, 8, 16]
    assert (stage.now(board).status, stage.now(board).reason) == (Status.CREATING_FAILED, "NodeLost")


def test_a_board_that_dies_is_started_again(stage: Stage) -> None:
    """By itself, and the time it ran is kept."""
    board = stage.running()
    stage.launcher.lose(board.id)
    for second in (100, 100, 100):
        stage.first.step(AT + second)
    after = stage.now(board)

    assert (after.status, after.restarts, after.running_secs(AT + 100)) == (Status.RUNNING, 1, 100.0)
    assert stage.steps(board)[3:] == [("Pending", "Restarting"), ("Creating", "ProcessStarting"), ("Running", "Ready")]


def test_a_board_that_dies_again_and_again_has_failed(stage: Stage) -> None:
    """Five restarts in a row; then somebody must look."""
    board = stage.running()
    at = AT
    while stage.now(board).status is Status.RUNNING:
        stage.launcher.lose(board.id)
        for _ in range(20):
            at += 1
            stage.first.step(at)
            if stage.now(board).status in (Status.RUNNING, Status.FAILED):
                break

    after = stage.now(board)
    assert (after.status, after.reason, after.restarts) == (Status.FAILED, "NodeLost", 5)


def test_a_stopped_board_is_stopped(stage: Stage) -> None:
    """Stopping until the launcher has ended it."""
    board = stage.running()
    stage.happen(board, lifecycle.StopRequested())
    stage.first.step(AT + 1)

    assert (stage.now(board).status, stage.launcher.stopped) == (Status.STOPPED, [board.id])


def test_a_deleted_board_is_deleted(stage: Stage) -> None:
    """From running, and from rest."""
    board = stage.running()
    for status in (Status.STOPPED, Status.DELETED):
        stage.happen(board, lifecycle.StopRequested() if status is Status.STOPPED else lifecycle.DeleteRequested())
        stage.first.step(AT + 1)
        assert stage.now(board).status is status


def test_a_deleted_board_leaves_the_logs(stage: Stage) -> None:
    """What it showed stays where it is."""
    (pathlib.Path(stage.place().path) / "events.out.tfevents.1").write_bytes(b"logs")
    board = stage.running()
    stage.happen(board, lifecycle.DeleteRequested())
    stage.first.step(AT + 1)

    assert (stage.logs / "runs" / "events.out.tfevents.1").read_bytes() == b"logs"


def test_one_that_was_stopped_before_it_started_never_starts(stage: Stage) -> None:
    """The launcher does not hear of it."""
    board = stage.board()
    stage.happen(board, lifecycle.StopRequested())
    stage.first.step(AT + 1)

    assert (stage.now(board).status, stage.launcher._starts) == (Status.STOPPED, 0)


def test_the_life_span_ends_a_board(stage: Stage) -> None:
    """Counted while it runs, over restarts by its process."""
    board = stage.running(life_span_secs=1_000.0, idle_timeout_secs=0.0)
    stage.launcher.lose(board.id)
    for second in (400, 400, 400, 999):
        stage.first.step(AT + second)
    assert stage.now(board).status is Status.RUNNING

    for _ in range(2):
        stage.first.step(AT + 1_000)
    assert (stage.now(board).status, stage.now(board).reason) == (Status.STOPPED, "LifeSpanEnded")


def test_a_board_nobody_looks_at_is_stopped(stage: Stage) -> None:
    """An hour after the last person."""
    board = stage.running()
    with stage.database.write() as session:
        tensorboards.touch(session, {board.id: AT + 1_000})
    stage.first.step(AT + 4_599)
    assert stage.now(board).status is Status.RUNNING

    for _ in range(2):
        stage.first.step(AT + 4_600)
    assert (stage.now(board).status, stage.now(board).reason) == (Status.STOPPED, "IdleTimeout")


def crashed(stage: Stage, board: Tensorboard, at: float) -> None:
    """Its worker dies, and the hub starts it again."""
    stage.launcher.lose(board.id)
    for _ in range(3):
        stage.first.step(at)


def test_a_crash_is_not_a_visit(stage: Stage) -> None:
    """A board whose worker crashes again and again stops an hour after the last person, not after the last crash."""
    board = stage.running()
    for minutes in (20, 40, 59):
        crashed(stage, board, AT + minutes * 60)
        assert (stage.now(board).status, stage.now(board).last_active_at) == (Status.RUNNING, AT)

    for _ in range(2):
        stage.first.step(AT + 61 * 60)
    assert (stage.now(board).status, stage.now(board).reason) == (Status.STOPPED, "IdleTimeout")


def test_a_start_by_a_person_begins_the_idle_clock_anew(stage: Stage) -> None:
    """However long it rested before."""
    board = stage.running()
    stage.happen(board, lifecycle.StopRequested(), AT + 100)
    stage.first.step(AT + 100)
    stage.happen(board, lifecycle.StartRequested(), AT + 9_000)
    for _ in range(2):
        stage.first.step(AT + 9_010)

    assert (stage.now(board).last_active_at, stage.now(board).idle_at()) == (AT + 9_000, AT + 12_600)


def test_boards_of_a_disabled_account_are_stopped(stage: Stage) -> None:
    """They show nothing to anybody any more."""
    board = stage.running()
    with stage.database.write() as session:
        accounts.change(session, stage.cast.admin, "editor", {"disabled": True}, AT)
    for _ in range(2):
        stage.first.step(AT + 1)

    assert (stage.now(board).status, stage.now(board).reason) == (Status.STOPPED, "AccountDisabled")


def test_progress_is_kept_and_told(stage: Stage) -> None:
    """Without a new version: nobody has decided anything."""
    board = stage.running()
    with stage.database.read() as session:
        cursor = changes.latest(session)
    stage.launcher.tell(board.id, progress=Progress(runs=3, bytes_read=10, bytes_total=20, loading=True))
    stage.first.step(AT + 1)
    after = stage.now(board)

    assert after == replace(
        board,
        progress=Kept(runs=3, bytes_read=10, bytes_total=20, loading=True),
        memory_bytes=after.memory_bytes,
        cpu_secs=after.cpu_secs,
    )
    with stage.database.read() as session:
        told, _ = tensorboards.changes_after(session, stage.cast.editor, cursor)
    assert [item.board for item in told] == [after]


def test_how_far_a_board_has_read_is_seen_soon_after_it_comes_up(stage: Stage) -> None:
    """Not only when all boards are looked at."""
    board = stage.running()
    stage.launcher.tell(board.id, progress=Progress(runs=3))
    stage.first.run_pass(AT + 1, full=False)

    assert stage.now(board).progress == Kept(runs=3)


def test_a_board_that_is_as_it_was_writes_nothing(stage: Stage) -> None:
    """A hundred boards at rest cost no writing."""
    stage.running()
    stage.first.step(AT + 1)
    with stage.database.read() as session:
        cursor = changes.latest(session)
    stage.first.step(AT + 2)
    with stage.database.read() as session:
        assert changes.latest(session) == cursor


def test_a_board_stopped_during_its_start_leaves_nothing(stage: Stage) -> None:
    """What came up too late is ended."""
    board = stage.board()
    start = stage.launcher.start

    def start_slowly(spec: BoardSpec) -> str:
        stage.happen(board, lifecycle.StopRequested())
        return start(spec)

    stage.launcher.start = start_slowly  # type: ignore[method-assign]
    stage.first.step(AT)

    assert (stage.now(board).status, stage.launcher.boards) == (Status.STOPPED, {})


def test_a_failure_of_one_board_is_not_the_others(stage: Stage) -> None:
    """Whatever a launcher may raise."""
    bad, good = stage.board(name="bad"), stage.board(name="good")
    start = stage.launcher.start

    def start_some(spec: BoardSpec) -> str:
        if spec.id == bad.id:
            raise RuntimeError("a fault of the launcher")
        return start(spec)

    stage.launcher.start = start_some  # type: ignore[method-assign]
    for _ in range(2):
        stage.first.step(AT)

    assert (stage.now(bad).status, stage.now(good).status) == (Status.PENDING, Status.RUNNING)


# Crashes


def test_a_crash_before_the_start_was_heard_of_starts_nothing_twice(stage: Stage) -> None:
    """The launcher has it, the database does not know: the next process finds it."""
    board = stage.board()
    crash(stage, "apply_event")
    later = AT + LEASE_SECS
    second = stage.replica("second")
    for _ in range(2):
        second.step(later)

    assert (stage.now(board).status, stage.launcher._starts) == (Status.RUNNING, 1)


def test_a_crash_before_a_start_that_is_stopped_leaves_no_orphan(stage: Stage) -> None:
    """Somebody stops what nobody knows to run: it is found, and ended."""
    board = stage.board()
    crash(stage, "apply_event")
    stage.happen(board, lifecycle.StopRequested())
    stage.replica("second").step(AT + LEASE_SECS)

    assert (stage.now(board).status, stage.launcher.boards) == (Status.STOPPED, {})


def test_a_crash_before_a_stop_was_heard_of(stage: Stage) -> None:
    """It is ended, and said so by the next process."""
    board = stage.running()
    stage.happen(board, lifecycle.StopRequested())
    crash(stage, "apply_event")
    assert stage.now(board).status is Status.STOPPING

    stage.replica("second").step(AT + LEASE_SECS)
    assert (stage.now(board).status, stage.launcher.stopped) == (Status.STOPPED, [board.id])


def crash(stage: Stage, where: str) -> None:
    """The first replica does one pass that ends when it would write what came of it."""
    dying = stage.replica("first")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(leases, where, die)
        with pytest.raises(Killed):
            dying.step(AT)


class Killed(BaseException):
    """The end of a process, which nothing catches."""


def die(*_: object) -> None:
    """A process that is killed here."""
    raise Killed


def test_boards_of_a_process_that_is_gone_run_again(stage: Stage) -> None:
    """The time nobody ran them is not counted, nor are restarts that were no fault of theirs."""
    board = stage.running()
    stage.launcher.lose(board.id)
    much_later = AT + 10_000
    second = stage.replica("second")
    for _ in range(3):
        second.step(much_later)
    after = stage.now(board)

    assert (after.status, after.restarts, after.running_secs(much_later)) == (Status.RUNNING, 0, LEASE_SECS)
    assert ("Pending", "Restarting") in stage.steps(board)


def test_a_pending_board_is_tried_however_long_nobody_was_there(stage: Stage) -> None:
    """A hub that was down does not fail what it never began."""
    board = stage.board()
    for _ in range(2):
        stage.first.step(AT + 100_000)

    assert stage.now(board).status is Status.RUNNING


# Replicas


def test_a_board_is_worked_on_by_one_replica(stage: Stage) -> None:
    """Another gets it when its lease has ended, and not before."""
    board = stage.running()
    second = stage.replica("second")

    def holder(now: float) -> list[str]:
        with stage.database.write() as session:
            claimed = leases.claim(session, "second", now, LEASE_SECS, 10)
        return [item.board.id for item in claimed]

    assert (holder(AT + LEASE_SECS - 1), holder(AT + LEASE_SECS)) == ([], [board.id])
    second.step(AT + LEASE_SECS)
    assert stage.now(board).status is Status.RUNNING


def test_who_leaves_lets_go(stage: Stage) -> None:
    """A hub that ends in order is followed at once, and no running time is lost."""
    board = stage.running()
    with stage.database.write() as session:
        leases.release(session, "first", AT + 5)
    stage.launcher.lose(board.id)
    for _ in range(3):
        stage.replica("second").step(AT + 6)

    assert (stage.now(board).status, stage.now(board).ran_secs) == (Status.RUNNING, 5.0)


def test_late_news_of_another_replica_changes_nothing(stage: Stage) -> None:
    """Who has lost its lease, and speaks of an older version, is not heard."""
    old = stage.running()
    stage.happen(old, lifecycle.StopRequested())
    stage.first.step(AT)
    stage.happen(old, lifecycle.StartRequested(), AT + 5)
    with stage.database.write() as session:
        now, taken = leases.apply_event(session, "another", old, lifecycle.BoardLost("Error"), AT + 6)

    assert (taken, now) == (False, stage.now(old))


def together(*calls: Callable[[], object]) -> None:
    """All at once, to the end; what one raises is raised."""
    with ThreadPoolExecutor(len(calls)) as pool:
        for future in [pool.submit(call) for call in calls]:
            future.result()


def test_two_replicas_start_nothing_twice(stage: Stage, database_url: str) -> None:
    """With pools and connections of their own, over one launcher, while people stop and start."""
    for who in ("editor", "owner", "leader"):
        with stage.database.write() as session:
            accounts.change(session, stage.cast.admin, who, {"limit": 100}, AT)
    boards = [stage.board(name=f"board-{n}") for n in range(20)]
    others: list[Database] = [open_database(database_url) for _ in range(2)]
    replicas = [
        Reconciler(other, stage.launcher, stage.source_resolver.board_spec, replica=f"replica-{n}")
        for n, other in enumerate(others)
    ]

    def steps(replica: Reconciler) -> None:
        for n in range(10):
            replica.step(AT + n)

    def people() -> None:
        for n, board in enumerate(boards[:10]):
            stage.happen(board, lifecycle.StopRequested(), AT + n)

    together(*(lambda replica=replica: steps(replica) for replica in replicas), people)
    for replica in replicas:
        steps(replica)
        replica.close()
    for other in others:
        other.close()

    states = [stage.now(board).status.value for board in boards]
    assert states == ["Stopped"] * 10 + ["Running"] * 10
    assert sorted(stage.launcher.boards) == sorted(board.id for board in boards[10:])
    assert stage.launcher._starts - len(stage.launcher.stopped) == 10
    assert [len(stage.steps(board)) for board in boards[10:]] == [3] * 10


# What is old


def test_what_is_old_is_forgotten(stage: Stage) -> None:
    """Deleted boards after 180 days, with their history."""
    board = stage.running()
    stage.happen(board, lifecycle.DeleteRequested())
    stage.first.step(AT)
    kept = []
    for days in (179, 181):
        with stage.database.write() as session:
            retention.retire(session, AT + days * 86_400)
        with stage.database.read() as session:
            kept.append(tensorboards.peek(session, board.id) is not None)

    assert kept == [True, False]


def test_the_loop_runs_by_itself(stage: Stage) -> None:
    """It wakes when something was asked for, and ends when it is told to."""
    loop = Reconciler(stage.database, stage.launcher, stage.source_resolver.board_spec)
    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(loop.run)
        board = stage.board()
        until(lambda: stage.now(board).status, Status.RUNNING.__eq__, "the board to run")
        stage.launcher.lose(board.id)
        until(lambda: (stage.now(board).restarts, stage.now(board).status), (1, Status.RUNNING).__eq__, "a restart")
        loop.close()
        running.result()
    with stage.database.read() as session:
        assert leases.holders(session) == []


def test_the_boards_of_a_dead_process_are_taken_over_at_once(stage: Stage) -> None:
    """A hub that was killed and comes back does not wait for the leases of its former self."""
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    former = f"{socket.gethostname()}/{gone.pid}/former"
    board = stage.board(at=time.time())
    with stage.database.write() as session:
        leases.claim(session, former, time.time(), 3_600.0, 10)
    loop = Reconciler(stage.database, stage.launcher, stage.source_resolver.board_spec)
    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(loop.run)
        until(lambda: stage.now(board).status, Status.RUNNING.__eq__, "the board to run")
        loop.close()
        running.result()
