"""Web pages that jobs serve, on a real hub: who reaches them, and what of a request does."""

import contextlib
import json
import os
import pathlib
import signal
import socket
import sys
import threading
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import ClientConnection, connect

from lightboard.client.session import Session
from lightboard.client.training_jobs import TrainingJob
from support.board_process import TIMEOUT_SECS
from support.hub_cli import HubCli
from support.hub_process import PASSWORD, HubProcess, plain_client, wait_for
from support.ports import free_ports
from support.telling_server import TELLING_SERVER

pytestmark = [
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the local runner needs /proc"),
    pytest.mark.databases("sqlite"),
]

PAGE = {"Accept": "text/html"}


class Pages:
    """A hub with a job of `owner`, whose server tells what it was asked."""

    def __init__(self, hub: HubProcess) -> None:
        self.hub = hub
        self.owner = hub.create_account("owner", "editor")
        self.port = free_ports(1)[0]
        self.id = self.start("told", [sys.executable, "-c", TELLING_SERVER], self.port)
        self.path = f"/http/{self.id}"
        wait_for(self.told, lambda told: told["listens"], "the server")

    def start(self, name: str, command: list[str], port: int | None, token: str | None = None) -> str:
        """A job that runs."""
        body = {"name": name, "command": command, "http_port": port}
        id = str(self.hub.json("POST", "/api/v1/jobs", body, token or self.owner)["id"])
        self.hub.wait_for_job(id, "Running")
        return id

    def told(self, id: str = "") -> dict[str, Any]:
        """What the hub says about the page of a job."""
        answer: dict[str, Any] = self.hub.json("GET", f"/api/v1/jobs/{id or self.id}/http")
        return answer

    def get(self, below: str, token: str | None = None, **options: Any) -> httpx.Response:
        """The response of the server."""
        return self.hub.request("GET", f"{self.path}{below}", token=token or self.owner, **options)

    def cookie(self) -> dict[str, str]:
        """The header with the cookie of a new login of the owner."""
        with plain_client(self.hub.url) as client:
            client.post("/api/v1/login", json={"name": "owner", "password": PASSWORD})
            return {"Cookie": "; ".join(f"{key}={value}" for key, value in client.cookies.items())}

    def websocket(self, headers: dict[str, str]) -> ClientConnection:
        """A WebSocket to the server."""
        return connect(f"ws{self.hub.url.removeprefix('http')}{self.path}/socket", additional_headers=headers)


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pages]:
    """All tests use one hub."""
    words = ("--job-slots", "16", "--trust-jobs", "--path-prefix", "/lb")
    with HubProcess(tmp_path_factory.mktemp("pages") / "home", *words) as hub:
        pages = Pages(hub)
        yield pages
        jobs = hub.json("GET", "/api/v1/jobs")["items"]
        for job in jobs:
            hub.json("DELETE", f"/api/v1/jobs/{job['id']}")
        for job in jobs:
            hub.wait_for_job(job["id"], "Deleted")


def test_the_link_of_a_job_leads_through_the_hub(pages: Pages) -> None:
    """With its prefix. A job without a port has none."""
    plain = pages.start("plain", ["sleep", "1000"], None)
    links = [pages.hub.json("GET", f"/api/v1/jobs/{id}")["url"] for id in (pages.id, plain)]

    assert links == [f"{pages.hub.url}{pages.path}/", ""]


def test_the_program_finds_its_port_and_path(pages: Pages) -> None:
    """In the variables that many servers look for."""
    assert pages.get("/variables").json() == {
        "PORT": str(pages.port), "LIGHTBOARD_HTTP_PORT": str(pages.port), "LIGHTBOARD_HTTP_PATH": f"/lb{pages.path}",
    }  # fmt: skip


