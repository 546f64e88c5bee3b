"""Following jobs by the event streams of the hub, and without them."""

import pathlib
from collections import Counter
from collections.abc import Callable, Iterator

import pytest

from lightboard import Session, TrainingJob
from lightboard.errors import NotReady
from support.faulty_streams import FaultyStreams
from support.hub_cli import PROJECT
from support.hub_process import HubProcess, wait_for

Follow = Callable[[TrainingJob, Callable[[str], None]], object]


def wait(job: TrainingJob, show: Callable[[str], None]) -> None:
    """With `TrainingJob.wait`."""
    job.wait(show=show)


def follow_job(job: TrainingJob, show: Callable[[str], None]) -> None:
    """With `TrainingJob.logs`."""
    for line in job.logs(follow=True):
        show(line)


def follow_attempt(job: TrainingJob, show: Callable[[str], None]) -> None:
    """With `TrainingJob.logs` of an attempt."""
    for line in job.logs(follow=True, attempt=1):
        show(line)


WAYS = pytest.mark.parametrize("follow", [wait, follow_job, follow_attempt])


@pytest.fixture
def gate(hub: HubProcess, tmp_path: pathlib.Path) -> pathlib.Path:
    """A file that jobs wait for, where every job of the project can see it."""
    return hub.home / "hub" / "storage" / "default" / tmp_path.name


def waiting_line(gate: pathlib.Path) -> str:
    """A command that prints a line, and two others when `gate` exists."""
    return f"echo 1; while [ ! -e {gate} ]; do sleep 0.1; done; echo 2; sleep 0.5; echo 3"


@pytest.fixture
def running(session: Session, gate: pathlib.Path) -> Iterator[TrainingJob]:
    """A job that has printed a line, and prints two others when `gate` exists."""
    job = TrainingJob.create(waiting_line(gate), session=session)
    wait_for(lambda: list(job.logs()) if job.status == "Running" else [], bool, "a line")
    yield job
    job.delete()


def seen_by(hub: HubProcess, job: TrainingJob, transport: FaultyStreams, gate: pathlib.Path, follow: Follow) -> str:
    """The lines that one sees who follows a job through a transport, which ends after the first of them."""
    lines = list[str]()

    def show(line: str) -> None:
        lines.append(line)
        gate.touch()

    with Session(hub.url, hub.token, PROJECT, transport=transport) as session:
        follow(TrainingJob(job.id, session), show)
    return " ".join(lines)


@WAYS
def test_lines_are_streamed(hub: HubProcess, running: TrainingJob, gate: pathlib.Path, follow: Follow) -> None:
    """Nothing is asked again and again while a command runs."""
    transport = FaultyStreams()

    assert seen_by(hub, running, transport, gate, follow) == "1 2 3"
    requests = Counter(path.removeprefix(f"/jobs/{running.id}") for path in transport.paths)
    assert requests["/logs/stream"] == 1
    assert requests.total() <= 6


@pytest.mark.parametrize("size", [0, 5, 100, 250])
@WAYS
def test_no_line_is_lost_with_a_connection(
    hub: HubProcess, running: TrainingJob, gate: pathlib.Path, follow: Follow, size: int
) -> None:
    """Nor read twice, wherever the stream is cut."""
    assert seen_by(hub, running, FaultyStreams(cut_after=size), gate, follow) == "1 2 3"


@pytest.mark.parametrize("fault", ["refuse", "buffer"])
@WAYS
def test_hubs_without_streams_are_asked_again_and_again(
    hub: HubProcess, running: TrainingJob, gate: pathlib.Path, follow: Follow, fault: str
) -> None:
    """After the first stream that was refused, or did not arrive."""
    transport = FaultyStreams(**{fault: True})

    assert seen_by(hub, running, transport, gate, follow) == "1 2 3"
    assert [path for path in transport.paths if "stream" in path or "watch" in path] == [
        f"/jobs/{running.id}/logs/stream"
    ]


def test_a_restart_of_the_hub_loses_no_line(tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The job goes on meanwhile, and then its stream."""
    gate, lines = tmp_path / "hub" / "storage" / "default" / "gate", list[str]()
    with HubProcess(tmp_path) as hub, Session(hub.url, hub.token) as session:

        def show(line: str) -> None:
            lines.append(line)
            if len(lines) == 1:
                hub.restart()
                gate.touch()

        TrainingJob.create(waiting_line(gate), session=session).wait(show=show)

    assert lines == ["1", "2", "3"]
    assert capsys.readouterr().err.splitlines()[-1] == "Status: succeeded"


def test_a_job_that_waits_is_watched(hub: HubProcess, running: TrainingJob, gate: pathlib.Path) -> None:
    """Its status is told when it changes; nothing is asked in between."""
    transport, said = FaultyStreams(), list[str]()

    def say(line: str) -> None:
        said.append(line)
        if line.startswith("Status: suspended"):
            running.resume()
        if line == "Status: running":
            gate.touch()

    running.pause()
    wait_for(lambda: running.status, lambda status: status == "Paused", "the pause")
    with Session(hub.url, hub.token, PROJECT, transport=transport) as session:
        TrainingJob(running.id, session).wait(say=say, show_logs=False)

    assert said[-2:] == ["Status: running", "Status: succeeded"]
    requests = Counter(path.removeprefix(f"/jobs/{running.id}") for path in transport.paths)
    assert (requests["/logs"], requests["/logs/stream"]) == (0, 1)
    assert requests["/watch"] <= 5


def test_a_wait_that_is_over_leaves_its_stream(running: TrainingJob) -> None:
    """Although the job goes on and nothing arrives."""
    shown = list[str]()
    with pytest.raises(NotReady, match=r"has not ended after 0\.5 seconds"):
        running.wait(0.5, show=shown.append)

    assert (shown, running.status) == (["1"], "Running")
