"""Further commands in jobs, from the command line and the SDK through a hub to processes."""

import contextlib
import json
import os
import pathlib
import pty
import select
import signal
import socket
import subprocess
import sys
import termios
from collections.abc import Iterator
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from lightboard.client.session import Session
from lightboard.client.training_jobs import TrainingJob
from lightboard.errors import Conflict
from support.board_process import TIMEOUT_SECS
from support.hub_cli import HubCli
from support.hub_process import HubProcess, wait_for
from support.processes import pids_with

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the local runner needs /proc")


class Jobs:
    """A hub with a job that waits, and another account in its project."""

    def __init__(self, hub: HubProcess, folder: pathlib.Path) -> None:
        self.hub = hub
        self.cli = HubCli(hub, folder)
        self.other = hub.create_account("other", "editor")
        self.id = self.start("sleeper")

    def start(self, name: str) -> str:
        """A job that runs."""
        body = {"command": ["sleep", "1000"], "name": name, "environment": {"LR": "0.1"}}
        id = str(self.hub.json("POST", "/api/v1/jobs", body)["id"])
        self.hub.wait_for_job(id, "Running")
        return id

    def websocket(self, query: str, token: str | None = None, id: str = "", **headers: str) -> ClientConnection:
        """A WebSocket to a command."""
        url = f"ws{self.hub.url.removeprefix('http')}/api/v1/jobs/{id or self.id}/exec?{query}"
        secret = self.hub.token if token is None else token
        return connect(url, additional_headers={"Authorization": f"Bearer {secret}", **headers}, compression=None)

    def refusal(self, query: str, token: str | None = None, **headers: str) -> tuple[int, str]:
        """Status and message of a refused one."""
        with pytest.raises(InvalidStatus) as refused:
            self.websocket(query, token, **headers)
        response = refused.value.response
        return response.status_code, str(error_in(response.body or b"")["message"])


def error_in(body: bytes) -> Any:
    """The error of a response."""
    return json.loads(body)["error"]


@pytest.fixture(scope="module")
def jobs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Jobs]:
    """One hub for all tests but that which kills it."""
    with sleeping(tmp_path_factory.mktemp("exec")) as jobs:
        yield jobs


@contextlib.contextmanager
def sleeping(folder: pathlib.Path) -> Iterator[Jobs]:
    """A hub whose job waits; both end with it."""
    with HubProcess(folder / "home", "--job-slots", "4", "--job-isolation", "none", "--trust-jobs") as hub:
        jobs = Jobs(hub, folder)
        yield jobs
        hub.json("DELETE", f"/api/v1/jobs/{jobs.id}")
        hub.wait_for_job(jobs.id, "Deleted")


def test_output_and_exit_code_are_passed_on(jobs: Jobs) -> None:
    """Each stream to its own."""
    done = jobs.cli.command("exec", "sleeper", "echo $LR; echo wrong >&2; exit 7", code=7)

    assert (done.stdout, done.stderr) == ("0.1\n", "wrong\n")


def test_input_is_passed_on_as_it_is(jobs: Jobs) -> None:
    """More than all buffers hold, in both directions at once."""
    sent = os.urandom(1 << 22)
    done = subprocess.run(
        [sys.executable, "-m", "lightboard", "job", "exec", "sleeper", "cat"],
        input=sent, env=jobs.cli.env, capture_output=True, timeout=TIMEOUT_SECS, check=True,
    )  # fmt: skip

    assert done.stdout == sent


def test_a_terminal_is_passed_on(jobs: Jobs) -> None:
    """Its size and its changes, Ctrl-C as a key; afterwards it is as before."""
    master, slave = pty.openpty()
    termios.tcsetwinsize(slave, (33, 99))
    before = termios.tcgetattr(slave)
    script = "trap 'stty size' WINCH; trap 'echo interrupted; exit 5' INT; stty size; while :; do sleep 0.05; done"
    process = subprocess.Popen(
        [sys.executable, "-m", "lightboard", "exec", "sleeper", script],
        stdin=slave, stdout=slave, stderr=slave, start_new_session=True,
        env={**jobs.cli.env, "LINES": "24", "COLUMNS": "80"},  # as some shells set them, once and for all
    )  # fmt: skip
    shown = read_until(master, b"", b"33 99\r\n")
    termios.tcsetwinsize(slave, (40, 120))
    process.send_signal(signal.SIGWINCH)
    shown = read_until(master, shown, b"40 120\r\n")
    os.write(master, b"\x03")
    shown = read_until(master, shown, b"interrupted\r\n")
    code = process.wait(TIMEOUT_SECS)
    after = termios.tcgetattr(slave)
    os.close(master)
    os.close(slave)

    assert (shown, code, after) == (b"33 99\r\n40 120\r\n^Cinterrupted\r\n", 5, before)


