"""A terminal on the page of a job: a shell in it, by keys and by eye, until it ends."""

import pathlib
import re

from playwright.sync_api import Locator, Page, expect

from support.accessibility import find_violations_in_both_themes
from support.hub_page_driver import HubPageDriver
from support.settled_pages import press, settle, type_text


def rows_of(page: Page) -> Locator:
    """What the terminal shows."""
    return page.locator(".xterm-rows")


def expect_state(page: Page, state: str, text: str | re.Pattern[str]) -> None:
    """Wait until the line below it says how the shell is."""
    expect(page.get_by_test_id("terminal")).to_have_attribute("data-state", state)
    expect(page.get_by_test_id("terminal-state")).to_have_text(text)


def type_line(page: Page, line: str) -> None:
    """Type a line into what has the focus."""
    type_text(page, line)
    press(page, "Enter")


def columns_of(page: Page, mark: str) -> int:
    """How many columns programs in the terminal find. `mark` is new for each question."""
    type_line(page, f"echo {mark}=$(stty size)")
    answer = re.compile(rf"{mark}=(\d+) (\d+)")
    expect(rows_of(page)).to_contain_text(answer)
    found = answer.search(rows_of(page).inner_text())
    assert found is not None
    return int(found[2])


def focused(page: Page) -> str:
    """The test id of what has the focus."""
    return str(page.evaluate("document.activeElement.dataset.testid"))


def test_a_shell_in_a_job(hub_driver: HubPageDriver, tmp_path: pathlib.Path) -> None:
    """It has the size of its box, can be left by keys, tells how it has ended, and ends with its job.

    Output is not sent faster than it is shown, so that an interrupt takes effect at once.
    """
    person = hub_driver.create_user()
    environment = {"LR": "0.1", "HOME": str(tmp_path)}  # shells read no settings there
    job = person.create_job("exec sleep 1000", "Running", name="mnist", environment=environment)
    page = person.open_page(f"/jobs/{job['id']}#terminal")
    expect_state(page, "connected", "Connected")
    expect(rows_of(page)).to_contain_text(re.compile("[#$] "))

    type_line(page, "cat; echo $LR in $0")
    type_line(page, "Привет")
    press(page, "Control+d")
    expect(rows_of(page)).to_contain_text(re.compile(r"Привет.*Привет.*0\.1 in (ba)?sh", re.DOTALL))
    wide = columns_of(page, "wide")
    assert find_violations_in_both_themes(page, [390]) == {}
    page.locator(".xterm-helper-textarea").focus()
    assert columns_of(page, "narrow") < 60 < wide

    press(page, "Control+Shift+Enter")
    assert focused(page) == "screen-reader"
    press(page, "Tab")
    assert focused(page) == "maximize"
    press(page, "Enter")
    expect(page.get_by_test_id("maximize")).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".xterm-helper-textarea")).to_be_focused()

    type_line(page, "exit 3")
    expect_state(page, "exited", "The shell has ended with exit code 3")
    expect(page.get_by_test_id("reconnect")).to_be_focused()
    press(page, "Enter")
    expect_state(page, "connected", "Connected")
    expect(rows_of(page)).not_to_contain_text("narrow")

    type_line(page, "yes")
    expect(rows_of(page)).to_contain_text(re.compile(r"y\s*y\s*y"))
    press(page, "Control+c")
    type_line(page, "echo do''ne")
    expect(rows_of(page)).to_contain_text("done")

    person.request_json("PUT", f"jobs/{job['id']}/stop")
    expect_state(page, "jobEnded", "The job has ended, and the shell with it")
    expect(page.get_by_test_id("reconnect")).to_have_count(0)
    settle(page)


def test_others_are_told_why_there_is_none(hub_driver: HubPageDriver) -> None:
    """Whether or not they may stop the job."""
    job = hub_driver.create_user().create_job("exec sleep 1000", "Running", name="mnist")
    page = hub_driver.create_user().open_page(f"/jobs/{job['id']}#terminal")

    expect(page.get_by_role("region", name="Terminal")).to_have_text(
        "Only the owner of a job opens a terminal in it, since its commands run as the owner"
    )