def test_the_server_sees_the_request_below_its_path_and_no_secret_of_the_hub(pages: Pages) -> None:
    """It learns where browsers see it, and gets its own cookie alone."""
    pages.get("/")
    answer = pages.get("/a%20b?x=1", headers={"Cookie": "lightboard_session=hush", "X-Forwarded-Prefix": "/forged"})
    told = answer.json()
    sent = {name: told["headers"].get(name) for name in ("cookie", "authorization", "x-forwarded-prefix")}

    assert told["path"] == "/a%20b?x=1"
    assert sent == {"cookie": "theirs=1", "authorization": None, "x-forwarded-prefix": f"/lb{pages.path}"}
    assert pages.owner not in json.dumps(told)


def test_cookies_of_the_server_stay_behind_the_hub(pages: Pages) -> None:
    """Where they cannot replace those of the hub. The policy of the console does not hold for its pages."""
    first, second = pages.get("/one"), pages.get("/two")

    assert {"set-cookie", "clear-site-data", "x-theirs"} & set(first.headers) == {"x-theirs"}
    assert second.json()["headers"]["cookie"] == "theirs=1"
    assert first.headers["content-security-policy"] == "frame-ancestors 'self'"


def test_redirects_stay_below_the_path_of_the_job(pages: Pages) -> None:
    """The server knows none."""
    assert pages.get("/moved").headers["location"] == f"/lb{pages.path}/elsewhere?a=b"


def test_only_its_owner_opens_the_page_of_a_job(pages: Pages) -> None:
    """For others it would act as them; strangers do not learn that it exists."""
    names = {
        "colleague": pages.hub.create_account("colleague", "admin"),
        "stranger": pages.hub.create_account("stranger"),
        "administrator": pages.hub.token,
        "nobody": "",
        "owner": pages.owner,
    }
    found = {name: pages.hub.request("GET", f"{pages.path}/", token=token).status_code for name, token in names.items()}

    assert found == {"colleague": 403, "stranger": 404, "administrator": 403, "nobody": 401, "owner": 200}


def test_pages_of_other_sites_open_no_websocket_and_change_nothing(pages: Pages) -> None:
    """Although browsers send the cookie of the hub with what a server at another port of its host does."""
    pages.get("/")
    cookie = pages.cookie()
    foreign = {**cookie, "Origin": "http://127.0.0.1:1"}
    with pytest.raises(InvalidStatus) as refused:
        pages.websocket(foreign)
    answer = pages.hub.request("POST", f"{pages.path}/", {}, token="", headers=foreign)
    with pages.websocket({**cookie, "Origin": pages.hub.url.removesuffix("/lb")}) as opened:
        told = json.loads(opened.recv())
        opened.send("hello")

        assert (told["path"], told["headers"].get("cookie"), opened.recv()) == ("/socket", "theirs=1", "HELLO")
    assert (refused.value.response.status_code, answer.status_code) == (403, 403)


def test_the_listener_of_another_job_is_not_reached(pages: Pages) -> None:
    """If it was there first. See `test_local_ports` for what comes later."""
    thief = pages.hub.create_account("thief", "editor")
    port = free_ports(1)[0]
    theirs = pages.start("thief", [sys.executable, "-c", TELLING_SERVER], port, thief)
    wait_for(lambda: pages.told(theirs), lambda told: told["listens"], "the server of the thief")
    victim = pages.start("victim", ["sleep", "1000"], port)
    answer = pages.hub.request("GET", f"/http/{victim}/", token=pages.owner, headers=PAGE)

    assert pages.told(victim)["message"] == f"another program of this machine listens at port {port}"
    assert (answer.status_code, answer.text.splitlines()[0]) == (
        503, f"another program of this machine listens at port {port}",
    )  # fmt: skip


def test_a_page_that_is_not_served_yet_is_asked_for_again(pages: Pages) -> None:
    """By the browser itself; programs are told when."""
    id = pages.start("silent", ["sleep", "1000"], free_ports(1)[0])
    page, program = (
        pages.hub.request("GET", f"/http/{id}/", token=pages.owner, headers=headers) for headers in (PAGE, {})
    )

    assert (page.status_code, page.headers["refresh"]) == (503, "2")
    assert (program.status_code, program.headers["retry-after"]) == (503, "1")
    assert program.json()["error"]["message"].startswith("nothing listens at port ")


