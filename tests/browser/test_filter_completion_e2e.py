"""Completion in the run filter: columns, operators and values, by keys and by mouse."""

from playwright.sync_api import Locator, Page, expect

from support.accessibility import find_violations_in_both_themes
from support.board_process import BoardProcess
from support.page_driver import PageDriver
from support.settled_pages import press, settle, type_text


def filter_box(page: Page) -> Locator:
    """The box, which has the keyboard from now on."""
    box = page.get_by_role("combobox", name="Filter runs")
    box.focus()
    return box


def offers(page: Page) -> list[str]:
    """What the list below it offers."""
    titles: list[str] = (
        page.get_by_role("option").locator("bdi").evaluate_all("parts => parts.map((part) => part.title)")
    )
    return titles


def test_a_term_is_completed_by_keys(driver: PageDriver, sweep: BoardProcess) -> None:
    """Column, operator, value; the box tells screen readers which offer is active."""
    page = driver.open(sweep)
    box = filter_box(page)
    type_text(page, "op")
    assert offers(page)[0] == "opt="
    expect(box).to_have_attribute("aria-expanded", "true")
    press(page, "ArrowDown")
    active = page.locator(f"[id='{box.get_attribute('aria-activedescendant')}']")
    expect(active).to_have_attribute("aria-selected", "true")

    press(page, "Enter")
    expect(box).to_have_value("opt=")
    assert offers(page) == ["adamw", "lion"]
    press(page, "ArrowUp", "Enter")
    expect(box).to_have_value("opt=lion")
    expect(box).to_have_attribute("aria-expanded", "false")
    expect(page.get_by_test_id("run-row")).to_have_count(1)


def test_a_metric_is_completed_by_mouse(driver: PageDriver, sweep: BoardProcess) -> None:
    """The keyboard stays in the box, so that the value can be typed."""
    page = driver.open(sweep)
    box = filter_box(page)
    type_text(page, "eval/lo")
    page.get_by_role("option", name="eval/loss<").click()
    type_text(page, "100")

    expect(box).to_have_value("eval/loss<100")
    expect(page.get_by_test_id("run-row")).to_have_count(6)


def test_a_half_typed_column_leaves_the_runs(driver: PageDriver, sweep: BoardProcess) -> None:
    """And says what is missing once the list is closed; the terms before it hold."""
    page = driver.open(sweep)
    box = filter_box(page)
    type_text(page, "seed eval/lo")

    expect(page.get_by_test_id("run-row")).to_have_count(3)
    press(page, "Escape")
    expect(page.get_by_role("listbox")).to_have_count(0)
    expect(page.get_by_role("alert")).to_contain_text("eval/lo")
    expect(box).to_be_focused()
    expect(box).to_have_value("seed eval/lo")


def test_enter_leaves_what_was_typed(driver: PageDriver, sweep: BoardProcess) -> None:
    """No offer is active before an arrow key."""
    page = driver.open(sweep)
    box = filter_box(page)
    type_text(page, "seed1")
    assert offers(page) == ["big/seed1"]
    press(page, "Enter")

    expect(box).to_have_value("seed1")


def test_columns_are_offered_without_typing(driver: PageDriver, sweep: BoardProcess) -> None:
    """The arrow key opens the list, a click into the empty box does too, and leaving closes it."""
    page = driver.open(sweep)
    box = filter_box(page)
    press(page, "ArrowDown")
    asked = offers(page)
    assert asked[:3] == ["eval/loss<", "eval/accuracy>", "lr="]
    assert find_violations_in_both_themes(page) == {}

    page.get_by_role("button", name="Choose columns").focus()
    expect(page.get_by_role("listbox")).to_have_count(0)
    box.click()
    settle(page)
    assert offers(page) == asked


def test_the_list_is_whole_on_a_phone(driver: PageDriver, nested_sweep: BoardProcess) -> None:
    """Within the window, although names of runs are longer than the box."""
    page = driver.open(nested_sweep, width=390, height=844)
    page.get_by_role("button", name="Open run list").click()
    filter_box(page)
    type_text(page, "vit")

    box = page.get_by_role("listbox").bounding_box()
    assert box is not None
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 390
    assert len(offers(page)) > 0
