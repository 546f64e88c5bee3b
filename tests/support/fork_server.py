"""Starts `lightboard` without loading it each time: forked from a process that has loaded it.

A hub takes more than a second of processor time to load, and tests start hundreds. What a test sees is as if it had
run `python -m lightboard`: the process is its child, with arguments, variables, folder, streams, session and signals of
its own. Only what the kernel keeps of a start, `cmdline` and `environ` in /proc, is that of the fork server: tests of
these, and tests of the start itself, use `subprocess`.
"""

import atexit
import contextlib
import ctypes
import gc
import importlib
import json
import os
import pathlib
import pkgutil
import runpy
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Mapping, Sequence
from typing import Any

LOADED = (
    *("lightboard.board.serve", "lightboard.cli", "lightboard.client", "lightboard.hub.serve"),
    *("anyio.streams.tls", "uvloop", "websockets.server"),
)
"""What the fork server loads: modules, and all modules of packages."""
OF_THE_START = ("PYTHON", "LC_", "LANG", "LD_", "GLIBC_", "MALLOC_", "LIGHTBOARD_NATIVE")
"""Variables that are read before the fork: by the interpreter, or while modules are loaded."""
MAX_MESSAGE_BYTES = 1 << 17
PR_SET_CHILD_SUBREAPER = 36
THREADS = "/proc/self/task"


def restore_default_signals() -> None:
    """Undo ignored signals that nohup or a background shell pass on."""
    for each in (signal.SIGINT, signal.SIGHUP):
        signal.signal(each, signal.SIG_DFL)


class LightboardPopen(subprocess.Popen[str]):
    """`Popen([sys.executable, "-m", "lightboard", *words], text=True, …)`, forked where that is the same.

    It is not where variables differ that are read before the fork, and where there is no Linux.
    """

    def __init__(
        self,
        words: Sequence[str],
        *,
        stdin: int | None = None,
        stdout: int | None = None,
        stderr: int | None = None,
        env: Mapping[str, str] | None = None,
        cwd: pathlib.Path | None = None,
        fork: bool = True,
    ) -> None:
        same = env is None or of_start(env) == of_start(os.environ)
        self._forked = fork and same and sys.platform == "linux"
        super().__init__(
            [sys.executable, "-m", "lightboard", *words],
            stdin=stdin,
            stdout=stdout,
            stderr=stderr,
            text=True,
            env=env,
            cwd=cwd,
            preexec_fn=restore_default_signals,
        )

    def _execute_child(self, args: Any, *rest: Any) -> None:
        """What `Popen` calls when it has opened the streams: `rest[9:15]` are both ends of each, or -1."""
        if not self._forked:
            super()._execute_child(args, *rest)  # type: ignore[misc]  # not in its stubs
            return
        cwd, env, pipes = rest[4], rest[5], rest[9:15]
        request: dict[str, Any] = {"words": args[3:], "cwd": str(pathlib.Path.cwd() if cwd is None else cwd)}
        request |= {"env": dict(os.environ if env is None else env), "umask": own_umask()}
        given = (pipes[0], pipes[3], pipes[5])
        self.pid = SERVER.fork(request, [own if fd == -1 else fd for own, fd in enumerate(given)])
        self._child_created = True
        self._close_pipe_fds(*pipes)  # type: ignore[attr-defined]  # not in its stubs


def child_pids() -> set[int]:
    """Process ids of all children of this process; empty where the system does not tell."""
    pids: set[int] = set()
    try:
        threads = os.listdir(THREADS)  # called for each test, so without pathlib
    except FileNotFoundError:
        return pids
    for thread in threads:
        # The thread may have ended meanwhile.
        with contextlib.suppress(OSError), open(f"{THREADS}/{thread}/children", "rb") as file:
            pids.update(map(int, file.read().split()))
    return pids


def own_umask() -> int:
    """That of this process, unchanged by reading it."""
    status = pathlib.Path("/proc/self/status").read_text()
    return int(next(line for line in status.splitlines() if line.startswith("Umask:")).split()[1], 8)


def of_start(env: Mapping[str, str]) -> dict[str, str]:
    """What an environment tells a process that starts."""
    return {name: value for name, value in env.items() if name.startswith(OF_THE_START)}


