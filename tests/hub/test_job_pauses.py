"""Passes over jobs that are paused and resumed, on a scripted runner."""

from collections.abc import Iterator

import pytest

from lightboard.errors import LaunchError
from lightboard.hub.job_lifecycle import PauseRequested, ResumeRequested, StopRequested
from support.job_reconciler_harness import WAIT, JobReconcilerHarness
from support.personas import Personas


@pytest.fixture
def hub(personas: Personas) -> Iterator[JobReconcilerHarness]:
    """Without any job."""
    made = JobReconcilerHarness(personas)
    yield made
    made.reconciler.close()


def test_a_paused_job_gives_its_slots_to_others_and_runs_again(hub: JobReconcilerHarness) -> None:
    """As another attempt, when there is a slot."""
    id = hub.add(WAIT, replicas=2)
    hub.step(2)
    other = hub.add(WAIT)
    hub.step()
    hub.apply(id, PauseRequested("paused by editor"))
    hub.restart()
    hub.step(3)
    paused = hub.statuses(id, other)
    hub.apply(id, ResumeRequested())
    hub.step(2)
    waiting = hub.statuses(id, other)
    hub.apply(other, StopRequested())
    hub.step(4)

    assert (paused, waiting) == (["Paused", "Running"], ["Queued", "Running"])
    assert (hub.statuses(id, other), hub.get(id).attempt) == (["Running", "Stopped"], 2)
    assert hub.history(id)[2:6] == [
        ("Running", ""), ("Pausing", "UserRequested"), ("Paused", "UserRequested"), ("Queued", "Resumed"),
    ]  # fmt: skip


def test_a_waiting_job_that_is_paused_does_not_start(hub: JobReconcilerHarness) -> None:
    """Until it is resumed, then before those that came later."""
    blockers = [hub.add(WAIT), hub.add(WAIT)]
    hub.step(2)
    first = hub.add(WAIT)
    hub.now += 1.0
    second = hub.add(WAIT)
    hub.apply(first, PauseRequested())
    hub.step()
    hub.apply(first, ResumeRequested())
    hub.apply(blockers[0], StopRequested())
    hub.step(4)

    assert hub.statuses(first, second) == ["Running", "Queued"]


def test_a_job_paused_before_its_start_never_runs(hub: JobReconcilerHarness) -> None:
    """Although it had a slot already."""
    hub.runner.fail_next(LaunchError("the disk is full"))
    id = hub.add(WAIT)
    hub.reconciler._place(hub.now, [hub.get(id)], set())
    hub.apply(id, PauseRequested())
    hub.step(2)

    assert (hub.statuses(id), hub.runner.submitted) == (["Paused"], [])
