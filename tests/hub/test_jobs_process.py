"""Jobs on a real hub: real processes, real logs, and a hub that is killed."""

import json
import os
import pathlib
import shutil
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from lightboard.client.session import Session
from lightboard.client.training_jobs import TrainingJob
from support.hub_cli import fetch_json
from support.hub_process import HubProcess, wait_for

WRITE = """
import os, pathlib, sys, time
from lightboard.testing.event_files import scalar_record, write_events
rank, folder = os.environ.get("RANK", "0"), pathlib.Path(os.environ["PAI_OUTPUT_TENSORBOARD"])
write_events(folder / "events.out.tfevents.1", [scalar_record("loss", 0, float(rank) + 0.5)])
print("rank", rank, "attempt", os.environ["LIGHTBOARD_JOB_ATTEMPT"], flush=True)
while len(list(folder.parent.glob("*/events*"))) < int(os.environ["WORLD_SIZE"]):  # the first to fail ends the others
    time.sleep(0.05)
sys.exit(1 if os.environ["LIGHTBOARD_JOB_ATTEMPT"] == "1" else 0)
"""
WRITE_SLOWLY = """
import math, os, pathlib, sys, time
from lightboard.testing.event_files import append_events, scalar_record, write_events
folder = pathlib.Path(os.environ["PAI_OUTPUT_TENSORBOARD"])
write_events(folder / "events.out.tfevents.1", [scalar_record("loss", 0, 0.5)])
while not os.path.exists(sys.argv[1]):
    time.sleep(0.05)
append_events(folder / "events.out.tfevents.1", [scalar_record("loss", 1, math.nan)])
write_events(folder / "val" / "events.out.tfevents.1", [scalar_record("loss", 1, 0.25)])
"""
CHECKPOINT = """
exec 2> /dev/null  # a shell tells that what it waited for was terminated
trap 'echo saved > $PAI_OUTPUT_MODEL/step; echo bye; exit 0' TERM
if [ -e $PAI_OUTPUT_MODEL/step ]; then echo resumed; exit 0; fi
echo begun; while :; do sleep 0.05; done
"""
GATE = "echo begun; while [ ! -e {gate} ]; do sleep 0.05; done; echo ended; exit 3"


def start_hub(home: pathlib.Path, isolation: str) -> HubProcess:
    """A hub of one account, with four slots."""
    return HubProcess(home, "--job-slots", "4", "--job-isolation", isolation)


def delete_jobs(hub: HubProcess) -> None:
    """All of them, with what they have outside the storage."""
    for job in hub.json("GET", "/api/v1/jobs")["items"]:
        hub.json("DELETE", f"/api/v1/jobs/{job['id']}")
    wait_for(lambda: hub.json("GET", "/api/v1/jobs")["total"], lambda total: total == 0, "all jobs to be gone")


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HubProcess]:
    """One for all tests that leave it running."""
    with start_hub(tmp_path_factory.mktemp("jobs"), "auto") as running:
        yield running


@pytest.fixture
def hub(shared: HubProcess) -> Iterator[HubProcess]:
    """The same; a test leaves no jobs."""
    yield shared
    delete_jobs(shared)


@pytest.fixture
def own(tmp_path: pathlib.Path, request: pytest.FixtureRequest) -> Iterator[HubProcess]:
    """One for a test that kills it, or that chooses how jobs are isolated."""
    with start_hub(tmp_path / "home", getattr(request, "param", "auto")) as running:
        yield running
        delete_jobs(running)


def submit(hub: HubProcess, command: list[str], **fields: Any) -> str:
    """The id of a new job."""
    id: str = hub.json("POST", "/api/v1/jobs", {"command": command, **fields})["id"]
    return id


def texts(hub: HubProcess, id: str, query: str = "") -> list[str]:
    """What a job has printed."""
    return [line["text"] for line in hub.json("GET", f"/api/v1/jobs/{id}/logs?{query}")["lines"]]


def test_logs_of_a_job_are_on_its_tensorboard(hub: HubProcess) -> None:
    """A run for each attempt and replica; the same TensorBoard before and after."""
    id = submit(hub, [sys.executable, "-c", WRITE], replicas=2, max_retries=1)
    with Session(hub.url, hub.token) as session:
        job = TrainingJob(id, session)
        early = job.tensorboard(wait=False)
        hub.wait_for_job(id, "Succeeded")
        board = job.tensorboard()
        runs = fetch_json(hub, board, "api/v1/runs")["runs"]

    assert board.id == early.id
    assert sorted(run["name"] for run in runs) == [
        "attempt-1/rank-0", "attempt-1/rank-1", "attempt-2/rank-0", "attempt-2/rank-1",
    ]  # fmt: skip
    assert [texts(hub, id, query) for query in ("attempt=1&rank=1", "attempt=2")] == [
        ["rank 1 attempt 1"], ["rank 0 attempt 2"],
    ]  # fmt: skip


