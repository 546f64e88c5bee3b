"""Sections of the Time Series page share rows."""

from typing import Any

from playwright.sync_api import Locator, Page, expect

from support.board_process import BoardProcess
from support.chart_cards import find_card
from support.page_driver import PageDriver
from support.settled_pages import press

NEIGHBOURS = "&tagFilter=eval|perf"
"""Without the section between them."""


def box(found: Locator) -> dict[str, float]:
    """Where an element lies in the window."""
    at = found.bounding_box()
    assert at is not None
    return {**at}


def head(page: Page, name: str) -> Locator:
    """The button that folds a section."""
    return page.get_by_role("main").get_by_role("heading", level=2).get_by_role("button", name=name)


def test_small_sections_share_a_row(driver: PageDriver, sweep: BoardProcess) -> None:
    """At three columns "eval" (2 cards) and "perf" (1) stand side by side, each head over its own cards."""
    page = driver.open(sweep, NEIGHBOURS)
    loss, accuracy, tokens = (
        box(find_card(page, tag)) for tag in ("eval/loss", "eval/accuracy", "perf/tokens_per_sec")
    )
    first, second = box(head(page, "eval")), box(head(page, "perf"))

    assert loss["y"] == accuracy["y"] == tokens["y"]
    assert first["y"] == second["y"]
    assert abs(first["x"] - loss["x"]) < 8
    assert abs(second["x"] - tokens["x"]) < 8


def test_a_section_counts_its_cards_of_all_kinds(driver: PageDriver, kinds: BoardProcess) -> None:
    """Images and histograms are cards like the others."""
    page = driver.open(kinds, "&kinds=images#timeseries")

    expect(head(page, "Ungrouped").locator("bdi + span")).to_have_text("8")


def test_a_shared_row_is_read_section_by_section(driver: PageDriver, sweep: BoardProcess) -> None:
    """In the page, and so for screen readers and the Tab key, a head is followed by its own cards."""
    page = driver.open(sweep, NEIGHBOURS)
    find_card(page, "perf/tokens_per_sec")

    order: list[Any] = page.locator("main h2, main [data-testid=card]").evaluate_all(
        "(found) => found.map((each) => each.dataset.tag ?? each.querySelector('bdi').textContent)"
    )

    assert order == ["eval", "eval/loss", "eval/accuracy", "perf", "perf/tokens_per_sec"]


def test_results_come_before_what_else_is_logged(driver: PageDriver, sweep: BoardProcess) -> None:
    """First those of evaluation, then those of training; the machine is last."""
    page = driver.open(sweep, height=1600)
    find_card(page, "perf/tokens_per_sec")

    tags: list[str] = page.locator("[data-testid=card]").evaluate_all(
        "(cards) => cards.map(({ dataset }) => dataset.tag)"
    )

    assert tags == [
        *("eval/loss", "eval/accuracy"),
        *("train/loss", "train/grad_norm", "train/lr"),
        "perf/tokens_per_sec",
    ]


def test_folding_one_of_two_neighbours_keeps_the_other_and_the_focus(driver: PageDriver, sweep: BoardProcess) -> None:
    """The folded head gives its row up and keeps the keyboard; opening it brings the shared row back."""
    page = driver.open(sweep, NEIGHBOURS)
    tokens = find_card(page, "perf/tokens_per_sec")
    before, first = box(tokens), box(find_card(page, "eval/loss"))
    eval_head = head(page, "eval")
    eval_head.focus()
    press(page, "Enter")

    expect(page.locator("[data-testid=card]")).to_have_count(1)
    expect(eval_head).to_be_focused()
    expect(eval_head).to_have_attribute("aria-expanded", "false")
    assert box(tokens)["x"] == first["x"]

    press(page, "Enter")

    find_card(page, "eval/loss")
    assert box(tokens) == before


def test_a_phone_has_one_section_below_the_other(driver: PageDriver, sweep: BoardProcess) -> None:
    """In one column nothing is shared: each head is over the whole width, its cards below it."""
    page = driver.open(sweep, width=390, height=2400)
    left = {box(find_card(page, tag))["x"] for tag in ("eval/accuracy", "perf/tokens_per_sec", "train/lr")}

    assert len(left) == 1
    assert box(head(page, "perf"))["y"] > box(find_card(page, "eval/accuracy"))["y"]
