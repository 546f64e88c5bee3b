"""Somebody who opens pages, and remembers what went wrong in them and what they asked for."""

from typing import Any

from playwright.sync_api import Browser, Page
from served import Board

SOFTWARE_3D = "GPU stall due to ReadPixels"
"""What a browser without a graphics card says of every WebGL canvas."""


class Visitor:
    """Opens pages and keeps what went wrong in them and what they asked for."""

    def __init__(self, browser: Browser) -> None:
        self.browser = browser
        self.complaints: list[str] = []
        self.requests: list[str] = []
        self.pages: list[Page] = []
        self.expected = ""

    def complaints_expected(self, text: str) -> None:
        """What a test itself brings about, from now on."""
        self.expected = text

    def open(
        self,
        board: Board,
        query: str = "",
        *,
        width: int = 1440,
        height: int = 900,
        scheme: str = "light",
        ready: bool = True,
        strict: bool = False,
        script: str = "",
        **context: Any,
    ) -> Page:
        """A fresh profile at the given size; waits for the first chart unless told not to.

        `strict` keeps the page's own content policy in force; it also forbids the evaluations that waiting for a
        condition needs. `script` is run before anything of the page is.
        """
        made = self.browser.new_context(
            viewport={"width": width, "height": height},
            color_scheme=scheme,
            locale="en-GB",
            bypass_csp=not strict,
            **context,
        )
        page = made.new_page()
        if script:
            page.add_init_script(script)
        page.on("console", self._console)
        page.on("pageerror", lambda error: self.complaints.append(f"page error: {error}"))
        page.on("request", lambda request: self.requests.append(request.url))
        self.pages.append(page)
        page.goto(f"{board.url}?test=1{query}")
        if ready:
            page.wait_for_selector("[data-testid=card][data-state=ready]")
        return page

    def _console(self, message: Any) -> None:
        known = SOFTWARE_3D in message.text or (self.expected and self.expected in message.text)
        if message.type in ("error", "warning") and not known:
            self.complaints.append(f"{message.type}: {message.text}")
