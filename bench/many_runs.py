"""Measures interaction with a thousand runs in the charts and ten thousand in the list: pointing, scrolling, typing."""

import statistics
from contextlib import contextmanager

from playwright.sync_api import sync_playwright

import page

CARDS = {
    "lightboard": "[data-testid=card] canvas",
    "tensorboard": "scalar-card line-chart canvas, scalar-card line-chart svg",
}
ROW = "[data-testid=run-row]"
FILTER = "#run-filter"

EVENTS = """window.keys_ms = [];
new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (entry.name === 'keydown') window.keys_ms.push(entry.duration);
}).observe({ type: "event", durationThreshold: 16, buffered: true });"""
LONGEST = "() => { const longest = Math.max(0, ...window.tasks_ms); window.tasks_ms = []; return longest; }"


@contextmanager
def opened(url, ready, timeout_secs=120):
    """A page in a fresh browser, a second after its first chart."""
    with sync_playwright() as playwright:
        browser = page.launch(playwright)
        shown = browser.new_context(viewport={"width": 1440, "height": 900}).new_page()
        shown.add_init_script(page.TASKS + EVENTS)
        shown.goto(url)
        shown.wait_for_function(ready, timeout=timeout_secs * 1e3, polling=20)
        shown.wait_for_timeout(1_000)
        yield shown
        browser.close()


def charts(url, server_name, moves=60, secs=3.0, everything=False):
    """Longest task in ms while the pointer crosses the first chart, and while the cards are scrolled to their end.

    `everything`: with all runs selected, not only the initial ones.
    """
    with opened(url, page.READY[server_name]) as shown:
        if everything:
            shown.get_by_role("button", name="Show all").click()
            shown.wait_for_timeout(4_000)
        box = shown.locator(CARDS[server_name]).first.bounding_box()
        shown.evaluate(LONGEST)
        for i in range(moves):
            shown.mouse.move(box["x"] + box["width"] * (0.1 + 0.8 * i / moves), box["y"] + box["height"] / 2)
            shown.evaluate("() => new Promise(requestAnimationFrame)")
        hover = shown.evaluate(LONGEST)
        for _ in range(60):
            shown.mouse.wheel(0, 100)
            shown.wait_for_timeout(secs * 1e3 / 60)
        shown.wait_for_timeout(1_000)
        return {"hover_ms": hover, "scroll_ms": shown.evaluate(LONGEST)}


def listing(url, strokes="run_01"):
    """The list of runs: number of rows; p95 and longest frame in ms of a fling; median ms from keypress to paint."""
    with opened(url, f"() => document.querySelector('{ROW}') !== null") as shown:
        box = shown.locator(ROW).first.bounding_box()
        shown.mouse.move(box["x"] + 100, box["y"] + 200)
        shown.evaluate(page.FRAMES)
        for _ in range(60):
            shown.mouse.wheel(0, 1_500)
            shown.evaluate("() => new Promise(requestAnimationFrame)")
        frames = sorted(shown.evaluate("window.frames_ms"))
        rows = shown.locator(ROW).count()
        shown.focus(FILTER)
        for stroke in strokes:
            shown.keyboard.press(stroke)
            shown.wait_for_timeout(300)
        # Keypresses that are painted within the threshold are not reported.
        keys = [*shown.evaluate("window.keys_ms"), *[16.0] * len(strokes)][: len(strokes)]
        return {"rows": rows, "p95_ms": frames[int(len(frames) * 0.95)], "frame_ms": frames[-1],
                "key_ms": statistics.median(keys)}  # fmt: skip
