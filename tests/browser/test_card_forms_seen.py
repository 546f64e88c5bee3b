"""Other forms of a card: differences from the baseline, its own smoothing, tips in any order."""

import pytest
from cards import card, hover, series, tip_rows
from playwright.sync_api import expect
from served import Board
from visitor import Visitor


def test_differences_are_the_values_less_those_of_the_baseline(visitor: Visitor, sweep: Board) -> None:
    """At a step every run says its value minus the baseline's; the title says so."""
    page = visitor.open(sweep, "&smoothing=0&tipRows=0&baseline=lr_1e-3&cards=train/loss;baseline=true")
    loss = card(page, "train/loss")
    expect(loss.get_by_role("heading")).to_contain_text("− lr_1e-3")
    hover(page, loss, 0.4)
    rows = tip_rows(page)
    step = int(rows[0]["step"])
    stored = {
        run: {at: value for _, at, value in series(sweep, run, "train/loss")}[step] for run in ("lr_1e-3", "baseline")
    }

    said = {row["run"]: float(row["value"]) for row in rows}

    assert said["lr_1e-3"] == 0
    assert said["baseline"] == pytest.approx(stored["baseline"] - stored["lr_1e-3"], abs=1e-9)


def test_a_card_has_its_own_smoothing(visitor: Visitor, sweep: Board) -> None:
    """None on one card, as the page on the others."""
    page = visitor.open(sweep, "&smoothing=0.9&cards=train/loss;smoothing=0")
    hover(page, card(page, "train/loss"), 0.5)
    own = tip_rows(page)
    hover(page, card(page, "train/lr"), 0.5)
    others = tip_rows(page)

    assert all("smoothed" not in row for row in own)
    assert all("smoothed" in row for row in others)


@pytest.mark.parametrize(("sort", "order"), [("ascending", 1), ("descending", -1)])
def test_the_tip_sorts_by_value(visitor: Visitor, sweep: Board, sort: str, order: int) -> None:
    """All rows, in the order that was chosen."""
    page = visitor.open(sweep, f"&smoothing=0&tipRows=0&tipSort={sort}")
    hover(page, card(page, "train/loss"), 0.3)
    values = [float(row["value"]) for row in tip_rows(page)]

    assert values == sorted(values, key=lambda value: order * value)
    assert len(values) == 6


def test_the_tip_has_as_many_rows_as_was_chosen(visitor: Visitor, sweep: Board) -> None:
    """Three, and the rest by Shift."""
    page = visitor.open(sweep, "&tipRows=3")
    hover(page, card(page, "train/loss"), 0.3)
    few = len(tip_rows(page))
    page.keyboard.down("Shift")
    expect(page.get_by_test_id("tip").locator("tbody tr")).to_have_count(6)

    assert few == 3


def test_log_x_spans_powers_of_ten(visitor: Visitor, sweep: Board) -> None:
    """Half of the width is the middle of the exponents, not of the steps."""
    page = visitor.open(sweep, "&smoothing=0&logX=true")
    hover(page, card(page, "train/loss"), 0.55)

    step = float(tip_rows(page)[0]["step"])

    assert 10 < step < 1_000
