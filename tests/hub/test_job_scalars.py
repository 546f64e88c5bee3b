"""Collecting the scalars of jobs: when their logs are read, and what is stored."""

import pathlib
from collections.abc import Iterator
from typing import Any

import pytest

from lightboard.errors import LaunchError
from lightboard.hub.access import HUB
from lightboard.hub.db import changes, job_scalars, jobs
from lightboard.hub.job_lifecycle import DeleteRequested, Removed
from lightboard.hub.job_scalars import (
    IDLE_SECS,
    MAX_FAILURES,
    RETRY_SECS,
    SHARE,
    SOON_SECS,
    ScalarCollector,
    Watch,
    schedule,
)
from lightboard.hub.resources.job_scalars import Reading
from lightboard.hub.resources.jobs import Job, JobKind, JobStatus
from lightboard.testing.event_files import append_events, scalar_record, write_events
from support.personas import START_TIME, Personas

LONG_SECS = 1000.0
"""After so much time a job is read again, also if the first reading took seconds on a busy machine."""
EVENTS = "attempt-1/rank-0/events.out.tfevents.1"
NOTHING = Reading(changed=(), removed=(), files=None, total=0, more=False, limited=False)
SOMETHING = Reading(changed=(), removed=(), files={}, total=0, more=False, limited=False)


class Collected:
    """Jobs with a log folder each, and a collector that reads them when a test says so."""

    def __init__(self, personas: Personas, folder: pathlib.Path) -> None:
        self.database, self.personas, self.folder = personas.database, personas, folder
        self.refused: set[str] = set()
        self.now = START_TIME
        self.collector = self.restart()

    def restart(self) -> ScalarCollector:
        """Another collector, as after a restart of the hub."""
        self.collector = ScalarCollector(self.database, self.find_folder, (), clock=lambda: self.now)
        self.database.listeners[:] = [self.collector.on_commit]
        return self.collector

    def find_folder(self, job: Job) -> str:
        """See FindFolder."""
        if job.id in self.refused:
            raise LaunchError("its disk is gone")
        return str(self.folder / job.id)

    def add(self, id: str, status: JobStatus = JobStatus.RUNNING, **fields: Any) -> pathlib.Path:
        """A job in its first attempt that has written one point. Returns its file."""
        job = Job(
            id=id, name=id, display_name=id, project=self.personas.vision, owner=self.personas.editor.account,
            command=("true",), status=status, **{"attempt": 1, **fields},
        )  # fmt: skip
        write_events(self.folder / id / EVENTS, [scalar_record("loss", 0, 1.0)])
        with self.database.write() as session:
            jobs.insert(session, HUB, job)
        return self.folder / id / EVENTS

    def set_status(self, id: str, status: JobStatus) -> None:
        """A new status, as if something had happened."""
        with self.database.write() as session:
            session.get_one(jobs.JobRow, id).status = status
            changes.note(session, changes.Change(jobs.KIND, id), self.now)

    def step(self, secs: float = 0.0) -> None:
        """Read what is due after some time."""
        self.now += secs
        self.collector.step(self.now)

    def values(self, id: str) -> dict[str, list[float]]:
        """What is stored."""
        with self.database.read() as session:
            return {each.name: [point.value for point in each.points()] for each in job_scalars.of_job(session, id)}

    def state(self, id: str) -> job_scalars.LogState:
        """What is stored about its logs."""
        with self.database.read() as session:
            return job_scalars.log_state(session, id)


@pytest.fixture
def collected(personas: Personas, tmp_path: pathlib.Path) -> Iterator[Collected]:
    """Without any job."""
    made = Collected(personas, tmp_path.resolve())
    yield made
    made.collector.close()


def test_running_jobs_are_read_as_they_write(collected: Collected) -> None:
    """A while after the last time."""
    file = collected.add("job-1")
    collected.step()
    append_events(file, [scalar_record("loss", 1, 2.0), scalar_record("accuracy", 1, 0.5)])
    collected.step(SOON_SECS / 2)
    early = collected.values("job-1")
    collected.step(LONG_SECS)

    assert (early, collected.values("job-1")) == ({"loss": [1]}, {"loss": [1, 2], "accuracy": [0.5]})


def test_an_ended_job_is_read_once_more(collected: Collected) -> None:
    """At once, and then never again."""
    file = collected.add("job-1")
    collected.step()
    append_events(file, [scalar_record("loss", 1, 2.0)])
    collected.set_status("job-1", JobStatus.SUCCEEDED)
    collected.step()
    at_end = collected.values("job-1")
    append_events(file, [scalar_record("loss", 2, 3.0)])
    collected.set_status("job-1", JobStatus.SUCCEEDED)
    collected.step(1_000)
    collected.restart().load()
    collected.step(1_000)

    assert (at_end, collected.values("job-1")) == ({"loss": [1, 2]}, {"loss": [1, 2]})


