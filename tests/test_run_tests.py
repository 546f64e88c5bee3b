"""What `scripts/run_tests.py` says of tests that fail, once or always, leave something behind, or never end."""

import os
import pathlib
import signal
import subprocess
import sys

import pytest

from lightboard.hub.runners import process_tree
from support.hub_process import wait_for

ROOT = pathlib.Path(__file__).resolve().parents[1]
WITHOUT = ("anyio", "hypothesispytest", "platformdirs", "randomly")
"""Plugins of pytest that these tests do not use. To load them takes half of the time in which pytest starts."""
SETTINGS = f"[pytest]\naddopts = -q {' '.join(f'-p no:{name}' for name in WITHOUT)}\npythonpath = {ROOT / 'tests'}\n"
PLUGINS = """
import pytest
from support import journal, leftovers

@pytest.hookimpl(trylast=True)
def pytest_configure(config):
    config.pluginmanager.register(leftovers.LeftoverCheck(), "leftovers")
    journal.register(config)
"""
ONCE = """
import pathlib
def test_{name}():
    mark = pathlib.Path(__file__).with_suffix(".{name}")
    seen = mark.exists()
    mark.touch()
    assert seen, "the first try"
"""


@pytest.fixture
def folder(tmp_path: pathlib.Path) -> pathlib.Path:
    """Tests of their own, with the plugins of this suite."""
    (tmp_path / "pytest.ini").write_text(SETTINGS)
    (tmp_path / "conftest.py").write_text(PLUGINS)
    return tmp_path


def run(folder: pathlib.Path, source: str, *, workers: int = 0, **env: str) -> "subprocess.CompletedProcess[str]":
    """Run the tests in the source."""
    words = command(folder, source, workers)
    return subprocess.run(words, capture_output=True, text=True, cwd=folder, env={**os.environ, **env})


def command(folder: pathlib.Path, source: str, workers: int = 0) -> list[str]:
    """What runs the tests in the source."""
    (folder / "test_it.py").write_text(source)
    return [sys.executable, str(ROOT / "scripts/run_tests.py"), "test_it.py", "-n", str(workers)]


def told(run: "subprocess.CompletedProcess[str]") -> list[str]:
    """The closing lines without the time."""
    return [line.partition(" in ")[0] for line in run.stdout.rpartition("slowest:")[2].splitlines() if line[:2].strip()]


def test_what_passes_at_the_second_try_is_flaky(folder: pathlib.Path) -> None:
    """Listed, and green."""
    done = run(folder, ONCE.format(name="a") + "def test_b():\n    pass\n")

    assert (done.returncode, told(done)) == (0, ["flaky: test_it.py::test_a", "2 passed, 1 flaky"])


def test_four_flaky_tests_are_too_many(folder: pathlib.Path) -> None:
    """Three are not."""
    names = "abcd"
    done = run(folder, "".join(ONCE.format(name=name) for name in names))

    flaky = [f"flaky: test_it.py::test_{name}" for name in names]
    assert (done.returncode, sorted(told(done))) == (1, ["4 passed, 4 flaky", *flaky])


def test_what_fails_twice_is_red(folder: pathlib.Path) -> None:
    """With its cause at once, before the others have run."""
    done = run(folder, "def test_a():\n    assert 1 == 2, 'never'\ndef test_b():\n    pass\n")

    assert done.returncode == 1
    assert told(done) == ["FAILED test_it.py::test_a", "1 failed, 1 passed"]
    first = next(line for line in done.stdout.splitlines() if "FAILED" in line)
    assert first == "FAILED test_it.py::test_a - AssertionError: never"


def test_a_test_that_takes_its_process_down_has_failed(folder: pathlib.Path) -> None:
    """The others still run."""
    done = run(folder, "import os\ndef test_a():\n    os._exit(3)\ndef test_b():\n    pass\n", workers=1)

    assert (done.returncode, told(done)) == (1, ["FAILED test_it.py::test_a", "1 failed, 1 passed"])


def test_a_test_that_hangs_fails_and_shows_where(folder: pathlib.Path) -> None:
    """After its own limit."""
    source = "import threading\ndef test_a():\n    threading.Event().wait()\n"
    (folder / "pytest.ini").write_text(f"{SETTINGS}timeout = 1\n")
    done = run(folder, source)

    assert (done.returncode, told(done)) == (1, ["FAILED test_it.py::test_a", "1 failed"])
    assert "Failed: Timeout (>1.0s)" in done.stdout
    assert "waiter.acquire()" in done.stdout


