"""Charts of tags with several points at a step: all of them, or the last one, as the user chooses."""

import csv
import pathlib
from collections.abc import Iterator

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from support.board_process import BoardProcess, serve_logs
from support.chart_cards import data_number, find_card
from support.downloads import download_from_menu
from support.page_driver import PageDriver
from support.page_faults import LANGUAGES, find_page_faults
from support.scalar_logs import START, scalars, write_run
from support.settled_pages import go_back, settle

EPOCHS, BATCHES = 20, 400


@pytest.fixture(scope="module")
def batches(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BoardProcess]:
    """A run that logs a loss for each batch with the number of its epoch, and an accuracy for each epoch."""
    count = EPOCHS * BATCHES
    times = START + np.arange(count, dtype=float)
    noise = np.random.default_rng(7).normal(0, 0.1, count)
    losses = 2 * np.exp(-np.arange(count) / 3000) + np.abs(noise)
    records = {
        "loss": scalars("loss", np.repeat(np.arange(EPOCHS), BATCHES), times, losses),
        "accuracy": scalars("accuracy", range(EPOCHS), times[:EPOCHS], 1 - losses[::BATCHES] / 3),
    }
    yield from serve_logs(tmp_path_factory.mktemp("batches"), lambda folder: write_run(folder / "run", records))


def choose(page: Page, name: str) -> None:
    """Choose which points are drawn, in the settings of the card."""
    page.get_by_test_id("repeats").click()
    page.get_by_role("dialog").get_by_role("radio", name=name, exact=True).check()
    settle(page)


def test_the_last_point_of_each_step_is_drawn_when_chosen(driver: PageDriver, batches: BoardProcess) -> None:
    """The card says which points are drawn; the choice is in the address and is undone by Back."""
    page = driver.open(batches, "&smoothing=0")
    card = find_card(page, "loss")
    note = card.get_by_test_id("repeats")
    expect(note).to_have_text("Several points at a step")
    assert data_number(card, "held") == EPOCHS * BATCHES

    choose(page, "Last")
    expect(note).to_have_text("Last point of each step")
    expect(card).to_have_attribute("data-held", str(EPOCHS))
    assert "repeats=last" in page.url

    go_back(page)
    expect(note).to_have_text("Several points at a step")
    expect(card).to_have_attribute("data-held", str(EPOCHS * BATCHES))


def test_only_tags_with_repeated_steps_have_the_choice(driver: PageDriver, batches: BoardProcess) -> None:
    """Neither the note nor the setting is there for others."""
    page = driver.open(batches)
    accuracy = find_card(page, "accuracy")
    find_card(page, "loss")
    expect(page.get_by_test_id("repeats")).to_have_count(1)

    accuracy.get_by_role("button", name="Set y range").click()
    settings = page.get_by_role("dialog")
    expect(settings.get_by_role("slider")).to_be_visible()
    expect(settings.get_by_role("radio")).to_have_count(0)


def test_downloads_keep_all_points(driver: PageDriver, batches: BoardProcess, tmp_path: pathlib.Path) -> None:
    """Whatever is drawn."""
    page = driver.open(batches, "&repeats=last")
    file = download_from_menu(page, find_card(page, "loss"), "All points as CSV", tmp_path)

    assert len(list(csv.DictReader(file.read_text().splitlines()))) == EPOCHS * BATCHES


def test_the_choice_is_intact_and_accessible(driver: PageDriver, batches: BoardProcess) -> None:
    """In every language, at three widths."""
    page = driver.open(batches, f"&lang={LANGUAGES[0]}&repeats=last")
    find_card(page, "loss")

    assert find_page_faults(page, [1440, 1024, 390], accessible=[390]) == {}
