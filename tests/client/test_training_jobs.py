"""Training jobs in the SDK."""

import math
import pathlib
import sys
import tarfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from lightboard import Session, TrainingJob
from lightboard.client.job_logs import FinalLines, JobLogReader, current_attempt
from lightboard.client.neuro_status import neuro_words
from lightboard.client.polling import RetryingReader, StatusLines, poll
from lightboard.client.training_jobs import command_words, with_floats
from lightboard.errors import (
    Conflict,
    HubUnreachable,
    Invalid,
    NotFound,
    NotReady,
    UnexpectedStatusException,
    UsageError,
)
from support.hub_process import HubProcess, wait_for

TOO_MANY = 64
"""More replicas than there are slots: such a job waits until it is stopped."""


@pytest.fixture(scope="module")
def done(hub: HubProcess) -> Iterator[TrainingJob]:
    """A job that has succeeded."""
    with Session(hub.url, hub.token) as session:
        yield TrainingJob.create("echo done", name="done", display_name="Done", session=session, wait=True)


@pytest.fixture
def waiting(session: Session) -> Iterator[TrainingJob]:
    """A job that never starts."""
    job = TrainingJob.create(["true"], display_name="waiting", replicas=TOO_MANY, session=session)
    yield job
    job.delete()


@pytest.fixture
def gate(hub: HubProcess, tmp_path: pathlib.Path) -> pathlib.Path:
    """A file that `running` waits for, where every job of the project can see it."""
    return hub.home / "hub" / "storage" / "default" / tmp_path.name


@pytest.fixture
def running(session: Session, gate: pathlib.Path) -> Iterator[TrainingJob]:
    """A job that has printed a line, and prints another one when `gate` exists."""
    line = f"echo first; while [ ! -e {gate} ]; do sleep 0.1; done; echo second"
    job = TrainingJob.create(line, display_name="running", session=session)
    wait_for(lambda: list(job.logs()) if job.status == "Running" else [], bool, "a line")
    yield job
    job.delete()


def line(text: str, transient: bool = False) -> dict[str, Any]:
    """A line of a log."""
    return {"at": 0.0, "text": text, "transient": transient}


@pytest.mark.parametrize(
    ("parts", "kept"),
    [
        ([[line("a"), line("b")]], ["a", "b"]),
        ([[line("1%", True), line("2%", True), line("done")]], ["done"]),
        ([[line("a"), line("1%", True)]], ["a", "1%"]),
        ([[line("1%", True)], [line("2%", True)]], ["2%"]),
        ([[line("1%", True)], []], ["1%"]),
        ([[line("1%", True)], [line("")]], [""]),
        ([[line("", True)]], []),
        ([], []),
    ],
)
def test_replaced_lines_are_dropped(parts: list[list[dict[str, Any]]], kept: list[str]) -> None:
    """As a terminal shows progress bars, wherever the log was cut into parts."""
    lines = FinalLines()

    assert [text for part in parts for text in lines.add(part)] + lines.end() == kept


@pytest.mark.parametrize(
    ("status", "attempt", "current"),
    [("Queued", 0, 1), ("Queued", 2, 3), ("Restarting", 2, 2), ("Running", 2, 2), ("Failed", 2, 2), ("Stopped", 0, 1)],
)
def test_a_queued_job_is_followed_from_its_next_attempt(status: str, attempt: int, current: int) -> None:
    """The output of earlier ones has been seen."""
    assert current_attempt({"status": status, "attempt": attempt}) == current


@pytest.mark.parametrize(
    ("command", "words"),
    [("a && b", ["sh", "-c", "a && b"]), (["a b", "$c"], ["a b", "$c"]), (("a",), ["a"]), (["a", ""], ["a", ""])],
)
def test_only_lines_are_run_by_a_shell(command: str | list[str], words: list[str]) -> None:
    """Words are not touched."""
    assert command_words(command) == words


@pytest.mark.parametrize("command", ["", " ", [], [""]])
def test_a_missing_command_is_refused_before_any_request(command: str | list[str]) -> None:
    """With an example."""
    with Session("http://127.0.0.1:1", "token") as nowhere, pytest.raises(UsageError) as caught:
        TrainingJob.create(command, session=nowhere)
    assert (caught.value.message, caught.value.hint) == (
        "there is no command to run",
        'for example ["python", "train.py"]',
    )


def test_polling_looks_once_without_time() -> None:
    """A timeout of 0 is over at once."""
    assert list(poll(lambda: "seen", 0)) == ["seen"]


