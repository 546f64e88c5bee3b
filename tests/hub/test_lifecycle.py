"""Promises about what becomes of a board, whatever happens in whatever order."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lightboard.hub import lifecycle
from lightboard.hub.lifecycle import Task
from lightboard.hub.resources.tensorboards import (
    AT_WORK,
    COUNTED,
    RESTING,
    RETURN_SECS,
    Status,
    Tensorboard,
    Transition,
)

BOARD = Tensorboard(
    id="tb-1", name="board", display_name="Board", project="prj-1", owner="acc-1", sources=(), source_key="key"
)  # fmt: skip

EVENTS: dict[str, lifecycle.Event] = {
    "start": lifecycle.StartRequested(),
    "stop": lifecycle.StopRequested(),
    "delete": lifecycle.DeleteRequested(),
    "placed": lifecycle.BoardPlaced("handle", spec_version=1),
    "ready": lifecycle.BoardReady(),
    "lost": lifecycle.BoardLost(),
    "refused": lifecycle.StartFailed("SourceNotFound"),
    "ended": lifecycle.BoardEnded(),
}

NEXT = {
    ("Pending", "stop"): "Stopping",
    ("Pending", "delete"): "Deleting",
    ("Pending", "placed"): "Creating",
    ("Pending", "lost"): "Pending",
    ("Pending", "refused"): "Creating_Failed",
    ("Creating", "stop"): "Stopping",
    ("Creating", "delete"): "Deleting",
    ("Creating", "ready"): "Running",
    ("Creating", "lost"): "Pending",
    ("Creating", "refused"): "Creating_Failed",
    ("Running", "stop"): "Stopping",
    ("Running", "delete"): "Deleting",
    ("Running", "lost"): "Pending",
    ("Creating_Failed", "start"): "Pending",
    ("Creating_Failed", "delete"): "Deleting",
    ("Stopping", "delete"): "Deleting",
    ("Stopping", "ended"): "Stopped",
    ("Stopped", "start"): "Pending",
    ("Stopped", "delete"): "Deleting",
    ("Deleting", "ended"): "Deleted",
    ("Failed", "start"): "Pending",
    ("Failed", "delete"): "Deleting",
}
"""Every step there is; all others change nothing."""


@pytest.mark.parametrize("status", list(Status))
@pytest.mark.parametrize("event", list(EVENTS))
def test_every_step(status: Status, event: str) -> None:
    """The whole table: what is not in it leaves the board as it is."""
    since = 5.0 if status is Status.RUNNING else None
    board = replace(BOARD, status=status, running_since=since)
    after = lifecycle.apply(board, EVENTS[event], 9.0)

    assert after.status.value == NEXT.get((status.value, event), status.value)
    if (status.value, event) not in NEXT:
        assert after is board


STEPS = st.lists(st.tuples(st.sampled_from(sorted(EVENTS)), st.floats(0, 100_000)), max_size=40)


@given(STEPS)
def test_whatever_happens(steps: list[tuple[str, float]]) -> None:
    """What holds of every board after every sequence of events."""
    board, at = BOARD, 0.0
    for name, secs in steps:
        before, at = board, at + secs
        board = lifecycle.apply(board, EVENTS[name], at)

        assert board.version == before.version + (board != before)
        assert board.running_secs(at) >= board.ran_secs >= 0
        assert (board.running_since is not None) == (board.status is Status.RUNNING)
        assert board.counted == (board.status in COUNTED)
        assert before.status is not Status.DELETED or board is before
        assert board.executor_ref == "" or board.status in AT_WORK
        assert 0 <= board.restarts <= lifecycle.MOST_RESTARTS
        assert board == before or board.status_since == board.updated_at == at
        assert (board.id, board.name, board.owner, board.sources) == (BOARD.id, BOARD.name, BOARD.owner, BOARD.sources)


@given(STEPS)
def test_every_board_can_be_deleted(steps: list[tuple[str, float]]) -> None:
    """Wherever it stands, asking and ending are enough, and then nothing moves it any more."""
    board = BOARD
    for name, at in steps:
        board = lifecycle.apply(board, EVENTS[name], at)
    for event in (lifecycle.DeleteRequested(), lifecycle.BoardEnded()):
        board = lifecycle.apply(board, event, 1.0)

    assert board.status is Status.DELETED
    assert [lifecycle.apply(board, event, 2.0) for event in EVENTS.values()] == [board] * len(EVENTS)


@given(STEPS)
def test_running_time_is_the_time_it_ran(steps: list[tuple[str, float]]) -> None:
    """Since it was last started by somebody; stretches between do not count."""
    board, at, ran = BOARD, 0.0, 0.0
    for name, secs in steps:
        before, at = board, at + secs
        ran += secs if before.status is Status.RUNNING else 0.0
        board = lifecycle.apply(board, EVENTS[name], at)
        if name == "start" and board != before:
            ran = 0.0

    assert board.running_secs(at) == pytest.approx(ran)


def test_asking_twice_is_asking_once() -> None:
    """A stop of a stopped one and a start of a running one succeed and change nothing."""
    stopped = replace(BOARD, status=Status.STOPPED)
    runs = replace(BOARD, status=Status.RUNNING, running_since=0.0)

    assert lifecycle.apply(stopped, lifecycle.StopRequested(), 1.0) is stopped
    assert lifecycle.apply(runs, lifecycle.StartRequested(), 1.0) is runs


def test_restarts_are_counted_anew_after_a_steady_stretch() -> None:
    """A board that dies now and then is not given up."""
    board = replace(BOARD, status=Status.RUNNING, running_since=0.0, restarts=5)

    died_soon = lifecycle.apply(board, lifecycle.BoardLost("OOMKilled"), 59.0)
    died_late = lifecycle.apply(board, lifecycle.BoardLost("OOMKilled"), 60.0)
    assert (died_soon.status, died_soon.reason) == (Status.FAILED, "OOMKilled")
    assert (died_late.status, died_late.restarts) == (Status.PENDING, 1)


def test_what_went_with_the_hub_is_not_counted() -> None:
    """Neither as a restart, nor as running time."""
    board = replace(BOARD, status=Status.RUNNING, running_since=0.0, restarts=5)
    after = lifecycle.apply(board, lifecycle.BoardLost("NodeLost", seen_at=30.0, counted=False), 500.0)

    assert (after.status, after.restarts, after.ran_secs) == (Status.PENDING, 5, 30.0)


@given(STEPS)
def test_only_people_set_the_idle_clock(steps: list[tuple[str, float]]) -> None:
    """Once a board was there for somebody, only a start that somebody asks for moves the time of the last visit."""
    board, at = BOARD, 0.0
    for name, secs in steps:
        before, at = board, at + secs
        board = lifecycle.apply(board, EVENTS[name], at)

        if before.last_active_at is not None and name != "start":
            assert board.last_active_at == before.last_active_at


@pytest.mark.parametrize(("restarts", "wait_secs"), [(0, 0), (1, 0), (2, 1), (3, 2), (4, 4), (5, 8)])
def test_restarts_wait_longer_each_time(restarts: int, wait_secs: float) -> None:
    """The first is at once."""
    board = replace(BOARD, restarts=restarts, status_since=100.0)

    assert lifecycle.start_at(board) == 100.0 + wait_secs


@pytest.mark.parametrize(
    ("fields", "now", "event"),
    [
        ({"status": Status.PENDING}, 299.0, None),
        (
            {"status": Status.CREATING},
            300.0,
            lifecycle.StartFailed("StartTimeout", "nothing answered within 300 seconds"),
        ),
        ({"status": Status.RUNNING, "running_since": 0.0, "idle_timeout_secs": 0}, 86_399.0, None),
        (
            {"status": Status.RUNNING, "running_since": 0.0, "idle_timeout_secs": 0},
            86_400.0,
            lifecycle.StopRequested("LifeSpanEnded"),
        ),
        (
            {"status": Status.RUNNING, "running_since": 100.0, "ran_secs": 86_390.0, "idle_timeout_secs": 0},
            110.0,
            lifecycle.StopRequested("LifeSpanEnded"),
        ),
        (
            {"status": Status.RUNNING, "running_since": 0.0, "life_span_secs": 0, "idle_timeout_secs": 0},
            1e9,
            None,
        ),
        ({"status": Status.RUNNING, "running_since": 0.0}, 3_600.0, lifecycle.StopRequested("IdleTimeout")),
        ({"status": Status.RUNNING, "running_since": 0.0, "last_active_at": 10.0}, 3_600.0, None),
        (
            {"status": Status.RUNNING, "running_since": 3_590.0, "last_active_at": 10.0},
            3_590.0 + RETURN_SECS - 1,
            None,
        ),
        (
            {"status": Status.RUNNING, "running_since": 3_590.0, "last_active_at": 10.0},
            3_590.0 + RETURN_SECS,
            lifecycle.StopRequested("IdleTimeout"),
        ),
        ({"status": Status.STOPPED}, 1e9, None),
    ],
)
def test_what_time_alone_does(fields: dict[str, object], now: float, event: lifecycle.Event | None) -> None:
    """Start time-out, life span, idleness; nothing where there is no such rule."""
    assert lifecycle.due_event(replace(BOARD, **fields), now) == event


def test_there_is_something_to_do_for_what_is_at_work() -> None:
    """And nothing for what rests."""
    tasks = {status: lifecycle.task(replace(BOARD, status=status)) for status in Status}

    assert tasks == {
        Status.PENDING: Task.START,
        Status.CREATING: Task.OBSERVE,
        Status.RUNNING: Task.OBSERVE,
        Status.STOPPING: Task.STOP,
        Status.DELETING: Task.REMOVE,
        **dict.fromkeys([*RESTING, Status.DELETED], Task.NOTHING),
    }


def test_a_transition_says_how_it_came() -> None:
    """Time, status, reason, message and who."""
    after = lifecycle.apply(BOARD, lifecycle.StartFailed("AccessDenied", "no key"), 7.0)

    assert lifecycle.transition_of(after, "acc-1") == Transition(
        at=7.0, status=Status.CREATING_FAILED, reason="AccessDenied", message="no key", actor="acc-1"
    )
