"""The state machine of a board, for any sequence of events."""

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
def test_the_transition_table(status: Status, event: str) -> None:
    """Events not in the table leave the board unchanged."""
    since = 5.0 if status is Status.RUNNING else None
    board = replace(BOARD, status=status, running_since=since)
    after = lifecycle.apply(board, EVENTS[event], 9.0)

    assert after.status.value == NEXT.get((status.value, event), status.value)
    if (status.value, event) not in NEXT:
        assert after is board


STEPS = st.lists(st.tuples(st.sampled_from(sorted(EVENTS)), st.floats(0, 100_000)), max_size=40)


@given(STEPS)
def test_invariants_hold_for_every_sequence(steps: list[tuple[str, float]]) -> None:
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
        assert 0 <= board.restarts <= lifecycle.MAX_RESTARTS
        assert board == before or board.status_since == board.updated_at == at
        assert (board.id, board.name, board.owner, board.sources) == (BOARD.id, BOARD.name, BOARD.owner, BOARD.sources)


@given(STEPS)
def test_every_board_can_be_deleted(steps: list[tuple[str, float]]) -> None:
    """From any state by a delete request and an end; nothing changes it afterwards."""
    board = BOARD
    for name, at in steps:
        board = lifecycle.apply(board, EVENTS[name], at)
    for event in (lifecycle.DeleteRequested(), lifecycle.BoardEnded()):
        board = lifecycle.apply(board, event, 1.0)

    assert board.status is Status.DELETED
    assert [lifecycle.apply(board, event, 2.0) for event in EVENTS.values()] == [board] * len(EVENTS)


@given(STEPS)
def test_running_time_excludes_pauses(steps: list[tuple[str, float]]) -> None:
    """It counts from the last start by a user."""
    board, at, ran = BOARD, 0.0, 0.0
    for name, secs in steps:
        before, at = board, at + secs
        ran += secs if before.status is Status.RUNNING else 0.0
        board = lifecycle.apply(board, EVENTS[name], at)
        if name == "start" and board != before:
            ran = 0.0

    assert board.running_secs(at) == pytest.approx(ran)


def test_requests_are_idempotent() -> None:
    """Stopping a stopped board and starting a running one succeed without a change."""
    stopped = replace(BOARD, status=Status.STOPPED)
    runs = replace(BOARD, status=Status.RUNNING, running_since=0.0)

    assert lifecycle.apply(stopped, lifecycle.StopRequested(), 1.0) is stopped
    assert lifecycle.apply(runs, lifecycle.StartRequested(), 1.0) is runs


def test_the_restart_count_resets_after_stable_running() -> None:
    """A board that rarely crashes is not given up."""
    board = replace(BOARD, status=Status.RUNNING, running_since=0.0, restarts=5)

    died_soon = lifecycle.apply(board, lifecycle.BoardLost("OOMKilled"), 59.0)
    died_late = lifecycle.apply(board, lifecycle.BoardLost("OOMKilled"), 60.0)
    assert (died_soon.status, died_soon.reason) == (Status.FAILED, "OOMKilled")
    assert (died_late.status, died_late.restarts) == (Status.PENDING, 1)


def test_hub_outages_are_not_counted() -> None:
    """Neither as restarts nor as running time."""
    board = replace(BOARD, status=Status.RUNNING, running_since=0.0, restarts=5)
    after = lifecycle.apply(board, lifecycle.BoardLost("NodeLost", seen_at=30.0, counted=False), 500.0)

    assert (after.status, after.restarts, after.ran_secs) == (Status.PENDING, 5, 30.0)


@given(STEPS)
def test_only_users_reset_the_idle_clock(steps: list[tuple[str, float]]) -> None:
    """After the first visit, only a start by a user changes the time of the last one."""
    board, at = BOARD, 0.0
    for name, secs in steps:
        before, at = board, at + secs
        board = lifecycle.apply(board, EVENTS[name], at)

        if before.last_active_at is not None and name != "start":
            assert board.last_active_at == before.last_active_at


@pytest.mark.parametrize(("restarts", "wait_secs"), [(0, 0), (1, 0), (2, 1), (3, 2), (4, 4), (5, 8)])
def test_restarts_back_off(restarts: int, wait_secs: float) -> None:
    """The first is immediate."""
    board = replace(BOARD, restarts=restarts, status_since=100.0)

    assert lifecycle.start_at(board) == 100.0 + wait_secs


@pytest.mark.parametrize(
    ("fields", "now", "event"),
    [
        ({"status": Status.PENDING}, 299.0, None),
        (
            {"status": Status.CREATING},
            300.0,
            lifecycle.StartFailed("StartTimeout", "the board did not respond within 300 seconds"),
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
def test_timeouts(fields: dict[str, object], now: float, event: lifecycle.Event | None) -> None:
    """Start timeout, life span, idle stop; nothing without such a rule."""
    assert lifecycle.due_event(replace(BOARD, **fields), now) == event


def test_active_boards_need_reconciling() -> None:
    """Boards at rest do not."""
    tasks = {status: lifecycle.task(replace(BOARD, status=status)) for status in Status}

    assert tasks == {
        Status.PENDING: Task.START,
        Status.CREATING: Task.OBSERVE,
        Status.RUNNING: Task.OBSERVE,
        Status.STOPPING: Task.STOP,
        Status.DELETING: Task.REMOVE,
        **dict.fromkeys([*RESTING, Status.DELETED], Task.NOTHING),
    }


def test_a_restart_by_the_hub_that_fails_is_repeated() -> None:
    """A share may be away for a moment just then. With all restarts used up, the last reason stays."""
    board = replace(BOARD, status=Status.RUNNING, status_since=0.0, running_since=0.0)
    board = lifecycle.apply(board, lifecycle.BoardLost(), 100.0)
    refused = lifecycle.StartFailed("SourceNotFound", "/logs does not exist")

    steps = []
    for at in range(101, 101 + lifecycle.MAX_RESTARTS):
        board = lifecycle.apply(board, refused, float(at))
        steps.append((board.status, board.reason, board.message, board.restarts))

    assert steps == [
        *((Status.PENDING, "Restarting", "/logs does not exist", restarts) for restarts in (2, 3, 4, 5)),
        (Status.CREATING_FAILED, "SourceNotFound", "/logs does not exist", 5),
    ]


def test_a_start_that_a_user_asked_for_fails_at_once() -> None:
    """Whoever asked is there to read why."""
    board = replace(BOARD, status=Status.STOPPED, restarts=3, ran_secs=9.0)
    board = lifecycle.apply(board, lifecycle.StartRequested(), 1.0)

    after = lifecycle.apply(board, lifecycle.StartFailed("SourceNotFound"), 2.0)

    assert (after.status, after.reason) == (Status.CREATING_FAILED, "SourceNotFound")


def test_a_restart_that_answers_nothing_is_not_repeated() -> None:
    """It has waited for minutes."""
    board = replace(BOARD, status=Status.CREATING, restarts=1, ran_secs=9.0)

    after = lifecycle.apply(board, lifecycle.StartFailed("StartTimeout"), 400.0)

    assert after.status is Status.CREATING_FAILED


def test_transitions_record_their_cause() -> None:
    """Time, status, reason, message and actor."""
    after = lifecycle.apply(BOARD, lifecycle.StartFailed("AccessDenied", "no key"), 7.0)

    assert lifecycle.transition_of(after, "acc-1") == Transition(
        at=7.0, status=Status.CREATING_FAILED, reason="AccessDenied", message="no key", actor="acc-1"
    )
