"""`%lightboard` in a real IPython: boards start, are found again by later kernels, are listed and stopped."""

import json
import os
import pathlib
import re
import signal
import stat
from collections.abc import Iterator
from http.client import HTTPConnection

import pytest

from lightboard import __version__
from support import scalar_logs
from support.notebook_kernels import NotebookKernels, ports
from support.wheels import ROOT

READ_FIRST = "--reload_task blocking"
NONE = "no boards are running\n"


@pytest.fixture
def kernels(tmp_path: pathlib.Path) -> Iterator[NotebookKernels]:
    """Kernels of notebooks in a folder with logs in `runs`."""
    with NotebookKernels(tmp_path) as kernels:
        scalar_logs.sweep(kernels.folder / "runs")
        yield kernels


def get(port: int, path: str, host: str = "localhost") -> tuple[int, bytes]:
    """Status and content of an answer of the board on a port, which is asked by this name."""
    connection = HTTPConnection("127.0.0.1", port, timeout=60)
    try:
        connection.request("GET", path, headers={"Host": host})
        answer = connection.getresponse()
        return answer.status, answer.read()
    finally:
        connection.close()


def runs_of(port: int) -> list[str]:
    """The runs of the board on a port."""
    runs: list[str] = json.loads(get(port, "/data/runs")[1])
    return runs


def test_a_board_is_shown_and_answers(kernels: NotebookKernels) -> None:
    """Relative paths are those of the notebook; in a terminal, its address is what can be shown."""
    shown = kernels.magic(f"--logdir runs --port 0 {READ_FIRST}")

    (port,) = ports(shown)
    assert shown == f"Lightboard at http://localhost:{port}/ (`%lightboard stop {port}` ends it)\n"
    assert runs_of(port)[: len(scalar_logs.SWEEP)] == list(scalar_logs.SWEEP)


@pytest.mark.parametrize(("hub", "status"), [(None, 403), ("/user/alice/", 200)])
def test_below_a_hub_a_board_answers_to_the_name_of_the_hub(
    kernels: NotebookKernels, hub: str | None, status: int
) -> None:
    """The kernel does not know that name. Otherwise only names of this machine are accepted, as in a terminal."""
    kernels.variables["JUPYTERHUB_SERVICE_PREFIX"] = hub

    (port,) = ports(kernels.magic("runs --port 0"))

    assert get(port, "/data/runs", host="hub.example.org")[0] == status


def test_a_later_kernel_shows_the_same_board(kernels: NotebookKernels) -> None:
    """One for each command and working directory, however often the cell is run."""
    (first,) = ports(kernels.magic("runs --port 0"))
    elsewhere = kernels.folder / "elsewhere"
    elsewhere.mkdir()

    again = ports(kernels.magic("runs --port 0", "runs --port 0"))
    (other_words,) = ports(kernels.magic("--logdir runs --port 0"))
    (other_folder,) = ports(kernels.magic("runs --port 0", folder=elsewhere))

    assert again == [first, first]
    assert len({first, other_words, other_folder}) == 3


def test_a_board_that_has_ended_is_started_anew(kernels: NotebookKernels) -> None:
    """Nothing of the old one is left."""
    kernels.magic("runs --port 0")
    (old,) = kernels.boards()
    os.kill(old.pid, signal.SIGKILL)

    (port,) = ports(kernels.magic("runs --port 0"))

    (new,) = kernels.boards()
    assert (new.pid != old.pid, new.address.port, new.command) == (True, port, old.command)
    assert [file.name for file in kernels.files()] == [f"{new.stem}.json", f"{new.stem}.log"]


def test_an_interrupt_of_the_kernel_does_not_reach_the_board(kernels: NotebookKernels) -> None:
    """It has a session of its own, which signals for the group of the kernel do not reach."""
    (port,) = ports(
        kernels.run("%load_ext lightboard", f"%lightboard runs --port 0 {READ_FIRST}", "import os", "os.killpg(0, 2)")
    )

    assert runs_of(port) != []


