"""Cards put together, pinned and set by hand, and all of it in the address (check 23)."""

import pathlib
import re

import logs
import numpy as np
import pytest
from cards import card, hover, tip_rows
from playwright.sync_api import Locator, Page, expect
from served import Board, Serving
from visitor import Visitor


def take(page: Page, tag: str) -> None:
    """Press on the head of a card and begin to drag."""
    box = card(page, tag).locator("header").bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 40, box["y"] + 16)
    page.mouse.down()
    page.mouse.move(box["x"] + 60, box["y"] + 30, steps=3)


def put(page: Page, tag: str, across: float) -> None:
    """Let go over a fraction of another card's width."""
    box = card(page, tag).bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] * across, box["y"] + box["height"] / 2, steps=5)
    page.mouse.up()


def button(page: Page, tag: str, name: str) -> Locator:
    """A button on a card, shown as the pointer comes."""
    found = card(page, tag)
    found.hover()
    return found.get_by_role("button", name=name)


def choose(page: Page, tag: str, item: str, role: str = "menuitem") -> None:
    """Choose from the menu of a card."""
    button(page, tag, "More for this card").click()
    page.get_by_role(role, name=item).click()


def joined(page: Page, tag: str) -> list[str | None]:
    """Tags that the head of a card names."""
    found: list[str | None] = [
        each.get_attribute("data-tag-name") for each in card(page, tag).get_by_test_id("joined-tag").all()
    ]
    return found


def order(page: Page, selector: str = "[data-card]") -> list[str]:
    """Tags of the cards in the order of the page."""
    found: list[str] = page.locator(selector).evaluate_all("(cells) => cells.map((cell) => cell.dataset.card)")
    return found


def test_a_card_dropped_on_another_is_drawn_in_it(visitor: Visitor, sweep: Board) -> None:
    """Check 23: eval/loss put on train/loss: one card, two dashes for each run, kept in the address."""
    page = visitor.open(sweep)
    take(page, "eval/loss")
    put(page, "train/loss", 0.5)

    expect(page.locator('[data-testid=card][data-tag="eval/loss"]')).to_have_count(0)
    assert joined(page, "train/loss") == ["train/loss", "eval/loss"]
    page.wait_for_url("**join=train/loss;eval/loss**")
    dashes = (
        card(page, "train/loss")
        .locator('h3 svg[width="18"] path')
        .evaluate_all("(paths) => paths.map((path) => path.getAttribute('stroke-dasharray'))")
    )
    assert len(set(dashes)) == 2


def test_the_tip_names_the_tags_of_a_card_of_two(visitor: Visitor, sweep: Board) -> None:
    """A run has a row for each tag, with that tag's value."""
    page = visitor.open(sweep, "&smoothing=0&tipRows=0&join=train/loss;eval/loss")
    expect(card(page, "train/loss")).to_have_attribute("data-held", "12000")
    hover(page, card(page, "train/loss"), 0.5)

    rows = {(row["run"], row["tag"]) for row in tip_rows(page)}

    assert len(rows) == 12
    assert {tag for _, tag in rows} == {"train/loss", "eval/loss"}


def test_a_link_brings_joined_cards_and_a_tag_taken_out_is_a_card_again(visitor: Visitor, sweep: Board) -> None:
    """The legend takes a tag out."""
    page = visitor.open(sweep, "&join=train/loss;eval/loss")
    assert joined(page, "train/loss") == ["train/loss", "eval/loss"]
    card(page, "train/loss").hover()
    page.get_by_role("button", name="Take eval/loss out").click()

    card(page, "eval/loss")
    page.wait_for_url(lambda url: "join" not in url)


def test_a_tag_is_added_by_keys(visitor: Visitor, sweep: Board) -> None:
    """The menu of a card finds tags by typing; the partner of a training tag comes first."""
    page = visitor.open(sweep)
    button(page, "train/loss", "More for this card").focus()
    page.keyboard.press("Enter")
    page.get_by_role("menuitem", name="Add tag").press("Enter")
    expect(page.get_by_role("dialog").get_by_role("option").first).to_have_text("eval/loss")
    page.keyboard.type("accur")
    page.keyboard.press("Enter")

    expect(card(page, "train/loss").get_by_test_id("joined-tag")).to_have_count(2)
    assert joined(page, "train/loss") == ["train/loss", "eval/accuracy"]


def test_pairs_are_joined_by_one_click(visitor: Visitor, sweep: Board) -> None:
    """The head of a section offers its training tags with their validation; then the offer is gone."""
    page = visitor.open(sweep)
    page.get_by_test_id("pair-hint").click()

    expect(page.get_by_test_id("pair-hint")).to_have_count(0)
    assert joined(page, "train/loss") == ["train/loss", "eval/loss"]


def test_pinned_cards_stand_on_top_and_a_link_keeps_them(visitor: Visitor, sweep: Board) -> None:
    """Pinned by its button, over all sections, in the address, and away with one click."""
    page = visitor.open(sweep)
    button(page, "train/lr", "Pin card").click()
    button(page, "train/loss", "Pin card").click()

    expect(page.get_by_test_id("pinned-strip")).to_have_attribute("data-count", "2")
    assert order(page)[:2] == ["train/lr", "train/loss"]
    page.wait_for_url("**pinned=train/lr,train/loss**")
    page.get_by_test_id("pinned-strip").hover()
    page.get_by_role("button", name="Clear all pins").click()
    expect(page.get_by_test_id("pinned-strip")).to_have_count(0)


