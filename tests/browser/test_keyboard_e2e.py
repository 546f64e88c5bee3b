"""Keyboard navigation (check 25)."""

import re

from playwright.sync_api import Page, expect

from support.board_process import BoardProcess
from support.page_driver import PageDriver
from support.settled_pages import press, type_text


def focused(page: Page) -> str:
    """The tag of the card the keyboard is in; empty outside cards."""
    tag: str = page.evaluate("document.activeElement.closest('[data-testid=card]')?.dataset.tag ?? ''")
    return tag


def test_the_first_card_needs_few_tabs(driver: PageDriver, sweep: BoardProcess) -> None:
    """At most twelve; the first stop is a skip link."""
    page = driver.open(sweep)
    presses = 0
    press(page, "Tab", "Enter")
    while focused(page) == "" and presses < 12:
        press(page, "Tab")
        presses += 1

    assert focused(page) == "eval/loss"
    assert presses + 2 <= 12


def test_j_and_k_move_between_cards(driver: PageDriver, sweep: BoardProcess) -> None:
    """In page order."""
    page = driver.open(sweep)
    for key, tag in (("j", "eval/loss"), ("j", "eval/accuracy"), ("k", "eval/loss")):
        press(page, key)
        expect(page.locator("[data-testid=card]:focus-within")).to_have_attribute("data-tag", tag)


def test_g_and_a_letter_open_a_page(driver: PageDriver, sweep: BoardProcess) -> None:
    """Pairs of keys."""
    page = driver.open(sweep, "#compare")
    for key, tab in (("r", "tab-runs"), ("t", "tab-timeseries")):
        press(page, f"g {key}")

        expect(page.get_by_test_id(tab)).to_have_attribute("aria-current", "page")


def test_arrows_move_the_cursor_from_anywhere(driver: PageDriver, sweep: BoardProcess) -> None:
    """Of the first chart, unless another has the focus."""
    page = driver.open(sweep)
    press(page, "End")
    expect(page.get_by_test_id("cursor-step").first).to_be_visible()

    assert focused(page) == "eval/loss"


def test_space_plays_to_the_last_step(driver: PageDriver, sweep: BoardProcess) -> None:
    """From where the cursor stands; it ends by itself."""
    page = driver.open(sweep)
    press(page, "End", "Shift+ArrowLeft", "Shift+ArrowLeft")
    tip = page.get_by_test_id("tip").locator("tbody tr").first
    before = tip.get_attribute("data-step")
    press(page, "Space")

    expect(tip).to_have_attribute("data-step", "9990")
    assert before is not None
    assert int(before) < 9_990


def test_the_list_of_keys_opens_on_every_layout(driver: PageDriver, sweep: BoardProcess) -> None:
    """With the question mark, and with the comma of Cyrillic layouts on the same key."""
    page = driver.open(sweep)
    keys = page.get_by_role("dialog", name="Keyboard shortcuts")
    for key in ("?", ","):
        page.evaluate("(key) => dispatchEvent(new KeyboardEvent('keydown', {key, code: 'Slash', shiftKey: true}))", key)

        expect(keys, key).to_be_visible()
        press(page, "Escape")
        expect(keys).to_have_count(0)


def test_shortcuts_are_disabled_while_typing(driver: PageDriver, sweep: BoardProcess) -> None:
    """Letters go into the box."""
    page = driver.open(sweep)
    press(page, "t")
    type_text(page, "xlc")

    expect(page.get_by_role("radio", name="Step", exact=True)).to_be_checked()
    expect(page.get_by_test_id("tab-timeseries")).to_have_attribute("aria-current", "page")


def test_the_focus_is_always_visible(driver: PageDriver, sweep: BoardProcess) -> None:
    """At the first forty stops."""
    page = driver.open(sweep)
    unseen = []
    for _ in range(40):
        press(page, "Tab")
        told = page.evaluate(
            """() => {
                const at = document.activeElement;
                const marked = [at, at.parentElement, at.nextElementSibling].filter(Boolean).some((each) => {
                    const style = getComputedStyle(each);
                    return (style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) > 0)
                        || style.boxShadow !== 'none';
                });
                const line = getComputedStyle(at, '::after').backgroundColor;
                return marked || line !== "rgba(0, 0, 0, 0)" ? '' : at.outerHTML.slice(0, 120);
            }"""
        )
        if told:
            unseen.append(told)

    assert unseen == []


