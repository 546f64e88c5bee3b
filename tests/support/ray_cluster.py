"""A real Ray cluster of this machine, from an environment of its own (`.venv-ray`), with a token."""

import contextlib
import os
import secrets
import signal
import socket
import subprocess
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Self

import pytest

from lightboard.hub.runners import process_tree
from support.ports import free_ports

ENVIRONMENT = Path(__file__).parents[2] / ".venv-ray"
TIMEOUT_SECS = 240.0
STARTS = 5
"""Ray gives up if its own processes take half a minute to start, as on a busy machine."""
STARTED = "Ray runtime started"
STEP_SECS = 0.2
OBJECT_STORE_BYTES = 100_000_000


class RayTestCluster:
    """A head and `workers` other nodes, each with `cpus`. Its dashboard is at `url`. Use as a context manager."""

    def __init__(self, workers: int = 0, cpus: int = 4) -> None:
        if not (ENVIRONMENT / "bin" / "ray").exists():
            pytest.skip("no Ray here: sh scripts/setup_ray.sh makes .venv-ray")
        self.token = secrets.token_urlsafe(32)
        self._cpus = cpus
        self._ports = tuple(free_ports(3))
        self._folder = tempfile.TemporaryDirectory(prefix="ray-", dir="/tmp", ignore_cleanup_errors=True)
        self.nodes: list[subprocess.Popen[bytes]] = []
        try:
            self._repeat(self._start_head)
            for _ in range(workers):
                self.add_node()
        except BaseException:
            self.close()
            raise

    def add_node(self) -> None:
        """Starts another node, and waits until it is one."""
        self._repeat(lambda: self._start(f"--address=127.0.0.1:{self._address}"))

    def kill_node(self, number: int) -> None:
        """Kills all processes of a node: 0 is the head."""
        kill_all(self.nodes[number])

    def renew_token(self) -> None:
        """Starts the head again, at the same address, with a new token: the old one has expired."""
        self.close_nodes()
        self.token = secrets.token_urlsafe(32)
        self._repeat(self._start_head)

    def read(self, path: str) -> str:
        """What its dashboard says."""
        with urllib.request.urlopen(self._request(path), timeout=TIMEOUT_SECS) as response:
            return str(response.read(), "utf-8")

    def close(self) -> None:
        """Kills all nodes."""
        self.close_nodes()
        self._folder.cleanup()

    def close_nodes(self) -> None:
        """Kills all nodes, of which others may follow."""
        while self.nodes:
            kill_all(self.nodes.pop())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # Inside

    def _repeat(self, start: Callable[[], bool]) -> None:
        """Starts a node, again if it gives up."""
        starts = 1
        while not start():
            log = self._log(len(self.nodes) - 1)
            kill_all(self.nodes.pop())
            assert starts < STARTS, log.read_text()[-2000:]
            starts += 1

    def _start_head(self) -> bool:
        """Starts the first node, and waits until jobs can be submitted; whether it has started."""
        self._address, dashboard, client = self._ports
        self.url = f"http://127.0.0.1:{dashboard}"
        started = self._start(
            "--head", f"--port={self._address}", "--dashboard-host=127.0.0.1", f"--dashboard-port={dashboard}",
            f"--temp-dir={self._folder.name}", f"--ray-client-server-port={client}", "--include-dashboard=true",
        )  # fmt: skip
        return started and self._wait()

    def _log(self, number: int) -> Path:
        return Path(self._folder.name, f"node-{number}.log")

    def _start(self, *options: str) -> bool:
        """Starts a node; whether it says that it has started."""
        environment = {
            **{name: os.environ[name] for name in ("HOME", "LANG") if name in os.environ},
            "PATH": f"{ENVIRONMENT / 'bin'}:{os.environ['PATH']}",
            "RAY_AUTH_MODE": "token",
            "RAY_AUTH_TOKEN": self.token,
        }
        log = self._log(len(self.nodes))
        with log.open("wb") as opened:
            node = subprocess.Popen(
                [
                    ENVIRONMENT / "bin" / "ray", "start", "--block", *options, "--node-ip-address=127.0.0.1",
                    f"--num-cpus={self._cpus}", f"--object-store-memory={OBJECT_STORE_BYTES}", "--disable-usage-stats",
                    f"--dashboard-agent-listen-port={free_ports(1)[0]}",  # of all nodes the same, unless it is given
                ],
                stdin=subprocess.DEVNULL, stdout=opened, stderr=opened, env=environment, start_new_session=True,
            )  # fmt: skip
        self.nodes.append(node)
        while STARTED not in log.read_text(errors="replace"):
            if node.poll() is not None:
                return False
            time.sleep(STEP_SECS)
        return True

    def _request(self, path: str, body: bytes | None = None) -> urllib.request.Request:
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        return urllib.request.Request(f"{self.url}{path}", body, headers)

    def _wait(self) -> bool:
        """Whether jobs can be submitted, once that is so; False if the head has ended before."""
        deadline = time.monotonic() + TIMEOUT_SECS
        while self.nodes[0].poll() is None:
            with contextlib.suppress(urllib.error.URLError, socket.timeout, ConnectionError):
                urllib.request.urlopen(self._request("/api/jobs/", b'{"entrypoint": "true"}'), timeout=30).close()
                return True
            assert time.monotonic() < deadline, self._log(0).read_text()[-2000:]
            time.sleep(STEP_SECS)
        return False


def kill_all(node: "subprocess.Popen[bytes]") -> None:
    """Kills a node with the processes that it has started."""
    while processes := process_tree.descendants(node.pid):
        process_tree.kill([each.pid for each in processes])
        time.sleep(STEP_SECS / 10)
    with contextlib.suppress(ProcessLookupError):
        os.kill(node.pid, signal.SIGKILL)
    node.wait()
