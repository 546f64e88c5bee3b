"""When notebooks are stopped because nobody uses them, with servers that tests script."""

from collections.abc import Iterator

import pytest

from lightboard.errors import LaunchError
from lightboard.hub.access import HUB
from lightboard.hub.db import jobs
from lightboard.hub.notebook_activity import NotebookActivity
from lightboard.hub.notebook_idleness import CHECK_SECS, NotebookIdleness
from lightboard.hub.resources.jobs import Job, JobKind, JobStatus
from support.personas import START_TIME, Personas

IDLE_SECS = 1_800.0


class IdlenessHarness:
    """A notebook that runs, and what its server says: None for nothing."""

    def __init__(self, personas: Personas) -> None:
        self.database = personas.database
        self.now = START_TIME
        self.says: NotebookActivity | None = NotebookActivity(busy=False, used_at=START_TIME, active_at=START_TIME)
        self.asked: list[float] = []
        self.notebook = Job(
            id="job-1", name="lab", display_name="lab", project=personas.vision, owner=personas.editor.account,
            command=("jupyter-lab",), kind=JobKind.NOTEBOOK, idle_secs=IDLE_SECS, status=JobStatus.RUNNING,
            runner="memory", attempt=1, started_at=START_TIME, status_since=START_TIME,
        )  # fmt: skip
        with self.database.write() as session:
            jobs.insert(session, HUB, self.notebook)
        self.idleness = self.restart()

    def restart(self) -> NotebookIdleness:
        """As after a crash of the hub."""
        self.idleness = NotebookIdleness(self.database, "memory", self.read, lambda: self.now)
        return self.idleness

    def read(self, job: Job) -> NotebookActivity:
        """The server."""
        self.asked.append(self.now)
        if self.says is None:
            raise LaunchError("the server does not listen")
        return self.says

    def use(self, secs: float, *, busy: bool = False) -> None:
        """The last use was so many seconds after the start."""
        self.says = NotebookActivity(busy=busy, used_at=START_TIME + secs, active_at=START_TIME + secs)

    def step(self, secs: float) -> None:
        """Two passes at a time, in seconds after the start: the second one knows the answers to the first."""
        self.now = START_TIME + secs
        for _ in range(2):
            self.idleness.step(self.now)

    @property
    def idle_at(self) -> float | None:
        """When it is said to stop, in seconds after the start."""
        at = self.idleness.idle_at(self.notebook)
        return None if at is None else at - START_TIME

    @property
    def status(self) -> tuple[str, str, str]:
        """Status, reason and message."""
        with self.database.read() as session:
            job = jobs.get(session, "job-1")
        return (job.status.value, job.reason, job.message)


@pytest.fixture
def hub(personas: Personas) -> Iterator[IdlenessHarness]:
    """With one notebook."""
    made = IdlenessHarness(personas)
    yield made
    made.idleness.close()


def test_a_notebook_is_stopped_when_its_time_is_over(hub: IdlenessHarness) -> None:
    """At once, not when its server would be asked again."""
    hub.step(0)
    hub.step(IDLE_SECS - 1)
    before = (hub.idle_at, hub.status)
    hub.step(IDLE_SECS)

    assert before == (IDLE_SECS, ("Running", "", ""))
    assert hub.status == ("Stopping", "IdleTimeout", "not used for 30 min")


def test_the_last_use_counts(hub: IdlenessHarness) -> None:
    """The server is asked once more before it is stopped, and has been used since."""
    hub.step(0)
    hub.use(IDLE_SECS - 5)
    hub.step(IDLE_SECS)

    assert (hub.idle_at, hub.status) == (2 * IDLE_SECS - 5, ("Running", "", ""))


def test_a_kernel_that_computes_is_use(hub: IdlenessHarness) -> None:
    """For however long it prints nothing. Nobody knows when it will have ended."""
    hub.use(1, busy=True)
    hub.step(0)
    hub.step(10 * IDLE_SECS)

    assert (hub.idle_at, hub.status) == (None, ("Running", "", ""))


def test_a_server_that_does_not_answer_is_not_stopped(hub: IdlenessHarness) -> None:
    """Jupyter stops itself."""
    hub.says = None
    hub.step(0)
    hub.step(10 * IDLE_SECS)

    assert (hub.idle_at, hub.status) == (None, ("Running", "", ""))


def test_requests_of_an_open_page_are_no_use(hub: IdlenessHarness) -> None:
    """What Jupyter takes for activity."""
    hub.step(0)
    hub.says = NotebookActivity(busy=False, used_at=START_TIME, active_at=START_TIME + 1_000)
    hub.step(1_000)

    assert hub.idle_at == IDLE_SECS


def test_a_hub_that_was_restarted_takes_them_for_use_once(hub: IdlenessHarness) -> None:
    """The kernel that was used last may have ended meanwhile."""
    hub.says = NotebookActivity(busy=False, used_at=0.0, active_at=START_TIME + 900)
    hub.now = START_TIME + 1_000
    hub.restart()
    hub.step(1_000)
    hub.says = NotebookActivity(busy=False, used_at=0.0, active_at=START_TIME + 1_090)
    hub.step(1_100)

    assert hub.idle_at == 900 + IDLE_SECS


def test_times_that_have_not_come_do_not_keep_a_notebook(hub: IdlenessHarness) -> None:
    """Its server runs programs of its owner, and may say anything."""
    hub.use(1e9)
    hub.step(100)

    assert hub.idle_at == 100 + IDLE_SECS


def test_changing_a_file_is_use(hub: IdlenessHarness) -> None:
    """Without a kernel."""
    hub.step(0)
    hub.now = START_TIME + 600
    hub.idleness.record_use(hub.notebook)

    assert hub.idle_at == 600 + IDLE_SECS


def test_servers_are_asked_now_and_then(hub: IdlenessHarness) -> None:
    """However many passes there are."""
    for secs in range(int(2 * CHECK_SECS)):
        hub.step(secs)

    assert hub.asked == [START_TIME, START_TIME + CHECK_SECS]