def history(*steps: tuple[str, str]) -> list[dict[str, str]]:
    """History entries with these statuses and reasons."""
    return [{"status": status, "reason": reason} for status, reason in steps]


BORN = history(("Pending", "Creating"), ("Creating", "ProcessStarting"), ("Running", "Ready"))


@pytest.mark.parametrize(
    ("seen", "said"),
    [
        (None, ["running", "cancelled IdleTimeout"]),
        (
            0,
            ["pending Creating", "pending Scheduling", "pending ContainerCreating", "running", "cancelled IdleTimeout"],
        ),
        (2, ["running", "cancelled IdleTimeout"]),
    ],
)
def test_each_status_is_told_once(seen: int | None, said: list[str]) -> None:
    """In Neu.ro's words, also one that was over before anybody looked."""
    lines = list[str]()
    status = StatusLines(lines.append, seen)
    running = {"status": "Running", "neuro_status": "running", "reason": "Ready", "transitions": BORN}
    stopped = {"status": "Stopped", "neuro_status": "cancelled", "reason": "IdleTimeout"}
    steps = [*BORN, *history(("Stopping", "IdleTimeout"), ("Stopped", "IdleTimeout"))]
    for info in (running, running, {**stopped, "transitions": steps}):
        status.update(info)

    assert lines == [f"Status: {words}" for words in said]


@pytest.mark.parametrize(
    ("status", "neuro", "reason", "words"),
    [
        ("Queued", "pending", "", "pending Scheduling"),
        ("Starting", "pending", "ProcessStarting", "pending ContainerCreating"),
        ("Running", "running", "", "running"),
        ("Restarting", "pending", "OOMKilled", "pending Restarting"),
        ("Pending", "pending", "Restarting", "pending Restarting"),
        ("Succeeded", "succeeded", "Completed", "succeeded"),
        ("Stopped", "cancelled", "UserRequested", "cancelled UserRequested"),
    ],
)
def test_statuses_have_the_words_of_neuro(status: str, neuro: str, reason: str, words: str) -> None:
    """Two, unless the second would say nothing."""
    assert neuro_words({"status": status, "neuro_status": neuro, "reason": reason}) == words


class ShortLog(Session):
    """A log whose beginning has been deleted."""

    def __init__(self) -> None:
        pass

    def get(self, path: str, params: Any = None) -> Any:
        """All of it, then nothing."""
        first = params["cursor"] == 0
        lines = [line("end")] if first else []
        return {"attempt": 1, "cursor": 9, "complete": not first, "lines": lines, "lost_bytes": 1_000 if first else 0}


def test_deleted_parts_of_a_log_are_told() -> None:
    """A gap must not look like a whole log."""
    said = list[str]()

    assert list(JobLogReader(ShortLog(), "/logs", 0, 0, said.append).read()) == ["end"]
    assert said == ["1,000 bytes were deleted here, because the log became too long"]


class AwaySession(Session):
    """A hub that is away for some requests."""

    def __init__(self, away: int) -> None:
        self.away = away

    def get(self, path: str, params: Any = None) -> Any:
        """The path, once it is back."""
        self.away -= 1
        if self.away >= 0:
            raise HubUnreachable("the hub does not respond")
        return path


def test_a_hub_that_is_away_is_waited_for() -> None:
    """Which is said each time."""
    said = list[str]()
    reader = RetryingReader(AwaySession(2), said.append, pause=0.0)

    assert (reader.get("/jobs"), said) == ("/jobs", ["the hub does not respond; waiting for it"] * 2)


def test_a_hub_that_stays_away_is_an_error() -> None:
    """After some minutes."""
    reader = RetryingReader(AwaySession(10), print, timeout=0.0)

    with pytest.raises(HubUnreachable):
        reader.get("/jobs")


class EndlessLog(Session):
    """Each request finds one more line."""

    def __init__(self) -> None:
        pass

    def get(self, path: str, params: Any = None) -> Any:
        """The next one."""
        cursor = params["cursor"] + 10
        return {"attempt": 1, "cursor": cursor, "complete": False, "lines": [line(str(cursor))], "lost_bytes": 0}


def test_a_log_that_grows_with_each_request_is_read_to_its_end() -> None:
    """Each time as it is then, and not for ever."""
    reader = JobLogReader(EndlessLog(), "/logs", 0, 0)

    assert [list(reader.read()), list(reader.read())] == [["10"], ["20"]]


