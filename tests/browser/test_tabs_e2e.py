"""The bar of tabs while a page loads."""

import pytest

from support.board_process import BoardProcess
from support.page_driver import PageDriver
from support.settled_pages import settle

PAINTED = """
window.cut = [];
// Intersections are computed once a frame, after its layout and before it is painted.
const painted = new IntersectionObserver((entries) => {
    for (const { target, intersectionRatio, boundingClientRect: { width } } of entries)
        if (target.isConnected && width > 0 && intersectionRatio < 0.99) window.cut.push(target.innerText);
}, { threshold: Array.from({ length: 101 }, (_, part) => part / 100) });
const seen = new WeakSet();
new MutationObserver(() => {
    for (const part of document.querySelectorAll('header nav > :not([aria-hidden])'))
        if (!seen.has(part)) painted.observe(part), seen.add(part);
}).observe(document, { childList: true, subtree: true });
"""


@pytest.mark.parametrize("language", ["en", "ru", "zh"])
@pytest.mark.parametrize("address", ["", "&compare=baseline,big/seed0#compare"])
def test_no_tab_is_ever_painted_cut(driver: PageDriver, kinds: BoardProcess, language: str, address: str) -> None:
    """Tabs that do not fit go behind a button in the very frame in which they would be cut."""
    page = driver.open(kinds, f"&lang={language}{address}", width=390, script=PAINTED)
    for width in (1024, 390, 700, 1440, 390):
        page.set_viewport_size({"width": width, "height": 900})
        settle(page)

    assert page.evaluate("window.cut") == []
