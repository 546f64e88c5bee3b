"""Drives pages of a hub in a browser, logged in as accounts that belong to one test."""

import itertools
import pathlib
import re
from typing import Any

from playwright.sync_api import Browser, Locator, Page, expect

from support.hub_process import PASSWORD, HubProcess
from support.page_driver import PageDriver
from support.reused_pages import ReusedPages
from support.settled_pages import press, settle

EXPECTED_ERRORS = re.compile(
    r"Failed to load resource: the server responded with a status of (?:401|403|404|409|410|422|503)"
)
"""What a browser says of every answer that the pages themselves know how to take."""
user_numbers = itertools.count(1)


class HubPageDriver(PageDriver):
    """Opens pages of one hub."""

    def __init__(
        self, browser: Browser, hub: HubProcess, logs: pathlib.Path, reused_pages: ReusedPages | None = None
    ) -> None:
        super().__init__(browser, reused_pages)
        self.hub = hub
        self.logs = logs

    def create_user(self, role: str = "editor", **fields: Any) -> "HubUser":
        """Create an account, in the project `default` unless `role` is ""."""
        name = f"person-{next(user_numbers)}"
        return HubUser(self, name, self.hub.create_account(name, role, **fields))

    def open_page(
        self, path: str = "/", *, who: str = "", width: int = 1440, height: int = 900, scheme: str = "light",
        strict: bool = False, language: str = "en", cookies: Any = (), reused: bool = True,
    ) -> Page:  # fmt: skip
        """An empty profile at a page, logged in as `who` unless that is "", once the page has all it shows.

        `cookies` are those of somebody who is in already (`Person.cookies`): they spare the slow hash of a password.
        `reused` is as in `open`.
        """
        page = self.take_page(width, height, scheme, own=strict or not reused, strict=strict)
        if who:
            answer = page.request.post(f"{self.hub.url}/api/v1/login", data={"name": who, "password": PASSWORD})
            assert answer.ok, answer.text()
        page.context.add_cookies(list(cookies))
        self.visit(page, path, strict=strict, language=language)
        return page

    def visit(self, page: Page, path: str, *, strict: bool = False, language: str = "en") -> None:
        """Load another page of the hub in an open one, and wait as `open_page` does."""
        place, mark, fragment = path.partition("#")
        page.goto(f"{self.hub.url}{place}{'&' if '?' in place else '?'}test=1&lang={language}{mark}{fragment}")
        if strict:
            page.wait_for_selector("html[data-ready]:not([data-pending])", state="attached")
        else:
            settle(page)

    def _console(self, message: Any) -> None:
        if not EXPECTED_ERRORS.match(message.text):
            super()._console(message)


class HubUser:
    """An account with its token."""

    def __init__(self, driver: HubPageDriver, name: str, token: str) -> None:
        self.visitor = driver
        self.name = name
        self.token = token

    def open_page(self, path: str = "/", **how: Any) -> Page:
        """A page, seen by this person."""
        return self.visitor.open_page(path, who=self.name, **how)

    def cookies(self) -> Any:
        """Cookies of a new login, for `open_page`."""
        made = self.visitor.browser.new_context()
        made.request.post(f"{self.visitor.hub.url}/api/v1/login", data={"name": self.name, "password": PASSWORD})
        found = made.cookies()
        made.close()
        return found

    def request_json(self, method: str, path: str, body: Any = None) -> Any:
        """The JSON response of a request by this account, which must succeed."""
        return self.visitor.hub.json(method, f"/api/v1/{path}", body, self.token)

    def create_board(self, name: str, **fields: Any) -> dict[str, Any]:
        """A running TensorBoard over the logs."""
        return self.visitor.hub.create_board(self.visitor.logs, self.token, display_name=name, **fields)

    def create_stopped_board(self, name: str, **fields: Any) -> dict[str, Any]:
        """A TensorBoard that was started and stopped."""
        made = self.create_board(name, **fields)
        self.request_json("PUT", f"tensorboards/{made['id']}/stop")
        return self.visitor.hub.wait_for_status(made["id"], "Stopped", self.token)

    def create_failed_board(self, name: str, **fields: Any) -> dict[str, Any]:
        """A TensorBoard over a missing folder, once it has failed."""
        options = {"display_name": name, "sources": [{"uri": f"{self.visitor.logs}/nowhere/seg"}], **fields}
        made = self.request_json("POST", "tensorboards", options)
        return self.visitor.hub.wait_for_status(made["id"], "Creating_Failed", self.token)

    def create_job(self, line: str, status: str = "", **fields: Any) -> dict[str, Any]:
        """A job that runs a line for the shell, once it has the `status` unless that is ""."""
        made: dict[str, Any] = self.request_json("POST", "jobs", {"command": ["sh", "-c", line], **fields})
        return self.visitor.hub.wait_for_job(made["id"], status, self.token) if status else made

    def create_notebook(self, name: str, status: str = "Running", **fields: Any) -> dict[str, Any]:
        """A notebook whose JupyterLab is a small server, once it has the `status`."""
        made = self.request_json("POST", "notebooks", {"name": name, "image": "telling", **fields})
        return self.visitor.hub.wait_for_job(made["id"], status, self.token)


def board_row(page: Page, name: str) -> Locator:
    """The row of a TensorBoard, a job or a notebook in the list."""
    return page.get_by_test_id("instance-row").filter(has=page.get_by_role("link", name=name, exact=True))


def expect_status(place: Locator, status: str) -> None:
    """Wait until a row or page shows a status."""
    expect(place.get_by_test_id("status").first).to_have_attribute("data-status", status)


def choose_from_menu(page: Page, name: str, *items: str) -> None:
    """Choose from the menu of a row, by keys, since moving the mouse closes submenus."""
    board_row(page, name).get_by_test_id("row-menu").click()
    for item in items:
        page.get_by_role("menuitem", name=item, exact=True).press("Enter")


def tab_to(page: Page, selector: str) -> None:
    """Presses Tab until the focus is there."""
    for _ in range(60):
        press(page, "Tab")
        if page.evaluate("(selector) => document.activeElement.matches(selector)", selector):
            return
    raise AssertionError(f"Tab does not lead to {selector}")
