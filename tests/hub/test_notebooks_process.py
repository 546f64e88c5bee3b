"""Notebooks on a real hub: who reaches their servers, and what of a request does."""

import contextlib
import http.client
import json
import pathlib
import re
import socket
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Subprotocol

from support.hub_process import PASSWORD, HubProcess, plain_client, wait_for
from support.kernel_channels import run_code
from support.notebook_image import write_notebook_image
from support.ports import free_ports
from support.sandboxes import working_sandbox

pytestmark = pytest.mark.databases("sqlite")

PAGE = {"Accept": "text/html"}


class Notebooks:
    """A hub with a notebook of `owner`, whose server tells what it was asked."""

    def __init__(self, hub: HubProcess) -> None:
        self.hub = hub
        self.owner = hub.create_account("owner", "editor")
        self.notebook = self.create("told")

    def create(self, name: str, **fields: Any) -> dict[str, Any]:
        """A notebook that runs."""
        body = {"name": name, "image": "telling", **fields}
        id = self.hub.json("POST", "/api/v1/notebooks", body, self.owner)["id"]
        self.hub.wait_for_job(id, "Running")
        found: dict[str, Any] = self.hub.json("GET", f"/api/v1/jobs/{id}", token=self.owner)
        return found

    @property
    def path(self) -> str:
        """The path of the notebook."""
        return f"/notebooks/{self.notebook['id']}"

    def login(self, name: str) -> dict[str, str]:
        """The header with the cookie of a new login."""
        with plain_client(self.hub.url) as client:
            answer = client.post("/api/v1/login", json={"name": name, "password": PASSWORD})
            assert answer.is_success, answer.text
            return {"Cookie": "; ".join(f"{key}={value}" for key, value in client.cookies.items())}

    def connect(self, headers: dict[str, str], origin: str | None = None, **options: Any) -> ClientConnection:
        """A WebSocket to the server."""
        address = f"{self.hub.url.replace('http', 'ws')}{self.path}/socket"
        return connect(address, additional_headers={**headers, **({"Origin": origin} if origin else {})}, **options)


@pytest.fixture(scope="module")
def notebooks(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Notebooks]:
    """All tests use one."""
    folder = tmp_path_factory.mktemp("notebooks")
    image = write_notebook_image(folder / "image")
    words = ("--job-slots", "8", "--trust-jobs", "--path-prefix", "/lb", "--image", f"telling={image}")
    with HubProcess(folder / "home", *words) as hub:
        yield Notebooks(hub)
        for job in hub.json("GET", "/api/v1/jobs?kind=notebook")["items"]:
            hub.json("DELETE", f"/api/v1/jobs/{job['id']}")
        wait_for(lambda: hub.json("GET", "/api/v1/jobs?kind=notebook")["total"], lambda total: total == 0, "the end")


def test_the_link_of_a_notebook_leads_through_the_hub(notebooks: Notebooks) -> None:
    """With its prefix."""
    assert notebooks.notebook["url"] == f"{notebooks.hub.url}{notebooks.path}/"


def test_the_server_sees_the_request_of_its_owner_and_no_secret_of_the_hub(notebooks: Notebooks) -> None:
    """Path, query and body type as they were sent; the token is one that the hub and the server share."""
    notebooks.hub.request("GET", f"{notebooks.path}/one", token=notebooks.owner)  # its answer sets a cookie
    answer = notebooks.hub.request(
        "PUT",
        f"{notebooks.path}/api/contents/a%20b.ipynb?x=1",
        {"a": 1},
        notebooks.owner,
        headers={"Cookie": "lightboard_session=hush", "X-CSRF-Token": "hush"},
    )

    told = answer.json()
    sent = {name: told["headers"].get(name) for name in ("content-type", "cookie", "x-csrf-token")}
    assert (told["method"], told["path"]) == ("PUT", f"/lb{notebooks.path}/api/contents/a%20b.ipynb?x=1")
    assert sent == {"content-type": "application/json", "cookie": "theirs=1", "x-csrf-token": None}
    assert notebooks.owner not in json.dumps(told)
    assert told["headers"]["authorization"].startswith("token ")


def test_cookies_of_the_server_stay_behind_the_hub(notebooks: Notebooks) -> None:
    """Where they cannot replace those of the hub; nor can it clear these, or put itself before other pages."""
    first = notebooks.hub.request("GET", f"{notebooks.path}/one", token=notebooks.owner)
    second = notebooks.hub.request("GET", f"{notebooks.path}/two", token=notebooks.owner)

    assert {"set-cookie", "clear-site-data", "service-worker-allowed", "x-theirs"} & set(first.headers) == {"x-theirs"}
    assert second.json()["headers"]["cookie"] == "theirs=1"


