"""The package `lightboard-tensorboard`, alone and beside TensorBoard; and TensorBoard's own magic with Lightboard."""

import pathlib
import re
import shutil
import signal
import socket
import subprocess
import sys
import sysconfig
from collections.abc import Iterator

import httpx
import pytest

from lightboard import __version__
from support import scalar_logs
from support.board_process import TIMEOUT_SECS, LightboardProcess
from support.hub_cli import LOGS
from support.notebook_kernels import NotebookKernels, ports
from support.tensorboard_environments import NAMES, ORIGINAL, TensorBoardEnvironment, fetch_wheels
from support.wheels import ROOT, make_once

pytestmark = [pytest.mark.interpreters, pytest.mark.timeout(1200)]  # packages may have to be fetched

SOURCES = str(ROOT / "src" / "lightboard" / "hub" / "tensorboard_names")
VERSION = "2.21.0"
"""Of TensorBoard, as in constraints.txt."""
ORDERS = [(ORIGINAL, NAMES), (NAMES, ORIGINAL)]
COMMANDS = [("tensorboard",), ("python", "-m", "tensorboard.main")]
MESSAGE = [
    "lightboard-tensorboard: TensorBoard itself is installed too, so this is TensorBoard.",
    "hint: Lightboard is `lightboard`, and %tensorboard shows it with TENSORBOARD_BINARY=lightboard. "
    "To end this message: pip uninstall lightboard-tensorboard && pip install --force-reinstall --no-deps tensorboard",
]
OF_TENSORBOARD = "from tensorboard.compat.proto import event_pb2; import tensorboard; print(tensorboard.__version__)"


@pytest.fixture(scope="module")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """Both packages."""
    return make_once(tmp_path_factory, "tensorboard_wheels", fetch_wheels)


@pytest.fixture(scope="module")
def alone(wheels: pathlib.Path, tmp_path_factory: pytest.TempPathFactory) -> TensorBoardEnvironment:
    """Without TensorBoard."""
    return TensorBoardEnvironment(tmp_path_factory.mktemp("alone"), wheels, NAMES)


@pytest.fixture(scope="module")
def original(wheels: pathlib.Path, tmp_path_factory: pytest.TempPathFactory) -> TensorBoardEnvironment:
    """TensorBoard alone."""
    return TensorBoardEnvironment(tmp_path_factory.mktemp("original"), wheels, ORIGINAL)


@pytest.fixture
def kernels(tmp_path: pathlib.Path) -> Iterator[NotebookKernels]:
    """Kernels of notebooks in a folder with logs in `runs`."""
    with NotebookKernels(tmp_path) as kernels:
        scalar_logs.sweep(kernels.folder / "runs")
        yield kernels


DOCUMENT = "tensorboard --logdir=./tensorboard"
RUN = LOGS / "torch" / "plain"


def test_e1_e3_the_command_of_the_document_serves_the_page(
    alone: TensorBoardEnvironment, tmp_path: pathlib.Path
) -> None:
    """For this machine, at 6006 or the next free port; with `--bind_all` under the name of the machine, for others."""
    shutil.copytree(RUN, tmp_path / "tensorboard" / "plain")
    found = []
    for line in (DOCUMENT, f"{DOCUMENT} --bind_all"):
        with alone.start(line, tmp_path) as process:
            assert process.stderr
            announced = next(said for said in process.stderr if "http://" in said)
            url = announced.removeprefix(f"Lightboard {__version__} at ").removesuffix(" (Ctrl+C to quit)\n")
            try:
                with httpx.Client(base_url=url, trust_env=False, timeout=TIMEOUT_SECS) as browser:
                    page = browser.get("/").text
                    browser.post("/api/v1/reload").raise_for_status()
                    runs = browser.get("/data/runs").json()
            finally:
                process.send_signal(signal.SIGINT)
                process.communicate(timeout=TIMEOUT_SECS)
        where = httpx.URL(url)
        found.append((where.host, (where.port or 0) >= 6006, "<title>Lightboard</title>" in page, runs))

    assert found == [(name, True, True, ["plain"]) for name in ("localhost", socket.gethostname().lower())]


@pytest.mark.parametrize("command", COMMANDS)
def test_e3_the_command_is_lightboard(alone: TensorBoardEnvironment, command: tuple[str, ...]) -> None:
    """As Makefiles call it."""
    assert alone.run(*command, "--version") == (f"{__version__}\n", "")


def test_e3_the_command_serves_the_folder_as_typed(alone: TensorBoardEnvironment, tmp_path: pathlib.Path) -> None:
    """`tensorboard --logdir=./tensorboard` prints an address, where the page is and the data of the folder."""
    scalar_logs.sweep(tmp_path / "tensorboard")
    words = ("--logdir=./tensorboard", "--port", "0", "--reload_task", "blocking")
    with LightboardProcess(*words, program=alone.program("tensorboard"), cwd=tmp_path) as board:
        page = board.open("/").read().decode()
        shown = board.json("/data/runs")

    assert "<title>Lightboard</title>" in page
    assert sorted(shown) == sorted([*scalar_logs.SWEEP, f"{scalar_logs.SWEEP[-1]}/hp"])


