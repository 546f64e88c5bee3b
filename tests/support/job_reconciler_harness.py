"""A reconciler of jobs that tests step by hand, over a scripted runner."""

import itertools
from collections.abc import Iterable
from typing import Any

from sqlalchemy.orm import Session

from lightboard.errors import LaunchError
from lightboard.hub.access import HUB
from lightboard.hub.db import jobs
from lightboard.hub.job_lifecycle import Event
from lightboard.hub.job_reconcile import JobReconciler
from lightboard.hub.resources.jobs import Job
from lightboard.hub.resources.presets import Capacity
from lightboard.hub.resources.replicas import Isolation
from lightboard.hub.runners.base import WorkloadSpec
from lightboard.hub.runners.memory import MemoryRunner, Program
from support.personas import START_TIME, Personas

TRUE, FALSE, WAIT = ("true",), ("false",), ("wait",)
PROGRAMS = {TRUE: Program(exit_code=0), FALSE: Program(exit_code=1)}


class JobReconcilerHarness:
    """Jobs of the editor in the project `vision`, and a reconciler for them on a scripted runner with two slots.

    With a `refusal`, no job may start, and only isolated ones may go on.
    """

    def __init__(self, personas: Personas) -> None:
        self.database = personas.database
        self.personas = personas
        self.now = START_TIME
        self.runner = MemoryRunner(PROGRAMS, lambda: self.now)
        self.refusal: LaunchError | None = None
        self.workloads = PlainWorkloads()
        self.capacity = Capacity(slots=2)
        self.images = ScriptedImages()
        self.numbers = itertools.count(1)
        self.reconciler = self.restart()

    def restart(self) -> JobReconciler:
        """A reconciler that knows nothing of the one before, as after a crash."""
        self.reconciler = self.new_reconciler()
        return self.reconciler

    def new_reconciler(self) -> JobReconciler:
        """One of another hub."""
        return JobReconciler(
            self.database,
            self.runner,
            self.workloads,
            self.capacity,
            self,
            lambda: self.now,
            images=self.images,
        )

    def refusal_for(self, session: Session, owner: str) -> LaunchError | None:
        """See Policy."""
        return self.refusal

    def refusal_of(self, session: Session, isolation: Isolation) -> LaunchError | None:
        """See Policy."""
        return self.refusal if isolation is Isolation.NONE else None

    def add(self, command: tuple[str, ...] = TRUE, **fields: Any) -> str:
        """Store a new job and return its id."""
        id = f"job-{next(self.numbers)}"
        job = Job(
            id=id, name=id, display_name=id, project=self.personas.vision, owner=self.personas.editor.account,
            command=command, created_at=self.now, queued_at=self.now, status_since=self.now, **fields,
        )  # fmt: skip
        with self.database.write() as session:
            jobs.insert(session, HUB, job)
        return id

    def get(self, id: str) -> Job:
        """The current state of a job."""
        with self.database.read() as session:
            job = jobs.get_unchecked(session, id)
        assert job is not None
        return job

    def apply(self, id: str, event: Event) -> None:
        """Apply an event of a user."""
        with self.database.write() as session:
            jobs.apply_event(session, self.get(id), event, self.now, self.personas.editor)

    def step(self, passes: int = 1, secs: float = 0.0) -> None:
        """Run passes, with time between them."""
        for _ in range(passes):
            self.reconciler.step(self.now)
            self.now += secs

    def statuses(self, *ids: str) -> list[str]:
        """The statuses of jobs."""
        return [self.get(id).status.value for id in ids]

    def history(self, id: str) -> list[tuple[str, str]]:
        """Status and reason of each transition."""
        with self.database.read() as session:
            return [(step.status.value, step.reason) for step in jobs.history(session, id)]


class ScriptedImages:
    """Images with the digests, and in the states, that a test gives them."""

    def __init__(self) -> None:
        self.digests: dict[str, str] = {}
        self.unfinished: frozenset[str] = frozenset()
        self.failures: dict[str, LaunchError] = {}

    def building(self, wanted: Iterable[str]) -> frozenset[str]:
        """See ImageStates."""
        return self.unfinished

    def failure(self, name: str) -> LaunchError | None:
        """See ImageStates."""
        return self.failures.get(name)

    def digest(self, name: str) -> str:
        """See ImageStates."""
        return self.digests.get(name, "")


class PlainWorkloads:
    """Workloads without any folder or variable of their own, in one working directory.

    `failures` are raised, one each time, before anything is completed or removed.
    """

    def __init__(self, working_dir: str = "/") -> None:
        self.working_dir = working_dir
        self.failures: list[Exception] = []

    def outline(self, job: Job) -> WorkloadSpec:
        """See WorkloadBuilder."""
        return WorkloadSpec(
            id=job.id, attempt=job.attempt, command=job.command, working_dir=self.working_dir, replicas=job.replicas
        )

    def secret_values(self, session: Session, job: Job) -> dict[str, str]:
        """See WorkloadBuilder."""
        return {}

    def complete(self, job: Job) -> WorkloadSpec:
        """See WorkloadBuilder."""
        if self.failures:
            raise self.failures.pop(0)
        return self.outline(job)

    def remove(self, job: Job) -> None:
        """See WorkloadBuilder."""
        if self.failures:
            raise self.failures.pop(0)