def test_jobs_that_ended_while_the_hub_was_stopped_are_read(collected: Collected) -> None:
    """Only what they have written since."""
    file = collected.add("job-1")
    collected.step()
    append_events(file, [scalar_record("loss", 1, 2.0)])
    collected.collector.close()
    collector = collected.restart()
    collected.set_status("job-1", JobStatus.FAILED)
    collector.load()
    collected.step()

    assert collected.values("job-1") == {"loss": [1, 2]}


def test_another_attempt_is_read_as_well(collected: Collected) -> None:
    """Under the same name."""
    collected.add("job-1", JobStatus.FAILED)
    collected.step()
    write_events(collected.folder / "job-1" / EVENTS.replace("attempt-1", "attempt-2"), [scalar_record("loss", 0, 7.0)])
    with collected.database.write() as session:
        session.get_one(jobs.JobRow, "job-1").attempt = 2
    collected.set_status("job-1", JobStatus.RUNNING)
    collected.step()
    with collected.database.read() as session:
        listed = job_scalars.of_jobs(session, ["job-1"], ["loss"])["job-1"]

    assert [(each.run, each.points()[-1].value) for each in listed] == [("attempt-2/rank-0", 7)]


def test_jobs_without_processes_and_notebooks_are_not_read(collected: Collected) -> None:
    """Neither is one that waits for its first attempt."""
    collected.add("job-1", JobStatus.QUEUED, attempt=0)
    collected.add("job-2", kind=JobKind.NOTEBOOK)
    collected.step()
    collected.restart().load()
    collected.step()

    assert (collected.values("job-1"), collected.values("job-2")) == ({}, {})


def test_values_are_deleted_with_the_job(collected: Collected) -> None:
    """And not stored again."""
    file = collected.add("job-1", JobStatus.SUCCEEDED)
    collected.step()
    with collected.database.write() as session:
        job, _ = jobs.apply_event(session, jobs.get(session, "job-1"), DeleteRequested(), collected.now)
    append_events(file, [scalar_record("loss", 1, 2.0)])
    collected.step(1_000)
    before = collected.values("job-1")
    with collected.database.write() as session:
        jobs.apply_event(session, job, Removed(), collected.now)
    collected.step(1_000)

    assert (before, collected.values("job-1")) == ({"loss": [1]}, {})


def test_logs_that_cannot_be_read_are_tried_again(collected: Collected) -> None:
    """The reason is stored until then; other jobs are not affected."""
    collected.add("job-1")
    collected.add("job-2")
    collected.refused.add("job-1")
    collected.step()
    told, others = collected.state("job-1").message, collected.values("job-2")
    collected.refused.clear()
    collected.step(RETRY_SECS)

    assert (told, others) == ("its disk is gone", {"loss": [1]})
    assert (collected.state("job-1").message, collected.values("job-1")) == ("", {"loss": [1]})


def test_what_the_database_has_not_stored_is_read_again(collected: Collected, monkeypatch: pytest.MonkeyPatch) -> None:
    """As after a full disk."""
    collected.add("job-1")
    with monkeypatch.context() as patch:
        patch.setattr(job_scalars, "store", lambda *_, **__: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            collected.step()
    collected.step(LONG_SECS)

    assert collected.values("job-1") == {"loss": [1]}


def test_logs_that_were_given_up_are_read_when_the_hub_is_started(collected: Collected) -> None:
    """The disk of an ended job may be back. Meanwhile it is told what is missing."""
    collected.add("job-1", JobStatus.SUCCEEDED)
    collected.refused.add("job-1")
    collected.restart().load()
    for _ in range(MAX_FAILURES + 1):
        collected.step(RETRY_SECS * 2**MAX_FAILURES)
    given_up = (collected.state("job-1").message, collected.values("job-1"))
    collected.refused.clear()
    collected.step(RETRY_SECS * 2**MAX_FAILURES)
    before = collected.values("job-1")
    collected.restart().load()
    collected.step()

    assert (given_up, before) == (("its disk is gone", {}), {})
    assert (collected.state("job-1").message, collected.values("job-1")) == ("", {"loss": [1]})


def test_quiet_logs_are_looked_at_less_often() -> None:
    """Until they grow again."""
    watch, pauses = Watch(attempt=1, ended=False), []
    for reading in (SOMETHING, NOTHING, NOTHING, NOTHING, NOTHING, NOTHING, SOMETHING):
        assert not schedule(watch, reading, now=0.0)
        pauses.append(watch.due)

    assert pauses == [SOON_SECS, 3.0, 4.5, 6.75, IDLE_SECS, IDLE_SECS, SOON_SECS]


def test_a_job_whose_logs_take_long_is_read_less_often() -> None:
    """Such as one with very many files, which would delay others."""
    watch = Watch(attempt=1, ended=False)
    schedule(watch, SOMETHING, now=0.0, took=1.5)

    assert watch.due == SHARE * 1.5


def test_ended_jobs_are_given_up_in_the_end() -> None:
    """If their logs cannot be read."""
    watch = Watch(attempt=1, ended=True)
    given_up = [schedule(watch, "gone", now=0.0) for _ in range(MAX_FAILURES)]

    assert given_up == [False] * (MAX_FAILURES - 1) + [True]
    assert watch.due == RETRY_SECS * 2 ** (MAX_FAILURES - 1)