def test_c1_the_magics_are_those_of_lightboard(alone: TensorBoardEnvironment, kernels: NotebookKernels) -> None:
    """As notebooks have them, with the functions of TensorBoard's tutorial."""
    kernels.python = alone.python

    shown = kernels.run(
        "%load_ext tensorboard",
        "%tensorboard --logdir runs --port 0",
        "from tensorboard import notebook",
        "notebook.list()",
        "notebook.display(height=1000)",
        "%lightboard stop",
    )

    port = ports(shown)[0]
    address = f"Lightboard at http://localhost:{port}/ (`%lightboard stop {port}` ends it)"
    listed = re.escape(f"{port}: --logdir runs --port 0, in {kernels.folder} (process ") + r"\d+\)"
    lines = [re.escape(address), listed, re.escape(address), f"stopped the board on port {port}"]
    assert re.fullmatch("\n".join(lines) + "\n", shown)


def test_what_needs_tensorboard_says_so(alone: TensorBoardEnvironment) -> None:
    """As PyTorch's writer, which first looks at the version. Programs that catch ImportError do without."""
    _, errors = alone.run("python", "-c", "import tensorboard; hasattr(tensorboard, '__version__')")

    assert errors.splitlines()[-1] == (
        "ImportError: this needs TensorBoard itself, which is not installed: lightboard-tensorboard has only its "
        "command and its notebook extension. Both can be installed: pip install tensorboard"
    )


@pytest.mark.parametrize("packages", ORDERS, ids=" ".join)
def test_beside_tensorboard_every_name_is_tensorboard_and_says_so(
    packages: tuple[str, str], wheels: pathlib.Path, tmp_path: pathlib.Path
) -> None:
    """Once, in whichever order they were installed. What imports the package is told nothing."""
    both = TensorBoardEnvironment(tmp_path / "both", wheels, *packages)

    said = [both.run(*command, "--version") for command in COMMANDS]

    assert both.run("python", "-c", OF_TENSORBOARD) == (f"{VERSION}\n", "")
    assert [(out, [line for line in notes.splitlines() if line in MESSAGE]) for out, notes in said] == [
        (f"{VERSION}\n", MESSAGE)
    ] * len(COMMANDS)


def test_uninstalling_it_leaves_tensorboard_whole(wheels: pathlib.Path, tmp_path: pathlib.Path) -> None:
    """Except for the command, which both own: reinstalling brings it back."""
    both = TensorBoardEnvironment(tmp_path / "both", wheels, NAMES, ORIGINAL)

    both.pip("uninstall", "-y", NAMES)

    assert both.run("python", "-m", "tensorboard.main", "--version")[0] == f"{VERSION}\n"
    assert not both.has("tensorboard")
    both.install("--force-reinstall", ORIGINAL)
    assert both.has("tensorboard")


def test_earlier_on_the_path_it_steps_aside(original: TensorBoardEnvironment) -> None:
    """As in the folder of a user, which comes before that of the system."""
    assert original.run("python", "-c", OF_TENSORBOARD, PYTHONPATH=SOURCES) == (f"{VERSION}\n", "")


def test_without_lightboard_the_module_is_missing(tmp_path: pathlib.Path) -> None:
    """As for any other Python of a notebook whose path has the folder."""
    command = [sys.executable, "-S", "-c", "import tensorboard"]
    done = subprocess.run(command, env={"PYTHONPATH": SOURCES}, cwd=tmp_path, capture_output=True, text=True)

    assert done.stderr.splitlines()[-1] == (
        "ModuleNotFoundError: No module named 'tensorboard', nor 'lightboard', which would show boards instead"
    )


def test_the_magic_of_tensorboard_starts_lightboard(original: TensorBoardEnvironment, kernels: NotebookKernels) -> None:
    """With TENSORBOARD_BINARY: it sees that the board has started, and finds it again from the next kernel."""
    kernels.python = original.python
    kernels.variables["TENSORBOARD_BINARY"] = f"{sysconfig.get_path('scripts')}/lightboard"
    lines = "%load_ext tensorboard", "%tensorboard --logdir runs --port 0"

    first, again = kernels.run(*lines), kernels.run(*lines)

    port = re.search(r"localhost:(\d+)", first)[1]  # type: ignore[index]
    visit = f"Please visit http://localhost:{port} in a web browser.\n"
    assert first == f"Launching TensorBoard...\n{visit}"
    assert re.fullmatch(
        rf"Launching TensorBoard\.\.\.\nReusing TensorBoard on port {port} \(pid \d+\), started .* ago\..*\n{visit}",
        again,
    )


def test_an_error_of_lightboard_is_shown_by_the_magic_of_tensorboard(
    original: TensorBoardEnvironment, kernels: NotebookKernels
) -> None:
    """With its hint."""
    kernels.python = original.python
    kernels.variables["TENSORBOARD_BINARY"] = f"{sysconfig.get_path('scripts')}/lightboard"

    shown = kernels.run("%load_ext tensorboard", "%tensorboard --logdr runs")

    assert shown.endswith(
        "exited with 2).\nContents of stderr:\nlightboard: unknown flag --logdr\nhint: did you mean --logdir?\n"
    )
