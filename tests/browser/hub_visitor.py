"""Somebody at the console of a hub, logged in as a person of their own: no test sees the boards of another."""

import itertools
import pathlib
import re
from typing import Any

from playwright.sync_api import Browser, Locator, Page, expect
from visitor import Visitor

from running_hub import PASSWORD, RunningHub

REFUSED = re.compile(r"Failed to load resource: the server responded with a status of (?:401|403|404|409|410|422|503)")
"""What a browser says of every answer that the pages themselves know how to take."""
MOVED_MS = 30_000
"""For what workers do: start, stop, read."""

numbers = itertools.count(1)


class HubVisitor(Visitor):
    """Opens pages of one hub."""

    def __init__(self, browser: Browser, hub: RunningHub, logs: pathlib.Path) -> None:
        super().__init__(browser)
        self.hub = hub
        self.logs = logs

    def person(self, role: str = "editor", **fields: Any) -> "Person":
        """A new account, in the project `default` unless `role` is ""."""
        name = f"person-{next(numbers)}"
        return Person(self, name, self.hub.person(name, role, **fields))

    def look(
        self, path: str = "/", *, who: str = "", width: int = 1440, height: int = 900, scheme: str = "light",
        strict: bool = False, language: str = "en", cookies: Any = (),
    ) -> Page:  # fmt: skip
        """A fresh profile at a page, logged in as `who` unless that is "", once the page has all it shows.

        `cookies` are those of somebody who is in already (`Person.cookies`): they spare the slow hash of a password.
        """
        made = self.browser.new_context(
            viewport={"width": width, "height": height}, color_scheme=scheme, locale="en-GB", bypass_csp=not strict
        )
        made.set_default_timeout(MOVED_MS)
        if who:
            answer = made.request.post(f"{self.hub.url}/api/v1/login", data={"name": who, "password": PASSWORD})
            assert answer.ok, answer.text()
        made.add_cookies(list(cookies))
        page = made.new_page()
        page.on("console", self._console)
        page.on("pageerror", lambda error: self.complaints.append(f"page error: {error}"))
        page.on("request", lambda request: self.requests.append(request.url))
        self.pages.append(page)
        place, mark, fragment = path.partition("#")
        page.goto(f"{self.hub.url}{place}{'&' if '?' in place else '?'}test=1&lang={language}{mark}{fragment}")
        if not strict:
            ready(page)
        return page

    def _console(self, message: Any) -> None:
        if not REFUSED.match(message.text):
            super()._console(message)


class Person:
    """An account with its token."""

    def __init__(self, visitor: HubVisitor, name: str, token: str) -> None:
        self.visitor = visitor
        self.name = name
        self.token = token

    def look(self, path: str = "/", **how: Any) -> Page:
        """A page, seen by this person."""
        return self.visitor.look(path, who=self.name, **how)

    def cookies(self) -> Any:
        """Those of a login of this person."""
        made = self.visitor.browser.new_context()
        made.request.post(f"{self.visitor.hub.url}/api/v1/login", data={"name": self.name, "password": PASSWORD})
        found = made.cookies()
        made.close()
        return found

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        """The JSON of an answer to this person that must be well."""
        return self.visitor.hub.json(method, f"/api/v1/{path}", body, self.token)

    def board(self, name: str, **fields: Any) -> dict[str, Any]:
        """A TensorBoard over the logs, once it is Running."""
        return self.visitor.hub.board(self.visitor.logs, self.token, display_name=name, **fields)

    def stopped(self, name: str, **fields: Any) -> dict[str, Any]:
        """A TensorBoard that has run."""
        made = self.board(name, **fields)
        self.ask("PUT", f"tensorboards/{made['id']}/stop")
        return self.visitor.hub.becomes(made["id"], "Stopped", self.token)

    def failed(self, name: str, **fields: Any) -> dict[str, Any]:
        """A TensorBoard over a folder that is not there."""
        options = {"display_name": name, "sources": [{"uri": f"{self.visitor.logs}/nowhere/seg"}], **fields}
        made = self.ask("POST", "tensorboards", options)
        return self.visitor.hub.becomes(made["id"], "Creating_Failed", self.token)


def ready(page: Page) -> None:
    """Waits until the page has all it shows."""
    expect(page.locator("html[data-ready]")).to_be_attached()


def row(page: Page, name: str) -> Locator:
    """The line of a TensorBoard in the list."""
    return page.get_by_test_id("instance-row").filter(has=page.get_by_role("link", name=name, exact=True))


def has_status(place: Locator, status: str) -> None:
    """Waits until a row, or a page, says so."""
    expect(place.get_by_test_id("status").first).to_have_attribute("data-status", status)


def from_menu(page: Page, name: str, *items: str) -> None:
    """Chooses from the menu of a row, through menus within it, by keys: a hand that jumps closes the inner ones."""
    row(page, name).get_by_test_id("row-menu").click()
    for item in items:
        page.get_by_role("menuitem", name=item, exact=True).press("Enter")