def test_a_job_that_has_ended_has_no_page(pages: Pages) -> None:
    """Browsers see its page in the console."""
    id = pages.start("ended", ["sleep", "1000"], pages.port)
    pages.hub.json("PUT", f"/api/v1/jobs/{id}/stop", token=pages.owner)
    pages.hub.wait_for_job(id, "Stopped")
    answer = pages.hub.request("GET", f"/http/{id}/", token=pages.owner, headers=PAGE)

    assert (answer.status_code, answer.headers["location"]) == (302, f"/lb/jobs/{id}")
    assert pages.told(id) == {
        "port": pages.port, "listens": False, "taken": False, "message": "the job is Stopped",
    }  # fmt: skip


def test_a_job_that_is_no_notebook_is_not_at_the_address_of_one(pages: Pages) -> None:
    """Nor is one without a port anywhere."""
    plain = pages.start("nowhere", ["sleep", "1000"], None)
    answers = [
        pages.hub.request("GET", path, token=pages.owner) for path in (f"/notebooks/{pages.id}/", f"/http/{plain}/")
    ]

    assert [answer.status_code for answer in answers] == [404, 404]
    assert answers[1].json()["error"]["message"] == "the job nowhere has no web page"


# Ports at another machine

ECHO = """
import os
import socketserver


class Echo(socketserver.StreamRequestHandler):
    def handle(self):
        self.wfile.write(self.rfile.read())


socketserver.ThreadingTCPServer(("127.0.0.1", int(os.environ["PORT"])), Echo).serve_forever()
"""
"""A server that sends back what it got, when nothing follows any more."""


def test_a_port_is_forwarded_to_another_machine(pages: Pages) -> None:
    """More than all buffers hold, in both directions, whatever the hub is asked by HTTP; recorded once."""
    port = free_ports(1)[0]
    id = pages.start("echo", [sys.executable, "-c", ECHO], port)
    wait_for(lambda: pages.told(id), lambda told: told["listens"], "the server")
    sent = os.urandom(1 << 21)
    with Session(pages.hub.url, pages.owner) as session, TrainingJob(id, session).port_forward(port) as forward:
        received = [echoed(forward.local_port, sent), echoed(forward.local_port, b"again")]
    events = pages.hub.json("GET", "/api/v1/audit")["items"]

    assert received == [sent, b"again"]
    recorded = [each["details"]["port"] for each in events if each["action"] == "job.port_forward"]
    assert recorded.count(str(port)) == 1


def echoed(port: int, data: bytes) -> bytes:
    """What comes back from a local port until it is closed."""
    with socket.create_connection(("127.0.0.1", port), TIMEOUT_SECS) as connection:
        sender = threading.Thread(target=send_all, args=(connection, data))
        sender.start()
        parts = []
        while part := connection.recv(1 << 16):
            parts.append(part)
        sender.join()
    return b"".join(parts)


def send_all(connection: socket.socket, data: bytes) -> None:
    """Sends, and ends this direction, unless the other side has closed the connection."""
    with contextlib.suppress(OSError):
        connection.sendall(data)
        connection.shutdown(socket.SHUT_WR)


def test_the_command_forwards_until_it_is_interrupted(pages: Pages, tmp_path: pathlib.Path) -> None:
    """It tells why a connection is refused, and goes on."""
    cli = HubCli(pages.hub, tmp_path, pages.owner)
    closed = free_ports(1)[0]
    process = cli.start("port-forward", "told", f"0:{pages.port}", f"0:{closed}")
    assert process.stdout is not None
    lines = list[str]()
    while len(leading := [line for line in lines if " leads to port " in line]) < 2:
        lines.append(process.stdout.readline().rstrip())
    ports = [int(line.partition(":")[2].partition(" ")[0]) for line in leading]
    told = httpx.get(f"http://127.0.0.1:{ports[0]}/there").json()
    refused = echoed(ports[1], b"x")
    process.send_signal(signal.SIGINT)
    rest, _ = process.communicate(timeout=TIMEOUT_SECS)

    assert leading == [
        f"127.0.0.1:{local} leads to port {port} of told"
        for local, port in zip(ports, (pages.port, closed), strict=True)
    ]
    assert (told["path"], refused, process.returncode) == ("/there", b"", 0)
    assert f"nothing listens at port {closed} of the job;" in rest


