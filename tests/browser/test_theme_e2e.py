"""Light and dark themes (check 28)."""

from playwright.sync_api import Page, expect

from support.board_process import BoardProcess
from support.page_driver import PageDriver
from support.settled_pages import follow_fragment, press, reload_unsettled

CONTRAST = """() => {
    const part = (c) => { c /= 255; return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4; };
    const light = (text) => {
        const [r, g, b] = text.match(/[\\d.]+/g).map(Number);
        return 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b);
    };
    const ground = (element) => {
        for (let at = element; at; at = at.parentElement) {
            const colour = getComputedStyle(at).backgroundColor;
            if (!/, 0\\)$|transparent/.test(colour)) return colour;
        }
        return 'rgb(255, 255, 255)';
    };
    const poor = [];
    for (const element of document.querySelectorAll('body *')) {
        const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
        if (!own || !element.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true })) continue;
        if (element.closest('[disabled], [aria-disabled=true]')) continue;
        const [a, b] = [light(getComputedStyle(element).color), light(ground(element))].sort((x, y) => y - x);
        if ((a + 0.05) / (b + 0.05) < 4.5) poor.push(element.textContent.trim().slice(0, 40));
    }
    return poor;
}"""


def background(page: Page) -> str:
    colour: str = page.evaluate("getComputedStyle(document.body).backgroundColor")
    return colour


def test_text_stands_out(driver: PageDriver, sweep: BoardProcess) -> None:
    """Every text on any page has a contrast of at least 4.5 with what lies behind it, in both themes."""
    page = driver.open(sweep)
    poor = {}
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        expect(page.locator("html")).to_have_attribute("data-theme", scheme)
        for fragment in ("timeseries", "runs", "run/baseline", "compare"):
            follow_fragment(page, fragment)
            poor[scheme, fragment] = page.evaluate(CONTRAST)

    assert {look: texts for look, texts in poor.items() if texts} == {}


def test_the_theme_is_there_before_the_first_paint(driver: PageDriver, sweep: BoardProcess) -> None:
    """No white flash: the page is dark even if its script never comes."""
    page = driver.open(sweep, "&darkMode=true")
    assert page.get_attribute("html", "data-theme") == "dark"

    page.route("**/assets/*.js", lambda route: route.abort())
    reload_unsettled(page)

    assert page.get_attribute("html", "data-theme") == "dark"
    assert background(page) == "rgb(14, 17, 22)"
    driver.console_errors.clear()  # the browser complains of the script that was held back


def test_the_theme_changes_everything_at_once(driver: PageDriver, sweep: BoardProcess) -> None:
    """Alt M toggles; page, cards and charts follow."""
    page = driver.open(sweep)
    before = background(page)
    press(page, "Alt+m")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")

    assert before == "rgb(246, 247, 249)"
    assert background(page) == "rgb(14, 17, 22)"
