"""Processes of the fork server are as those that are started."""

import os
import pathlib
import signal
import subprocess
import urllib.request
from collections.abc import Iterator

import pytest

from support.board_process import ADDRESS, TIMEOUT_SECS
from support.fork_server import LightboardPopen, run_lightboard

pytestmark = pytest.mark.skipif(not pathlib.Path("/proc/self/status").exists(), reason="only Linux has /proc")
OF_THE_START = ("PPid", "Umask", "NSpgid", "NSsid", "SigBlk", "SigIgn", "SigCgt", "Uid", "Gid", "NoNewPrivs")


@pytest.fixture
def masked() -> Iterator[None]:
    """With an umask of its own."""
    before = os.umask(0o27)
    yield
    os.umask(before)


@pytest.mark.usefixtures("masked")
def test_the_kernel_sees_no_difference(tmp_path: pathlib.Path) -> None:
    """Parent, group, session, signals, umask, folder, streams, and the exit code."""

    def seen(*, fork: bool) -> dict[str, str]:
        words = ["--logdir", str(tmp_path), "--port", "0"]
        with LightboardPopen(
            words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, cwd=tmp_path, fork=fork
        ) as board:
            assert board.stderr
            found = next(filter(None, (ADDRESS.fullmatch(line.rstrip("\n")) for line in board.stderr)))
            with urllib.request.urlopen(f"http://{found[1]}:{found[2]}/") as answer:  # it is in its loop
                answer.read()
            folder = pathlib.Path(f"/proc/{board.pid}")
            status = dict(line.split(":\t", 1) for line in (folder / "status").read_text().splitlines())
            told = {name: status[name] for name in OF_THE_START}
            told |= {
                name: str(os.readlink(folder / name)).partition(":")[0] for name in ("cwd", "fd/0", "fd/1", "fd/2")
            }
            board.send_signal(signal.SIGINT)
            return {**told, "code": str(board.wait(TIMEOUT_SECS))}

    assert seen(fork=True) == seen(fork=False)


@pytest.mark.parametrize("fork", [True, False])
def test_commands_say_the_same(tmp_path: pathlib.Path, fork: bool) -> None:
    """On both streams, with the exit code; variables are those that were given."""
    env = {**os.environ, "LIGHTBOARD_HOME": str(tmp_path), "LIGHTBOARD_URL": "nonsense"}
    done = run_lightboard(["whoami"], TIMEOUT_SECS, env=env, fork=fork)
    said = run_lightboard(["--version"], TIMEOUT_SECS, fork=fork)

    assert (done.returncode, done.stdout) == (2, "")
    assert "nonsense" in done.stderr
    assert (said.returncode, said.stdout.count("\n")) == (0, 1)


def test_a_signal_is_told_as_the_exit_code(tmp_path: pathlib.Path) -> None:
    """As of any child process."""
    with LightboardPopen(["--logdir", str(tmp_path), "--port", "0"], stderr=subprocess.DEVNULL) as board:
        board.kill()

    assert board.returncode == -signal.SIGKILL