def test_every_setting_reaches_the_hub(session: Session) -> None:
    """Durations in seconds."""
    job = TrainingJob.create(
        ["train", "--lr 1"],
        name="all-settings",
        display_name="All settings",
        environment={"A": "1"},
        hyperparameters={"lr": 0.1, "layers": 2, "bias": False, "kind": "mlp"},
        inputs={"train": "storage:mnist/train"},
        replicas=TOO_MANY,
        memory_bytes=1 << 30,
        priority=9,
        max_retries=2,
        max_run_time=60,
        queue_timeout=3_600,
        grace_period=5,
        labels={"a": "b"},
        tags=["t"],
        project="default",
        session=session,
    )
    info = job.info()
    job.delete()

    wanted = {
        "command": ["train", "--lr 1"],
        "name": "all-settings",
        "display_name": "All settings",
        "environment": {"A": "1"},
        "hyperparameters": {"lr": 0.1, "layers": 2, "bias": False, "kind": "mlp"},
        "inputs": {"train": "storage:mnist/train"},
        "replicas": TOO_MANY,
        "memory_bytes": 1 << 30,
        "priority": 9,
        "max_retries": 2,
        "max_run_secs": 60,
        "queue_timeout_secs": 3_600,
        "grace_secs": 5,
        "labels": {"a": "b"},
        "tags": ["t"],
        "project_name": "default",
    }
    assert {name: info[name] for name in wanted} == wanted


def test_properties_say_how_it_went(done: TrainingJob) -> None:
    """Each asks the hub."""
    info = done.info()

    assert (done.status, done.reason, done.exit_code, done.is_succeeded()) == ("Succeeded", "Completed", 0, True)
    assert (done.name, done.display_name) == ("done", "Done")
    assert (done.output_uri, done.tensorboard_uri) == (info["output_uri"], info["tensorboard_uri"])
    assert (done.output_path(), done.output_path("tensorboard")) == (
        f"{done.output_uri}/model",
        done.tensorboard_uri,
    )


def test_metrics_are_numbers() -> None:
    """Also those that JSON has as text."""
    item = {
        "name": "loss", "step": 1, "value": "NaN", "wall_time": 5, "steps": [0, 1],
        "values": ["-Infinity", "NaN"], "wall_times": [4, 5],
    }  # fmt: skip

    assert repr(with_floats(item)) == repr(
        {**item, "value": math.nan, "wall_time": 5.0, "values": [-math.inf, math.nan], "wall_times": [4.0, 5.0]}
    )


def test_a_job_that_logs_nothing_has_no_metrics(done: TrainingJob) -> None:
    """And no error."""
    assert done.metrics() == []


def test_waiting_prints_the_log(session: Session, capsys: pytest.CaptureFixture[str]) -> None:
    """On stdout; statuses on stderr."""
    TrainingJob.create("printf '50%%\\r100%%\\n'", display_name="printing", session=session, wait=True)

    out, err = capsys.readouterr()
    assert (out, err.splitlines()[-1]) == ("100%\n", "Status: succeeded")


def test_waiting_without_logs_prints_none(session: Session, capsys: pytest.CaptureFixture[str]) -> None:
    """For jobs that print much."""
    TrainingJob.create("echo much", display_name="quiet", session=session).wait(show_logs=False)

    assert capsys.readouterr().out == ""


def test_waiting_shows_all_attempts(session: Session) -> None:
    """And then raises what the last one came to."""
    shown = list[str]()
    line = "echo attempt $LIGHTBOARD_JOB_ATTEMPT; exit 3"
    job = TrainingJob.create(line, display_name="failing", max_retries=1, session=session)

    with pytest.raises(UnexpectedStatusException) as caught:
        job.wait(show=shown.append)

    assert shown == ["attempt 1", "attempt 2"]
    assert (caught.value.status_word, caught.value.reason, caught.value.message) == (
        "Failed",
        "Error",
        "Failed Error: the command exited with code 3",
    )


def test_waiting_for_a_stopped_job_raises(waiting: TrainingJob) -> None:
    """It will not succeed."""
    waiting.stop(wait=True)

    with pytest.raises(UnexpectedStatusException) as caught:
        waiting.wait()
    assert (caught.value.status_word, caught.value.reason) == ("Stopped", "UserRequested")


def test_waiting_may_have_a_limit(waiting: TrainingJob) -> None:
    """The job goes on."""
    with pytest.raises(NotReady, match=r"has not ended after 0\.1 seconds"):
        waiting.wait(0.1)
    assert waiting.status == "Queued"


def test_a_running_job_is_followed(running: TrainingJob, gate: pathlib.Path) -> None:
    """Until it ends."""
    lines = running.logs(follow=True)
    first = next(lines)
    gate.touch()

    assert [first, *lines] == ["first", "second"]


