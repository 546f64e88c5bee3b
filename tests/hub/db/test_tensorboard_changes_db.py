"""Changing TensorBoards in the database, and their history."""

from dataclasses import replace
from functools import partial

import pytest

from lightboard.errors import Conflict, Invalid
from lightboard.hub import lifecycle
from lightboard.hub.access import HUB
from lightboard.hub.db import audit, changes, tensorboards
from lightboard.hub.resources.tensorboards import Status, Tensorboard, Transition
from lightboard.schema.audit import AuditRequest
from lightboard.schema.life_spans import ExtendLifeSpan
from lightboard.schema.tensorboards import TensorboardRequest
from support.board_events import apply_event, mark_running
from support.personas import START_TIME, Personas, folder_source, new_tensorboard

# Updates


def test_an_update_creates_a_version(personas: Personas) -> None:
    """The spec version rises if the launcher has to know."""
    board = personas.create_board()
    with personas.database.write() as session:
        after = tensorboards.change(
            session,
            personas.editor,
            board.id,
            {"display_name": "New", "labels": {"a": "b"}},
            START_TIME + 1,
            board.version,
        )

    assert after == replace(
        board, display_name="New", labels={"a": "b"}, version=2, spec_version=2, updated_at=START_TIME + 1
    )


def test_changing_labels_does_not_restart(personas: Personas) -> None:
    """The spec version stays."""
    board = personas.create_board()
    with personas.database.write() as session:
        after = tensorboards.change(session, personas.editor, board.id, {"tags": ("x",)}, START_TIME)

    assert (after.version, after.spec_version) == (2, 1)


def test_an_update_without_changes_creates_no_version(personas: Personas) -> None:
    """Saying what is so already disturbs nobody."""
    board = personas.create_board()
    with personas.database.write() as session:
        assert tensorboards.change(session, personas.editor, board.id, {"tags": ()}, START_TIME + 1) == board


def test_changed_sources_change_the_source_key(personas: Personas) -> None:
    """Get-or-create and annotations use it."""
    board = personas.create_board()
    with personas.database.write() as session:
        after = tensorboards.change(
            session, personas.editor, board.id, {"sources": (folder_source("/other"),)}, START_TIME
        )

    assert after.source_key == personas.create_board(sources=(folder_source("/other"),)).source_key != board.source_key


@pytest.mark.parametrize("act", ["change", "extend", "stop"])
def test_an_outdated_board_version_is_a_conflict(personas: Personas, act: str) -> None:
    """Updates based on an older state change nothing."""
    board = personas.create_board()
    acts = {
        "change": partial(tensorboards.change, wanted={"tags": ("x",)}),
        "extend": partial(tensorboards.extend, wanted=ExtendLifeSpan(total_secs=0.0)),
        "stop": partial(tensorboards.apply_event, right="tensorboards.stop", event=lifecycle.StopRequested()),
    }
    with pytest.raises(Conflict, match="changed in the meantime"), personas.database.write() as session:
        acts[act](session, personas.editor, board.id, at=START_TIME, version=9)


@pytest.mark.parametrize("field", ["owner", "status", "id", "executor_ref"])
def test_read_only_fields_are_refused(personas: Personas, field: str) -> None:
    """By name."""
    board = personas.create_board()
    with pytest.raises(Invalid, match=f"{field} cannot be changed"), personas.database.write() as session:
        tensorboards.change(session, personas.editor, board.id, {field: "x"}, START_TIME)


@pytest.mark.parametrize(
    ("asked", "span"),
    [
        ({"additional_secs": 600.0}, 1_600.0),
        ({"total_secs": 50.0}, 50.0),
        ({"total_secs": 0.0}, 0.0),
    ],
)
def test_extending_the_life_span(personas: Personas, asked: dict[str, float], span: float) -> None:
    """By an amount, or to a total."""
    board = personas.create_board(life_span_secs=1_000.0)
    with personas.database.write() as session:
        assert (
            tensorboards.extend(session, personas.editor, board.id, ExtendLifeSpan(**asked), START_TIME).life_span_secs
            == span
        )


def test_extending_a_board_without_life_span(personas: Personas) -> None:
    """It still has none."""
    board = personas.create_board(life_span_secs=0.0)
    with personas.database.write() as session:
        assert (
            tensorboards.extend(session, personas.editor, board.id, ExtendLifeSpan(additional_secs=60.0), START_TIME)
            == board
        )


def test_extending_an_expired_board_counts_from_now(personas: Personas) -> None:
    """Time overrun is not deducted."""
    board = mark_running(personas, personas.create_board(life_span_secs=10.0))
    with personas.database.write() as session:
        after = tensorboards.extend(
            session, personas.editor, board.id, ExtendLifeSpan(additional_secs=60.0), START_TIME + 100
        )

    assert after.expires_at(START_TIME + 100) == START_TIME + 160


# History