def run_lightboard(
    words: Sequence[str], timeout: float, *, typed: str | None = None, **options: Any
) -> "subprocess.CompletedProcess[str]":
    """Run it to its end: what it prints, once it has been sent what is typed. Raises TimeoutExpired.

    The options are those of `LightboardPopen`.
    """
    stdin = None if typed is None else subprocess.PIPE
    with LightboardPopen(words, stdin=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options) as process:
        try:
            out, err = process.communicate(typed, timeout)
        except BaseException:
            process.kill()
            raise
        return subprocess.CompletedProcess(process.args, process.returncode, out, err)


class ForkServer:
    """One for each process that runs tests, started when it is first needed; it ends with that process."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self.strangers: set[int] = set()
        """Processes of others, such as supervisors, that lost their parents while this one adopted what it forks."""

    @property
    def pid(self) -> int | None:
        """Its process id once it runs."""
        return self._process.pid if self._process else None

    def fork(self, request: Mapping[str, Any], streams: Sequence[int]) -> int:
        """A new child process of this one, with these file descriptors as its streams; its process id."""
        with self._lock:
            if self._process is None:
                self._start()
            adopt = ctypes.CDLL(None).prctl
            before = child_pids()
            adopt(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)  # the parent of what it forks ends at once
            try:
                socket.send_fds(self._socket, [json.dumps(request).encode()], streams)
                pid = int(self._socket.recv(100))
            finally:
                adopt(PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0)
            self.strangers |= child_pids() - before - {pid}
            return pid

    def _start(self) -> None:
        self._socket, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, __file__, str(theirs.fileno())],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                pass_fds=[theirs.fileno()],
                cwd="/",
            )
        atexit.register(self._end)

    def _end(self) -> None:
        assert self._process
        self._process.kill()
        self._process.wait()
        self._socket.close()


SERVER = ForkServer()


def load() -> None:
    """Import what commands of `lightboard` import, and make what is made once for each process; start no thread."""
    os.environ["OPENBLAS_NUM_THREADS"] = "1"
    for name in LOADED:
        module = importlib.import_module(name)
        for each in pkgutil.iter_modules(getattr(module, "__path__", ()), f"{name}."):
            importlib.import_module(each.name)
    importlib.import_module("lightboard.hub.api.app").create_api()  # all hubs of a process share it
    importlib.import_module("sqlalchemy.orm").configure_mappers()
    gc.collect()
    gc.freeze()  # or each child would copy what its collector touches


def serve(requests: socket.socket) -> dict[str, Any]:
    """Fork a process for each request; returns only in these, the request."""
    while True:
        message, streams, _, _ = socket.recv_fds(requests, MAX_MESSAGE_BYTES, 3)
        if not message:
            os._exit(0)  # whoever started it has ended
        read_end, write_end = os.pipe()
        parent = os.fork()
        if parent == 0:
            if child := os.fork():
                os.write(write_end, str(child).encode())
                os._exit(0)
            for number, stream in enumerate(streams):
                os.dup2(stream, number)
            os.closerange(3, 1 << 16)
            requests.detach()
            return dict(json.loads(message))
        os.waitpid(parent, 0)
        requests.send(os.read(read_end, 100))
        for each in (read_end, write_end, *streams):
            os.close(each)


def become(request: Mapping[str, Any]) -> None:
    """Make this process one that was started so."""
    os.chdir(request["cwd"])
    os.umask(request["umask"])
    os.environ.clear()
    os.environ.update(request["env"])
    time.tzset()
    tempfile.tempdir = None
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    sys.path.insert(0, request["cwd"])
    sys.argv[1:] = request["words"]
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(AttributeError):
            stream.reconfigure(line_buffering=stream is sys.stderr or stream.isatty())  # type: ignore[union-attr]


def run() -> None:
    """`python -m lightboard`, and its end without taking the interpreter apart, which is a third of what is left."""
    try:
        runpy.run_module("lightboard", run_name="__main__", alter_sys=True)
    except SystemExit as end:
        if not isinstance(end.code, int):
            raise
        threading._shutdown()  # type: ignore[attr-defined]  # waits for threads
        atexit._run_exitfuncs()
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
        os._exit(end.code)


if __name__ == "__main__":
    for each in (signal.SIGINT, signal.SIGHUP):
        signal.signal(each, signal.SIG_IGN)  # meant for what it has forked
    del sys.path[0]
    load()
    become(serve(socket.socket(fileno=int(sys.argv[1]))))
    run()
