"""Working without a mouse (check 25)."""

import re

import pytest
from playwright.sync_api import Page, expect
from served import Board
from visitor import Visitor


def focused(page: Page) -> str:
    """The tag of the card the keyboard is in; empty outside cards."""
    tag: str = page.evaluate("document.activeElement.closest('[data-testid=card]')?.dataset.tag ?? ''")
    return tag


def test_few_tabs_lead_to_the_first_card(visitor: Visitor, sweep: Board) -> None:
    """The first stop of the keyboard skips what stands before the charts; at most twelve presses in all."""
    page = visitor.open(sweep)
    presses = 0
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    while focused(page) == "" and presses < 12:
        page.keyboard.press("Tab")
        presses += 1

    assert focused(page) == "eval/accuracy"
    assert presses + 2 <= 12


def test_j_and_k_go_from_card_to_card(visitor: Visitor, sweep: Board) -> None:
    """In the order of the page."""
    page = visitor.open(sweep)
    seen: list[str] = []
    for key in ("j", "j", "k"):
        page.keyboard.press(key)
        page.wait_for_function(
            "(before) => (document.activeElement.closest('[data-testid=card]')?.dataset.tag ?? '') !== before",
            arg=seen[-1] if seen else "",
        )
        seen.append(focused(page))

    assert seen == ["eval/accuracy", "eval/loss", "eval/accuracy"]


@pytest.mark.parametrize(
    ("key", "tab"),
    [("r", "tab-runs"), ("t", "tab-timeseries")],
)
def test_g_and_a_letter_go_to_a_page(visitor: Visitor, sweep: Board, key: str, tab: str) -> None:
    """Pairs of keys."""
    page = visitor.open(sweep, "#compare", ready=False)
    expect(page.get_by_test_id("compare-table")).to_be_visible()
    page.keyboard.press("g")
    page.keyboard.press(key)

    expect(page.get_by_test_id(tab)).to_have_attribute("aria-current", "page")


def test_arrows_move_the_cursor_from_anywhere(visitor: Visitor, sweep: Board) -> None:
    """The first chart takes them when no other has the keyboard."""
    page = visitor.open(sweep)
    page.keyboard.press("End")
    expect(page.get_by_test_id("cursor-step").first).to_be_visible()

    assert focused(page) == "eval/accuracy"


def test_space_plays_to_the_last_step(visitor: Visitor, sweep: Board) -> None:
    """From where the cursor stands; it ends by itself."""
    page = visitor.open(sweep)
    page.keyboard.press("End")
    page.keyboard.press("Shift+ArrowLeft")
    page.keyboard.press("Shift+ArrowLeft")
    tip = page.get_by_test_id("tip").locator("tbody tr").first
    before = tip.get_attribute("data-step")
    page.keyboard.press("Space")

    expect(tip).to_have_attribute("data-step", "9990")
    assert before is not None
    assert int(before) < 9_990


@pytest.mark.parametrize(
    ("layout", "key", "code"),
    [("Latin", "?", "Slash"), ("Russian", ",", "Slash")],
)
def test_the_list_of_keys_opens_on_every_layout(
    visitor: Visitor, sweep: Board, layout: str, key: str, code: str
) -> None:
    """The question mark, and the same keys pressed while the keyboard writes Russian."""
    page = visitor.open(sweep)
    page.evaluate(
        "([key, code]) => dispatchEvent(new KeyboardEvent('keydown', {key, code, shiftKey: true}))", [key, code]
    )

    expect(page.get_by_role("dialog", name="Keyboard")).to_be_visible()


def test_keys_are_silent_while_somebody_types(visitor: Visitor, sweep: Board) -> None:
    """Letters go into the box."""
    page = visitor.open(sweep)
    page.keyboard.press("t")
    page.keyboard.type("xlc")

    expect(page.get_by_role("radio", name="Step", exact=True)).to_be_checked()
    expect(page.get_by_test_id("tab-timeseries")).to_have_attribute("aria-current", "page")


