"""Boards in cells of a notebook whose image has the real TensorBoard, as PyTorch's `SummaryWriter` needs it."""

import re
from collections.abc import Iterator

import pytest

from support import scalar_logs
from support.chart_cards import find_card
from support.framework_environment import notebook_environment
from support.hub_page_driver import HubPageDriver
from support.hub_process import HubProcess
from support.jupyter_lab import board_in_cell, open_lab, run_cell


@pytest.fixture(scope="module")
def hub(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HubProcess]:
    """One with that image."""
    home = tmp_path_factory.mktemp("magics")
    words = ("--trust-jobs", "--job-isolation", "none", "--image", f"torch={notebook_environment(home / 'image')}")
    with HubProcess(home / "home", *words) as running:
        yield running


def test_c1_the_extension_of_tensorboard_shows_lightboard_through_the_hub(hub_driver: HubPageDriver) -> None:
    """As people type it."""
    scalar_logs.sweep(hub_driver.hub.home / "hub" / "storage" / "default" / "notebooks" / "real" / "runs")
    person = hub_driver.create_user()
    notebook = person.create_notebook("real", image="torch")
    lab = open_lab(person.open_page(f"/jobs/{notebook['id']}"))

    run_cell(lab, "import tensorboard.version", "%load_ext tensorboard")
    board = board_in_cell(lab, run_cell(lab, "%tensorboard --logdir runs --port 0 --reload_task blocking"))

    find_card(board, "eval/loss")
    assert re.fullmatch(re.escape(notebook["url"]) + r"proxy/\d+/", board.url)
    lab.close()