def read_until(fd: int, shown: bytes, end: bytes) -> bytes:
    """What a terminal shows, once it ends with `end`."""
    while not shown.endswith(end):
        assert select.select([fd], [], [], TIMEOUT_SECS)[0], f"waited for {end!r}; last seen: {shown!r}"
        shown += os.read(fd, 1 << 16)
    return shown


def test_the_sdk_runs_a_command(jobs: Jobs) -> None:
    """And waits for its end."""
    with Session(jobs.hub.url, jobs.hub.token) as session:
        done = TrainingJob(jobs.id, session).exec(["cat"], input=b"hello")

    assert (done.returncode, done.stdout, done.stderr) == (0, b"hello", b"")


def test_errors_are_one_line_with_a_hint(jobs: Jobs) -> None:
    """Of the hub, and of the program."""
    errors = [
        jobs.cli.command("exec", *words, code=1).stderr
        for words in (["sleeper", "no-such-program"], ["--rank", "3", "sleeper", "ls"])
    ]

    assert errors == [
        "lightboard: cannot start no-such-program: No such file or directory\n",
        "lightboard: sleeper has no replica 3\nhint: 0 to 0\n",
    ]


def test_nothing_runs_beside_a_tensorboard_without_a_sandbox(jobs: Jobs) -> None:
    """Since it could write to the logs. Nothing is left of the attempt."""
    (jobs.hub.home / "hub" / "storage" / "default" / "logs").mkdir(parents=True, exist_ok=True)
    board = jobs.hub.create_board("storage:logs")
    jobs.hub.wait_for_status(board["id"], "Running")

    said = jobs.cli.command("exec", board["id"], "touch /logs/new", code=1).stderr

    left = [job["name"] for job in jobs.hub.json("GET", "/api/v1/jobs")["items"] if job["status"] != "Deleting"]
    assert said.splitlines()[-2:] == [
        "lightboard: this hub has no sandbox, in which the logs of a TensorBoard could only be read",
        "hint: run a job with --volume SOURCE:/logs:ro, and lightboard exec in that",
    ]
    assert "exec" not in " ".join(left)


def test_only_the_owner_runs_commands(jobs: Jobs) -> None:
    """Not another editor, nor a token that may only read; nobody without a login."""
    job = jobs.hub.json("GET", f"/api/v1/jobs/{jobs.id}", token=jobs.other)

    assert "jobs.exec" not in job["rights"]
    assert "jobs.exec" in jobs.hub.json("GET", f"/api/v1/jobs/{jobs.id}")["rights"]
    assert [jobs.refusal("command=id", token)[0] for token in (jobs.other, "wrong")] == [403, 401]


def test_an_administrator_is_refused_as_others(jobs: Jobs) -> None:
    """A command would run as the owner of the job."""
    body = {"command": ["sleep", "1000"], "name": "theirs"}
    id = jobs.hub.json("POST", "/api/v1/jobs", body, jobs.other)["id"]
    jobs.hub.wait_for_job(id, "Running")
    error = jobs.cli.command("exec", "theirs", "id", code=1).stderr
    jobs.hub.json("DELETE", f"/api/v1/jobs/{id}")
    jobs.hub.wait_for_job(id, "Deleted")

    assert (
        error == "lightboard: only its owner may run commands in the job theirs\nhint: whoever does acts as its owner\n"
    )


def test_pages_of_other_sites_are_refused(jobs: Jobs) -> None:
    """Also those of another name of the same site."""
    with pytest.raises(InvalidStatus) as refused:
        jobs.websocket("command=id", Origin="https://evil.example")

    assert refused.value.response.status_code == 403


def test_a_page_of_the_hub_learns_why_it_gets_no_command(jobs: Jobs) -> None:
    """Browsers hide the response to a refused WebSocket from their pages."""
    requests = [("command=no-such-program", None), ("command=id", jobs.other), ("command=id", "wrong")]
    ends = []
    for query, token in requests:
        with jobs.websocket(query, token, Origin=jobs.hub.url) as websocket, pytest.raises(ConnectionClosed) as closed:
            websocket.recv(TIMEOUT_SECS)
        assert closed.value.rcvd is not None
        ends.append((closed.value.rcvd.code, closed.value.rcvd.reason))

    assert ends == [
        (4400, "cannot start no-such-program: No such file or directory"),
        (4403, "this needs jobs.exec: run further commands in a running one"),
        (4401, "you are not logged in"),
    ]


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("", "there is no command"),
        ("command=", "there is no command"),
        ("command=a%00b", "there is no command"),
        ("command=id&rank=-1", "rank is not a number"),
        ("command=id&tty=2", "tty is 0 or 1"),
        ("command=id&window=-1", "window is not a number of bytes"),
        ("command=id&tty=1&rows=0", "the size of a terminal is 1 to 65,535 rows and columns"),
        ("command=" + "x" * 6_001, "the command has more than 6,000 bytes"),
    ],
)
def test_bad_requests_are_refused(jobs: Jobs, query: str, message: str) -> None:
    """Before anything runs."""
    assert jobs.refusal(query) == (400, message)