def test_boards_are_listed_and_stopped(kernels: NotebookKernels) -> None:
    """By a kernel that has started none of them; without a port only if there is no doubt."""
    a, b = ports(kernels.magic("runs --port 0", "--logdir runs --port 0 --window_title 'a b'"))
    process = {board.address.port: board.pid for board in kernels.boards()}
    lines = {
        a: f"{a}: runs --port 0, in {kernels.folder} (process {process[a]})\n",
        b: f"{b}: --logdir runs --port 0 --window_title 'a b', in {kernels.folder} (process {process[b]})\n",
    }

    assert kernels.magic("list") == "".join(lines[port] for port in sorted((a, b)))
    assert kernels.magic("stop") == (
        f"UsageError: several boards are running\nhint: give one of the ports {min(a, b)}, {max(a, b)}\n"
    )
    assert kernels.magic(f"stop {a}", "list", "stop", "list") == (
        f"stopped the board on port {a}\n{lines[b]}stopped the board on port {b}\n{NONE}"
    )
    assert kernels.files() == []


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("", "no logdir\nhint: lightboard --logdir DIR, or lightboard demo for an example"),
        ("--logdr runs", "unknown flag --logdr\nhint: did you mean --logdir?"),
        ("hub", "a hub does not run in a notebook\nhint: start `lightboard hub` in a terminal"),
        ("--logdir 'runs", "No closing quotation: --logdir 'runs"),
        ("stop", "no boards are running\nhint: only boards that a notebook has started are listed"),
    ],
)
def test_a_mistake_is_one_error_with_a_hint(kernels: NotebookKernels, line: str, message: str) -> None:
    """That of the command line, without a traceback, and nothing is left behind."""
    assert kernels.magic(line) == f"UsageError: {message}\n"
    assert kernels.files() == []


def test_the_owner_of_a_port_is_named(kernels: NotebookKernels) -> None:
    """If a cell insists on a port that another board has."""
    (port,) = ports(kernels.magic("runs --port 0"))
    (board,) = kernels.boards()

    said = kernels.magic(f"--logdir runs --port {port}")

    assert said.startswith(f"UsageError: port {port} is taken by process {board.pid} (")


def test_a_port_without_a_board_cannot_be_stopped(kernels: NotebookKernels) -> None:
    """The error names those that can."""
    (port,) = ports(kernels.magic("runs --port 0"))

    assert kernels.magic("stop 1") == (
        f"UsageError: no board of a notebook has port 1\nhint: there are boards on {port}\n"
    )


def test_a_command_that_serves_nothing_prints(kernels: NotebookKernels) -> None:
    """As in a terminal."""
    assert kernels.magic("--version") == f"{__version__}\n"
    assert kernels.files() == []


def test_files_beside_the_notebook_are_not_modules_of_the_board(kernels: NotebookKernels) -> None:
    """People name them as they like."""
    (kernels.folder / "json.py").write_text("raise RuntimeError('not for you')")

    assert len(ports(kernels.magic("runs --port 0"))) == 1


def test_what_is_stored_is_private(kernels: NotebookKernels) -> None:
    """Others see neither commands nor output."""
    kernels.magic("runs --port 0")

    files = [kernels.records, *kernels.files()]
    assert [stat.S_IMODE(file.stat().st_mode) for file in files] == [0o700, 0o600, 0o600]


def test_without_a_folder_for_records_it_says_so(kernels: NotebookKernels, tmp_path: pathlib.Path) -> None:
    """No board is started that could not be found again."""
    (tmp_path / "file").touch()
    kernels.variables["LIGHTBOARD_HOME"] = str(tmp_path / "file" / "home")

    assert kernels.magic("runs") == (
        "UsageError: there is no place to note which boards are running: "
        f"[Errno 20] Not a directory: '{tmp_path}/file/home'\n"
        "hint: set LIGHTBOARD_HOME to a folder that you can write\n"
    )


def test_the_examples_of_the_guide_run(kernels: NotebookKernels) -> None:
    """In page order: two show the same board, and the last one stops it."""
    guide = (ROOT / "docs" / "notebooks.md").read_text()
    blocks = re.findall(r"^```python\n(.*?)^```", guide, re.MULTILINE | re.DOTALL)

    shown = kernels.run(*"".join(blocks).splitlines())

    (port, *others) = ports(shown)
    assert (others, f"\nstopped the board on port {port}\n" in shown, kernels.boards()) == ([port], True, [])


def test_show_is_the_same_in_python(kernels: NotebookKernels) -> None:
    """With words instead of a line; an error is an exception to catch."""
    shown = kernels.run(
        "from lightboard.notebook import show",
        "from lightboard.errors import LaunchError",
        "show('runs', '--port', '0', height=400)",
        "try:",
        "    show('--logdr', 'runs')",
        "except LaunchError as error:",
        "    print([error.message, error.hint])",
    )

    (port,) = ports(shown)
    assert shown.splitlines() == [
        f"Lightboard at http://localhost:{port}/ (`%lightboard stop {port}` ends it)",
        "['unknown flag --logdr', 'did you mean --logdir?']",
    ]
