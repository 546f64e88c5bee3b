"""Watching training (check 37)."""

import pathlib
import time

import logs
import numpy as np
import pytest
from cards import card, drag, number
from playwright.sync_api import Page, expect
from served import Serving
from visitor import Visitor

MORE = list(range(1_000, 1_100))


@pytest.fixture
def training(tmp_path: pathlib.Path) -> pathlib.Path:
    """Two runs of a thousand steps."""
    for run in range(2):
        at = np.arange(1_000)
        records = logs.scalars("loss", range(1_000), logs.START + at, logs.decay(run, 0, 1_000))
        logs.write_run(tmp_path / f"run_{run}", {"loss": records}, start=logs.START + run)
    return tmp_path


def append(logdir: pathlib.Path) -> None:
    """A hundred more points of run_0."""
    (path,) = (logdir / "run_0").iterdir()
    walls = logs.START + np.array(MORE, float)
    with path.open("ab") as file:
        file.write(logs.scalars("loss", MORE, walls, logs.decay(0, 1, 100)))


def wait_for_last_step(page: Page, step: int) -> None:
    page.wait_for_function(f"+document.querySelector('[data-testid=card]').dataset.xmax === {step}")


def test_new_points_appear_by_themselves(visitor: Visitor, serving: Serving, training: pathlib.Path) -> None:
    """A hundred appended points are on the open page, pushed; nobody presses anything."""
    board = serving(training)
    page = visitor.open(board)
    held = number(card(page, "loss"), "held")

    append(training)

    wait_for_last_step(page, 1_099)
    assert number(card(page, "loss"), "held") == held + 100


def test_new_points_leave_the_zoom_alone(visitor: Visitor, serving: Serving, training: pathlib.Path) -> None:
    """A zoomed chart stays where it is while points come in."""
    board = serving(training)
    page = visitor.open(board)
    loss = card(page, "loss")
    drag(page, loss, 0.3, 0.5)
    page.wait_for_function("+document.querySelector('[data-testid=card]').dataset.xmin > 100")
    before = (number(loss, "xmin"), number(loss, "xmax"))

    append(training)

    page.wait_for_function("+document.querySelector('[data-testid=card]').dataset.held === 2100")
    assert (number(loss, "xmin"), number(loss, "xmax")) == before


def test_a_new_run_comes_at_the_end(visitor: Visitor, serving: Serving, training: pathlib.Path) -> None:
    """A run that starts while the page is open is added without moving those that were there."""
    board = serving(training)
    page = visitor.open(board)

    at = np.arange(50)
    records = logs.scalars("loss", range(50), logs.START - 5 + at, logs.decay(2, 0, 50))
    logs.write_run(training / "a_new_one", {"loss": records}, start=logs.START - 5)

    rows = page.get_by_test_id("run-row")
    expect(rows).to_have_count(3)
    names = rows.evaluate_all("(rows) => rows.map((row) => row.dataset.run)")
    assert names == ["run_0", "run_1", "a_new_one"]


def test_the_button_reloads_at_once(visitor: Visitor, serving: Serving, training: pathlib.Path) -> None:
    """Without watching and polling (reload_interval 0) new points come when the button is pressed."""
    board = serving(training, "--reload_interval", "0")
    page = visitor.open(board)
    append(training)

    page.get_by_role("button", name="Reload").click()

    wait_for_last_step(page, 1_099)
    assert number(card(page, "loss"), "held") == 2_100


def test_live_is_on_by_default(visitor: Visitor, serving: Serving, training: pathlib.Path) -> None:
    """While events are fresh the pill says Live, and it is pressed."""
    records = logs.scalars("loss", [0], np.array([time.time()]), np.array([1.0]))
    logs.write_run(training / "now", {"loss": records}, start=time.time())
    board = serving(training)
    page = visitor.open(board)

    expect(page.get_by_test_id("live")).to_have_attribute("data-live", "live")
    expect(page.get_by_test_id("live")).to_have_attribute("aria-pressed", "true")