def test_a_bad_message_ends_the_command(jobs: Jobs) -> None:
    """With the reason."""
    with jobs.websocket("command=cat") as websocket:
        websocket.send(b"\x09")
        with pytest.raises(ConnectionClosed) as closed:
            websocket.recv()

    assert closed.value.rcvd is not None
    assert (closed.value.rcvd.code, closed.value.rcvd.reason) == (
        1003,
        "a message is for the channel 9, which clients do not send to",
    )


def test_endless_output_waits_for_a_client_that_does_not_read(jobs: Jobs) -> None:
    """The hub stores none of it."""
    before = memory_of(jobs.hub.process.pid)
    with jobs.websocket("command=yes") as websocket:
        first = websocket.recv()
        wait_for(lambda: state_of_yes(), lambda state: state == "S", "the command to wait")
        after = memory_of(jobs.hub.process.pid)

    assert bytes(first)[:5] == b"\x01y\ny\n"
    assert after - before < 50 << 20


def test_a_window_limits_what_is_not_processed(jobs: Jobs) -> None:
    """More is sent once the client says that it has processed something."""
    with jobs.websocket("command=seq&command=20&window=10") as websocket:
        first = received(websocket, 10)
        websocket.send(b'\x05{"bytes": 4}')
        second = received(websocket, 4)
        websocket.send(b'\x05{"bytes": 1000}')  # no more than the window counts
        third = received(websocket, 10)

    assert (first, second, third) == (b"1\n2\n3\n4\n5\n", b"6\n7\n", b"8\n9\n10\n11\n")


def received(websocket: ClientConnection, count: int) -> bytes:
    """As many bytes of output."""
    output = b""
    while len(output) < count:
        output += bytes(websocket.recv(TIMEOUT_SECS))[1:]
    return output


