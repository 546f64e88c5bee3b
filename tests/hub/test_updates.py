"""Updating boards that run."""

from collections.abc import Sequence
from typing import Any

from lightboard.hub.db import tensorboards
from lightboard.hub.launchers.base import BoardSpec, Observation, Progress
from lightboard.hub.resources.tensorboards import Status, Tensorboard
from support.hub_process import wait_for
from support.personas import START_TIME
from support.reconciler_harness import ReconcilerHarness


def change(harness: ReconcilerHarness, board: Tensorboard, **fields: Any) -> None:
    """Somebody changes a board."""
    with harness.database.write() as session:
        tensorboards.change(session, harness.personas.editor, board.id, fields, START_TIME)


def test_changed_sources_reach_a_running_board(harness: ReconcilerHarness) -> None:
    """It keeps running."""
    board = harness.create_running_board()
    change(harness, board, sources=(harness.create_logs("runs"), harness.create_logs("more", alias="b")))
    harness.reconciler.step(START_TIME + 1)

    urls = [source.url for source in harness.launcher.boards[board.id].spec.sources]
    after = harness.reload(board)
    assert urls == [str(harness.logs / "runs"), str(harness.logs / "more")]
    assert (after.status, after.spec_version, after.placed_version, harness.launcher._starts) == (
        Status.RUNNING,
        2,
        2,
        1,
    )


def test_unusable_sources_are_reported(harness: ReconcilerHarness) -> None:
    """The board keeps the old ones and switches when the new ones work."""
    board = harness.create_running_board()
    harness.launcher.fail_next("SourceNotFound", "there is no folder more")
    change(harness, board, sources=(harness.create_logs("more"),))
    for second in (1, 2):
        harness.reconciler.step(START_TIME + second)
    refused = harness.reload(board)
    harness.reconciler.step(START_TIME + 16)
    harness.reconciler.step(START_TIME + 17)
    taken = harness.reload(board)

    assert (refused.status, refused.reason, refused.message) == (
        Status.RUNNING, "SourceNotFound", "there is no folder more",
    )  # fmt: skip
    assert (taken.status, taken.reason, taken.message, taken.placed_version) == (Status.RUNNING, "Ready", "", 2)


def test_a_change_is_retried_although_the_clock_was_set_back(harness: ReconcilerHarness) -> None:
    """By an hour, which nobody waits for."""
    board = harness.create_running_board()
    harness.launcher.fail_next("SourceNotFound", "there is no folder more")
    change(harness, board, sources=(harness.create_logs("more"),))
    harness.reconciler.step(START_TIME + 1)
    refused = harness.reload(board).reason
    for second in (1, 2):
        harness.reconciler.step(START_TIME - 3_600 + second)

    assert (refused, harness.reload(board).reason) == ("SourceNotFound", "Ready")


def test_refusals_are_not_overwritten_by_old_observations(harness: ReconcilerHarness) -> None:
    """Of the same pass."""
    board = harness.create_running_board()
    observe = harness.launcher.observe

    def observe_late(handles: Sequence[str]) -> list[Observation]:
        wait_for(lambda: harness.reload(board).reason, lambda reason: reason == "SourceNotFound", "the refusal")
        return observe(handles)

    harness.launcher.tell(board.id, progress=Progress(runs=3))
    harness.launcher.fail_next("SourceNotFound", "there is no folder more")
    change(harness, board, sources=(harness.create_logs("more"),))
    harness.launcher.observe = observe_late  # type: ignore[method-assign]
    harness.reconciler.step(START_TIME + 1)

    after = harness.reload(board)
    assert (after.reason, after.message, after.progress.runs) == ("SourceNotFound", "there is no folder more", 3)


def test_changing_labels_during_a_start_keeps_it(harness: ReconcilerHarness) -> None:
    """Although the version has risen."""
    board = harness.create_board()
    start = harness.launcher.start

    def start_slowly(spec: BoardSpec) -> str:
        change(harness, board, labels={"a": "b"})
        return start(spec)

    harness.launcher.start = start_slowly  # type: ignore[method-assign]
    harness.reconciler.step(START_TIME)
    harness.reconciler.step(START_TIME)

    assert (harness.reload(board).status, harness.reload(board).labels) == (Status.RUNNING, {"a": "b"})
