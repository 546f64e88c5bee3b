"""One card in full screen, with its table of values."""

import pytest
from playwright.sync_api import Locator, Page, expect

from support.board_process import BoardProcess
from support.chart_cards import fetch_series, find_card
from support.page_driver import PageDriver
from support.settled_pages import press, settle


def open_full(page: Page, tag: str) -> Locator:
    """Open a card full screen by its key; wait until it is drawn."""
    find_card(page, tag).get_by_role("img").focus()
    press(page, "Enter")
    full = page.get_by_test_id("fullscreen")
    expect(full.locator("article")).to_have_attribute("data-state", "ready")
    settle(page)
    return full


def column(full: Locator, name: str) -> list[str]:
    """The exact numbers of a column, from above."""
    found: list[str] = full.locator(f"td[data-column={name}]").evaluate_all(
        "(cells) => cells.map((cell) => cell.dataset.value)"
    )
    return found


def test_it_fills_the_window_until_esc(driver: PageDriver, sweep: BoardProcess) -> None:
    """The focus returns."""
    page = driver.open(sweep)
    full = open_full(page, "train/loss")
    box = full.bounding_box()
    press(page, "Escape")

    assert box == {"x": 0, "y": 0, "width": 1440, "height": 900}
    expect(full).to_have_count(0)
    expect(find_card(page, "train/loss").get_by_role("img")).to_be_focused()


def test_the_table_shows_stored_values_at_the_pinned_step(driver: PageDriver, sweep: BoardProcess) -> None:
    """A row for each run."""
    page = driver.open(sweep, "&smoothing=0&pin=5000,baseline")
    full = open_full(page, "train/loss")
    rows = full.get_by_test_id("value-table").locator("tbody tr")
    expect(rows).to_have_count(6)
    runs = rows.evaluate_all("(rows) => rows.map((row) => row.dataset.run)")

    stored = [{step: value for _, step, value in fetch_series(sweep, run, "train/loss")}[5000] for run in runs]

    assert [float(text) for text in column(full, "value")] == pytest.approx(stored, rel=1e-6)


def test_a_range_keeps_values_of_the_pinned_step(driver: PageDriver, sweep: BoardProcess) -> None:
    """That of the caption."""
    page = driver.open(sweep, "&smoothing=0&pin=3000,baseline&range=3000,6000")
    full = open_full(page, "train/loss")
    table = full.get_by_test_id("value-table")

    expect(table.locator("td[data-column=step][data-value='3000']")).to_have_count(6)
    expect(table.locator("caption")).to_contain_text("At step 3\u2009000")


def test_a_pin_of_another_run_has_no_step_on_time_axes(driver: PageDriver, sweep: BoardProcess) -> None:
    """Then the last values are shown."""
    page = driver.open(sweep, "&axis=relative&pin=3000,gone")
    full = open_full(page, "train/loss")

    expect(full.locator("caption")).to_contain_text("At the last step of each run")


def test_columns_sort_the_table(driver: PageDriver, sweep: BoardProcess) -> None:
    """Descending, ascending, original."""
    page = driver.open(sweep, "&smoothing=0&pin=5000,baseline")
    full = open_full(page, "train/loss")
    expect(full.locator("td[data-column=value][data-value]")).to_have_count(6)
    unsorted = column(full, "value")
    head = full.locator("th[data-column=value]")
    seen = []
    for _ in range(3):
        head.get_by_role("button").click()
        page.mouse.move(5, 5)
        settle(page)
        seen.append((head.get_attribute("aria-sort"), column(full, "value")))

    rising = sorted(unsorted, key=float)
    assert seen == [("descending", rising[::-1]), ("ascending", rising), ("none", unsorted)]


