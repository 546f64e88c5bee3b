"""Nothing lies over anything else and nothing is cut, at any usual width, in any language (checks 4 and 29)."""

import pathlib

import numpy as np
import pytest
from layout import FAULTS, PAGES_OF_KINDS
from logs import START, scalars, write_run
from playwright.sync_api import expect
from served import Board, Serving
from visitor import Visitor

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
def test_nothing_is_cut_or_overlapping(visitor: Visitor, sweep: Board, name: str, width: int, language: str) -> None:
    """Boxes beside each other do not meet, text is whole or says that it is not, only tables scroll sideways."""
    page = visitor.open(sweep, f"&lang={language}{PAGES[name]}", width=width, ready=False)
    page.wait_for_selector("[data-testid=card], [data-testid=run-row], main table", state="attached")

    assert page.evaluate(FAULTS) == []


@pytest.mark.parametrize(("width", "language"), [(1440, "en"), (1280, "ru"), (1024, "zh"), (390, "ru"), (390, "en")])
@pytest.mark.parametrize("kind", PAGES_OF_KINDS)
def test_nothing_is_cut_or_overlapping_on_pages_of_kinds(
    visitor: Visitor, kinds: Board, kind: str, width: int, language: str
) -> None:
    """The same of everything that torch's writer writes."""
    page = visitor.open(kinds, f"&lang={language}#{kind}", width=width, ready=False)
    expect(page.locator("html[data-ready]")).to_be_attached()
    expect(page.locator(f"main[data-page={kind}]")).to_have_attribute("aria-busy", "false")

    assert page.evaluate(FAULTS) == []


@pytest.mark.parametrize(("width", "language"), [(1440, "en"), (1280, "ru"), (1024, "zh"), (390, "en")])
def test_nothing_is_cut_or_overlapping_among_cards_of_several_kinds(
    visitor: Visitor, kinds: Board, width: int, language: str
) -> None:
    """The choice of kinds has room in the bar, images lower than their buttons have room beside them."""
    query = f"&lang={language}&kinds=scalars,images&tagFilter=high|low|batch#timeseries"
    page = visitor.open(kinds, query, width=width, ready=False)
    expect(page.locator("[data-testid=card][data-tag=batch] img").first).to_be_visible(timeout=30_000)

    assert page.evaluate(FAULTS) == []


@pytest.mark.parametrize("language", ["en", "zh", "ru"])
@pytest.mark.parametrize("width", [390, 320])
def test_the_offer_to_join_pairs_is_whole(
    visitor: Visitor, serving: Serving, tmp_path: pathlib.Path, width: int, language: str
) -> None:
    """Where the sentence has no room the offer is the name of the partner."""
    steps = range(3)
    tags = [f"{part}/{what}" for part in ("train", "validation") for what in ("loss", "accuracy")]
    write_run(tmp_path / "run", {tag: scalars(tag, steps, START + np.arange(3.0), np.ones(3)) for tag in tags})
    page = visitor.open(serving(tmp_path), f"&lang={language}", width=width)
    expect(page.get_by_test_id("pair-hint")).to_contain_text("validation", use_inner_text=True)

    assert page.evaluate(FAULTS) == []