def test_only_its_owner_opens_a_notebook(notebooks: Notebooks) -> None:
    """Not a colleague, nor an administrator, for whom its page would act; strangers do not learn that it exists."""
    colleague = notebooks.hub.create_account("colleague", "admin")
    stranger = notebooks.hub.create_account("stranger")
    names = {
        "colleague": colleague,
        "stranger": stranger,
        "administrator": None,
        "nobody": "",
        "owner": notebooks.owner,
    }

    found = {
        name: notebooks.hub.request("GET", f"{notebooks.path}/lab", token=token).status_code
        for name, token in names.items()
    }

    assert found == {"colleague": 403, "stranger": 404, "administrator": 403, "nobody": 401, "owner": 200}


def test_a_hidden_notebook_is_answered_as_a_missing_one(notebooks: Notebooks) -> None:
    """To somebody who is not in its project."""
    stranger = notebooks.hub.create_account("outsider")
    id = notebooks.notebook["id"]
    missing = id[:-1] + ("0" if id[-1] != "0" else "1")
    answers = [notebooks.hub.request("GET", f"/notebooks/{each}/", token=stranger) for each in (id, missing)]

    errors = [{**answer.json()["error"], "request_id": ""} for answer in answers]

    assert {answer.status_code for answer in answers} == {404}
    assert json.dumps(errors[0]).replace(id, missing) == json.dumps(errors[1])


def test_an_owner_who_may_not_run_jobs_any_more_does_not_open_it(notebooks: Notebooks) -> None:
    """Since that is to run programs."""
    former = notebooks.hub.create_account("former", "editor")
    id = notebooks.hub.json("POST", "/api/v1/notebooks", {"name": "former", "image": "telling"}, former)["id"]
    notebooks.hub.json("PATCH", "/api/v1/accounts/former", {"permissions": {"run_jobs": False}})

    assert notebooks.hub.request("GET", f"/notebooks/{id}/", token=former).status_code == 403


def test_browsers_are_asked_to_log_in_and_come_back(notebooks: Notebooks) -> None:
    """To the same page of the notebook."""
    answer = notebooks.hub.request("GET", f"{notebooks.path}/lab?a=b", token="", headers=PAGE)

    place = f"%2Flb%2Fnotebooks%2F{notebooks.notebook['id']}%2Flab%3Fa%3Db"
    assert (answer.status_code, answer.headers["location"]) == (302, f"/lb/login?next={place}")


@pytest.mark.parametrize("below", ["/../../api/v1/me", "/%2e%2e/%2e%2e/api/v1/me", "/a%5c..%5cb"])
def test_paths_that_lead_elsewhere_are_refused(notebooks: Notebooks, below: str) -> None:
    """In any spelling."""
    connection = http.client.HTTPConnection("127.0.0.1", notebooks.hub.port)  # sends a path as it is
    with contextlib.closing(connection):
        headers = {"Authorization": f"Bearer {notebooks.owner}"}
        connection.request("GET", f"/lb{notebooks.path}{below}", headers=headers)
        assert connection.getresponse().status == 404


def test_another_job_is_no_notebook(notebooks: Notebooks) -> None:
    """Whatever it listens at."""
    id = notebooks.hub.json("POST", "/api/v1/jobs", {"command": ["true"]}, notebooks.owner)["id"]

    assert notebooks.hub.request("GET", f"/notebooks/{id}/", token=notebooks.owner).status_code == 404


def test_a_websocket_carries_text_and_bytes_both_ways(notebooks: Notebooks) -> None:
    """With its subprotocol and the code with which the server closes it."""
    with notebooks.connect(notebooks.login("owner"), subprotocols=[Subprotocol("v1.kernel")]) as opened:
        told = json.loads(opened.recv())
        opened.send("upper")
        text = opened.recv()
        opened.send(b"\x01\x02")
        data = opened.recv()
        opened.send("leave")
        with pytest.raises(ConnectionClosed) as closed:
            opened.recv()

    assert (opened.subprotocol, text, data) == ("v1.kernel", "UPPER", b"\x02\x01")
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 4001
    assert (told["path"], "lightboard_session" in json.dumps(told)) == (f"/lb{notebooks.path}/socket", False)


