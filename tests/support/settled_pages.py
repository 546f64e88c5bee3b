"""Pages that have settled: the one way in which tests of the browser wait before they measure or press the next key."""

from urllib.parse import urlsplit

from playwright.sync_api import Frame, Page, expect

TIMEOUT_MS = 30_000

SETTLE = """async (limit) => {
    const end = performance.now() + limit;
    const root = document.documentElement;
    const shown = (part) => part.checkVisibility() && part.getBoundingClientRect().bottom > 0 &&
        part.getBoundingClientRect().top < innerHeight;
    const busy = () => [
        root.dataset.ready === undefined ? 'the page does not say that it is ready' : '',
        root.dataset.pending === undefined ? '' : `${root.dataset.pending} requests are under way`,
        document.fonts.status === 'loaded' ? '' : 'letters are missing',
        ...[...document.querySelectorAll('[aria-busy=true]')].map((part) => `busy: ${part.outerHTML.slice(0, 120)}`),
        ...document.getAnimations().filter((each) => each instanceof CSSTransition && each.playState === 'running')
            .map((each) => `in transition: ${each.transitionProperty}`),
        ...[...document.images].filter((part) => !part.complete && shown(part)).map((part) => `loads: ${part.src}`),
    ].filter(Boolean);
    // What fits itself into its place does so in the frame after its content is there.
    for (let quiet = 0; quiet < 3;) {
        await new Promise((resolve) => document.hidden ? setTimeout(resolve, 16) : requestAnimationFrame(resolve));
        const left = busy();
        quiet = left.length === 0 ? quiet + 1 : 0;
        if (performance.now() > end) throw new Error(`the page has not settled after ${limit} ms: ${left.join('; ')}`);
    }
    await new Promise((resolve) => requestIdleCallback(resolve, { timeout: 1000 }));
}"""
"""The page says so itself: `data-ready`, `data-pending`, `aria-busy`; fonts, pictures, colors; then three frames."""


def settle(page: Page | Frame) -> None:
    """Wait until the page shows all it has and nothing is under way. Fails after a timeout and says what was left."""
    page.evaluate(SETTLE, TIMEOUT_MS)


def press(page: Page, *keys: str) -> None:
    """Press keys, each once the effect of the last one is there; those of `"g r"` right after each other."""
    for key in keys:
        for each in key.split(" "):
            page.keyboard.press(each)
        settle(page)


def type_text(page: Page, text: str) -> None:
    """Type into what has the keyboard, then wait for the effect."""
    page.keyboard.type(text)
    settle(page)


def reload(page: Page) -> None:
    """Load the page again and wait as at first."""
    page.reload()
    settle(page)


def go_back(page: Page) -> None:
    """The browser's Back, and its effect."""
    page.go_back()
    settle(page)


def follow_fragment(page: Page, fragment: str) -> None:
    """Go to another page of a board in the same visit, such as `runs`: a fifth of what opening one costs."""
    page.goto(urlsplit(page.url)._replace(fragment=fragment).geturl())
    expect(page.locator(sign_of(fragment)).first).to_be_attached()
    settle(page)


def sign_of(fragment: str) -> str:
    """A selector of what only that page of a board has, so that nobody looks at the page before."""
    name, _, subject = fragment.partition("/")
    match name:
        case "timeseries":
            return "main:not([id], [data-page]) [data-testid=card]"
        case "runs":
            return "main > [role=toolbar] ~ section [data-testid=run-row]"
        case "run":
            return f'main[data-run="{subject}"]'
        case "compare":
            return "main [data-testid=compare-table]"
    return f"main[data-page={name}]"


def press_unsettled(page: Page, *keys: str) -> None:
    """Press keys in a page that cannot settle yet, since the test holds an answer back."""
    for key in keys:
        page.keyboard.press(key)


def reload_unsettled(page: Page) -> None:
    """Load a page again that cannot settle, since the test holds an answer or the scripts back."""
    page.reload()