def test_pinned_cards_are_ordered_by_hand(visitor: Visitor, sweep: Board) -> None:
    """A card let go at the edge of a pinned one stands beside it."""
    page = visitor.open(sweep, "&pinned=train/lr,train/loss")
    take(page, "train/loss")
    put(page, "train/lr", 0.05)

    page.wait_for_url("**pinned=train/loss,train/lr**")
    assert order(page, "[data-pinned]") == ["train/loss", "train/lr"]


def test_esc_gives_a_drag_up(visitor: Visitor, sweep: Board) -> None:
    """Nothing is joined."""
    page = visitor.open(sweep)
    take(page, "eval/loss")
    page.keyboard.press("Escape")
    put(page, "train/loss", 0.5)

    card(page, "eval/loss")
    assert "join" not in page.url


def test_what_a_card_has_for_itself_is_in_the_address(visitor: Visitor, sweep: Board) -> None:
    """Log y of one card; then it follows the page again."""
    page = visitor.open(sweep)
    choose(page, "train/loss", "Log y axis", "menuitemcheckbox")
    page.wait_for_url("**cards=train/loss;log=true**")
    choose(page, "train/loss", "As the page")

    page.wait_for_url(lambda url: "cards=" not in url)


def test_a_range_of_y_is_typed(visitor: Visitor, sweep: Board) -> None:
    """A click on the numbers of the axis asks for the range; the chart and the address take it."""
    page = visitor.open(sweep)
    box = card(page, "train/loss").locator("canvas").first.bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + 14, box["y"] + 60)
    sheet = page.get_by_role("dialog", name="This card")
    sheet.get_by_role("textbox", name="From").first.fill("0.25")
    sheet.get_by_role("textbox", name="To").first.fill("0.75")

    page.wait_for_url(re.compile("y=0.25:0.75"))


def test_a_sheet_stands_beside_its_card_and_gives_the_focus_back(visitor: Visitor, sweep: Board) -> None:
    """Below the button of the menu that asked for it; Esc returns there."""
    page = visitor.open(sweep)
    choose(page, "train/loss", "Smoothing and ranges")
    sheet = page.get_by_role("dialog", name="This card")
    expect(sheet.get_by_role("textbox").first).to_be_focused()
    beside, above = sheet.bounding_box(), card(page, "train/loss").bounding_box()
    page.keyboard.press("Escape")

    assert beside is not None
    assert above is not None
    assert above["x"] < beside["x"] + beside["width"] / 2 < above["x"] + 2 * above["width"]
    assert 0 < beside["y"] - above["y"] < 48
    expect(card(page, "train/loss").get_by_role("button", name="More for this card")).to_be_focused()


def test_cards_have_three_heights(visitor: Visitor, sweep: Board) -> None:
    """200, 236 and 320 pixels."""
    heights = {}
    for name in ("small", "normal", "tall"):
        box = card(visitor.open(sweep, f"&height={name}"), "train/loss").bounding_box()
        assert box is not None
        heights[name] = box["height"]

    assert heights == {"small": 200, "normal": 236, "tall": 320}


def test_at_1024_no_row_is_left_half_empty(visitor: Visitor, sweep: Board) -> None:
    """Two columns: the card left over of a section fills its row."""
    page = visitor.open(sweep, width=1024, height=1600)
    left, right = (card(page, tag).bounding_box() for tag in ("train/grad_norm", "train/loss"))
    last = card(page, "train/lr").bounding_box()
    assert left is not None
    assert right is not None
    assert last is not None

    assert last["width"] == pytest.approx(right["x"] + right["width"] - left["x"])


def test_cards_are_walked_by_keys(visitor: Visitor, sweep: Board) -> None:
    """j and k go from card to card, p pins the one that is meant."""
    page = visitor.open(sweep)
    for key in ("j", "j"):
        page.keyboard.press(key)
    expect(card(page, "eval/loss").get_by_role("img")).to_be_focused()
    page.keyboard.press("p")

    page.wait_for_url("**pinned=eval/loss**")


def test_a_range_that_is_none_is_marked(visitor: Visitor, sweep: Board) -> None:
    """While its ends are not in order it is not taken, and seen to be wrong."""
    page = visitor.open(sweep)
    choose(page, "train/loss", "Smoothing and ranges…")
    ends = page.get_by_role("group", name="Range of y").get_by_role("textbox")
    ends.first.fill("9")

    expect(ends.first).to_have_attribute("aria-invalid", "true")
    ends.last.fill("10")
    expect(ends.first).not_to_have_attribute("aria-invalid", "true")


def test_a_range_of_tiny_values_is_said(visitor: Visitor, serving: Serving, tmp_path: pathlib.Path) -> None:
    """Not as from nought to nought."""
    values = 1e-30 * np.arange(1.0, 51.0)
    records = {"tiny": logs.scalars("tiny", range(50), logs.START + np.arange(50.0), values)}
    logs.write_run(tmp_path / "run", records)
    page = visitor.open(serving(tmp_path))
    choose(page, "tiny", "Smoothing and ranges…")
    ends = page.get_by_role("group", name="Range of y").get_by_role("textbox")

    assert float(ends.last.input_value()) > 4e-29
