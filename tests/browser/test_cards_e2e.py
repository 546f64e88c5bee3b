"""Joining, pinning and adjusting cards, all in the URL (check 23)."""

import pathlib
import re

import numpy as np
import pytest
from playwright.sync_api import Locator, Page, expect

from support import scalar_logs
from support.board_process import BoardProcess, BoardStarter
from support.chart_cards import find_card, hover, tooltip_rows
from support.page_driver import PageDriver
from support.settled_pages import press, settle, type_text


def take(page: Page, tag: str) -> None:
    """Press on the head of a card and begin to drag."""
    settle(page)
    box = find_card(page, tag).locator("header").bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 40, box["y"] + 16)
    page.mouse.down()
    page.mouse.move(box["x"] + 60, box["y"] + 30, steps=3)


def put(page: Page, tag: str, across: float) -> None:
    """Let go over a fraction of another card's width."""
    settle(page)
    box = find_card(page, tag).bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] * across, box["y"] + box["height"] / 2, steps=5)
    page.mouse.up()


def button(page: Page, tag: str, name: str) -> Locator:
    """A button on a card, shown as the pointer comes."""
    found = find_card(page, tag)
    found.hover()
    settle(page)
    return found.get_by_role("button", name=name)


def choose(page: Page, tag: str, item: str, role: str = "menuitem") -> None:
    """Choose from the menu of a card."""
    button(page, tag, "More actions").click()
    page.get_by_role(role, name=item).click()


def joined(page: Page, tag: str) -> list[str | None]:
    """Tags that the head of a card names."""
    settle(page)
    found: list[str | None] = [
        each.get_attribute("data-tag-name") for each in find_card(page, tag).get_by_test_id("joined-tag").all()
    ]
    return found


def order(page: Page, selector: str = "[data-card]") -> list[str]:
    """Tags of the cards in the order of the page."""
    found: list[str] = page.locator(selector).evaluate_all("(cells) => cells.map((cell) => cell.dataset.card)")
    return found


def test_dropping_a_card_joins_it(driver: PageDriver, sweep: BoardProcess) -> None:
    """Check 23: two dash patterns per run, stored in the URL."""
    page = driver.open(sweep)
    take(page, "eval/loss")
    put(page, "train/loss", 0.5)

    expect(page.locator('[data-testid=card][data-tag="eval/loss"]')).to_have_count(0)
    assert joined(page, "train/loss") == ["train/loss", "eval/loss"]
    page.wait_for_url("**join=train/loss;eval/loss**")
    dashes = (
        find_card(page, "train/loss")
        .locator('h3 svg[width="18"] path')
        .evaluate_all("(paths) => paths.map((path) => path.getAttribute('stroke-dasharray'))")
    )
    assert len(set(dashes)) == 2


def test_tooltips_of_joined_cards_name_tags(driver: PageDriver, sweep: BoardProcess) -> None:
    """A row per tag and run."""
    page = driver.open(sweep, "&smoothing=0&tipRows=0&join=train/loss;eval/loss")
    expect(find_card(page, "train/loss")).to_have_attribute("data-held", "12000")
    hover(page, find_card(page, "train/loss"), 0.5)

    rows = {(row["run"], row["tag"]) for row in tooltip_rows(page)}

    assert len(rows) == 12
    assert {tag for _, tag in rows} == {"train/loss", "eval/loss"}


def test_joined_cards_open_from_links_and_can_be_split(driver: PageDriver, sweep: BoardProcess) -> None:
    """In the legend."""
    page = driver.open(sweep, "&join=train/loss;eval/loss")
    assert joined(page, "train/loss") == ["train/loss", "eval/loss"]
    find_card(page, "train/loss").hover()
    page.get_by_role("button", name="Remove eval/loss").click()

    find_card(page, "eval/loss")
    page.wait_for_url(lambda url: "join" not in url)


def test_tags_can_be_added_by_keys(driver: PageDriver, sweep: BoardProcess) -> None:
    """The menu searches tags; the counterpart of a training tag is first."""
    page = driver.open(sweep)
    button(page, "train/loss", "More actions").focus()
    press(page, "Enter")
    page.get_by_role("menuitem", name="Add tag").focus()
    press(page, "Enter")
    expect(page.get_by_role("dialog").get_by_role("option").first).to_have_text("eval/loss")
    type_text(page, "accur")
    press(page, "Enter")

    expect(find_card(page, "train/loss").get_by_test_id("joined-tag")).to_have_count(2)
    assert joined(page, "train/loss") == ["train/loss", "eval/accuracy"]


def test_training_and_validation_are_joined_by_one_click(driver: PageDriver, sweep: BoardProcess) -> None:
    """The suggestion in the section header then disappears."""
    page = driver.open(sweep)
    page.get_by_test_id("pair-hint").click()

    expect(page.get_by_test_id("pair-hint")).to_have_count(0)
    assert joined(page, "train/loss") == ["train/loss", "eval/loss"]


def test_pinned_cards_come_first(driver: PageDriver, sweep: BoardProcess) -> None:
    """Also from a link; one click unpins."""
    page = driver.open(sweep)
    button(page, "train/lr", "Pin card").click()
    button(page, "train/loss", "Pin card").click()

    expect(page.get_by_test_id("pinned-strip")).to_have_attribute("data-count", "2")
    settle(page)
    assert order(page)[:2] == ["train/lr", "train/loss"]
    page.wait_for_url("**pinned=train/lr,train/loss**")
    page.get_by_test_id("pinned-strip").hover()
    page.get_by_role("button", name="Unpin all").click()
    expect(page.get_by_test_id("pinned-strip")).to_have_count(0)


