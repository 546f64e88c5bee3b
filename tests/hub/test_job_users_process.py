"""Jobs of a hub without a sandbox, as which each account has a system user of its own."""

import json
import os
import pathlib
import signal
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from lightboard.client import source_code
from lightboard.client.session import Session
from lightboard.client.training_jobs import TrainingJob
from lightboard.errors import LaunchError
from lightboard.hub.runners.local import LocalRunner
from lightboard.hub.runners.process_tree import with_variable
from lightboard.hub.runners.replica_folder import ReplicaFolder
from support.hub_process import TOKEN, HubProcess, wait_for
from support.job_users import passable_folder, working_job_users
from support.ports import free_ports

pytestmark = [
    pytest.mark.databases("sqlite"),
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the local runner needs /proc"),
]
PORT_SERVER = """
import os, socket
with socket.create_server(("127.0.0.1", int(os.environ["PORT"]))) as server:
    print("listening", flush=True)
    while True:
        server.accept()[0].close()
"""


class Jobs:
    """A hub with the accounts `admin`, of the project `default`, and `colleague`, an editor there."""

    def __init__(self, hub: HubProcess) -> None:
        self.hub = hub
        self.colleague = hub.create_account("colleague", "editor")

    def start(self, *command: str, token: str | None = None, **fields: Any) -> str:
        """The id of a new job."""
        return str(self.hub.json("POST", "/api/v1/jobs", {"command": [*command], **fields}, token)["id"])

    def run(self, *command: str, token: str | None = None, **fields: Any) -> list[str]:
        """What a job prints that succeeds."""
        id = self.start(*command, token=token, **fields)
        return self.end(id, token)

    def end(self, id: str, token: str | None = None) -> list[str]:
        """What a job has printed that has succeeded."""
        told = wait_for(lambda: self.get(id), lambda job: job["status"] in ("Succeeded", "Failed", "Stopped"), id)
        lines = self.log(id, token)
        assert told["status"] == "Succeeded", (told["message"], lines)
        return lines

    def get(self, id: str) -> dict[str, Any]:
        """A job."""
        return dict(self.hub.json("GET", f"/api/v1/jobs/{id}"))

    def log(self, id: str, token: str | None = None) -> list[str]:
        """The lines that a job has printed."""
        return [line["text"] for line in self.hub.json("GET", f"/api/v1/jobs/{id}/logs", token=token)["lines"]]


@pytest.fixture(scope="module")
def folder() -> Iterator[pathlib.Path]:
    """A folder for the hub."""
    with passable_folder() as folder:
        yield folder


@pytest.fixture(scope="module")
def running(folder: pathlib.Path) -> Iterator[Jobs]:
    """One hub for all."""
    ids = working_job_users(folder)
    words = ("--job-isolation", "process", "--job-users", ids, "--job-slots", "8", "--job-pids", "100")
    with HubProcess(folder / "home", *words, fork=False) as hub:
        yield Jobs(hub)


@pytest.fixture
def jobs(running: Jobs) -> Iterator[Jobs]:
    """Without jobs at the end."""
    yield running
    running.hub.delete_all_but([])


def test_each_account_has_a_user_and_each_project_a_group(jobs: Jobs) -> None:
    """Other than that of the hub, and the same for each of its jobs."""
    users = [jobs.run("id", "-u", token=token) for token in (None, jobs.colleague, None, jobs.colleague)]
    groups = [jobs.run("id", "-g", token=token) for token in (None, jobs.colleague)]

    assert users[:2] == users[2:]
    assert users[0] != users[1]
    assert groups[0] == groups[1]
    assert ["0"] not in (*users, *groups)


def test_a_job_has_no_privileges(jobs: Jobs) -> None:
    """Nor can it get any; and what it starts as further commands has none either."""
    command = ["grep", "-E", "^(CapPrm|CapBnd|CapAmb|NoNewPrivs|Seccomp):", "/proc/self/status"]
    id = jobs.start("sh", "-c", '"$@" > seen; sleep 1000', "sh", *command)
    jobs.hub.wait_for_job(id, "Running")
    with Session(jobs.hub.url, TOKEN) as session:
        job = TrainingJob(id, session)
        told = words_of(job, command)
        seen = wait_for(lambda: words_of(job, ["cat", "seen"]), lambda words: len(words) == 10, "all")

    assert told == ["CapPrm:", "0" * 16, "CapBnd:", "0" * 16, "CapAmb:", "0" * 16, "NoNewPrivs:", "1", "Seccomp:", "2"]
    assert seen == told
    assert jobs.get(id)["isolation"] == "process"


def words_of(job: TrainingJob, command: list[str]) -> list[str]:
    """What a further command in a job prints."""
    done = job.exec(command)
    assert isinstance(done.stdout, bytes)
    return done.stdout.decode().split()


