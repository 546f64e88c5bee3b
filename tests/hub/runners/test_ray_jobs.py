"""The client of Ray's Jobs API, against servers that behave well and badly."""

import json
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from lightboard.errors import LaunchError, UsageError
from lightboard.hub.resources.replicas import START_FAILED
from lightboard.hub.runners.ray_jobs import MAX_RESPONSE_BYTES, UNAUTHORIZED, RayJob, RayJobs, RayStatus
from lightboard.types import UNREACHABLE
from support.ports import free_ports

TOKEN = "right"  # of the server below


class Handler(BaseHTTPRequestHandler):
    """Answers by path, as `server.answers` says, whoever has the token."""

    server: "Server"

    def do_GET(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.server.requests.append((self.command, self.path, json.loads(body) if body else None))
        status, content = self.server.answers.get(self.path, (404, b"unknown"))
        if self.headers.get("Authorization") != f"Bearer {TOKEN}":
            status, content = self.server.refusal, b"Unauthorized"
        self.send_response(status)
        self.send_header("Content-Length", str(len(content) + self.server.missing))
        self.end_headers()
        self.wfile.write(content)
        self.wfile.flush()
        if self.server.missing:
            self.server.released.wait(60)

    do_POST = do_GET  # names of the base class

    def log_message(self, *_: object) -> None:
        pass


class Server(ThreadingHTTPServer):
    """`missing` bytes of each answer are never sent."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.answers: dict[str, tuple[int, bytes]] = {}
        self.requests: list[tuple[str, str, object]] = []
        self.refusal = 401
        self.missing = 0
        self.released = threading.Event()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"


@pytest.fixture
def server() -> Iterator[Server]:
    """A server that knows nothing."""
    with Server() as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield server
        server.released.set()
        server.shutdown()
        thread.join()


@pytest.fixture
def jobs(server: Server) -> Iterator[RayJobs]:
    """A client with the right token."""
    jobs = RayJobs(server.url, lambda: TOKEN)
    yield jobs
    jobs.close()


def error_of(work: Callable[[], object]) -> tuple[str, str]:
    """The reason and the message of the error that work raises."""
    with pytest.raises(LaunchError) as caught:
        work()
    return caught.value.reason, caught.value.message


def test_a_job_is_submitted_with_its_id(server: Server, jobs: RayJobs) -> None:
    """And what its driver needs."""
    server.answers["/api/jobs/"] = (200, b'{"job_id": "a", "submission_id": "a"}')

    jobs.submit("a", "python3 x", {"PYTHONPATH": "/x"}, {"entrypoint_num_cpus": 2})

    assert server.requests == [
        (
            "POST", "/api/jobs/",
            {
                "submission_id": "a", "entrypoint": "python3 x", "runtime_env": {"env_vars": {"PYTHONPATH": "/x"}},
                "entrypoint_num_cpus": 2,
            },
        )
    ]  # fmt: skip


def test_submitting_again_is_no_error(server: Server, jobs: RayJobs) -> None:
    """The words are those of Ray 2.60, at the end of a traceback."""
    words = b"Traceback ...\nValueError: Job with submission_id a already exists. Please use a different submission_id."
    server.answers["/api/jobs/"] = (500, words)

    jobs.submit("a", "python3 x", {}, {})


@pytest.mark.parametrize(("status", "reason"), [(400, START_FAILED), (500, UNREACHABLE)])
def test_a_refusal_is_told(server: Server, jobs: RayJobs, status: int, reason: str) -> None:
    """With the last line, which says why. A head that has just been started may accept it later."""
    server.answers["/api/jobs/"] = (status, b"Traceback ...\nTypeError: entrypoint")

    assert error_of(lambda: jobs.submit("a", "", {}, {})) == (
        reason, f"Ray refused the request with status {status}: TypeError: entrypoint"
    )  # fmt: skip


def test_what_ray_says_about_jobs(server: Server, jobs: RayJobs) -> None:
    """A job it does not know is None."""
    server.answers["/api/jobs/a"] = (200, b'{"status": "FAILED", "message": "it broke", "more": 1}')
    server.answers["/api/jobs/b"] = (200, b'{"status": "PENDING", "message": null}')

    assert [jobs.get(id) for id in "abc"] == [
        RayJob(RayStatus.FAILED, "it broke"), RayJob(RayStatus.PENDING), None
    ]  # fmt: skip


@pytest.mark.parametrize("status", [401, 403])
def test_a_wrong_token_is_told(server: Server, status: int) -> None:
    """Without showing it."""
    server.refusal = status
    tokens = iter(["wrong", "", TOKEN])
    jobs = RayJobs(server.url, lambda: next(tokens))

    found = [error_of(lambda: jobs.get("a")) for _ in range(2)]

    assert found == [
        (UNAUTHORIZED, "the Ray cluster refuses the hub's token"), (UNAUTHORIZED, "the Ray cluster asks for a token")
    ]  # fmt: skip
    assert jobs.get("a") is None  # a new token needs no new hub
    jobs.close()


def test_a_token_that_cannot_be_read_is_told(server: Server) -> None:
    """Nothing is sent."""

    def unreadable() -> str:
        raise UsageError("the file is gone")

    two_lines = RayJobs(server.url, lambda: "a\nb")
    gone = RayJobs(server.url, unreadable)

    assert [error_of(lambda: jobs.get("a")) for jobs in (two_lines, gone)] == [  # noqa: B023  # called at once
        (UNAUTHORIZED, "the token for the Ray cluster is not a line of ASCII"), (UNAUTHORIZED, "the file is gone")
    ]  # fmt: skip
    assert server.requests == []
    two_lines.close()
    gone.close()


@pytest.mark.parametrize("content", [b"<html>", b"[]", b'"x"', b'{"status": "Odd"}', b"{}", b"\xff\xfe"])
def test_what_is_not_ray_is_told(server: Server, jobs: RayJobs, content: bytes) -> None:
    """Such as a login page of a proxy."""
    server.answers["/api/jobs/a"] = (200, content)

    assert error_of(lambda: jobs.get("a")) == (START_FAILED, "what responds is not the Jobs API of Ray")


def test_a_huge_response_is_not_read(server: Server, jobs: RayJobs) -> None:
    """It might not end."""
    server.answers["/api/jobs/a"] = (200, b" " * (MAX_RESPONSE_BYTES + 1))

    assert error_of(lambda: jobs.get("a")) == (START_FAILED, "what responds is not the Jobs API of Ray")


def test_a_slow_response_is_not_waited_for(server: Server) -> None:
    """A thread of the hub would wait for ever."""
    server.missing = 1
    server.answers["/api/jobs/a"] = (200, b"{")
    jobs = RayJobs(server.url, lambda: TOKEN, timeout_secs=0.1)

    assert error_of(lambda: jobs.get("a"))[0] == UNREACHABLE
    jobs.close()


def test_nobody_who_listens_is_told() -> None:
    """The head may be restarted."""
    jobs = RayJobs(f"http://127.0.0.1:{free_ports(1)[0]}")

    assert error_of(jobs.version) == (UNREACHABLE, "the Ray cluster does not respond: [Errno 111] Connection refused")
    jobs.close()