def test_a_page_of_another_site_opens_no_websocket(notebooks: Notebooks) -> None:
    """Although the browser sends the cookie of the login with it."""
    login = notebooks.login("owner")
    with notebooks.connect(login, origin=notebooks.hub.url.rpartition("/lb")[0]) as own:
        assert own.recv()

    with pytest.raises(InvalidStatus) as refused:
        notebooks.connect(login, origin="https://evil.example")

    assert refused.value.response.status_code == 403


@pytest.mark.parametrize("who", ["admin", "nobody"])
def test_others_open_no_websocket(notebooks: Notebooks, who: str) -> None:
    """Neither an administrator nor somebody without a login."""
    headers = {"Authorization": f"Bearer {notebooks.hub.token}"} if who == "admin" else {}
    with pytest.raises(InvalidStatus) as refused:
        notebooks.connect(headers)

    assert refused.value.response.status_code == 403


@pytest.mark.parametrize("path", ["/api/v1/events", "/tb/tb-1/", "/notebooks/job-1/x", "/notebooks/"])
def test_nothing_else_has_a_websocket(notebooks: Notebooks, path: str) -> None:
    """Whoever asks for one."""
    with pytest.raises(InvalidStatus) as refused:
        connect(
            f"{notebooks.hub.url.replace('http', 'ws')}{path}",
            additional_headers={"Authorization": f"Bearer {notebooks.owner}"},
        )

    assert refused.value.response.status_code == 403


def test_a_websocket_ends_with_its_login(notebooks: Notebooks) -> None:
    """A kernel would otherwise obey somebody who has logged out."""
    login = notebooks.login("owner")
    with notebooks.connect(login) as opened:
        opened.recv()
        with plain_client(notebooks.hub.url) as client:
            csrf = client.get("/api/v1/me", headers=login).json()["csrf"]
            client.post("/api/v1/logout", headers={**login, "X-CSRF-Token": csrf})
        with pytest.raises(ConnectionClosed) as closed:
            opened.recv()

    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 1008


def test_a_notebook_that_was_shut_down_is_stopped_and_starts_again(notebooks: Notebooks) -> None:
    """With a new token; until then browsers get its page in the console."""
    made = notebooks.create("again")
    path = f"/notebooks/{made['id']}"
    token = notebooks.hub.request("GET", f"{path}/x", token=notebooks.owner).json()["headers"]["authorization"]
    notebooks.hub.request("POST", f"{path}/shutdown", token=notebooks.owner)
    stopped = notebooks.hub.wait_for_job(made["id"], "Stopped")
    page = notebooks.hub.request("GET", f"{path}/lab", token=notebooks.owner, headers=PAGE)
    program = notebooks.hub.request("GET", f"{path}/api", token=notebooks.owner)
    notebooks.hub.json("PUT", f"/api/v1/jobs/{made['id']}/restart", token=notebooks.owner)
    notebooks.hub.wait_for_job(made["id"], "Running")
    again = notebooks.hub.request("GET", f"{path}/x", token=notebooks.owner).json()["headers"]["authorization"]

    assert (stopped["reason"], stopped["message"]) == ("ShutDown", "it was shut down in its menu")
    assert (page.status_code, page.headers["location"]) == (302, f"/lb/jobs/{made['id']}")
    assert program.json()["error"]["hint"] == f"PUT /lb/api/v1/jobs/{made['id']}/restart starts it"
    assert again != token


def test_a_notebook_that_nobody_uses_is_stopped_as_idle(notebooks: Notebooks) -> None:
    """Its history says so."""
    made = notebooks.create("unused", idle_secs=1)
    notebooks.hub.wait_for_job(made["id"], "Stopped")
    stopped = notebooks.hub.json("GET", f"/api/v1/jobs/{made['id']}", token=notebooks.owner)

    assert [(step["status"], step["reason"]) for step in stopped["transitions"]][-3:] == [
        ("Running", ""), ("Stopping", "IdleTimeout"), ("Stopped", "IdleTimeout"),
    ]  # fmt: skip
    assert stopped["message"] == "not used for 1 s"


def test_a_notebook_says_when_it_stops_and_that_changing_a_file_is_use(notebooks: Notebooks) -> None:
    """A request of its page that changes something moves the time; one that reads does not."""
    made = notebooks.create("used", idle_secs=1_000)
    path = f"/api/v1/jobs/{made['id']}"
    first = wait_for(lambda: notebooks.hub.json("GET", path)["idle_at"], bool, "the answer of the server")
    notebooks.hub.request("GET", f"/notebooks/{made['id']}/x", token=notebooks.owner)
    read = notebooks.hub.json("GET", path)["idle_at"]
    notebooks.hub.request("PUT", f"/notebooks/{made['id']}/x", token=notebooks.owner)
    changed = notebooks.hub.json("GET", path)["idle_at"]

    assert 900 < first - made["created_at"] < 1_300
    assert (read, changed > first) == (first, True)