def test_pinned_cards_can_be_reordered(driver: PageDriver, sweep: BoardProcess) -> None:
    """By dropping one at the edge of another."""
    page = driver.open(sweep, "&pinned=train/lr,train/loss")
    take(page, "train/loss")
    put(page, "train/lr", 0.05)

    page.wait_for_url("**pinned=train/loss,train/lr**")
    settle(page)
    assert order(page, "[data-pinned]") == ["train/loss", "train/lr"]


def test_esc_cancels_a_drag(driver: PageDriver, sweep: BoardProcess) -> None:
    """Nothing is joined."""
    page = driver.open(sweep)
    take(page, "eval/loss")
    press(page, "Escape")
    put(page, "train/loss", 0.5)
    settle(page)

    find_card(page, "eval/loss")
    assert "join" not in page.url


def test_card_settings_are_in_the_url(driver: PageDriver, sweep: BoardProcess) -> None:
    """And can be reset."""
    page = driver.open(sweep)
    choose(page, "train/loss", "Log y axis", "menuitemcheckbox")
    page.wait_for_url("**cards=train/loss;log=true**")
    choose(page, "train/loss", "Use page settings")

    page.wait_for_url(lambda url: "cards=" not in url)


def test_the_y_range_can_be_typed(driver: PageDriver, sweep: BoardProcess) -> None:
    """After a click on the axis labels."""
    page = driver.open(sweep)
    box = find_card(page, "train/loss").locator("canvas").first.bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + 14, box["y"] + 60)
    sheet = page.get_by_role("dialog", name="Card settings")
    sheet.get_by_role("textbox", name="From").first.fill("0.25")
    sheet.get_by_role("textbox", name="To").first.fill("0.75")

    page.wait_for_url(re.compile("y=0.25:0.75"))


def test_card_dialogs_return_the_focus(driver: PageDriver, sweep: BoardProcess) -> None:
    """They open below their button; Esc closes them."""
    page = driver.open(sweep)
    choose(page, "train/loss", "Smoothing and ranges")
    sheet = page.get_by_role("dialog", name="Card settings")
    expect(sheet.get_by_role("textbox").first).to_be_focused()
    settle(page)
    beside, above = sheet.bounding_box(), find_card(page, "train/loss").bounding_box()
    press(page, "Escape")

    assert beside is not None
    assert above is not None
    assert above["x"] < beside["x"] + beside["width"] / 2 < above["x"] + 2 * above["width"]
    assert 0 < beside["y"] - above["y"] < 48
    expect(find_card(page, "train/loss").get_by_role("button", name="More actions")).to_be_focused()


def test_cards_have_three_heights(driver: PageDriver, sweep: BoardProcess) -> None:
    """200, 236 and 320 pixels."""
    heights = {}
    for name in ("small", "normal", "tall"):
        box = find_card(driver.open(sweep, f"&height={name}"), "train/loss").bounding_box()
        assert box is not None
        heights[name] = box["height"]

    assert heights == {"small": 200, "normal": 236, "tall": 320}


def test_at_1024_pixels_rows_are_full(driver: PageDriver, sweep: BoardProcess) -> None:
    """The odd card of a section takes both columns."""
    page = driver.open(sweep, width=1024, height=1600)
    left, right = (find_card(page, tag).bounding_box() for tag in ("train/loss", "train/grad_norm"))
    last = find_card(page, "train/lr").bounding_box()
    assert left is not None
    assert right is not None
    assert last is not None

    assert last["width"] == pytest.approx(right["x"] + right["width"] - left["x"])


def test_keys_move_between_cards(driver: PageDriver, sweep: BoardProcess) -> None:
    """j and k move, p pins."""
    page = driver.open(sweep)
    press(page, "j", "j")
    expect(find_card(page, "eval/accuracy").get_by_role("img")).to_be_focused()
    press(page, "p")

    page.wait_for_url("**pinned=eval/accuracy**")


def test_invalid_ranges_are_marked(driver: PageDriver, sweep: BoardProcess) -> None:
    """And not applied."""
    page = driver.open(sweep)
    choose(page, "train/loss", "Smoothing and ranges…")
    ends = page.get_by_role("group", name="Y range").get_by_role("textbox")
    ends.first.fill("9")

    expect(ends.first).to_have_attribute("aria-invalid", "true")
    ends.last.fill("10")
    expect(ends.first).not_to_have_attribute("aria-invalid", "true")


def test_tiny_ranges_are_shown(driver: PageDriver, start_board: BoardStarter, tmp_path: pathlib.Path) -> None:
    """Not as 0 to 0."""
    values = 1e-30 * np.arange(1.0, 51.0)
    records = {"tiny": scalar_logs.scalars("tiny", range(50), scalar_logs.START + np.arange(50.0), values)}
    scalar_logs.write_run(tmp_path / "run", records)
    page = driver.open(start_board(tmp_path))
    choose(page, "tiny", "Smoothing and ranges…")
    ends = page.get_by_role("group", name="Y range").get_by_role("textbox")
    settle(page)

    assert float(ends.last.input_value()) > 4e-29
