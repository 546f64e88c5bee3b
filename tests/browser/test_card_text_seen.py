"""What is written on a card: its name, its summary, its values."""

import pathlib

import logs
import numpy as np
import pytest
from cards import card, hover
from playwright.sync_api import expect
from served import Board, Serving
from visitor import Visitor

DEEP = "transformer/encoder/layers/attention/projection/gradient_norm"
WALLS = logs.START + np.arange(50.0)


def test_the_scope_gives_way_before_the_name(visitor: Visitor, serving: Serving, tmp_path: pathlib.Path) -> None:
    """What tells the cards of a scope apart is read whole."""
    logs.write_run(tmp_path / "run", {DEEP: logs.scalars(DEEP, range(50), WALLS, logs.decay(0, 0, 50))})
    page = visitor.open(serving(tmp_path), "&columns=4")

    name = card(page, DEEP).locator("h3 span").last

    expect(name).to_have_text("gradient_norm")
    assert name.evaluate("(name) => name.scrollWidth <= name.clientWidth")


def test_a_count_is_told_in_full(visitor: Visitor, serving: Serving, tmp_path: pathlib.Path) -> None:
    """Tokens seen are not rounded to six digits."""
    counts = np.full(50, 1_234_567.0)
    logs.write_run(tmp_path / "run", {"tokens": logs.scalars("tokens", range(50), WALLS, counts)})
    page = visitor.open(serving(tmp_path), "&smoothing=0")
    hover(page, card(page, "tokens"), 0.5)

    expect(page.get_by_test_id("tip").locator("tbody tr")).to_contain_text("1\u2009234\u2009567")


def test_values_far_from_zero_are_told_apart(visitor: Visitor, serving: Serving, tmp_path: pathlib.Path) -> None:
    """A tip says as many digits as the axis shows."""
    values = np.where(np.arange(50) < 25, 1_000_000.25, 1_000_000.75)
    logs.write_run(tmp_path / "run", {"energy": logs.scalars("energy", range(50), WALLS, values)})
    page = visitor.open(serving(tmp_path), "&smoothing=0")
    said = page.get_by_test_id("tip").locator("tbody tr")
    hover(page, card(page, "energy"), 0.3)
    expect(said).to_contain_text("1\u2009000\u2009000.25")
    hover(page, card(page, "energy"), 0.8)

    expect(said).to_contain_text("1\u2009000\u2009000.75")


@pytest.mark.parametrize("query", ["", "&pin=3000,baseline&range=3000,6000"])
def test_the_buttons_cover_no_word_while_the_menu_is_open(visitor: Visitor, sweep: Board, query: str) -> None:
    """The summary is not half seen beside them, wherever the pointer is."""
    page = visitor.open(sweep, query)
    loss = card(page, "train/loss")
    loss.hover()
    loss.get_by_role("button", name="More for this card").click()
    page.get_by_role("menuitem", name="Take away").hover()

    expect(loss.locator("header > div")).to_be_hidden()


def test_a_card_without_the_tag_of_the_axis_says_which(
    visitor: Visitor, serving: Serving, tmp_path: pathlib.Path
) -> None:
    """There are points, and nowhere to put them."""
    for name in ("epoch", "loss"):
        logs.write_run(tmp_path / name, {name: logs.scalars(name, range(50), WALLS, np.arange(50.0))})
    page = visitor.open(serving(tmp_path), "&axis=tag&xTag=epoch")
    loss = page.locator('[data-testid=card][data-tag="loss"]')

    expect(loss).to_have_attribute("data-state", "empty")
    expect(loss).to_contain_text("No run on show has both this tag and epoch")