def test_an_attempt_is_followed(running: TrainingJob, gate: pathlib.Path) -> None:
    """Until it ends."""
    lines = running.logs(follow=True, attempt=1)
    first = next(lines)
    gate.touch()

    assert [first, *lines] == ["first", "second"]


def test_the_log_of_a_running_job_is_what_it_has_printed(running: TrainingJob) -> None:
    """Without waiting for more."""
    assert list(running.logs()) == ["first"]


def test_each_replica_has_its_log(session: Session) -> None:
    """By its rank."""
    job = TrainingJob.create("echo replica $RANK", display_name="replicas", replicas=2, session=session)
    job.wait(show_logs=False)

    assert [list(job.logs(rank=rank)) for rank in (0, 1)] == [["replica 0"], ["replica 1"]]


def test_missing_attempts_are_not_found(done: TrainingJob) -> None:
    """Not empty."""
    with pytest.raises(NotFound):
        list(done.logs(attempt=99))


def test_a_job_that_never_ran_has_an_empty_log(waiting: TrainingJob) -> None:
    """Also while it waits."""
    assert list(waiting.logs()) == []


def test_stopping_ends_a_running_job(running: TrainingJob) -> None:
    """With SIGTERM."""
    running.stop(wait=True)

    info = running.info()
    assert (info["status"], info["reason"], info["exit_code"], info["signal"]) == ("Stopped", "UserRequested", None, 15)


def test_a_restarted_job_runs_again(session: Session) -> None:
    """Its earlier log stays readable, but is not shown again."""
    job = TrainingJob.create("echo attempt $LIGHTBOARD_JOB_ATTEMPT", display_name="again", session=session, wait=True)
    shown = list[str]()

    job.restart().wait(show=shown.append)

    assert shown == ["attempt 2"]
    assert [list(job.logs(attempt=attempt)) for attempt in (1, 2, 0)] == [["attempt 1"], ["attempt 2"], ["attempt 2"]]


def test_a_run_leads_to_its_job(session: Session) -> None:
    """By the TensorBoard that shows it."""
    job = TrainingJob.create("true", display_name="maker", session=session)
    board = job.tensorboard(wait=False)

    found = board.jobs_of_run("attempt-1/rank-0")
    assert [(each["id"], each["attempt"], each["rank"]) for each in found] == [(job.id, 1, 0)]


def test_deleting_keeps_the_outputs(hub: HubProcess, session: Session) -> None:
    """Also when it is deleted twice."""
    job = TrainingJob.create("echo 1 > $PAI_OUTPUT_MODEL/weights", display_name="deleted", session=session, wait=True)
    path = job.output_path().removeprefix("storage:")
    job.delete()
    job.delete()

    assert job.status == "Deleted"
    assert (hub.home / "hub" / "storage" / "default" / path / "weights").read_text() == "1\n"


def test_deleting_a_missing_job_is_no_error(session: Session) -> None:
    """It is gone already."""
    TrainingJob("job-00000000000000000000000000", session).delete()


def test_jobs_are_found_by_name(done: TrainingJob, session: Session) -> None:
    """Or id."""
    assert [TrainingJob.get(which, session).id for which in ("done", done.id)] == [done.id, done.id]


def test_missing_jobs_are_not_found(session: Session) -> None:
    """At once."""
    with pytest.raises(NotFound, match="there is no job nothing"):
        TrainingJob.get("nothing", session)


def test_names_are_free_again_after_the_end(waiting: TrainingJob, session: Session) -> None:
    """Not before."""
    name = waiting.name
    with pytest.raises(Conflict):
        TrainingJob.create("true", name=name, session=session)
    waiting.stop(wait=True)

    TrainingJob.create("true", name=name, session=session).wait()


def test_jobs_are_listed_by_filters(waiting: TrainingJob, session: Session) -> None:
    """All of them, as in `list` of TensorBoard."""
    assert [job.id for job in TrainingJob.list(session, status="Queued", owner="me")] == [waiting.id]


def test_a_job_has_one_tensorboard(done: TrainingJob) -> None:
    """The same each time, also after it was stopped."""
    first = done.tensorboard()
    first.stop(wait=True)
    info = done.tensorboard().info()
    first.delete()

    assert (info["id"], info["status"], info["display_name"]) == (first.id, "Running", "Done")
    assert (info["origin"], info["origin_id"]) == ("job", done.id)
    assert [source["text"] for source in info["sources"]] == [done.tensorboard_uri]


