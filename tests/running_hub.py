"""A real `lightboard hub` process, and what tests ask of it. For tests of pages, SDK and command line as well."""

import os
import pathlib
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Self, TypeVar

import httpx

from running import PATIENCE_SECS, heed_signals

ADDRESS = re.compile(r"Lightboard hub \S+ at (http://\S+)/ \(Ctrl\+C to quit\)")
TOKEN = "the-token-of-the-first-start"
PASSWORD = "correct horse battery"
T = TypeVar("T")


class RunningHub:
    """Started at once, with an account `admin` that has `token`. Use as a context manager.

    `home` keeps what the hub keeps; `database` "" is SQLite in it. `roots` are folders below which logs may lie.
    `bootstrap` False starts as a person would: the link for the first account is `setup_link`. What it says comes into
    `lines`, while it starts as well.
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
    ) -> None:
        self.home = home
        self.token = TOKEN
        self.lines: list[str] = [] if lines is None else lines
        self._permits = False
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
        self.process = subprocess.Popen(
            [sys.executable, "-m", "lightboard", "hub", "--port", port, *self._words],
            stderr=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            text=True,
            env={**os.environ, **self._env},
            preexec_fn=heed_signals,
        )
        self._reader = threading.Thread(target=self._read, args=(self.process,), daemon=True)
        self._reader.start()
        self._announced.wait(PATIENCE_SECS)
        if not self._answers:
            self.process.kill()
            self.process.wait(PATIENCE_SECS)
            self._reader.join(PATIENCE_SECS)
            raise RuntimeError("no address was announced:\n" + "\n".join(self.lines))
        self.http = httpx.Client(base_url=self.url, timeout=PATIENCE_SECS, trust_env=False)

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
        """The port it listens at, the same after `restart`."""
        return httpx.URL(self.url).port or 80

    @property
    def setup_link(self) -> str:
        """The link of the first start, whole."""
        return until(
            lambda: next((line.rpartition(" ")[2] for line in self.lines if "/setup#key=" in line), ""),
            bool,
            "the link",
        )

    def kill(self) -> None:
        """`kill -9`."""
        self.http.close()
        self.process.kill()
        self.process.wait(PATIENCE_SECS)
        self._reader.join(PATIENCE_SECS)

    def end(self, how: signal.Signals = signal.SIGTERM) -> int:
        """A polite end; its exit code."""
        self.http.close()
        self.process.send_signal(how)
        code = self.process.wait(PATIENCE_SECS)
        self._reader.join(PATIENCE_SECS)
        return code

    def restart(self) -> None:
        """Starts it again at the same address, over the same data; ends it before if it runs."""
        if self.process.poll() is None:
            self.end()
        self._start(str(self.port))

    def close(self) -> None:
        """Ends it, if it has not ended."""
        if self.process.poll() is None:
            self.end()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # Asking

    def ask(self, method: str, path: str, body: Any = None, token: str | None = None, **options: Any) -> httpx.Response:
        """An answer to who has `token`: the administrator's unless said, "" is nobody. Redirects are not followed."""
        chosen = self.token if token is None else token
        headers = {"Authorization": f"Bearer {chosen}"} if chosen else {}
        headers |= options.pop("headers", {})
        return self.http.request(method, path, json=body, headers=headers, **options)

    def json(self, method: str, path: str, body: Any = None, token: str | None = None) -> Any:
        """The JSON of an answer that must be well."""
        answer = self.ask(method, path, body, token)
        assert answer.is_success, answer.text
        return answer.json() if answer.content else None

    def person(self, name: str, role: str = "", project: str = "default", *, password: str = "", **fields: Any) -> str:
        """A new account, with a role in a project unless that is ""; a token of it with every scope.

        From then on the hub permits everything to every account: tests of permissions make exceptions.
        """
        if not self._permits:
            everything = {item["name"]: True for item in self.json("GET", "/api/v1/permissions")["items"]}
            self.json("PATCH", "/api/v1/permissions", {"permissions": everything})
            self._permits = True
        secret = password or PASSWORD
        self.json("POST", "/api/v1/accounts", {"name": name, "password": secret, **fields})
        if role:
            self.json("PUT", f"/api/v1/projects/{project}/members", {"account": name, "role": role})
        with httpx.Client(base_url=self.url, timeout=PATIENCE_SECS, trust_env=False) as browser:
            me = browser.post("/api/v1/login", json={"name": name, "password": secret}).raise_for_status().json()
            wanted = {"name": "tests", "scopes": ["read", "write", "admin"]}
            made = browser.post("/api/v1/tokens", json=wanted, headers={"X-CSRF-Token": me["csrf"]})
            return str(made.raise_for_status().json()["secret"])

    def board(self, uri: str | pathlib.Path, token: str | None = None, **fields: Any) -> dict[str, Any]:
        """A new TensorBoard over one place, once it is Running."""
        body = {"sources": [{"uri": str(uri)}], **fields}
        made = self.json("POST", "/api/v1/tensorboards", body, token)
        return self.becomes(made["id"], "Running", token)

    def becomes(self, id: str, status: str, token: str | None = None) -> dict[str, Any]:
        """A TensorBoard once it has a status."""
        look: Callable[[], dict[str, Any]] = lambda: self.json("GET", f"/api/v1/tensorboards/{id}", token=token)  # noqa: E731
        return until(look, lambda told: told["status"] == status, f"{id} to be {status}")

    def workers(self) -> list[int]:
        """The process ids of its workers."""
        folder = pathlib.Path(f"/proc/{self.process.pid}/task")
        return [int(pid) for each in folder.glob("*/children") for pid in each.read_text().split()]


def until(look: Callable[[], T], fits: Callable[[T], object], what: str) -> T:
    """What `look` gives as soon as it fits. Fails when that does not come."""
    end, pause = time.monotonic() + PATIENCE_SECS, threading.Event()
    while True:
        found = look()
        if fits(found):
            return found
        assert time.monotonic() < end, f"waited for {what}; last seen: {found}"
        pause.wait(0.05)