def test_run_forwards_ports_while_it_is_attached(pages: Pages, tmp_path: pathlib.Path) -> None:
    """As Neu.ro's `run` does."""
    port = free_ports(1)[0]
    words = ("--name", "attached", "--http", str(port), "--port-forward", f"0:{port}", "", sys.executable, "-c", ECHO)
    cli = HubCli(pages.hub, tmp_path, pages.owner)
    with cli.start("run", *words) as process:
        assert process.stdout is not None
        leading = next(line for line in process.stdout if " leads to port " in line)
        id = pages.hub.json("GET", "/api/v1/jobs/attached")["id"]
        wait_for(lambda: pages.told(id), lambda told: told["listens"], "the server")
        local = int(leading.partition(":")[2].partition(" ")[0])
        received = echoed(local, b"there and back")
        process.send_signal(signal.SIGINT)
        rest, _ = process.communicate(timeout=TIMEOUT_SECS)

    assert leading == f"127.0.0.1:{local} leads to port {port} of attached\n"
    assert (received, process.returncode) == (b"there and back", 130)
    assert "detached; attached continues" in rest


def test_a_port_that_is_in_use_is_told_before_a_job_is_created(pages: Pages, tmp_path: pathlib.Path) -> None:
    """So is one that would be forwarded after the command has ended, or that a TensorBoard does not have."""
    cli = HubCli(pages.hub, tmp_path, pages.owner)
    job, board = ("", "true"), ("-v", "storage:logs:/logs", "", "tensorboard --logdir=/logs")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        local = taken.getsockname()[1]
        errors = [
            cli.command("run", "--name", "unborn", *words, code=2).stderr.splitlines()
            for words in (
                ("--port-forward", f"{local}:80", *job),
                ("--detach", "--port-forward", "0:80", *job),
                ("--port-forward", "0:80", *board),
            )
        ]

    assert errors == [
        [
            f"lightboard: port {local} of this machine cannot be used: Address already in use",
            f"hint: choose another, for example {local + 1}:80, or 0:80 for any free one",
        ],
        [
            "lightboard: --port-forward forwards while this terminal is attached",
            "hint: leave out --detach, or use lightboard port-forward NAME LOCAL:REMOTE afterwards",
        ],
        ["lightboard: a TensorBoard has no port 80", "hint: 0:6006 leads to its page"],
    ]
    assert pages.hub.request("GET", "/api/v1/jobs/unborn").status_code == 404


def test_submit_opens_the_web_page_in_the_browser(pages: Pages, tmp_path: pathlib.Path) -> None:
    """As soon as it is served, however long that takes."""
    port = free_ports(1)[0]
    cli = HubCli(pages.hub, tmp_path, pages.owner)
    words = ("--name", "shown", "--http", str(port), "--browse", sys.executable, "-c", ECHO)

    said = cli.command("job", "submit", *words, BROWSER="true %s")

    job = pages.hub.json("GET", "/api/v1/jobs/shown")
    assert said.stderr.splitlines()[-1] == f"web page: {job['url']}"
    assert pages.told(job["id"])["listens"]


def test_ports_are_forwarded_to_the_owner_alone(pages: Pages) -> None:
    """And to no page of another site."""
    path = f"ws{pages.hub.url.removeprefix('http')}/api/v1/jobs/{pages.id}/port-forward?port={pages.port}"
    attempts = [
        {"Authorization": f"Bearer {pages.hub.token}"},
        {"Authorization": f"Bearer {pages.hub.create_account('alien')}"},
        {**pages.cookie(), "Origin": "http://127.0.0.1:1"},
        {},
    ]
    found = []
    for headers in attempts:
        with pytest.raises(InvalidStatus) as refused:
            connect(path, additional_headers=headers)
        found.append(refused.value.response.status_code)

    assert found == [403, 404, 403, 401]