def test_a_log_is_streamed_while_the_job_prints(hub: HubProcess) -> None:
    """Line by line, and the end; the id of an event is where another stream goes on."""
    gates = [hub.home / "hub" / "storage" / "default" / name for name in ("one", "two")]
    wait = "; ".join(f"while [ ! -e {gate} ]; do sleep 0.05; done; echo {gate.name}" for gate in gates)
    id = submit(hub, ["sh", "-c", f"echo zero; {wait}"])
    hub.wait_for_job(id, "Running")
    url, headers = f"/api/v1/jobs/{id}/logs/stream", {"Authorization": f"Bearer {hub.token}"}
    said, ids = list[str](), list[str]()
    with hub.http.stream("GET", url, headers=headers) as stream:
        for line in stream.iter_lines():
            if line.startswith("id: "):
                ids.append(line[4:])
            if line.startswith("data: "):
                new = [each["text"] for each in json.loads(line[6:])["lines"]]
                said += new
                if new and gates:
                    gates.pop(0).touch()
    with hub.http.stream("GET", url, headers={**headers, "Last-Event-ID": ids[-3]}) as stream:
        again = [json.loads(line[6:]) for line in stream.iter_lines() if line.startswith("data: ")]

    assert said == ["zero", "one", "two"]
    assert [[line["text"] for line in part["lines"]] for part in again] == [["two"], []]


def test_metrics_of_a_job_follow_what_it_writes(own: HubProcess) -> None:
    """While it runs, after a restart of the hub, and when it has ended."""
    hub = own
    gate = hub.home / "hub" / "storage" / "default" / "gate"
    id = submit(hub, [sys.executable, "-c", WRITE_SLOWLY, str(gate)])
    look = lambda: {  # noqa: E731
        each["name"]: (each["step"], each["value"]) for each in hub.json("GET", f"/api/v1/jobs/{id}/metrics")["items"]
    }
    wait_for(look, lambda seen: seen == {"loss": (0, 0.5)}, "the first value")
    hub.restart()
    gate.touch()
    hub.wait_for_job(id, "Succeeded")

    wait_for(look, lambda seen: seen == {"loss": (1, "NaN"), "val/loss": (1, 0.25)}, "the last values")
    hub.json("DELETE", f"/api/v1/jobs/{id}")
    wait_for(look, lambda seen: seen == {}, "the values to be gone")


def test_a_job_outlives_a_killed_hub(own: HubProcess) -> None:
    """The next hub finds its log and its exit code."""
    hub = own
    gate = hub.home / "hub" / "storage" / "default" / "gate"
    id = submit(hub, ["sh", "-c", GATE.format(gate=gate)])
    hub.wait_for_job(id, "Running")
    hub.kill()
    gate.touch()
    hub.restart()
    job = hub.wait_for_job(id, "Failed")

    assert (job["exit_code"], job["attempt"], job["message"]) == (3, 1, "the command exited with code 3")
    assert texts(hub, id) == ["begun", "ended"]


def test_a_paused_job_continues_from_its_checkpoint(own: HubProcess) -> None:
    """As another attempt, also if the hub is killed before it has ended and after it was paused."""
    hub = own
    id = submit(hub, ["sh", "-c", CHECKPOINT])
    wait_for(lambda: texts(hub, id), lambda lines: lines == ["begun"], "the first attempt")
    asked = hub.json("PUT", f"/api/v1/jobs/{id}/pause")
    hub.kill()
    hub.restart()
    hub.wait_for_job(id, "Paused")
    hub.kill()
    hub.restart()
    paused = hub.json("GET", f"/api/v1/jobs/{id}")
    hub.json("PUT", f"/api/v1/jobs/{id}/resume")
    done = hub.wait_for_job(id, "Succeeded")

    assert (asked["status"], paused["status"], paused["exit_code"]) == ("Pausing", "Paused", 0)
    assert (done["attempt"], done["retries"]) == (2, 0)
    assert [texts(hub, id, f"&attempt={attempt}") for attempt in (1, 2)] == [["begun", "bye"], ["resumed"]]


def test_a_job_ends_at_its_run_time(hub: HubProcess) -> None:
    """Although its command would go on."""
    id = submit(hub, ["sleep", "600"], max_run_secs=1)
    job = hub.wait_for_job(id, "Stopped")

    assert (job["reason"], job["message"], job["attempt"]) == ("MaxRunTimeEnded", "the limit is 1 second", 1)
    assert [(step["status"], step["reason"]) for step in job["transitions"][-3:]] == [
        ("Running", ""), ("Stopping", "MaxRunTimeEnded"), ("Stopped", "MaxRunTimeEnded"),
    ]  # fmt: skip
    assert job["ended_at"] - job["started_at"] >= 1


def test_a_hub_starts_whatever_modes_jobs_give_their_files(own: HubProcess) -> None:
    """Although it refuses to start if its own files are open to others."""
    hub = own
    id = submit(hub, ["sh", "-c", "umask 0; echo 1 > open; chmod 777 . open; echo 2 > $PAI_OUTPUT_MODEL/open"])
    hub.wait_for_job(id, "Succeeded")
    hub.restart()

    assert hub.json("GET", f"/api/v1/jobs/{id}")["status"] == "Succeeded"


