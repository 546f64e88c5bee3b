"""Live updates during training (check 37)."""

import pathlib
import re
import time

import numpy as np
import pytest
from playwright.sync_api import Page, Route, expect

from support import scalar_logs
from support.board_process import BoardStarter
from support.chart_cards import data_number, drag, find_card
from support.page_driver import PageDriver
from support.settled_pages import reload, settle

MORE = list(range(1_000, 1_100))
COMPLETE = ("--reload_task", "blocking")
"""A board answers once it has read everything that is there."""


@pytest.fixture
def training(tmp_path: pathlib.Path) -> pathlib.Path:
    """Two runs of a thousand steps."""
    for run in range(2):
        at = np.arange(1_000)
        records = scalar_logs.scalars("loss", range(1_000), scalar_logs.START + at, scalar_logs.decay(run, 0, 1_000))
        scalar_logs.write_run(tmp_path / f"run_{run}", {"loss": records}, start=scalar_logs.START + run)
    return tmp_path


def append(logdir: pathlib.Path) -> None:
    """A hundred more points of run_0."""
    (path,) = (logdir / "run_0").iterdir()
    walls = scalar_logs.START + np.array(MORE, float)
    with path.open("ab") as file:
        file.write(scalar_logs.scalars("loss", MORE, walls, scalar_logs.decay(0, 1, 100)))


def wait_for_last_step(page: Page, step: int) -> None:
    page.wait_for_function(f"+document.querySelector('[data-testid=card]').dataset.xmax === {step}")


def test_new_points_appear(driver: PageDriver, start_board: BoardStarter, training: pathlib.Path) -> None:
    """Pushed to the open page."""
    board = start_board(training, *COMPLETE)
    page = driver.open(board)
    held = data_number(find_card(page, "loss"), "held")

    append(training)

    wait_for_last_step(page, 1_099)
    assert data_number(find_card(page, "loss"), "held") == held + 100


def test_new_points_keep_the_zoom(driver: PageDriver, start_board: BoardStarter, training: pathlib.Path) -> None:
    """A zoomed chart stays where it is while points come in."""
    board = start_board(training, *COMPLETE)
    page = driver.open(board)
    loss = find_card(page, "loss")
    drag(page, loss, 0.3, 0.5)
    page.wait_for_function("+document.querySelector('[data-testid=card]').dataset.xmin > 100")
    settle(page)
    before = (data_number(loss, "xmin"), data_number(loss, "xmax"))

    append(training)

    page.wait_for_function("+document.querySelector('[data-testid=card]').dataset.held === 2100")
    settle(page)
    assert (data_number(loss, "xmin"), data_number(loss, "xmax")) == before


def test_new_runs_are_added_at_the_end(driver: PageDriver, start_board: BoardStarter, training: pathlib.Path) -> None:
    """A run that starts while the page is open is added without moving those that were there."""
    board = start_board(training, *COMPLETE)
    page = driver.open(board)

    at = np.arange(50)
    records = scalar_logs.scalars("loss", range(50), scalar_logs.START - 5 + at, scalar_logs.decay(2, 0, 50))
    scalar_logs.write_run(training / "a_new_one", {"loss": records}, start=scalar_logs.START - 5)

    rows = page.get_by_test_id("run-row")
    expect(rows).to_have_count(3)
    names = rows.evaluate_all("(rows) => rows.map((row) => row.dataset.run)")
    assert names == ["run_0", "run_1", "a_new_one"]


def test_c19_e5_the_button_reloads_at_once(
    driver: PageDriver, start_board: BoardStarter, training: pathlib.Path
) -> None:
    """With reload_interval 0."""
    board = start_board(training, *COMPLETE, "--reload_interval", "0")
    page = driver.open(board)
    append(training)

    page.get_by_role("button", name="Refresh now").click()

    wait_for_last_step(page, 1_099)
    assert data_number(find_card(page, "loss"), "held") == 2_100


def test_c19_c_t2_e5_live_is_on_by_default(
    driver: PageDriver, start_board: BoardStarter, training: pathlib.Path
) -> None:
    """While events are fresh the pill says Live, and it is pressed. In TensorBoard, reloading has to be switched on."""
    records = scalar_logs.scalars("loss", [0], np.array([time.time()]), np.array([1.0]))
    scalar_logs.write_run(training / "now", {"loss": records}, start=time.time())
    board = start_board(training, *COMPLETE)
    page = driver.open(board)

    expect(page.get_by_test_id("live")).to_have_attribute("data-live", "live")
    expect(page.get_by_test_id("live")).to_have_attribute("aria-pressed", "true")


def test_runs_stop_being_live_without_an_event(
    driver: PageDriver, start_board: BoardStarter, training: pathlib.Path
) -> None:
    """The server tells nothing when a writer just stops, so the page asks while runs are live."""
    board = start_board(training, *COMPLETE)
    page = driver.open(board)
    live = [True]

    def answer(route: Route) -> None:
        response = route.fetch(url=f"{board.url}api/v1/runs")
        runs = response.json()
        for run in runs["runs"]:
            run["status"] = "live" if live[0] else "idle"
        route.fulfill(response=response, json=runs)

    page.route(re.compile(r"/api/v1/runs(\?since=.*)?$"), answer)
    page.clock.install()
    reload(page)
    dots = page.get_by_test_id("run-row").get_by_role("img", name="Receiving data")
    expect(dots).to_have_count(2)

    live[0] = False
    page.clock.fast_forward(60_000)

    expect(dots).to_have_count(0)