def memory_of(pid: int) -> int:
    """The memory of a process in bytes."""
    pages = int(pathlib.Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def state_of_yes() -> str:
    """Whether `yes` runs or waits."""
    for path in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            text = path.read_text()
        except OSError:
            continue
        if "(yes)" in text:
            return text.rpartition(")")[2].split()[0]
    return ""


def test_it_is_in_the_audit_log_without_arguments(jobs: Jobs) -> None:
    """They may contain secrets."""
    jobs.cli.command("exec", "sleeper", "echo", "hush-hush")

    event = jobs.hub.json("GET", "/api/v1/audit?action=job.exec&page_size=1")["items"][0]

    assert (event["target"], event["details"]) == (jobs.id, {"name": "sleeper", "program": "echo"})


def test_it_ends_when_access_ends(jobs: Jobs) -> None:
    """Here, by a token that is revoked."""
    made = jobs.hub.json("POST", "/api/v1/tokens", {"name": "short", "scopes": ["read", "write"]})
    with jobs.websocket("command=sleep&command=1000", made["secret"]) as websocket:
        jobs.hub.json("DELETE", f"/api/v1/tokens/{made['id']}")
        with pytest.raises(ConnectionClosed) as closed:
            websocket.recv(TIMEOUT_SECS)

    assert closed.value.rcvd is not None
    assert (closed.value.rcvd.code, closed.value.rcvd.reason) == (1008, "access to the job has ended")


def test_commands_of_an_account_are_limited_and_freed_when_they_are_abandoned(jobs: Jobs) -> None:
    """Others are not affected: neither by those that are open, nor by many that nobody has closed."""
    query = "command=sleep&command=1000&tty=1"
    ids = {jobs.hub.token: jobs.id, jobs.other: str(jobs.hub.json("POST", "/api/v1/jobs", SLEEP, jobs.other)["id"])}
    second = jobs.start("second")
    jobs.hub.wait_for_job(ids[jobs.other], "Running")
    before = open_sockets(jobs.hub)
    opened = [jobs.websocket(query, id=id) for id in (jobs.id, second) for _ in range(10)]
    refused = jobs.refusal(query)
    jobs.websocket(query, jobs.other, id=ids[jobs.other]).close()
    for each in opened:
        each.socket.shutdown(socket.SHUT_RDWR)  # without a word, as when a machine has lost its network
        each.close()
    wait_for(lambda: open_sockets(jobs.hub), lambda sockets: sockets <= before, "all to be freed")
    jobs.websocket(query).close()
    processes = wait_for(lambda: processes_of(jobs, second), lambda number: number == 1, "all commands to end")
    for id, token in ((second, jobs.hub.token), (ids[jobs.other], jobs.other)):
        jobs.hub.json("DELETE", f"/api/v1/jobs/{id}", token=token)
        jobs.hub.wait_for_job(id, "Deleted", token)

    assert refused == (429, "there are too many connections to jobs")
    assert processes == 1


SLEEP = {"command": ["sleep", "1000"], "name": "others"}


def open_sockets(hub: HubProcess) -> int:
    """How many sockets the hub has. Its other descriptors, such as those of the database, are opened when needed."""
    folder = pathlib.Path(f"/proc/{hub.process.pid}/fd")
    return sum(link.startswith("socket:") for link in filter(None, map(target_of, folder.iterdir())))


def target_of(descriptor: pathlib.Path) -> str:
    """What a descriptor is of; "" if it was closed meanwhile."""
    with contextlib.suppress(FileNotFoundError):
        return os.readlink(descriptor)
    return ""


def processes_of(jobs: Jobs, id: str) -> int:
    """How many processes a job has."""
    return len(pids_with(f"LIGHTBOARD_JOB_ID={id}"))


@pytest.mark.parametrize(("method", "verb", "status"), [("PUT", "/stop", "Stopped"), ("DELETE", "", "Deleted")])
def test_it_ends_with_its_job(jobs: Jobs, method: str, verb: str, status: str) -> None:
    """And tells why, also if it ignores SIGTERM. No process of the job is left."""
    name = f"to-be-{status.lower()}"
    id = jobs.start(name)
    process = jobs.cli.start("exec", name, "trap '' TERM; echo ready; sleep 1000")
    assert process.stdout
    ready = process.stdout.readline()
    jobs.hub.json(method, f"/api/v1/jobs/{id}{verb}")
    rest, _ = process.communicate(timeout=TIMEOUT_SECS)
    jobs.hub.wait_for_job(id, status)

    assert (ready, rest, process.returncode) == ("ready\n", "the job has ended\n", 128 + 9)
    assert processes_of(jobs, id) == 0


def test_a_job_that_does_not_run_takes_no_command(jobs: Jobs) -> None:
    """The answer says how it is."""
    id = jobs.start("short")
    jobs.hub.json("PUT", f"/api/v1/jobs/{id}/stop")
    jobs.hub.wait_for_job(id, "Stopped")

    with Session(jobs.hub.url, jobs.hub.token) as session, pytest.raises(Conflict, match="the job short is Stopped"):
        TrainingJob(id, session).exec(["true"])


def test_a_client_that_leaves_before_the_start_is_no_error(jobs: Jobs) -> None:
    """Anybody could fill the log of the hub with tracebacks otherwise."""
    sent = f"""GET /api/v1/jobs/{jobs.id}/exec?command=sleep&command=1000 HTTP/1.1
Host: 127.0.0.1:{jobs.hub.port}
Authorization: Bearer {jobs.hub.token}
Connection: Upgrade
Upgrade: websocket
Sec-WebSocket-Version: 13
Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==

"""
    known = len(jobs.hub.lines)
    with socket.create_connection(("127.0.0.1", jobs.hub.port)) as client:
        client.sendall(sent.replace("\n", "\r\n").encode())
    new = wait_for(  # those of earlier tests may be written only now
        lambda: jobs.hub.lines[known:],
        lambda lines: any("method=WEBSOCKET" in line and "status=499" in line for line in lines),
        "the request",
    )

    assert [line for line in new if "Traceback" in line] == []


def test_it_ends_when_the_hub_is_killed_but_the_job_does_not(tmp_path: pathlib.Path) -> None:
    """As a connection of ssh that is lost."""
    with sleeping(tmp_path) as jobs:
        process = jobs.cli.start("exec", "sleeper", "echo $$; exec sleep 1000")
        assert process.stdout
        pid = int(process.stdout.readline())
        jobs.hub.kill()
        rest, _ = process.communicate(timeout=TIMEOUT_SECS)
        wait_for(lambda: pathlib.Path(f"/proc/{pid}").exists(), lambda exists: not exists, "the command to end")
        jobs.hub.restart()

        assert "the connection to the command was lost" in rest
        assert jobs.cli("exec", "sleeper", "echo fine") == "fine\n"
