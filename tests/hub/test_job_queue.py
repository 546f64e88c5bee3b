"""Which waiting jobs start next."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given as given_by
from hypothesis import strategies as st

from lightboard.hub.job_queue import next_jobs, queue_messages, start_order
from lightboard.hub.machine import cluster_capacity
from lightboard.hub.resources.jobs import ON_RUNNER, WAITING, Job, JobStatus
from lightboard.hub.resources.presets import Capacity


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

    assert ids(next_jobs([job("c3"), job("a1"), running, job("b2")], Capacity(slots=3), 10.0)) == ["a1", "b2"]


def test_a_cluster_counts_its_own_cpus_and_gpus() -> None:
    """All jobs are given to it at once, without numbers of devices; slots can limit that."""
    waiting = [job(f"a{number}", preset="big", cpus=64, gpus=8, replicas=4) for number in range(1, 4)]

    chosen = [next_jobs(waiting, cluster_capacity(slots), 10.0) for slots in (0, 300)]

    assert [ids(each) for each in chosen] == [["a1", "a2", "a3"], ["a1"]]
    assert {(each.cpu_ids, each.gpu_ids) for each in chosen[0]} == {((), ())}


def test_a_higher_priority_comes_first() -> None:
    """However young."""
    assert ids(next_jobs([job("a1"), job("b2", priority=9)], Capacity(slots=1), 10.0)) == ["b2"]


def test_accounts_take_turns() -> None:
    """A long queue of one account does not keep others waiting."""
    queue = [job(f"a{number}") for number in range(1, 9)] + [job("b9", "bob")]

    assert ids(next_jobs(queue, Capacity(slots=3), 10.0)) == ["a1", "b9", "a2"]


def test_a_large_job_is_not_overtaken() -> None:
    """Later jobs wait until enough slots are free."""
    running = job("r0", status=JobStatus.RUNNING)

    assert ids(next_jobs([running, job("a1", replicas=2), job("b2")], Capacity(slots=2), 10.0)) == []


def test_a_job_that_can_never_start_keeps_nobody_waiting() -> None:
    """It needs more slots than there are."""
    assert ids(next_jobs([job("a1", replicas=3), job("b2")], Capacity(slots=2), 10.0)) == ["b2"]


def test_a_retry_waits_for_its_back_off() -> None:
    """Others start meanwhile."""
    retry = job("a1", status=JobStatus.RESTARTING, retries=3, status_since=100.0)

    assert ids(next_jobs([retry, job("b2")], Capacity(slots=2), 107.9)) == ["b2"]
    assert ids(next_jobs([retry, job("b2")], Capacity(slots=2), 108.0)) == ["a1", "b2"]


MACHINE = Capacity(slots=8, memory_bytes=16 << 30, cpu_ids=tuple(range(8)), gpu_ids=(0, 1, 4))


def with_preset(id: str, cpus: int = 1, gpus: int = 0, memory_gib: int = 1, **fields: Any) -> Job:
    """A job with a preset."""
    return job(id, preset="some", cpus=cpus, gpus=gpus, preset_memory_bytes=memory_gib << 30, **fields)


def given(jobs: list[Job]) -> list[tuple[str, tuple[int, ...], tuple[int, ...]]]:
    """Their ids with processors and GPUs."""
    return [(each.id, each.cpu_ids, each.gpu_ids) for each in jobs]


def test_each_job_gets_gpus_and_processors_of_its_own() -> None:
    """Not those of running ones; replica after replica."""
    running = with_preset("r0", cpus=2, gpus=1, status=JobStatus.RUNNING, cpu_ids=(0, 1), gpu_ids=(1,))
    waiting = [with_preset("a1", cpus=2, gpus=1), with_preset("b2", gpus=1), with_preset("c3", replicas=2)]

    assert given(next_jobs([running, *waiting], MACHINE, 10.0)) == [
        ("a1", (2, 3), (0,)), ("b2", (4,), (4,)), ("c3", (5, 6), ()),
    ]  # fmt: skip


@pytest.mark.parametrize("status", sorted(ON_RUNNER))
def test_a_gpu_is_free_when_the_job_has_left_the_runner(status: JobStatus) -> None:
    """Not before: processes of it may exist until then."""
    machine = Capacity(slots=8, gpu_ids=(0,))
    had = {"gpus": 1, "gpu_ids": (0,)}

    assert next_jobs([job("r0", status=status, **had), with_preset("a1", gpus=1)], machine, 10.0) == []
    for left in (JobStatus.FAILED, JobStatus.RESTARTING):
        before = job("r0", status=left, status_since=9.0, retries=9, **had)
        assert given(next_jobs([before, with_preset("a1", gpus=1)], machine, 10.0)) == [("a1", (), (0,))]


def test_a_job_may_use_all_processors_if_it_has_no_preset_or_needs_all() -> None:
    """It is bound to none then."""
    assert given(next_jobs([job("a1")], MACHINE, 10.0)) == [("a1", (), ())]
    assert given(next_jobs([with_preset("b2", cpus=8)], MACHINE, 10.0)) == [("b2", (), ())]


def test_processors_are_shared_evenly_if_there_are_more_slots() -> None:
    """The one with the fewest users is next."""
    machine = Capacity(slots=4, cpu_ids=(2, 3))
    jobs = [with_preset(f"a{number}") for number in range(1, 5)]

    assert [each.cpu_ids for each in next_jobs(jobs, machine, 10.0)] == [(2,), (3,), (2,), (3,)]


def test_jobs_without_gpus_pass_one_that_waits_for_a_gpu() -> None:
    """But leave it the processors that it needs, and jobs with GPUs stay behind it."""
    running = with_preset("r0", cpus=4, gpus=3, status=JobStatus.RUNNING, gpu_ids=MACHINE.gpu_ids)
    waiting = [with_preset("a1", cpus=2, gpus=1), with_preset("b2", gpus=1), *map(with_preset, ("c3", "d4", "e5"))]

    assert ids(next_jobs([running, *waiting], MACHINE, 10.0)) == ["c3", "d4"]


def test_two_free_gpus_are_kept_for_a_job_that_needs_three() -> None:
    """So that it is not overtaken for ever."""
    running = with_preset("r0", gpus=1, status=JobStatus.RUNNING, gpu_ids=(1,))

    assert ids(next_jobs([running, with_preset("a1", gpus=3), with_preset("b2", gpus=1)], MACHINE, 10.0)) == []


def test_memory_is_shared_too() -> None:
    """The limit of the job itself counts, if it has one."""
    waiting = [with_preset("a1", memory_gib=12), with_preset("b2", memory_gib=12, memory_bytes=4 << 30)]

    assert ids(next_jobs([*waiting, with_preset("c3")], MACHINE, 10.0)) == ["a1", "b2"]


def test_the_account_with_the_smaller_share_of_the_machine_is_next() -> None:
    """Two of three GPUs are more than four of eight processors."""
    running = [
        with_preset("r0", cpus=2, gpus=2, status=JobStatus.RUNNING, gpu_ids=(0, 1)),
        with_preset("s0", owner="bob", cpus=4, status=JobStatus.RUNNING),
    ]

    assert ids(
        next_jobs([*running, with_preset("a1", cpus=2), with_preset("b2", owner="bob", cpus=2)], MACHINE, 10.0)
    ) == ["b2"]


def test_a_queued_job_tells_what_it_waits_for() -> None:
    """Or that it never starts, or that others are before it."""
    running = [
        with_preset("r0", cpus=5, gpus=3, memory_gib=10, status=JobStatus.RUNNING, gpu_ids=MACHINE.gpu_ids),
        job("s0", status=JobStatus.RESTARTING),
    ]
    waiting = [
        with_preset("a1", gpus=1),
        with_preset("b2", cpus=2, replicas=2, gpus=1, memory_gib=4),
        with_preset("c3", replicas=9, memory_gib=2),
        job("d4", replicas=4),
        with_preset("e5"),
        job("f6", replicas=9),
    ]

    assert queue_messages([*running, *waiting], MACHINE) == {
        "a1": "waiting for 1 GPU",
        "b2": "waiting for 4 CPUs and 8G of memory and 2 GPUs",
        "c3": "needs 9 CPUs and 18G of memory, and this hub has 8 and 16G",
        "d4": "",
        "f6": "needs 9 slots, and this hub has 8",
        "e5": "waiting for jobs that are before it in the queue",
    }


def test_a_job_waits_for_its_image() -> None:
    """And keeps nobody waiting. A retry has the environment that it had before."""
    waiting = [
        job("a1", image="slow"),
        job("b2", image="slow", image_digest="12ab", status=JobStatus.RESTARTING),
        job("c3", image="quick"),
        with_preset("d4", image="slow"),
        job("e5", image="slow", replicas=99),
    ]

    assert ids(next_jobs(waiting, MACHINE, 1e6, {"slow"})) == ["b2", "c3"]
    assert queue_messages(waiting, MACHINE, {"slow"}) == {
        "a1": "waiting for the image slow, which is being built",
        "c3": "",
        "d4": "waiting for the image slow, which is being built",
        "e5": "needs 99 slots, and this hub has 8",
    }


JOBS = st.lists(
    st.builds(
        job,
        st.integers(0, 99).map("j{}".format),
        st.sampled_from(["ann", "bob"]),
        status=st.sampled_from([*WAITING, *ON_RUNNER]),
        replicas=st.integers(1, 3),
        priority=st.integers(1, 9),
        preset=st.sampled_from(["", "some"]),
        cpus=st.integers(1, 3),
        gpus=st.integers(0, 2),
        memory_bytes=st.none() | st.integers(1, 4),
    ),
    max_size=12,
    unique_by=lambda each: each.id,
)
CAPACITIES = st.builds(
    Capacity,
    slots=st.integers(0, 9),
    memory_bytes=st.none() | st.integers(0, 9),
    cpu_ids=st.sets(st.integers(0, 9)).map(tuple),
    gpu_ids=st.sets(st.integers(0, 9)).map(tuple),
)


def run(jobs: list[Job], capacity: Capacity) -> tuple[list[Job], list[Job]]:
    """What is on the runner and what waits, after the next jobs have started; none ran before."""
    waiting = [replace(each, status=JobStatus.QUEUED) for each in jobs]
    started = {each.id: each for each in next_jobs(waiting, capacity, 1e6)}
    return [replace(each, status=JobStatus.RUNNING) for each in started.values()], [
        each for each in waiting if each.id not in started
    ]


@given_by(JOBS, CAPACITIES)
def test_what_there_is_is_never_exceeded(jobs: list[Job], capacity: Capacity) -> None:
    """Only waiting jobs are chosen, each once."""
    chosen = next_jobs(jobs, capacity, 1e6)

    running = [each for each in jobs if each.status in ON_RUNNER]
    for amount, most in (
        (lambda each: each.cpus, capacity.slots),
        (lambda each: each.memory_bytes or 0, capacity.memory_bytes),
    ):
        used = sum(amount(each) * each.replicas for each in [*running, *chosen])
        assert not chosen or most is None or used <= most or not any(map(amount, chosen))
    assert len(set(ids(chosen))) == len(chosen)
    assert {each.status for each in chosen} <= WAITING


@given_by(JOBS, CAPACITIES, st.sets(st.integers(0, 11)))
def test_no_gpu_is_given_twice(jobs: list[Job], capacity: Capacity, ended: set[int]) -> None:
    """Neither in one pass nor in a later one, after some jobs have ended. Each replica gets as many as it asks for."""
    running, waiting = run(jobs, capacity)
    left = [each for number, each in enumerate(running) if number not in ended]
    later = next_jobs([*left, *waiting], capacity, 1e6)

    for having in (running, [*left, *later]):
        gpu_ids = [id for each in having for id in each.gpu_ids]
        assert len(set(gpu_ids)) == len(gpu_ids)
        assert set(gpu_ids) <= set(capacity.gpu_ids)
        assert [len(each.gpu_ids) for each in having] == [each.gpus * each.replicas for each in having]


@given_by(JOBS, CAPACITIES)
def test_processors_are_not_shared_if_there_are_enough(jobs: list[Job], capacity: Capacity) -> None:
    """As many slots as processors, or fewer. A job with a preset is bound to as many as it needs, or to none."""
    machine = replace(capacity, slots=min(capacity.slots, len(capacity.cpu_ids)))
    running, _ = run([replace(each, preset="some") for each in jobs], machine)

    cpu_ids = [id for each in running for id in each.cpu_ids]
    assert len(set(cpu_ids)) == len(cpu_ids)
    assert {len(each.cpu_ids) / each.replicas - each.cpus for each in running if each.cpu_ids} <= {0}


@given_by(JOBS, CAPACITIES)
def test_every_job_that_can_run_runs_some_day(jobs: list[Job], capacity: Capacity) -> None:
    """If jobs end one after the other, whatever else waits."""
    running, waiting = run(jobs, capacity)
    done = ids(running)
    while running:
        started = next_jobs([*running[1:], *waiting], capacity, 1e6)
        done += ids(started)
        waiting = [each for each in waiting if each.id not in ids(started)]
        running = [*running[1:], *(replace(each, status=JobStatus.RUNNING) for each in started)]

    assert set(done) == {each.id for each in jobs} - {
        id for id, message in queue_messages(waiting, capacity).items() if message.startswith("needs ")
    }


# The whole queue


def test_the_order_of_the_queue_is_the_one_in_which_jobs_start() -> None:
    """By priority, then by the share of each account, then by time; apart from what never starts."""
    jobs = [
        job("r0", status=JobStatus.RUNNING),
        *(job(f"a{number}") for number in (1, 2, 3)),
        *(job(f"b{number}", "bob") for number in (4, 5)),
        job("c9", priority=9),
        job("x1", replicas=5),
        job("e0", status=JobStatus.FAILED),
    ]
    ordered, never = start_order(jobs, Capacity(slots=4))

    assert (ids(ordered), ids(never)) == (["c9", "b4", "b5", "a1", "a2", "a3"], ["x1"])


@given_by(
    st.lists(
        st.tuples(st.sampled_from(["ann", "bob", "cid"]), st.integers(1, 2), st.booleans()),
        max_size=12,
    ),
    st.integers(1, 5),
)
def test_jobs_start_from_the_head_of_the_queue(rows: list[tuple[str, int, bool]], slots: int) -> None:
    """If all free slots go to jobs of one slot, those are the first ones of the order."""
    jobs = [
        job(f"j{number:02}", owner, priority=priority, status=JobStatus.RUNNING if runs else JobStatus.QUEUED)
        for number, (owner, priority, runs) in enumerate(rows)
    ]
    chosen = next_jobs(jobs, Capacity(slots=slots), 1e9)
    ordered, _ = start_order(jobs, Capacity(slots=slots))

    assert ids(chosen) == ids(ordered)[: len(chosen)]
