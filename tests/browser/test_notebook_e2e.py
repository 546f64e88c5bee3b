"""Boards in the cells of a real JupyterLab below a path prefix (requirement 7)."""

import pathlib
import re
from collections.abc import Iterator

import numpy as np
import pytest
from playwright.sync_api import Browser, Frame, Page, expect

from support import scalar_logs
from support.chart_cards import find_card
from support.jupyter_lab import (
    JupyterLab,
    NotebookDriver,
    board_in_cell,
    cell_output,
    reopen_notebook,
    restart_kernel,
    run_cell,
)
from support.notebook_kernels import NotebookKernels
from support.ports import free_ports
from support.settled_pages import settle
from support.wheels import ROOT

ARGUMENTS = "--logdir runs --port 0 --reload_task blocking"
NAMES = str(ROOT / "src" / "lightboard" / "hub" / "tensorboard_names")
SET_THEME = "(theme) => window.jupyterapp.commands.execute('apputils:change-theme', { theme })"
MORE = list(range(1_000, 1_100))


@pytest.fixture(scope="module")
def kernels(tmp_path_factory: pytest.TempPathFactory) -> Iterator[NotebookKernels]:
    """The folders of the notebooks, with logs of two runs in `runs`."""
    with NotebookKernels(tmp_path_factory.mktemp("lab")) as kernels:
        for run in range(2):
            walls, values = scalar_logs.START + np.arange(1_000), scalar_logs.decay(run, 0, 1_000)
            loss = scalar_logs.scalars("loss", range(1_000), walls, values)
            scalar_logs.write_run(kernels.folder / "runs" / f"run_{run}", {"loss": loss}, start=scalar_logs.START)
        yield kernels


@pytest.fixture(scope="module")
def lab(kernels: NotebookKernels) -> Iterator[JupyterLab]:
    """One server for all tests of this file. jupyter-server-proxy is installed, and the names of TensorBoard."""
    with JupyterLab(kernels.folder, {**kernels.environment, "PYTHONPATH": NAMES}) as lab:
        yield lab


@pytest.fixture
def notebooks(browser: Browser, lab: JupyterLab) -> Iterator[NotebookDriver]:
    """Opens notebooks."""
    driver = NotebookDriver(browser, lab)
    yield driver
    driver.close()


def append(runs: pathlib.Path) -> None:
    """A hundred more points of run_0."""
    (path,) = (runs / "run_0").iterdir()
    walls = scalar_logs.START + np.array(MORE, float)
    with path.open("ab") as file:
        file.write(scalar_logs.scalars("loss", MORE, walls, scalar_logs.decay(0, 1, 100)))


def set_theme(page: Page, name: str) -> None:
    """Choose the theme of JupyterLab, which loads it while a splash screen is shown."""
    page.evaluate(SET_THEME, name)
    expect(page.locator("body")).to_have_attribute("data-jp-theme-name", name)
    expect(page.locator("#jupyterlab-splash")).to_have_count(0)


def wait_for_last_step(board: Frame, step: int) -> None:
    """The chart shows this step."""
    expect(find_card(board, "loss")).to_have_attribute("data-xmax", str(step))


def test_c1_a_cell_keeps_its_board_when_the_kernel_restarts(
    notebooks: NotebookDriver, kernels: NotebookKernels
) -> None:
    """It is shown below Jupyter's own path, stays live without its kernel, and is found again by the next one."""
    page = notebooks.open_notebook("restart")
    run_cell(page, "%load_ext lightboard")
    board = board_in_cell(page, run_cell(page, f"%lightboard {ARGUMENTS}"))
    every = kernels.boards()

    assert board.url in [f"{notebooks.lab.url}proxy/{record.address.port}/" for record in every]
    wait_for_last_step(board, 999)

    restart_kernel(page)
    append(kernels.folder / "runs")
    wait_for_last_step(board, 1_099)

    run_cell(page, "%load_ext lightboard")
    again = board_in_cell(page, run_cell(page, f"%lightboard {ARGUMENTS}"))
    assert (again.url, kernels.boards()) == (board.url, every)


def test_a_saved_notebook_shows_its_board_again(notebooks: NotebookDriver) -> None:
    """Without that any cell is run."""
    page = notebooks.open_notebook("saved")
    run_cell(page, "%load_ext lightboard")
    number = run_cell(page, f"%lightboard {ARGUMENTS}")
    first = board_in_cell(page, number)
    address = first.url

    reopen_notebook(page)

    board = board_in_cell(page, number)
    find_card(board, "loss")
    assert board.url == address


def test_a_saved_notebook_says_what_to_run_if_its_board_has_ended(
    notebooks: NotebookDriver, kernels: NotebookKernels
) -> None:
    """Which was stopped from another cell; its port was asked for. What it says to run shows the board again."""
    (port,) = free_ports(1)
    line = f"%lightboard --logdir runs --port {port} --reload_task blocking"
    page = notebooks.open_notebook("ended")
    run_cell(page, "%load_ext lightboard")
    number = run_cell(page, line)
    board = board_in_cell(page, number)
    assert board.url == f"{notebooks.lab.url}proxy/{port}/"

    stopping = cell_output(page, run_cell(page, f"%lightboard stop {port}"))
    expect(stopping).to_have_text(f"stopped the board on port {port}\n")
    expect(board.get_by_test_id("lost")).to_be_visible()
    assert port not in [record.address.port for record in kernels.boards()]

    reopen_notebook(page)
    expect(cell_output(page, number)).to_contain_text(
        "If none is shown, run this cell again; a new kernel needs %load_ext first."
    )
    run_cell(page, "%load_ext lightboard")
    find_card(board_in_cell(page, run_cell(page, line)), "loss")
    notebooks.console_errors.clear()  # the browser reports every answer of a proxy without a board


def test_a_board_follows_the_theme_of_jupyterlab(notebooks: NotebookDriver) -> None:
    """Also while it is shown."""
    page = notebooks.open_notebook("dark")
    run_cell(page, "%load_ext lightboard")
    set_theme(page, "JupyterLab Dark")
    board = board_in_cell(page, run_cell(page, f"%lightboard {ARGUMENTS}"))
    expect(board.locator("html")).to_have_attribute("data-theme", "dark")

    set_theme(page, "JupyterLab Light")

    expect(board.locator("html")).to_have_attribute("data-theme", "light")


def test_without_a_proxy_the_frame_has_the_address_of_the_board(
    notebooks: NotebookDriver, kernels: NotebookKernels
) -> None:
    """As in a Jupyter on one's own machine, where jupyter-server-proxy is not installed; by TensorBoard's name."""
    page = notebooks.open_notebook("direct")
    run_cell(page, "import sys", "sys.modules['jupyter_server_proxy'] = None", "%load_ext tensorboard")
    board = board_in_cell(page, run_cell(page, f"%tensorboard {ARGUMENTS} --path_prefix /board"))

    assert re.fullmatch(r"http://localhost:\d+/board/", board.url)
    settle(board)
    find_card(board, "loss")
