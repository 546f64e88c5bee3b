"""What people change of a board that runs, and how the launcher takes it."""

from collections.abc import Sequence
from typing import Any

from cast import AT
from loop_stage import Stage

from lightboard.hub.db import tensorboards
from lightboard.hub.launchers.base import BoardSpec, Observation, Progress
from lightboard.hub.resources.tensorboards import Status, Tensorboard
from running_hub import until


def change(stage: Stage, board: Tensorboard, **fields: Any) -> None:
    """Somebody changes a board."""
    with stage.database.write() as session:
        tensorboards.change(session, stage.cast.editor, board.id, fields, AT)


def test_other_sources_reach_a_board_that_runs(stage: Stage) -> None:
    """Under the same handle's board, which goes on running."""
    board = stage.running()
    change(stage, board, sources=(stage.place("runs"), stage.place("more", alias="b")))
    stage.first.step(AT + 1)

    urls = [source.url for source in stage.launcher.boards[board.id].spec.sources]
    after = stage.now(board)
    assert urls == [str(stage.logs / "runs"), str(stage.logs / "more")]
    assert (after.status, after.spec_version, after.placed_version, stage.launcher._starts) == (Status.RUNNING, 2, 2, 1)


def test_sources_that_cannot_be_are_told(stage: Stage) -> None:
    """The board shows what it showed, says what is wrong, and takes them as soon as they can be."""
    board = stage.running()
    stage.launcher.fail_next("SourceNotFound", "there is no folder more")
    change(stage, board, sources=(stage.place("more"),))
    for second in (1, 2):
        stage.first.step(AT + second)
    refused = stage.now(board)
    stage.first.step(AT + 16)
    stage.first.step(AT + 17)
    taken = stage.now(board)

    assert (refused.status, refused.reason, refused.message) == (
        Status.RUNNING, "SourceNotFound", "there is no folder more",
    )  # fmt: skip
    assert (taken.status, taken.reason, taken.message, taken.placed_version) == (Status.RUNNING, "Ready", "", 2)


def test_why_sources_were_refused_outlives_a_look_of_before(stage: Stage) -> None:
    """What is seen of the board in the same pass says nothing of the change."""
    board = stage.running()
    observe = stage.launcher.observe

    def observe_late(handles: Sequence[str]) -> list[Observation]:
        until(lambda: stage.now(board).reason, lambda reason: reason == "SourceNotFound", "the refusal")
        return observe(handles)

    stage.launcher.tell(board.id, progress=Progress(runs=3))
    stage.launcher.fail_next("SourceNotFound", "there is no folder more")
    change(stage, board, sources=(stage.place("more"),))
    stage.launcher.observe = observe_late  # type: ignore[method-assign]
    stage.first.step(AT + 1)

    after = stage.now(board)
    assert (after.reason, after.message, after.progress.runs) == ("SourceNotFound", "there is no folder more", 3)


def test_labels_changed_during_a_start_do_not_undo_it(stage: Stage) -> None:
    """The version has risen, yet what was started is the board's."""
    board = stage.board()
    start = stage.launcher.start

    def start_slowly(spec: BoardSpec) -> str:
        change(stage, board, labels={"a": "b"})
        return start(spec)

    stage.launcher.start = start_slowly  # type: ignore[method-assign]
    stage.first.step(AT)
    stage.first.step(AT)

    assert (stage.now(board).status, stage.now(board).labels) == (Status.RUNNING, {"a": "b"})