def test_focus_is_always_seen(visitor: Visitor, sweep: Board) -> None:
    """Each of the first forty stops shows where the keyboard is."""
    page = visitor.open(sweep)
    unseen = []
    for _ in range(40):
        page.keyboard.press("Tab")
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
        page.keyboard.press("Tab")
        if (
            page.evaluate("(document.activeElement?.innerText || document.activeElement?.ariaLabel || '').trim()")
            == name
        ):
            return
    raise AssertionError(f"Tab does not lead to {name}")


def test_runs_are_filtered_and_compared_by_keys(visitor: Visitor, sweep: Board) -> None:
    """Check 25, the page Runs: the seeds are what the filter leaves, and are compared."""
    page = visitor.open(sweep, "#runs", ready=False)
    expect(page.get_by_test_id("run-row")).to_have_count(6)
    page.keyboard.press("/")
    page.keyboard.type("seed")
    expect(page.get_by_test_id("run-row")).to_have_count(3)
    page.keyboard.press("Escape")
    page.keyboard.press("c")

    heads = page.get_by_test_id("compare-table").locator("thead th[data-run]")
    expect(heads).to_have_count(3)
    compared = heads.evaluate_all("heads => heads.map((head) => head.dataset.run)")
    assert compared == ["big/seed0", "big/seed1", "big/seed2"]


def test_slash_leads_to_the_filter_at_once(visitor: Visitor, sweep: Board) -> None:
    """Letters typed right after it are the filter's: none is taken for a key of its own."""
    page = visitor.open(sweep)
    focused_id = """() => {
        document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "/", bubbles: true, cancelable: true }));
        return document.activeElement.id;
    }"""

    assert page.evaluate(focused_id) == "run-filter"


def test_the_baseline_is_chosen_by_keys(visitor: Visitor, sweep: Board) -> None:
    """Check 25, the page Compare."""
    page = visitor.open(sweep, "&compare=baseline,big/seed0#compare", ready=False)
    expect(page.get_by_test_id("compare-table")).to_be_visible()
    tab_to(page, "Use as baseline")
    page.keyboard.press("Enter")

    expect(page).to_have_url(re.compile("baseline=big/seed0"))


def test_a_note_is_begun_by_keys(visitor: Visitor, sweep: Board) -> None:
    """Check 25, the page of a run."""
    page = visitor.open(sweep, "#run/baseline", ready=False)
    expect(page.get_by_role("button", name="Write")).to_be_visible()
    tab_to(page, "Write")
    page.keyboard.press("Enter")

    expect(page.locator("textarea")).to_be_focused()


def test_what_is_done_with_a_run_is_reached_by_tab(visitor: Visitor, sweep: Board) -> None:
    """From the name of a run Tab leads to its actions; closed, they give the keyboard back."""
    page = visitor.open(sweep)
    page.locator('[data-testid=run-row][data-run="baseline"] [data-drag]').focus()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_role("menuitem", name="Archive")).to_be_visible()
    page.keyboard.press("Escape")

    expect(page.get_by_role("button", name="baseline: actions")).to_be_focused()


def test_the_key_for_menus_opens_that_of_a_run_and_gives_the_keyboard_back(visitor: Visitor, sweep: Board) -> None:
    """Asked for by a key, it leaves the keyboard where it was."""
    page = visitor.open(sweep, "#runs", ready=False)
    name = page.locator('[data-testid=run-row][data-run="baseline"] [data-drag]')
    name.focus()
    page.keyboard.press("Shift+F10")
    expect(page.get_by_role("menuitem", name="Archive")).to_be_visible()
    page.keyboard.press("Escape")

    expect(name).to_be_focused()


def test_what_is_done_with_a_group_is_reached_by_tab(visitor: Visitor, sweep: Board) -> None:
    """Its runs are shown alone."""
    page = visitor.open(sweep, "&group=mean,sd,name:^(.*)/seed")
    page.get_by_test_id("group-row").locator("[aria-expanded]").focus()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.get_by_role("menuitem", name="Only these in charts").focus()
    page.keyboard.press("Enter")

    expect(page.get_by_role("checkbox", name="Show baseline")).not_to_be_checked()
    expect(page.get_by_role("checkbox", name="Show the runs of big")).to_be_checked()
