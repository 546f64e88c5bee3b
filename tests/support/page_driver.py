"""Opens pages of a board in a browser and records console errors and requests."""

from typing import Any

from playwright.sync_api import Browser, Error, Page, Request

from support.board_process import LightboardProcess
from support.reused_pages import ReusedPage, ReusedPages
from support.settled_pages import TIMEOUT_MS, settle

SOFTWARE_RENDERING = "GPU stall due to ReadPixels"
"""What a browser without a graphics card says of every WebGL canvas."""


class PageDriver:
    """Opens pages; `console_errors` and `requests` collect what happens in them."""

    def __init__(self, browser: Browser, reused_pages: ReusedPages | None = None) -> None:
        self.browser = browser
        self.reused_pages = reused_pages
        self.console_errors: list[str] = []
        self.requests: list[str] = []
        self.pages: list[Page] = []
        self.expected_error = ""
        self._taken: list[ReusedPage] = []

    def expect_error(self, text: str) -> None:
        """Ignore console messages that contain this text from now on."""
        self.expected_error = text

    def open(
        self,
        board: LightboardProcess,
        query: str = "",
        *,
        width: int = 1440,
        height: int = 900,
        scheme: str = "light",
        settled: bool = True,
        strict: bool = False,
        script: str = "",
        reused: bool = True,
        **context: Any,
    ) -> Page:
        """A page in an empty profile at the given size, once it has settled.

        `settled=False` is for tests of what is seen before that, and of pages that the server never completes.
        `strict` keeps the page's own content policy in force; it also forbids the evaluations that settling needs.
        `script` is run before anything of the page is.
        `reused=False` is for tests that add listeners, or measure memory or a first visit; other pages may have been
        used by other tests.
        """
        own = strict or bool(script) or not reused
        page = self.take_page(width, height, scheme, own=own, strict=strict, **context)
        if script:
            page.add_init_script(script)
        page.goto(f"{board.url}?test=1{query}")
        if strict:
            page.wait_for_selector("html[data-ready]:not([data-pending])", state="attached")
        elif settled:
            settle(page)
        return page

    def take_page(self, width: int, height: int, scheme: Any, *, own: bool, strict: bool, **context: Any) -> Page:
        """An empty page in an empty profile; `own` if no other test may have used it."""
        if own or self.reused_pages is None:
            made = self.browser.new_context(
                viewport={"width": width, "height": height},
                color_scheme=scheme,
                locale="en-GB",
                bypass_csp=not strict,
                **context,
            )
            made.set_default_timeout(TIMEOUT_MS)
            page = made.new_page()
            self.pages.append(page)
        else:
            self._taken.append(self.reused_pages.take(**context))
            page = self._taken[-1].begin(width, height, scheme)
        page.on("console", self._console)
        page.on("pageerror", self._page_error)
        page.on("request", self._request)
        return page

    def close(self) -> None:
        """Close the pages; they must have loaded nothing from elsewhere and left nothing in the console."""
        for page in self.pages:
            page.context.close()
        for taken in self._taken:
            taken.give_back()
            taken.page.remove_listener("console", self._console)
            taken.page.remove_listener("pageerror", self._page_error)
            taken.page.remove_listener("request", self._request)
        assert self.console_errors == []
        assert [url for url in self.requests if "//localhost" not in url and "//127.0.0.1" not in url] == []

    def _page_error(self, error: Error) -> None:
        self.console_errors.append(f"page error: {error}")

    def _request(self, request: Request) -> None:
        self.requests.append(request.url)

    def _console(self, message: Any) -> None:
        known = SOFTWARE_RENDERING in message.text or (self.expected_error and self.expected_error in message.text)
        if message.type in ("error", "warning") and not known:
            self.console_errors.append(f"{message.type}: {message.text}")