def tab_to(page: Page, name: str) -> None:
    """Press Tab until the button of this name has the keyboard."""
    for _ in range(60):
        press(page, "Tab")
        if (
            page.evaluate("(document.activeElement?.innerText || document.activeElement?.ariaLabel || '').trim()")
            == name
        ):
            return
    raise AssertionError(f"Tab does not lead to {name}")


def test_runs_are_filtered_and_compared_by_keys(driver: PageDriver, sweep: BoardProcess) -> None:
    """Check 25, the page Runs."""
    page = driver.open(sweep, "#runs")
    expect(page.get_by_test_id("run-row")).to_have_count(6)
    press(page, "/")
    type_text(page, "seed")
    expect(page.get_by_test_id("run-row")).to_have_count(3)
    expect(page.get_by_role("listbox")).to_be_visible()
    press(page, "Escape", "Escape", "c")  # the first closes the completions, the second leaves the box

    heads = page.get_by_test_id("compare-table").locator("thead th[data-run]")
    expect(heads).to_have_count(3)
    compared = heads.evaluate_all("heads => heads.map((head) => head.dataset.run)")
    assert compared == ["big/seed0", "big/seed1", "big/seed2"]


def test_slash_focuses_the_filter_at_once(driver: PageDriver, sweep: BoardProcess) -> None:
    """Letters typed right after it go there."""
    page = driver.open(sweep)
    focused_id = """() => {
        document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "/", bubbles: true, cancelable: true }));
        return document.activeElement.id;
    }"""

    assert page.evaluate(focused_id) == "run-filter"


def test_the_baseline_is_chosen_by_keys(driver: PageDriver, sweep: BoardProcess) -> None:
    """Check 25, the page Compare."""
    page = driver.open(sweep, "&compare=baseline,big/seed0#compare")
    tab_to(page, "Use as baseline")
    press(page, "Enter")

    expect(page).to_have_url(re.compile("baseline=big/seed0"))


def test_notes_can_be_started_by_keys(driver: PageDriver, sweep: BoardProcess) -> None:
    """Check 25, the run page."""
    page = driver.open(sweep, "#run/baseline")
    tab_to(page, "Add note")
    press(page, "Enter")

    expect(page.locator("textarea")).to_be_focused()


def test_run_actions_are_reachable_by_tab(driver: PageDriver, sweep: BoardProcess) -> None:
    """Closing them returns the focus."""
    page = driver.open(sweep)
    page.locator('[data-testid=run-row][data-run="baseline"] [data-drag]').focus()
    press(page, "Tab", "Enter")
    expect(page.get_by_role("menuitem", name="Archive")).to_be_visible()
    press(page, "Escape")

    expect(page.get_by_role("button", name="Actions for baseline")).to_be_focused()


def test_the_menu_key_opens_the_run_menu(driver: PageDriver, sweep: BoardProcess) -> None:
    """And returns the focus."""
    page = driver.open(sweep, "#runs")
    name = page.locator('[data-testid=run-row][data-run="baseline"] [data-drag]')
    name.focus()
    press(page, "Shift+F10")
    expect(page.get_by_role("menuitem", name="Archive")).to_be_visible()
    press(page, "Escape")

    expect(name).to_be_focused()


def test_group_actions_are_reachable_by_tab(driver: PageDriver, sweep: BoardProcess) -> None:
    """Its runs are shown alone."""
    page = driver.open(sweep, "&group=mean,sd,name:^(.*)/seed")
    page.get_by_test_id("group-row").locator("[aria-expanded]").focus()
    press(page, "Tab", "Enter")
    page.get_by_role("menuitem", name="Show only these in charts").focus()
    press(page, "Enter")

    expect(page.get_by_role("checkbox", name="Show baseline")).not_to_be_checked()
    expect(page.get_by_role("checkbox", name="Show runs of big")).to_be_checked()