def test_the_history_names_actors(personas: Personas) -> None:
    """Time, reason and actor of each transition; the hub has no name."""
    board = mark_running(personas, personas.create_board(), at=START_TIME + 1)
    apply_event(personas, personas.owner, board, lifecycle.StopRequested(), START_TIME + 2)
    with personas.database.read() as session:
        steps = tensorboards.history(session, personas.editor, board.id)

    assert steps == [
        Transition(at=START_TIME, status=Status.PENDING, reason="Creating", actor=personas.editor.account),
        Transition(at=START_TIME + 1, status=Status.CREATING, reason="ProcessStarting"),
        Transition(at=START_TIME + 1, status=Status.RUNNING, reason="Ready"),
        Transition(at=START_TIME + 2, status=Status.STOPPING, reason="UserRequested", actor=personas.owner.account),
    ]


def spans(personas: Personas, board: Tensorboard) -> list[Transition]:
    """The lines of history about life spans."""
    with personas.database.read() as session:
        steps = tensorboards.history(session, personas.editor, board.id)
    return [step for step in steps if step.life_span_secs is not None]


def test_the_history_records_extensions(personas: Personas) -> None:
    """With actor and new end; the status stays."""
    board = mark_running(personas, personas.create_board(life_span_secs=1_000.0), at=START_TIME + 1)
    with personas.database.write() as session:
        after = tensorboards.extend(
            session, personas.owner, board.id, ExtendLifeSpan(additional_secs=500.0), START_TIME + 11
        )

    assert after.expires_at(START_TIME + 11) == START_TIME + 1_501
    assert spans(personas, board) == [
        Transition(
            at=START_TIME + 11,
            status=Status.RUNNING,
            reason="Extended",
            actor=personas.owner.account,
            life_span_secs=1_500.0,
            expires_at=START_TIME + 1_501,
        )
    ]


@pytest.mark.parametrize(
    ("before", "after", "reason"),
    [(10.0, 20.0, "Extended"), (20.0, 10.0, "Shortened"), (10.0, 0.0, "Extended"), (0.0, 10.0, "Shortened")],
)
def test_the_history_records_life_span_changes(personas: Personas, before: float, after: float, reason: str) -> None:
    """Boards that do not run have no end yet."""
    board = personas.create_board(life_span_secs=before)
    with personas.database.write() as session:
        tensorboards.change(session, personas.editor, board.id, {"life_span_secs": after}, START_TIME + 5)

    assert spans(personas, board) == [
        Transition(
            at=START_TIME + 5, status=Status.PENDING, reason=reason, actor=personas.editor.account, life_span_secs=after
        )
    ]


def test_the_history_omits_other_changes(personas: Personas) -> None:
    """Such as a new name or an unchanged life span."""
    board = personas.create_board(life_span_secs=10.0)
    with personas.database.write() as session:
        tensorboards.change(
            session, personas.editor, board.id, {"display_name": "x", "life_span_secs": 10.0}, START_TIME + 5
        )

    assert spans(personas, board) == []


def test_requests_without_effect_are_not_recorded(personas: Personas) -> None:
    """Stopping a stopping board adds no history entry and no version."""
    stopping = apply_event(personas, personas.editor, personas.create_board(), lifecycle.StopRequested())

    assert apply_event(personas, personas.editor, stopping, lifecycle.StopRequested(), START_TIME + 5) == stopping
    with personas.database.read() as session:
        assert len(tensorboards.history(session, personas.editor, stopping.id)) == 2


def test_the_audit_names_account_token_and_address(personas: Personas) -> None:
    """Of each change."""
    board = personas.create_board()
    who = replace(personas.editor, label="ci token")
    with personas.database.write("192.0.2.7") as session:
        tensorboards.apply_event(
            session, who, board.id, "tensorboards.delete", lifecycle.DeleteRequested(), START_TIME + 1
        )
    with personas.database.read() as session:
        lines, total = audit.find(session, personas.owner, AuditRequest(project=personas.vision, target=board.id))

    assert total == 2
    assert (lines[0].action, lines[0].actor, lines[0].via, lines[0].address, lines[0].at) == (
        "tensorboard.delete",
        personas.editor.account,
        "ci token",
        "192.0.2.7",
        START_TIME + 1,
    )


def test_a_failed_transaction_is_rolled_back(personas: Personas) -> None:
    """No board, history, audit entry or notification."""
    told: list[int] = []
    personas.database.listeners.append(lambda _commit: told.append(1))
    with personas.database.read() as session:
        before = changes.latest(session)

    def fail_late() -> None:
        with personas.database.write() as session:
            tensorboards.create(session, personas.editor, new_tensorboard(personas.vision), START_TIME)
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail_late()
    with personas.database.read() as session:
        assert (tensorboards.find(session, HUB, TensorboardRequest()), changes.latest(session), told) == (
            ([], 0),
            before,
            [],
        )