def test_b15_a_finished_job_gets_the_tensorboard_of_another_folder(done: TrainingJob) -> None:
    """Instead of that of its logs, until it is deleted."""
    first = done.tensorboard()
    moved = done.tensorboard(log_dir="storage:jobs")
    shown = [source["text"] for source in moved.info()["sources"]]
    done.delete_tensorboard()

    assert (moved.id, shown) == (first.id, ["storage:jobs"])
    assert moved.status in ("Deleting", "Deleted")


# Source code


@pytest.fixture
def source_dir(tmp_path: pathlib.Path) -> pathlib.Path:
    """A program that imports a module, and data that git ignores."""
    made = tmp_path / "code"
    (made / "nets").mkdir(parents=True)
    (made / "train.py").write_text("import os, nets.vit; print(nets.vit.LAYERS, sorted(os.listdir()))")
    (made / "nets/vit.py").write_text("LAYERS = 12")
    (made / "weights.bin").write_text("large")
    (made / ".gitignore").write_text("*.bin")
    return made


def run_code(session: Session, source_dir: pathlib.Path) -> TrainingJob:
    """A job that has run the program."""
    command = [sys.executable, "train.py"]
    return TrainingJob.create(command, source_dir=str(source_dir), session=session, wait=True, show_logs=False)


def test_a_job_starts_in_its_source_code(session: Session, source_dir: pathlib.Path) -> None:
    """With all files that git does not ignore; in another attempt, too."""
    job = run_code(session, source_dir)
    job.restart(wait=True, show_logs=False)

    assert list(job.logs(attempt=1)) == ["12 ['.gitignore', 'nets', 'train.py']"]
    assert list(job.logs(attempt=2)) == ["12 ['.gitignore', 'nets', 'train.py']"]


def test_source_code_is_uploaded_once(
    session: Session, source_dir: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The next job of the same code sends its digest alone; changed code is uploaded."""
    (source_dir / "train.py").write_text("print('once')")
    uploads = []
    send = Session.upload

    def upload(*given: Any) -> Any:
        uploads.append(given)
        return send(*given)

    monkeypatch.setattr(Session, "upload", upload)
    codes = [run_code(session, source_dir).info()["source_code"] for _ in range(2)]
    (source_dir / "train.py").write_text("print('more')")
    codes.append(run_code(session, source_dir).info()["source_code"])

    assert len(uploads) == 2
    assert codes[0] == codes[1] != codes[2]
    assert (codes[0]["files"], codes[0]["size_bytes"]) == (3, 29)


def test_jobs_with_new_source_code_can_be_created_at_once(session: Session, source_dir: pathlib.Path) -> None:
    """As a sweep does: one thread uploads, the others wait."""
    (source_dir / "train.py").write_text("print('at once')")
    with ThreadPoolExecutor(4) as pool:
        jobs = list(pool.map(lambda _: run_code(session, source_dir), range(4)))

    assert len({job.info()["source_code"]["digest"] for job in jobs}) == 1


def test_source_code_is_downloaded(session: Session, source_dir: pathlib.Path, tmp_path: pathlib.Path) -> None:
    """As a tar file; an existing file is kept."""
    job = run_code(session, source_dir)
    to = tmp_path / "code.tar.gz"
    job.download_source_code(str(to))
    with tarfile.open(to) as archive:
        names = archive.getnames()

    assert names == [".gitignore", "nets/vit.py", "train.py"]
    with pytest.raises(UsageError, match="exists"):
        job.download_source_code(str(to))


def test_a_job_without_source_code_has_none_to_download(done: TrainingJob, tmp_path: pathlib.Path) -> None:
    """And no file is left."""
    with pytest.raises(NotFound):
        done.download_source_code(str(tmp_path / "code.tar.gz"))
    assert list(tmp_path.iterdir()) == []


def test_code_that_was_lost_fails_the_job(hub: HubProcess, session: Session, source_dir: pathlib.Path) -> None:
    """With the reason, as after an incomplete backup; another job of the same folder uploads it again."""
    (source_dir / "train.py").write_text("print('lost')")
    job = run_code(session, source_dir)
    digest = job.info()["source_code"]["digest"]
    (hub.home / "hub/source_code" / f"{digest}.tar.gz").unlink()

    with pytest.raises(
        UnexpectedStatusException, match=rf"the source code of the job is lost: the archive {digest[:12]} is missing"
    ):
        job.restart(wait=True, show_logs=False)
    assert list(run_code(session, source_dir).logs()) == ["lost"]


def test_a_job_runs_again_only_with_environments_that_it_had(done: TrainingJob) -> None:
    """By the digest of one."""
    with pytest.raises(Invalid, match=f"no attempt of done had the environment {'0' * 64}"):
        done.run_again(image_digest="0" * 64)
