"""A real `lightboard hub` process, and requests to it."""

import os
import pathlib
import re
import secrets
import signal
import ssl
import subprocess
import threading
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from operator import not_
from typing import Any, Self, TypeVar

import httpx
from argon2 import PasswordHasher

from lightboard.hub.access import HUB
from lightboard.hub.api.signed_tokens import digest_of
from lightboard.hub.db import accounts, tokens
from lightboard.hub.db.engine import open_database
from lightboard.hub.resources.roles import Scope
from lightboard.hub.resources.tokens import Token
from support.board_process import TIMEOUT_SECS
from support.fork_server import LightboardPopen, run_lightboard

ADDRESS = re.compile(r"Lightboard hub \S+ at (http://\S+)/ \(Ctrl\+C to quit\)")
TOKEN = "the-token-of-the-first-start"
PASSWORD = "correct horse battery"
FAST_HASHER = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
"""Its hashes have their cost in them: whoever checks one pays no more."""
T = TypeVar("T")


class HubProcess:
    """Started at once, with an account `admin` that has `token`. A context manager.

    `home` is the data directory; an empty `database` is SQLite in it; `roots` are folders that may be shown. Without
    `bootstrap` there is no account, and `setup_link` creates the first one. `lines` collects the output. Without
    `fork` it is not started from the fork server: for tests of what the kernel keeps of a start, and of ends.
    """

    def __init__(
        self,
        home: pathlib.Path,
        *words: str,
        roots: Sequence[pathlib.Path] = (),
        database: str = "",
        env: Mapping[str, str] | None = None,
        bootstrap: bool = True,
        lines: list[str] | None = None,
        fork: bool = True,
    ) -> None:
        self.home = home
        self.database = database
        self.token = TOKEN
        self.lines: list[str] = [] if lines is None else lines
        self._permits = False
        self._fork = fork
        self._words = [*words, *(word for root in roots for word in ("--allow-root", str(root)))]
        self._words += ["--database", database] if database else []
        self._env = {"LIGHTBOARD_BOOTSTRAP_TOKEN": TOKEN} if bootstrap else {}
        self._env |= {"LIGHTBOARD_HOME": str(home), **(env or {})}
        self._announced = threading.Event()
        self.url = ""
        self._start("0")

    def _start(self, port: str) -> None:
        self._announced.clear()
        self._answers = False
        self.process = self._open(["hub", "--port", port, *self._words], {**os.environ, **self._env})
        self._reader = threading.Thread(target=self._read, args=(self.process,), daemon=True)
        self._reader.start()
        self._announced.wait(TIMEOUT_SECS)
        if not self._answers:
            self.process.kill()
            self.process.wait(TIMEOUT_SECS)
            self._reader.join(TIMEOUT_SECS)
            raise RuntimeError("no address was announced:\n" + "\n".join(self.lines))
        self.http = plain_client(self.url)

    def _open(self, words: list[str], env: dict[str, str]) -> "subprocess.Popen[str]":
        return LightboardPopen(words, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, env=env, fork=self._fork)

    def _read(self, process: "subprocess.Popen[str]") -> None:
        assert process.stderr
        for line in process.stderr:
            self.lines.append(line.rstrip("\n"))
            if found := ADDRESS.fullmatch(self.lines[-1]):
                self.url, self._answers = found[1], True
                self._announced.set()
        process.stderr.close()
        self._announced.set()

    @property
    def port(self) -> int:
        """The port it listens on, the same after `restart`."""
        return httpx.URL(self.url).port or 80

    @property
    def setup_link(self) -> str:
        """The link for the first account."""
        return wait_for(
            lambda: next((line.rpartition(" ")[2] for line in self.lines if "/setup#key=" in line), ""),
            bool,
            "the link",
        )

    def kill(self) -> None:
        """Send SIGKILL."""
        self.http.close()
        self.process.kill()
        self.process.wait(TIMEOUT_SECS)
        self._reader.join(TIMEOUT_SECS)

    def end(self, how: signal.Signals = signal.SIGTERM) -> int:
        """Stop it with a signal; the exit code."""
        self.http.close()
        self.process.send_signal(how)
        code = self.process.wait(TIMEOUT_SECS)
        self._reader.join(TIMEOUT_SECS)
        return code

    def restart(self) -> None:
        """Start it again at the same port over the same data, after stopping it if it runs."""
        if self.process.poll() is None:
            self.end()
        self._start(str(self.port))

    def close(self) -> None:
        """Stop it if it runs."""
        if self.process.poll() is None:
            self.end()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # Asking

    def request(
        self, method: str, path: str, body: Any = None, token: str | None = None, **options: Any
    ) -> httpx.Response:
        """Send a request with a token: the administrator's by default, none for "". Redirects are not followed."""
        chosen = self.token if token is None else token
        headers = {"Authorization": f"Bearer {chosen}"} if chosen else {}
        headers |= options.pop("headers", {})
        return self.http.request(method, path, json=body, headers=headers, **options)

    def json(self, method: str, path: str, body: Any = None, token: str | None = None) -> Any:
        """The JSON of a response that must succeed."""
        answer = self.request(method, path, body, token)
        assert answer.is_success, answer.text
        return answer.json() if answer.content else None

    def create_account(
        self, name: str, role: str = "", project: str = "default", *, password: str = "", **fields: Any
    ) -> str:
        """A new account, with a role in a project unless that is ""; a token of it with every scope.

        From then on the hub permits everything to every account: tests of permissions make exceptions. Password and
        token are written to the database, the password with a hash that costs nothing to check.
        """
        if not self._permits:
            everything = {item["name"]: True for item in self.json("GET", "/api/v1/permissions")["items"]}
            self.json("PATCH", "/api/v1/permissions", {"permissions": everything})
            self._permits = True
        id = self.json("POST", "/api/v1/accounts", {"name": name, **fields})["id"]
        if role:
            self.json("PUT", f"/api/v1/projects/{project}/members", {"account": name, "role": role})
        secret, now = secrets.token_urlsafe(32), time.time()
        new = Token(id="", account="", name="tests", digest=digest_of(secret), shown="", scopes=frozenset(Scope))
        database = open_database(self.database or f"sqlite:///{self.home / 'hub' / 'hub.sqlite3'}")
        try:
            with database.write() as session:
                hashed = FAST_HASHER.hash(password or PASSWORD)
                account = accounts.change(session, HUB, id, {"password_hash": hashed}, now)
                tokens.create(session, accounts.principal_of(session, account), new, now)
        finally:
            database.close()
        return secret

    def create_board(self, uri: str | pathlib.Path, token: str | None = None, **fields: Any) -> dict[str, Any]:
        """A new TensorBoard over one source, once it is running."""
        body = {"sources": [{"uri": str(uri)}], **fields}
        made = self.json("POST", "/api/v1/tensorboards", body, token)
        return self.wait_for_status(made["id"], "Running", token)

    def wait_for_status(self, id: str, status: str, token: str | None = None) -> dict[str, Any]:
        """A TensorBoard once it has a status."""
        look: Callable[[], dict[str, Any]] = lambda: self.json("GET", f"/api/v1/tensorboards/{id}", token=token)  # noqa: E731
        return wait_for(look, lambda told: told["status"] == status, f"{id} to be {status}")

    def wait_for_job(
        self, id: str, status: str, token: str | None = None, timeout_secs: float = TIMEOUT_SECS
    ) -> dict[str, Any]:
        """A job once it has a status."""
        look: Callable[[], dict[str, Any]] = lambda: self.json("GET", f"/api/v1/jobs/{id}", token=token)  # noqa: E731
        return wait_for(look, lambda told: told["status"] == status, f"{id} to be {status}", timeout_secs)

    def delete_all_but(self, kept: Collection[str]) -> None:
        """Deletes TensorBoards, jobs and notebooks. Names of jobs can be given again at once."""
        for kind in ("tensorboards", "jobs", "jobs?kind=notebook"):
            for made in self._all_but(kept, kind):
                if made["status"] != "Deleting":
                    self.json("DELETE", f"/api/v1/{kind.partition('?')[0]}/{made['id']}")
        for kind in ("jobs", "jobs?kind=notebook"):
            wait_for(partial(self._all_but, kept, kind), not_, f"{kind} to be deleted")

    def _all_but(self, kept: Collection[str], kind: str) -> list[dict[str, Any]]:
        return [made for made in self.json("GET", f"/api/v1/{kind}")["items"] if made["id"] not in kept]

    def worker_pids(self) -> list[int]:
        """Process ids of its workers."""
        folder = pathlib.Path(f"/proc/{self.process.pid}/task")
        return [int(pid) for each in folder.glob("*/children") for pid in each.read_text().split()]


def refused_starts(home: pathlib.Path, *starts: Sequence[str]) -> list[tuple[int, str]]:
    """The exit code and the first line of starts of a hub that is not to start, with these flags."""
    told = []
    for number, words in enumerate(starts):
        done = run_lightboard(["hub", "--home", str(home / str(number)), "--port", "0", *words], TIMEOUT_SECS)
        told.append((done.returncode, done.stderr.partition("\n")[0]))
    return told


def plain_client(url: str) -> httpx.Client:
    """A client without certificates, which take a while to load."""
    return httpx.Client(
        base_url=url, timeout=TIMEOUT_SECS, trust_env=False, verify=ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    )


def wait_for(look: Callable[[], T], fits: Callable[[T], object], what: str, timeout_secs: float = TIMEOUT_SECS) -> T:
    """The result of `look` once `fits` accepts it. Fails after a timeout."""
    end, pause = time.monotonic() + timeout_secs, threading.Event()
    while True:
        found = look()
        if fits(found):
            return found
        assert time.monotonic() < end, f"waited for {what}; last seen: {found}"
        pause.wait(0.05)
