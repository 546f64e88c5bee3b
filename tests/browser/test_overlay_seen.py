"""What people add: notes, names and saved views, kept by the server and seen by all."""

import pathlib

import logs
import pytest
from playwright.sync_api import Page, expect
from served import Board, Serving
from visitor import Visitor

#: The answer of one address comes only when the test says so.
LATE = """
const ask = window.fetch;
const said = new Promise((say) => { window.answerNow = say; });
window.fetch = async (address, init) => {
  const answer = await ask(address, init);
  if (String(address).endsWith("/LATE") && (init?.method ?? "GET") === "GET") await said;
  return answer;
};
"""


@pytest.fixture
def board(serving: Serving, tmp_path: pathlib.Path) -> Board:
    """A small board of its own."""
    logs.odd_values(tmp_path / "runs")
    return serving(tmp_path / "runs")


def rename(page: Page, name: str) -> None:
    """Give the run of the page another name on screen."""
    page.get_by_role("button", name="Name on screen").click()
    page.get_by_role("textbox", name="Name on screen").fill(name)
    page.keyboard.press("Enter")


def test_a_name_is_seen_by_other_pages_at_once(visitor: Visitor, board: Board) -> None:
    """And it stays a name on screen: the address keeps the one in the logs."""
    other = visitor.open(board)
    page = visitor.open(board, "#run/odd", ready=False)
    rename(page, "Good — 好 😀")

    expect(other.get_by_test_id("run-row")).to_contain_text("Good — 好 😀")
    assert page.url.endswith("#run/odd")


def test_a_note_is_kept_and_shown_as_it_is_meant(visitor: Visitor, board: Board) -> None:
    """Markdown; what could run in a page stays text."""
    page = visitor.open(board, "#run/odd", ready=False)
    page.get_by_role("button", name="Write").click()
    page.get_by_role("textbox", name="Note").fill("# Plan\n- **less** lr\n\n<img src=x onerror=alert(1)>")
    page.keyboard.press("Control+Enter")
    expect(page.locator("strong")).to_have_text("less")
    again = visitor.open(board, "#run/odd", ready=False)

    expect(again.locator("strong")).to_have_text("less")
    expect(again.get_by_text("<img src=x onerror=alert(1)>")).to_be_visible()


def test_an_edit_is_undone_like_any_step(visitor: Visitor, board: Board) -> None:
    """Ctrl Z gives the name back."""
    page = visitor.open(board, "#run/odd", ready=False)
    rename(page, "other")
    heading = page.get_by_role("heading", level=2)
    expect(heading).to_have_text("other")
    page.keyboard.press("Control+z")

    expect(heading).to_have_text("odd")


def test_a_saved_view_opens_elsewhere(visitor: Visitor, board: Board) -> None:
    """Saved by a key, found in the menu by somebody else, with all that was set."""
    page = visitor.open(board, "&smoothing=0.9&axis=wall")
    page.keyboard.press("s")
    page.get_by_label("Name of the view").fill("Slow, by the clock")
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("toast")).to_contain_text("Slow, by the clock")
    other = visitor.open(board)
    other.get_by_test_id("views").click()
    other.get_by_role("menuitem", name="Slow, by the clock").click()

    expect(other.get_by_role("radio", name="Wall")).to_be_checked()
    expect(other.locator("input[type=range]").first).to_have_value("0.9")


def test_a_view_is_renamed_and_deleted(visitor: Visitor, board: Board) -> None:
    """One by one, and undone."""
    page = visitor.open(board)
    page.keyboard.press("s")
    page.get_by_label("Name of the view").fill("first")
    page.keyboard.press("Enter")
    page.get_by_test_id("views").click()
    page.get_by_role("menuitem", name="Rename or delete").click()
    dialog = page.get_by_role("dialog", name="Saved views")
    dialog.get_by_role("button", name="Rename “first”").click()
    page.keyboard.press("Control+a")
    page.keyboard.type("second")
    page.keyboard.press("Enter")
    dialog.get_by_role("button", name="Delete “second”").click()
    expect(dialog.get_by_role("listitem")).to_have_count(0)
    page.keyboard.press("Escape")
    page.keyboard.press("Control+z")
    page.get_by_test_id("views").click()

    expect(page.get_by_role("menuitem", name="second")).to_be_visible()


@pytest.fixture
def unwritable(serving: Serving, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> Board:
    """A board whose folder for names and notes is a file."""
    (tmp_path / "home").write_text("")
    monkeypatch.setenv("LIGHTBOARD_HOME", str(tmp_path / "home"))
    logs.odd_values(tmp_path / "runs")
    return serving(tmp_path / "runs")


@pytest.mark.parametrize("late", ["status", "overlay"])
def test_a_name_kept_in_this_browser_is_there_whichever_answer_comes_last(
    visitor: Visitor, unwritable: Board, late: str
) -> None:
    """A name given, and one read again, before the answer that says where names are kept."""
    page = visitor.open(unwritable, "#run/odd", ready=False, script=LATE.replace("LATE", late))
    rename(page, "mine")
    page.evaluate("window.answerNow()")
    page.wait_for_function("Object.keys(localStorage).some((key) => key.startsWith('lightboard.overlay:/'))")
    page.reload()
    page.evaluate("window.answerNow()")

    expect(page.get_by_role("heading", level=2)).to_have_text("mine")


def test_where_nothing_can_be_written_this_browser_keeps_it_and_says_so(visitor: Visitor, unwritable: Board) -> None:
    """Names last in this browser, and nobody else sees them."""
    board = unwritable
    page = visitor.open(board, "#run/odd", ready=False)
    rename(page, "mine")
    page.reload()
    expect(page.get_by_role("heading", level=2)).to_have_text("mine")
    page.keyboard.press("s")

    expect(page.get_by_role("dialog")).to_contain_text("kept in this browser only")
    other = visitor.open(board, "#run/odd", ready=False)
    expect(other.get_by_role("heading", level=2)).to_have_text("odd")
