"""Odd names in charts and tables (check 30)."""

import urllib.parse
from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from support import scalar_logs
from support.board_process import BoardProcess, serve_logs
from support.page_driver import PageDriver
from support.settled_pages import press, settle


@pytest.fixture(scope="module")
def odd(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BoardProcess]:
    """F10: a board over odd names."""
    yield from serve_logs(tmp_path_factory.mktemp("f10") / "runs", scalar_logs.odd_names)


def test_names_are_intact_in_table_and_cards(driver: PageDriver, odd: BoardProcess) -> None:
    """As they stand in the logs."""
    page = driver.open(odd)
    rows = page.get_by_test_id("run-row").evaluate_all("rows => rows.map((row) => row.dataset.run)")
    cards = page.get_by_test_id("card").evaluate_all("cards => cards.map((card) => card.dataset.tag)")

    assert sorted(rows) == sorted(scalar_logs.ODD_NAMES)
    assert sorted(cards) == sorted(["损失/训练", "точность & <i>", "הפסד/😀", "a,b;c%2C"])
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_the_address_of_a_run_leads_back_to_it(driver: PageDriver, odd: BoardProcess) -> None:
    """By the palette there, by the address back."""
    page, again = driver.open(odd), driver.open(odd)
    for name in scalar_logs.ODD_NAMES:
        press(page, "Control+k")
        page.get_by_test_id("palette").get_by_role("combobox").fill(name)
        page.locator("[data-testid=palette] [role=option][data-kind=run]").first.click()
        expect(page.locator("main[data-run]")).to_have_attribute("data-run", name)
        assert urllib.parse.urlsplit(page.url).fragment.startswith("run/"), name
        again.goto("about:blank")
        again.goto(page.url)
        settle(again)

        expect(again.locator("main[data-run]")).to_have_attribute("data-run", name)
        expect(again.get_by_role("heading", level=2)).to_have_text(name)
        assert again.title().startswith(f"{name} · ")


def test_hidden_runs_of_odd_names_travel(driver: PageDriver, odd: BoardProcess) -> None:
    """A link with all but one of them hidden opens the same elsewhere."""
    page = driver.open(odd)
    rows = page.locator("[data-testid=run-row]")
    for name in scalar_logs.ODD_NAMES[:-1]:
        box = rows.filter(has_text=name).locator("input").first
        box.click()
        expect(box).not_to_be_checked()
    press(page, "y")
    expect(page.get_by_test_id("toast")).to_be_visible()
    other = driver.open(odd, "&" + page.url.split("?test=1&")[1])

    on = other.locator("[data-testid=run-row]:has(input:checked)").evaluate_all(
        "rows => rows.map((r) => r.dataset.run)"
    )
    assert on == [scalar_logs.ODD_NAMES[-1]]


def test_names_that_run_from_right_to_left_stand_apart(driver: PageDriver, odd: BoardProcess) -> None:
    """Isolated, so that the words around them keep their order."""
    page = driver.open(odd, "#run/" + urllib.parse.quote("תיקייה/ריצה"))

    expect(page.get_by_role("heading", level=2).locator("bdi")).to_have_text("תיקייה/ריצה")