def test_arrows_move_between_cards(driver: PageDriver, sweep: BoardProcess) -> None:
    """In the order of the page."""
    page = driver.open(sweep)
    full = open_full(page, "train/loss")
    press(page, "ArrowRight")
    expect(full).to_have_attribute("aria-label", "train/grad_norm")
    press(page, "ArrowLeft", "ArrowLeft")

    expect(full).to_have_attribute("aria-label", "eval/accuracy")


def test_differences_are_measured_from_the_baseline(driver: PageDriver, sweep: BoardProcess) -> None:
    """In their own column."""
    page = driver.open(sweep, "&smoothing=0&pin=5000,baseline&baseline=baseline")
    full = open_full(page, "train/loss")
    expect(full.locator("td[data-column=apart][data-value]")).to_have_count(5)
    rows = full.locator("tbody tr").evaluate_all(
        """(rows) => rows.map((row) => [row.dataset.run, ...['value', 'apart'].map(
            (name) => row.querySelector(`td[data-column=${name}]`).dataset.value)])"""
    )
    base = next(float(value) for run, value, _ in rows if run == "baseline")

    assert [(run, apart and float(apart)) for run, _, apart in rows] == [
        (run, None if run == "baseline" else float(value) - base) for run, value, _ in rows
    ]


def test_the_focus_is_trapped(driver: PageDriver, sweep: BoardProcess) -> None:
    """Tab goes round in the dialog."""
    page = driver.open(sweep)
    open_full(page, "train/loss")
    inside = []
    for _ in range(40):
        press(page, "Tab")
        inside.append(page.evaluate("document.activeElement.closest('[data-testid=fullscreen]') !== null"))

    assert all(inside)


def test_the_brush_zooms_all_cards(driver: PageDriver, sweep: BoardProcess) -> None:
    """A drag across it is a range of x for the page."""
    page = driver.open(sweep)
    full = open_full(page, "train/loss")
    brush = full.locator("canvas").last.bounding_box()
    assert brush is not None
    y = brush["y"] + 20
    page.mouse.move(brush["x"] + brush["width"] * 0.4, y)
    page.mouse.down()
    page.mouse.move(brush["x"] + brush["width"] * 0.6, y, steps=5)
    page.mouse.up()

    page.wait_for_url("**zoom=**")
    page.wait_for_function("+document.querySelector('[data-testid=fullscreen] article').dataset.xmin > 3000")


def test_the_full_screen_layout_is_intact(driver: PageDriver, sweep: BoardProcess) -> None:
    """Wide and on a phone."""
    page = driver.open(sweep)
    full = open_full(page, "eval/accuracy")
    intact = {}
    for width in (1440, 390):
        page.set_viewport_size({"width": width, "height": 900})
        settle(page)
        table = full.get_by_test_id("value-table").bounding_box()
        chart = full.get_by_role("img").bounding_box()
        assert table is not None
        assert chart is not None
        intact[width] = (table["y"] + table["height"] <= 900, chart["width"] >= width - 48, chart["height"] >= 160)

    assert intact == {1440: (True, True, True), 390: (True, True, True)}


def test_group_statistics_are_not_smoothed(driver: PageDriver, sweep: BoardProcess) -> None:
    """Smoothed values are in their own column."""
    found = {}
    for smoothing in ("0", "0.9"):
        page = driver.open(sweep, f"&smoothing={smoothing}&group=mean,sd,name:%5E(big)&pin=5000,baseline")
        row = open_full(page, "train/loss").locator("tbody tr", has_text="big")
        expect(row.locator("td[data-column=mean][data-value]")).to_have_count(1)
        cells = row.locator("td[data-value]").evaluate_all(
            "(cells) => cells.map((cell) => [cell.dataset.column, cell.dataset.value])"
        )
        found[smoothing] = dict(cells)
    plain, smoothed = found["0"], found["0.9"]

    assert ("value" in smoothed, "smoothed" in smoothed) == (False, True)
    assert {name: smoothed[name] for name in ("mean", "min", "max")} == {
        name: plain[name] for name in ("mean", "min", "max")
    }