def test_the_run_ends_by_itself_and_names_what_had_not_finished(folder: pathlib.Path) -> None:
    """After the limit for everything."""
    source = "import threading\ndef test_a():\n    pass\ndef test_b():\n    threading.Event().wait()\n"
    done = run(folder, source, LIGHTBOARD_TEST_LIMIT_SECS="20")

    assert done.returncode == 1
    assert done.stdout.splitlines()[-2:] == ["ended after 0 minutes; not finished:", "FAILED test_it.py::test_b"]


def test_a_process_left_behind_is_told_and_ended(folder: pathlib.Path) -> None:
    """One that has left its parent, too."""
    source = (
        "import subprocess, sys\n"
        "def test_a():\n"
        "    subprocess.run(['sh', '-c', 'setsid sleep 1000 > /dev/null 2>&1 &'])\n"
    )
    done = run(folder, source)

    assert done.returncode == 1
    [left, passed] = told(done)
    assert (left.partition(": ")[0], left.rpartition(": ")[2], passed) == ("left behind", "sleep 1000", "1 passed")


def test_asked_to_end_it_ends_what_it_has_started(folder: pathlib.Path) -> None:
    """Processes with a session of their own, too."""
    source = (
        "import pathlib, subprocess, sys\n"
        "def test_a():\n"
        "    cat = subprocess.Popen('cat', stdin=subprocess.PIPE, start_new_session=True)\n"
        "    pathlib.Path('partial').write_text(str(cat.pid))\n"
        "    pathlib.Path('partial').rename('pid')\n"
        "    cat.wait()\n"
    )
    with subprocess.Popen(command(folder, source), cwd=folder, stdout=subprocess.DEVNULL) as run:
        pid = int(wait_for(lambda: next(folder.glob("pid"), None), bool, "the test").read_text())
        run.terminate()

    assert (run.returncode, process_tree.read_stat(pid)) == (128 + signal.SIGTERM, None)


LEFT = {
    "thread t": "threading.Thread(target=threading.Event().wait, daemon=True, name='t').start()",
    "process": "kept.append(subprocess.Popen('cat', stdin=subprocess.PIPE))",
    "variable SURELY_NOT=1": "os.environ['SURELY_NOT'] = '1'",
    "working directory /": "os.chdir('/')",
}


@pytest.mark.parametrize("left", LEFT)
def test_a_test_may_leave_nothing_in_its_process(folder: pathlib.Path, left: str) -> None:
    """It fails, not one that runs after it."""
    (folder / "conftest.py").write_text(f"{PLUGINS}\nleftovers.GRACE_SECS = 0.2\n")
    source = f"import os, subprocess, threading\nkept = []\ndef test_a():\n    {LEFT[left]}\ndef test_b():\n    pass\n"
    (folder / "test_it.py").write_text(source)
    done = subprocess.run([sys.executable, "-m", "pytest"], capture_output=True, text=True, cwd=folder)

    [line] = [line for line in done.stdout.splitlines() if line.startswith("FAILED")]
    assert line.startswith(f"FAILED test_it.py::test_a in teardown - Failed: test_it.py::test_a leaves behind: {left}")


def test_what_is_compiled_is_kept(folder: pathlib.Path) -> None:
    """For the next process, also where images of containers forbid it."""
    run(folder, "def test_a():\n    pass\n", PYTHONDONTWRITEBYTECODE="1")

    assert [path.name.partition(".")[0] for path in sorted((folder / "__pycache__").glob("test_it.*.pyc"))] == [
        "test_it"
    ]


DEEP = """
import os
def test_a(tmp_path):
    folder = os.open(tmp_path, os.O_RDONLY)
    for _ in range(1100):
        os.mkdir("deep", dir_fd=folder)
        inner = os.open("deep", os.O_RDONLY, dir_fd=folder)
        os.close(folder)
        folder = inner
    os.close(folder)
"""


def test_temporary_files_are_deleted(folder: pathlib.Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Also folders in more levels than Python calls functions."""
    top = tmp_path_factory.mktemp("top")
    done = run(folder, DEEP, TMPDIR=str(top))

    assert (told(done), done.returncode, list(top.iterdir())) == (["1 passed"], 0, [])


def test_no_test_at_all_is_an_error(folder: pathlib.Path) -> None:
    """As after a mistyped option."""
    assert run(folder, "").returncode == 5