LINK = """
own=$(dirname "$PAI_WORKING_DIR"); rm -rf "$own"; ln -s {victim} "$own"
exit 1
"""


@pytest.mark.parametrize("own", ["none"], indirect=True)
def test_a_job_cannot_make_the_hub_write_elsewhere(own: HubProcess, tmp_path: pathlib.Path) -> None:
    """By a link in place of the folders that the hub makes for its next attempt."""
    hub = own
    victim = tmp_path / "victim"
    (victim / "config").mkdir(parents=True)
    (victim / "config" / "hyperparameters.json").write_text("precious")
    id = submit(hub, ["sh", "-c", LINK.format(victim=victim)], max_retries=1)
    job = hub.wait_for_job(id, "Failed")
    hub.json("DELETE", f"/api/v1/jobs/{id}")
    hub.wait_for_job(id, "Deleted")

    assert (job["reason"], job["attempt"]) == ("ContainerCannotRun", 2)
    assert [path.name for path in victim.rglob("*")] == ["config", "hyperparameters.json"]
    assert (victim / "config" / "hyperparameters.json").read_text() == "precious"
    assert not (hub.home / "hub" / "jobs" / id).is_symlink()


def test_storage_that_is_deleted_under_a_job_is_made_nowhere_else(own: HubProcess) -> None:
    """Its program gets the error and the job its exit code, the hub goes on, and the next job has its folders."""
    storage = own.home / "hub" / "storage"
    id = submit(own, ["sh", "-c", "until [ -e gate ]; do sleep 0.05; done; echo lost > $PAI_OUTPUT_TENSORBOARD/file"])
    own.wait_for_job(id, "Running")
    shutil.rmtree(storage / "default")
    (own.home / "hub" / "jobs" / id / "code" / "gate").touch()
    ended = own.wait_for_job(id, "Failed")
    left = set(storage.rglob("*")) - {storage / "default"}  # the hub makes that one, empty, whenever it looks for logs
    own.wait_for_job(submit(own, ["sh", "-c", "echo kept > $PAI_OUTPUT_TENSORBOARD/file"]), "Succeeded")

    assert (ended["reason"], ended["exit_code"], left) == ("Error", 2, set())
    assert [path.read_text() for path in storage.rglob("file")] == ["kept\n"]


def test_a_deleted_job_leaves_only_its_outputs(hub: HubProcess) -> None:
    """In the storage of the project."""
    home = hub.home / "hub"
    before = files_of_jobs(home)
    id = submit(hub, ["sh", "-c", "echo weights > $PAI_OUTPUT_MODEL/best; echo scratch > file"], name="train")
    hub.wait_for_job(id, "Succeeded")
    output = hub.json("GET", f"/api/v1/jobs/{id}")["output_uri"].removeprefix("storage:")
    hub.json("DELETE", f"/api/v1/jobs/{id}")
    hub.wait_for_job(id, "Deleted")

    assert [path.name for path in files_of_jobs(home) - before if path.suffix != ".stop"] == []
    assert (home / "storage" / "default" / output / "model" / "best").read_text() == "weights\n"


def files_of_jobs(home: pathlib.Path) -> set[pathlib.Path]:
    """What the hub keeps of jobs outside the storage of projects."""
    return {path for folder in ("jobs", "runner") for path in (home / folder).rglob("*") if path.is_file()}


def test_a_job_has_none_of_the_hubs_secrets_in_its_environment(hub: HubProcess) -> None:
    """It can read files, but nothing is handed to it."""
    id = submit(hub, ["env"], environment={"MINE": "1"})
    hub.wait_for_job(id, "Succeeded")
    printed = texts(hub, id)

    assert "MINE=1" in printed
    assert [line for line in printed if hub.token in line] == []
    ours = {name for name in os.environ if name.startswith("LIGHTBOARD_")}
    assert [line for line in printed if line.partition("=")[0] in ours] == []


def test_a_job_reads_its_inputs(hub: HubProcess) -> None:
    """At the paths in its variables. What is missing is told when it starts, and a restart finds it."""
    storage = hub.home / "hub" / "storage" / "default"
    storage.mkdir(parents=True, exist_ok=True)
    (storage / "words").write_text("hello\n")
    inputs = {"words": "storage:words", "more": "storage:more"}
    id = submit(hub, ["sh", "-c", "cat $PAI_INPUT_WORDS; ls $PAI_INPUT_MORE"], inputs=inputs)
    failed = hub.wait_for_job(id, "Failed")
    (storage / "more").mkdir()
    (storage / "more" / "file").touch()
    hub.json("PUT", f"/api/v1/jobs/{id}/restart")
    hub.wait_for_job(id, "Succeeded")

    assert (failed["reason"], failed["message"]) == (
        "SourceNotFound", "the input more, storage:more, does not exist; put the data there, and restart the job",
    )  # fmt: skip
    assert texts(hub, id) == ["hello", "file"]
