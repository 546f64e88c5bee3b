"""Notes, names and saved views, stored by the server and shared."""

import pathlib

import pytest
from playwright.sync_api import Page, expect

from support import scalar_logs
from support.board_process import BoardProcess, BoardStarter
from support.page_driver import PageDriver
from support.settled_pages import press, reload, reload_unsettled, settle, type_text

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
def board(start_board: BoardStarter, tmp_path: pathlib.Path) -> BoardProcess:
    """A small board of its own."""
    scalar_logs.odd_values(tmp_path / "runs")
    return start_board(tmp_path / "runs")


def rename(page: Page, name: str) -> None:
    """Give the run of the page another name on screen."""
    page.get_by_role("button", name="Display name").click()
    page.get_by_role("textbox", name="Display name").fill(name)
    page.get_by_role("textbox", name="Display name").press("Enter")
    expect(page.get_by_role("heading", level=2)).to_have_text(name)


def test_names_appear_on_other_pages_at_once(driver: PageDriver, board: BoardProcess) -> None:
    """The URL keeps the stored name."""
    other = driver.open(board)
    page = driver.open(board, "#run/odd")
    rename(page, "Good — 好 😀")

    expect(other.get_by_test_id("run-row")).to_contain_text("Good — 好 😀")
    assert page.url.endswith("#run/odd")


def test_notes_are_rendered_as_safe_markdown(driver: PageDriver, board: BoardProcess) -> None:
    """Markdown; what could run in a page stays text."""
    page = driver.open(board, "#run/odd")
    page.get_by_role("button", name="Add note").click()
    page.get_by_role("textbox", name="Note").fill("# Plan\n- **less** lr\n\n<img src=x onerror=alert(1)>")
    press(page, "Control+Enter")
    expect(page.locator("strong")).to_have_text("less")
    again = driver.open(board, "#run/odd")

    expect(again.locator("strong")).to_have_text("less")
    expect(again.get_by_text("<img src=x onerror=alert(1)>")).to_be_visible()


def test_edits_can_be_undone(driver: PageDriver, board: BoardProcess) -> None:
    """With Ctrl+Z."""
    page = driver.open(board, "#run/odd")
    rename(page, "other")
    settle(page)
    press(page, "Control+z")

    expect(page.get_by_role("heading", level=2)).to_have_text("odd")


def test_saved_views_open_elsewhere(driver: PageDriver, board: BoardProcess) -> None:
    """Saved with a key, opened from the menu, with all settings."""
    page = driver.open(board, "&smoothing=0.9&axis=wall")
    press(page, "s")
    page.get_by_label("View name").fill("Slow, by the clock")
    press(page, "Enter")
    expect(page.get_by_test_id("toast")).to_contain_text("Slow, by the clock")
    other = driver.open(board)
    other.get_by_test_id("views").click()
    other.get_by_role("menuitem", name="Slow, by the clock").click()

    expect(other.get_by_role("radio", name="Wall time")).to_be_checked()
    expect(other.locator("input[type=range]").first).to_have_value("0.9")


def test_views_can_be_renamed_and_deleted(driver: PageDriver, board: BoardProcess) -> None:
    """And restored."""
    page = driver.open(board)
    press(page, "s")
    page.get_by_label("View name").fill("first")
    press(page, "Enter")
    page.get_by_test_id("views").click()
    page.get_by_role("menuitem", name="Rename or delete").click()
    dialog = page.get_by_role("dialog", name="Saved views")
    dialog.get_by_role("button", name="Rename “first”").click()
    press(page, "Control+a")
    type_text(page, "second")
    press(page, "Enter")
    dialog.get_by_role("button", name="Delete “second”").click()
    expect(dialog.get_by_role("listitem")).to_have_count(0)
    press(page, "Escape")
    expect(dialog).to_have_count(0)
    press(page, "Control+z")
    page.get_by_test_id("views").click()

    expect(page.get_by_role("menuitem", name="second")).to_be_visible()


@pytest.fixture
def unwritable(start_board: BoardStarter, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> BoardProcess:
    """A board whose folder for names and notes is a file."""
    (tmp_path / "home").write_text("")
    monkeypatch.setenv("LIGHTBOARD_HOME", str(tmp_path / "home"))
    scalar_logs.odd_values(tmp_path / "runs")
    return start_board(tmp_path / "runs")


@pytest.mark.parametrize("late", ["status", "overlay"])
def test_local_names_survive_any_response_order(driver: PageDriver, unwritable: BoardProcess, late: str) -> None:
    """A name given, and one read again, before the answer that says where names are kept."""
    page = driver.open(unwritable, "#run/odd", settled=False, script=LATE.replace("LATE", late))
    rename(page, "mine")
    page.evaluate("window.answerNow()")
    page.wait_for_function("Object.keys(localStorage).some((key) => key.startsWith('lightboard.overlay:/'))")
    reload_unsettled(page)
    page.evaluate("window.answerNow()")

    expect(page.get_by_role("heading", level=2)).to_have_text("mine")


def test_without_a_writable_server_names_stay_local(driver: PageDriver, unwritable: BoardProcess) -> None:
    """The page says so."""
    board = unwritable
    page = driver.open(board, "#run/odd")
    rename(page, "mine")
    settle(page)
    reload(page)
    expect(page.get_by_role("heading", level=2)).to_have_text("mine")
    press(page, "s")

    expect(page.get_by_role("dialog")).to_contain_text("stored in this browser only")
    other = driver.open(board, "#run/odd")
    expect(other.get_by_role("heading", level=2)).to_have_text("odd")