def test_a_notebook_has_a_host_of_its_own_below_a_domain(tmp_path: pathlib.Path) -> None:
    """With a cookie that opens nothing else: its page cannot use the console as its owner."""
    port = free_ports(1)[0]
    words = ["--port", str(port), "--public-url", f"http://127.0.0.1:{port}", "--domain", "tb.test", "--trust-jobs"]
    image = write_notebook_image(tmp_path / "image")
    with HubProcess(tmp_path / "home", *words, "--image", f"telling={image}") as hub, plain_client(hub.url) as client:
        token = hub.create_account("owner", "editor")
        made = hub.json("POST", "/api/v1/notebooks", {"name": "own", "image": "telling"}, token)
        hub.wait_for_job(made["id"], "Running")
        host = f"{made['id']}.tb.test:{port}"

        def visit(path: str, cookies: str, **headers: str) -> httpx.Response:
            client.cookies.clear()
            return client.get(path, headers={"Cookie": cookies, **PAGE, **headers})

        client.post("/api/v1/login", json={"name": "owner", "password": PASSWORD})
        login = "; ".join(f"{key}={value}" for key, value in client.cookies.items())
        moved = visit(f"/notebooks/{made['id']}/lab?a=b", login).headers["location"]
        asked = urlsplit(visit("/lab?a=b", "", Host=host).headers["location"])
        ticket = urlsplit(visit(f"{asked.path}?{asked.query}", login).headers["location"])
        arrived = visit(f"{ticket.path}?{ticket.query}", "", Host=host)
        own = arrived.headers["set-cookie"].partition(";")[0]
        told = visit("/lab?a=b", own, Host=host).json()["path"]
        console = visit("/api/v1/me", own).status_code

        def open_socket(origin: str) -> ClientConnection:
            headers = {"Cookie": own, "Origin": origin}
            opened = socket.create_connection(("127.0.0.1", port))
            return connect(f"ws://{host}/api/socket", sock=opened, additional_headers=headers)

        with open_socket(f"http://{host}") as opened:
            socket_path = json.loads(opened.recv())["path"]
        with pytest.raises(InvalidStatus):
            open_socket("http://other--owner.tb.test")
        hub.json("DELETE", f"/api/v1/jobs/{made['id']}")
        hub.wait_for_job(made["id"], "Deleted")

    assert (made["url"], moved) == (f"http://{host}/", f"http://{host}/lab?a=b")
    assert (asked.port, ticket.netloc, arrived.headers["location"]) == (port, host, "/lab?a=b")
    assert (told, socket_path, console) == ("/lab?a=b", "/api/socket", 401)


def test_c1_boards_answer_at_the_host_of_a_notebook_below_a_domain(tmp_path: pathlib.Path) -> None:
    """Jupyter has no path before its own there, as on somebody's own machine, and only the hub knows the name."""
    port = free_ports(1)[0]
    words = ["--port", str(port), "--public-url", f"http://127.0.0.1:{port}", "--domain", "tb.test"]
    with HubProcess(tmp_path / "home", *words, "--job-isolation", "none") as hub, plain_client(hub.url) as client:
        id = hub.json("POST", "/api/v1/notebooks", {"name": "lab"})["id"]
        hub.wait_for_job(id, "Running")
        host, login = f"{id}.tb.test", {"Authorization": f"Bearer {hub.token}"}
        client.headers.update({"Host": host, **login})
        kernel = client.post("/api/kernels", json={"name": "python3"}).json()["id"]
        opened = socket.create_connection(("127.0.0.1", port))
        with connect(f"ws://{host}/api/kernels/{kernel}/channels", sock=opened, additional_headers=login) as channels:
            page = run_code(channels, SHOW_BOARD).strip()
        answer = client.get(page)
        hub.json("DELETE", f"/api/v1/jobs/{id}")
        hub.wait_for_job(id, "Deleted")

    assert re.fullmatch(r"/proxy/\d+/", page)
    assert (answer.status_code, "<title>Lightboard</title>" in answer.text) == (200, True)


