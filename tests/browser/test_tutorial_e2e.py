"""The steps of docs/tutorial.md, as somebody takes them who reads it: first on a board, then on a hub of one's own."""

import pathlib
import re
import subprocess
import sys
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from support.board_process import BoardProcess
from support.hub_page_driver import HubPageDriver, board_row, expect_status
from support.hub_process import PASSWORD, HubProcess
from support.page_driver import PageDriver
from support.settled_pages import press, settle, type_text

TUTORIAL = pathlib.Path(__file__).resolve().parents[2] / "docs" / "tutorial.md"
BoardStarter = Callable[[pathlib.Path], BoardProcess]
RATES = ("0.01", "0.1", "0.5")


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """What the program of the tutorial wrote, without its pauses."""
    folder = tmp_path_factory.mktemp("tutorial")
    (program,) = re.findall(r"^```python\n(.*?)^```", TUTORIAL.read_text(), re.MULTILINE | re.DOTALL)
    (folder / "train.py").write_text(program.replace("time.sleep(0.01)", "pass"))
    for rate in RATES:
        subprocess.run([sys.executable, "train.py", rate], cwd=folder, check=True)
    return folder / "runs"


def test_the_board_shows_three_runs(driver: PageDriver, start_board: BoardStarter, runs: pathlib.Path) -> None:
    """Four charts of three runs; the filter leaves two."""
    page = driver.open(start_board(runs))
    expect(page.get_by_test_id("card")).to_have_count(4)
    expect(page.get_by_test_id("run-row")).to_have_count(3)

    press(page, "/")
    type_text(page, "lr<0.3")

    expect(page.get_by_test_id("run-row")).to_have_count(2)


def test_a_hub_shares_a_board(hub_driver: HubPageDriver, runs: pathlib.Path, tmp_path: pathlib.Path) -> None:
    """From the setup link to the board that somebody without an account sees."""
    with HubProcess(tmp_path, roots=[runs], bootstrap=False) as hub:
        page = hub_driver.browser.new_context(locale="en-GB").new_page()
        page.goto(hub.setup_link)
        settle(page)
        page.get_by_label("User name").fill("ada")
        page.get_by_label("Password", exact=True).fill(PASSWORD)
        page.get_by_label("Repeat password").fill(PASSWORD)
        page.get_by_role("button", name="Create account").click()

        page.get_by_test_id("new").first.click()
        page.get_by_role("radio", name="Folder", exact=True).check()
        page.get_by_test_id("browse").click()
        page.get_by_role("button", name="Choose this folder").click()
        page.get_by_role("button", name="Create", exact=True).click()
        expect_status(board_row(page, "runs"), "Running")

        board_row(page, "runs").get_by_test_id("row-menu").click()
        page.get_by_role("menuitem", name="Share…").click()
        page.get_by_role("button", name="Create link").click()
        expect(page.get_by_label("Share link")).to_have_value(re.compile("http"))
        link = page.get_by_label("Share link").input_value()

        other = hub_driver.browser.new_context().new_page()
        other.goto(link)
        settle(other)
        expect(other.locator("[data-testid=card][data-state=ready]").first).to_be_visible()
        for each in (page, other):
            each.context.close()
