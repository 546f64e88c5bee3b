"""Which waiting jobs start next."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from lightboard.hub.job_queue import next_jobs
from lightboard.hub.resources.jobs import ON_RUNNER, WAITING, Job, JobStatus


def job(id: str, owner: str = "ann", **fields: Any) -> Job:
    """A job that waits since the time in its id."""
    queued_at = float("".join(filter(str.isdecimal, id)) or 0)
    return Job(
        id=id, name=id, display_name=id, project="p", owner=owner, command=("true",), queued_at=queued_at, **fields
    )


def ids(jobs: list[Job]) -> list[str]:
    """Their ids, in order."""
    return [each.id for each in jobs]


def test_the_oldest_starts_first() -> None:
    """As many as there are free slots."""
    running = job("r0", status=JobStatus.RUNNING)

    assert ids(next_jobs([job("c3"), job("a1"), running, job("b2")], 3, 10.0)) == ["a1", "b2"]


def test_a_higher_priority_comes_first() -> None:
    """However young."""
    assert ids(next_jobs([job("a1"), job("b2", priority=9)], 1, 10.0)) == ["b2"]


def test_accounts_take_turns() -> None:
    """A long queue of one account does not keep others waiting."""
    queue = [job(f"a{number}") for number in range(1, 9)] + [job("b9", "bob")]

    assert ids(next_jobs(queue, 3, 10.0)) == ["a1", "b9", "a2"]


def test_a_large_job_is_not_overtaken() -> None:
    """Later jobs wait until enough slots are free."""
    running = job("r0", status=JobStatus.RUNNING)

    assert ids(next_jobs([running, job("a1", replicas=2), job("b2")], 2, 10.0)) == []


def test_a_job_that_can_never_start_keeps_nobody_waiting() -> None:
    """It needs more slots than there are."""
    assert ids(next_jobs([job("a1", replicas=3), job("b2")], 2, 10.0)) == ["b2"]


def test_a_retry_waits_for_its_back_off() -> None:
    """Others start meanwhile."""
    retry = job("a1", status=JobStatus.RESTARTING, retries=3, status_since=100.0)

    assert ids(next_jobs([retry, job("b2")], 2, 107.9)) == ["b2"]
    assert ids(next_jobs([retry, job("b2")], 2, 108.0)) == ["a1", "b2"]


JOBS = st.lists(
    st.builds(
        job,
        st.integers(0, 99).map("j{}".format),
        st.sampled_from(["ann", "bob"]),
        status=st.sampled_from([*WAITING, *ON_RUNNER]),
        replicas=st.integers(1, 3),
        priority=st.integers(1, 9),
    ),
    max_size=12,
    unique_by=lambda each: each.id,
)


@given(JOBS, st.integers(0, 6))
def test_slots_are_never_exceeded(jobs: list[Job], slots: int) -> None:
    """Only waiting jobs are chosen, each once."""
    chosen = next_jobs(jobs, slots, 1e6)

    used = sum(each.replicas for each in jobs if each.status in ON_RUNNER)
    assert not chosen or used + sum(each.replicas for each in chosen) <= slots
    assert len(set(ids(chosen))) == len(chosen)
    assert {each.status for each in chosen} <= WAITING