@pytest.mark.parametrize("isolation", ["none", "kernel"])
def test_a_board_in_a_cell_answers_nobody_but_its_notebook(tmp_path: pathlib.Path, isolation: str) -> None:
    """Its port is open to every job of the machine. `%tensorboard` finds Lightboard inside of the sandbox, too."""
    if isolation == "kernel":
        working_sandbox(tmp_path / "sandbox")
    with HubProcess(tmp_path / "home", "--job-isolation", isolation) as hub:
        id = hub.json("POST", "/api/v1/notebooks", {"name": "lab"})["id"]
        hub.wait_for_job(id, "Running")
        kernel = hub.json("POST", f"/notebooks/{id}/api/kernels", {"name": "python3"})["id"]
        address = f"{hub.url.replace('http', 'ws')}/notebooks/{id}/api/kernels/{kernel}/channels"
        with connect(address, additional_headers={"Authorization": f"Bearer {hub.token}"}) as channels:
            page = run_code(channels, SHOW_BOARD).strip()
        through_the_hub = hub.request("GET", f"{page}data/runs")
        port = page.rstrip("/").rpartition("/")[2]
        with plain_client(f"http://localhost:{port}") as stranger:
            paths = ["/", "/data/runs", "/data/environment", "/api/v1/status", "/nothing"]
            codes = {path: stranger.get(path).status_code for path in paths}
            guess = stranger.get("/data/runs", headers={"Authorization": f"token {hub.token}"}).status_code
        hub.json("DELETE", f"/api/v1/jobs/{id}")
        hub.wait_for_job(id, "Deleted")

    assert (through_the_hub.status_code, through_the_hub.json()) == (200, [])
    assert (codes, guess) == (dict.fromkeys(paths, 401), 401)


@pytest.mark.parametrize("isolation", ["none", "kernel"])
def test_jupyterlab_runs_code_through_the_hub(tmp_path: pathlib.Path, isolation: str) -> None:
    """The real one, with its files in the storage of the project and logs where TensorBoards look.

    Its kernels outlive a hub that is killed.
    """
    if isolation == "kernel":
        working_sandbox(tmp_path / "sandbox")
    with HubProcess(tmp_path / "home", "--job-isolation", isolation) as hub:
        storage = (tmp_path / "home" / "hub" / "storage" / "default").resolve()
        write_file(storage / "mnist" / "first", "seven")
        # Without a sandbox, nothing in the command of the server is taken for the path of the volume.
        volume = {"source": "storage:mnist", "target": "/notebooks", "read_only": True}
        id = hub.json("POST", "/api/v1/notebooks", {"name": "lab", "volumes": [volume]})["id"]
        hub.wait_for_job(id, "Running")
        kernel = hub.json("POST", f"/notebooks/{id}/api/kernels", {"name": "python3", "path": "first.ipynb"})["id"]
        hub.kill()
        hub.restart()
        address = f"{hub.url.replace('http', 'ws')}/notebooks/{id}/api/kernels/{kernel}/channels"
        headers = {"Authorization": f"Bearer {hub.token}"}
        with connect(address, additional_headers=headers, max_size=None) as opened:
            logs, files, transport, mounted, data = run_code(opened, TELL).split()
        hub.json("DELETE", f"/api/v1/jobs/{id}")
        hub.wait_for_job(id, "Deleted")

        assert files == str(storage / "notebooks" / "lab")
        assert (logs, pathlib.Path(logs).is_dir()) == (f"{files}/logs", True)
        assert transport == ("ipc" if isolation == "kernel" else "tcp")
        assert (mounted, data) == ("/notebooks" if isolation == "kernel" else str(storage / "mnist"), "seven")


def write_file(path: pathlib.Path, text: str) -> None:
    """A file in a folder that may not exist."""
    path.parent.mkdir(parents=True)
    path.write_text(text)


TELL = """
import os, pathlib
from ipykernel.connect import get_connection_info
print(os.environ["PAI_OUTPUT_TENSORBOARD"], pathlib.Path().resolve(), get_connection_info(unpack=True)["transport"])
print(os.environ["LIGHTBOARD_VOLUME_1"], pathlib.Path(os.environ["LIGHTBOARD_VOLUME_1"], "first").read_text())
"""

SHOW_BOARD = """
%load_ext tensorboard
%tensorboard --logdir . --port 0
from lightboard.notebook.board_record import records_folder, running_boards
from lightboard.notebook.proxy import find_proxy
[board] = running_boards(records_folder())
print(find_proxy().page(board.address.port, board.address.prefix))
"""
