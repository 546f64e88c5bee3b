"""Pages of a browser that one test uses after another: a new one costs a process that compiles the scripts anew."""

import collections
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import Browser, Error, Frame, Page

from support.settled_pages import TIMEOUT_MS

BLANK = "about:blank"
MAX_USES = 20
"""After which a page makes room for a new one, so that no process grows for as long as the tests run."""
GLOBALS = "() => Object.getOwnPropertyNames(window).sort().join(' ')"
"""What is defined in an empty document: a clock or a function that a test installs stays there."""
MODIFIERS = ("Alt", "Control", "Meta", "Shift")


class ReusedPage:
    """One page, and what is known of it."""

    def __init__(self, browser: Browser, free: list["ReusedPage"], **options: Any) -> None:
        context = browser.new_context(locale="en-GB", bypass_csp=True, **options)
        context.set_default_timeout(TIMEOUT_MS)
        self.page: Page = context.new_page()
        self._devtools = context.new_cdp_session(self.page)
        self._globals = self.page.evaluate(GLOBALS)
        self._origins: set[str] = set()
        self._uses = 0
        self._free = free
        self.page.on("framenavigated", self._note_origin)

    def begin(self, width: int, height: int, scheme: str) -> Page:
        """The page at a size and in a theme."""
        self._uses += 1
        self.page.set_viewport_size({"width": width, "height": height})
        self.page.emulate_media(
            media="null", color_scheme=scheme, reduced_motion="null", forced_colors="null"  # type: ignore[arg-type]
        )  # fmt: skip
        return self.page

    def give_back(self) -> None:
        """Keep it for the next test if it can be made as good as a new one, else close it."""
        if self._uses < MAX_USES and len(self._origins) == 1 and self._empty():
            self._free.append(self)
        else:
            self.page.context.close()

    def _empty(self) -> bool:
        try:
            self._leave()
            self._release_input()
            self._clear_profile()
            return bool(self.page.evaluate(GLOBALS) == self._globals)
        except Error:
            return False

    def _leave(self) -> None:
        for other in self.page.context.pages:
            if other is not self.page:
                other.close()
        self.page.unroute_all()
        self.page.context.unroute_all()
        self.page.evaluate("sessionStorage.clear()")
        self.page.goto(BLANK)

    def _release_input(self) -> None:
        for key in MODIFIERS:
            self.page.keyboard.up(key)
        self.page.mouse.up()
        self.page.mouse.move(-1, -1)

    def _clear_profile(self) -> None:
        # The cache stays, with the compiled scripts: names of assets have a hash, and all else is asked for again.
        self.page.context.clear_cookies()
        for origin in self._origins:
            self._devtools.send("Storage.clearDataForOrigin", {"origin": origin, "storageTypes": "all"})
        self._devtools.send("Page.resetNavigationHistory")
        self._origins.clear()

    def _note_origin(self, frame: Frame) -> None:
        place = urlsplit(frame.url)
        if place.netloc:
            self._origins.add(f"{place.scheme}://{place.netloc}")


class ReusedPages:
    """Gives out pages in an empty profile."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._free: dict[str, list[ReusedPage]] = collections.defaultdict(list)

    def take(self, **options: Any) -> ReusedPage:
        """One that nobody uses, in a context with these options, which it keeps."""
        free = self._free[repr(sorted(options.items()))]
        return free.pop() if free else ReusedPage(self._browser, free, **options)