def test_jobs_of_a_project_read_all_outputs_and_write_to_their_own(jobs: Jobs) -> None:
    """Also those of other accounts."""
    made = jobs.start("sh", "-c", "mkdir $PAI_OUTPUT_MODEL/new; echo mine > $PAI_OUTPUT_MODEL/new/file")
    jobs.end(made)
    path = f"{jobs.hub.home}/hub/storage/default/{jobs.get(made)['output_uri']}/model/new/file".replace("storage:", "")

    assert jobs.run("cat", path, token=jobs.colleague) == ["mine"]
    assert jobs.run("sh", "-c", f"echo more >> {path} || echo refused", token=jobs.colleague)[-1] == "refused"
    assert jobs.run("sh", "-c", f"echo more >> {path}; cat {path}") == ["mine", "more"]


def test_jobs_of_a_project_write_to_each_others_files_in_a_volume(jobs: Jobs) -> None:
    """In folders of these, too, although their umask forbids that elsewhere."""
    volumes = [{"source": "storage:shared", "target": "/project/shared", "read_only": False}]
    jobs.run("sh", "-c", "mkdir $0/a; echo one > $0/a/file", "/project/shared", volumes=volumes)
    command = ("sh", "-c", "echo two >> $0/a/file; echo three > $0/a/other; cat $0/a/file", "/project/shared")

    assert jobs.run(*command, token=jobs.colleague, volumes=volumes) == ["one", "two"]


def test_a_job_has_folders_of_its_own(jobs: Jobs, tmp_path: pathlib.Path) -> None:
    """With its source code, also at a second attempt, after which nothing belongs to anybody else."""
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "file.txt").write_text("source")
    with Session(jobs.hub.url, TOKEN) as session:
        digest = source_code.upload(session, str(tmp_path))["digest"]
    used = "touch new $HOME/h $TMPDIR/t /dev/stdout"
    script = f"cat sub/file.txt; echo; echo x >> sub/file.txt && {used} && find . ! -user $(id -u)"
    id = jobs.start("sh", "-c", script, source_code=digest)
    first = jobs.end(id)
    jobs.hub.json("PUT", f"/api/v1/jobs/{id}/restart")
    second = jobs.end(id)

    assert (first, second) == (["source"], ["source"])


def test_its_processes_are_limited_stopped_and_killed(jobs: Jobs) -> None:
    """Although they belong to another user, also when the supervisor is gone."""
    script = "trap '' TERM; prlimit --nproc -o HARD --noheadings; for i in 1 2 3; do setsid sleep 1000 & done; wait"
    id = jobs.start("sh", "-c", script)
    jobs.hub.wait_for_job(id, "Running")
    wait_for(lambda: jobs.log(id), bool, "the limit")
    processes = lambda: with_variable(f"LIGHTBOARD_JOB_ID={id}")  # noqa: E731
    wait_for(processes, lambda pids: len(pids) > 3, "all processes")
    supervisor = ReplicaFolder(jobs.hub.home / "hub" / "runner" / id / "1" / "0").supervisor()
    assert supervisor is not None
    os.kill(supervisor, signal.SIGKILL)
    jobs.hub.wait_for_job(id, "Failed")

    assert [line.strip() for line in jobs.log(id)] == ["100"]
    assert processes() == []


def test_a_port_of_a_job_is_reached_and_that_of_another_is_not(jobs: Jobs) -> None:
    """Although the hub may not look into processes of other users where it has no CAP_SYS_PTRACE."""
    (port,) = free_ports(1)
    id = jobs.start(sys.executable, "-c", PORT_SERVER, environment={"PORT": str(port)})
    other = jobs.start("sleep", "1000", token=jobs.colleague)
    wait_for(lambda: jobs.log(id), lambda lines: lines == ["listening"], "a listener")
    jobs.hub.wait_for_job(other, "Running")

    assert port_is_of(jobs, id, port)
    assert not port_is_of(jobs, other, port)


def port_is_of(jobs: Jobs, id: str, port: int) -> bool:
    """Whether the runner takes what listens at a port for this job."""
    runner = LocalRunner(jobs.hub.home / "hub" / "runner")
    handle = json.dumps({"runner": "local", "id": id, "attempt": 1, "replicas": 1})
    try:
        runner.check_port(handle, 0, port)
    except LaunchError:
        return False
    finally:
        runner.close()
    return True


def test_what_a_job_leaves_is_deleted(jobs: Jobs) -> None:
    """Also folders without permissions, and what it has in its temporary folder."""
    id = jobs.start("sh", "-c", "mkdir -p a/b $TMPDIR/c && chmod 0 a/b a $TMPDIR/c")
    jobs.end(id)
    jobs.hub.json("DELETE", f"/api/v1/jobs/{id}")
    jobs.hub.wait_for_job(id, "Deleted")

    assert not (jobs.hub.home / "hub" / "jobs" / id).exists()


def test_a_second_hub_of_the_machine_does_not_get_the_same_users(jobs: Jobs, folder: pathlib.Path) -> None:
    """Its jobs would run as the users of others."""
    ids = jobs.hub._words[jobs.hub._words.index("--job-users") + 1]
    lines: list[str] = []
    with pytest.raises(RuntimeError):
        HubProcess(folder / "second", "--job-isolation", "process", "--job-users", ids, lines=lines)

    assert (
        lines[0]
        == f"lightboard: --job-isolation process: another hub of this machine has the users {ids} (--job-users)"
    )
