"""Layout: no overlaps, nothing cut off, at any width and language (checks 4 and 29)."""

import pathlib

import numpy as np
import pytest
from playwright.sync_api import expect

from support.board_process import BoardProcess, BoardStarter
from support.layout_faults import KIND_PAGES, LAYOUT_FAULTS
from support.page_driver import PageDriver
from support.scalar_logs import START, scalars, write_run

PAGES = {
    "time series": "&pinned=eval/loss&join=train/loss;eval/loss#timeseries",
    "groups": "&group=mean,sd,config:lr&runColorGroup=config:lr#timeseries",
    "runs": "#runs",
    "compare": "&compare=baseline,big/seed0,big/seed1#compare",
    "run": "#run/big/seed0",
}


@pytest.mark.parametrize("language", ["en", "zh", "ru"])
@pytest.mark.parametrize("width", [1440, 1280, 1024, 390])
@pytest.mark.parametrize("name", PAGES)
def test_pages_have_no_layout_faults(
    driver: PageDriver, sweep: BoardProcess, name: str, width: int, language: str
) -> None:
    """Boxes do not overlap, truncated text has an ellipsis, only tables scroll sideways."""
    page = driver.open(sweep, f"&lang={language}{PAGES[name]}", width=width)
    page.wait_for_selector("[data-testid=card], [data-testid=run-row], main table", state="attached")

    assert page.evaluate(LAYOUT_FAULTS) == []


@pytest.mark.parametrize(("width", "language"), [(1440, "en"), (1280, "ru"), (1024, "zh"), (390, "ru"), (390, "en")])
@pytest.mark.parametrize("kind", KIND_PAGES)
def test_pages_of_kinds_have_no_layout_faults(
    driver: PageDriver, kinds: BoardProcess, kind: str, width: int, language: str
) -> None:
    """The same of everything that torch's writer writes."""
    page = driver.open(kinds, f"&lang={language}#{kind}", width=width)

    assert page.evaluate(LAYOUT_FAULTS) == []


@pytest.mark.parametrize(("width", "language"), [(1440, "en"), (1280, "ru"), (1024, "zh"), (390, "en")])
def test_mixed_cards_have_no_layout_faults(driver: PageDriver, kinds: BoardProcess, width: int, language: str) -> None:
    """The choice of kinds has room in the bar, images lower than their buttons have room beside them."""
    query = f"&lang={language}&kinds=scalars,images&tagFilter=high|low|batch#timeseries"
    page = driver.open(kinds, query, width=width)
    expect(page.locator("[data-testid=card][data-tag=batch] img").first).to_be_visible(timeout=30_000)

    assert page.evaluate(LAYOUT_FAULTS) == []


@pytest.mark.parametrize("language", ["en", "zh", "ru"])
@pytest.mark.parametrize("width", [390, 320])
def test_the_join_suggestion_fits(
    driver: PageDriver, start_board: BoardStarter, tmp_path: pathlib.Path, width: int, language: str
) -> None:
    """It falls back to the name of the counterpart."""
    steps = range(3)
    tags = [f"{part}/{what}" for part in ("train", "validation") for what in ("loss", "accuracy")]
    write_run(tmp_path / "run", {tag: scalars(tag, steps, START + np.arange(3.0), np.ones(3)) for tag in tags})
    page = driver.open(start_board(tmp_path), f"&lang={language}", width=width)
    expect(page.get_by_test_id("pair-hint")).to_contain_text("validation", use_inner_text=True)

    assert page.evaluate(LAYOUT_FAULTS) == []
