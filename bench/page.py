"""Opens a server's Time Series page in Chromium: seconds to the first drawn chart, heap, bytes."""

import os
import pathlib
import statistics
import sys
import time
from contextlib import contextmanager

from playwright.sync_api import sync_playwright

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "tests"))
from support.chromium import CHROMIUM_FLAGS, find_browser

READY = {
    "lightboard": "() => document.querySelector('[data-testid=card][data-state=ready]') !== null",
    # A card without a spinner, whose chart has a size.
    "tensorboard": """() => [...document.querySelectorAll('scalar-card')].some((card) =>
        !card.querySelector('mat-spinner') &&
        [...card.querySelectorAll('line-chart canvas, line-chart svg')].some(
            (part) => part.getBoundingClientRect().width > 50))""",
}
TWO_FRAMES = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"


def launch(playwright):
    """The browser that the tests use as well."""
    executable, env, arguments = find_browser()
    return playwright.chromium.launch(
        executable_path=executable, env={**os.environ, **env}, args=[*CHROMIUM_FLAGS, *arguments]
    )


def first_chart(url, ready, repeats, timeout_secs=120):
    """Medians over fresh browser contexts, so that nothing is cached."""
    secs, heap, sizes, requests = [], [], [], []
    with sync_playwright() as playwright:
        browser = launch(playwright)
        for _ in range(repeats):
            context = browser.new_context(viewport={"width": 1440, "height": 900})
            page = context.new_page()
            session = context.new_cdp_session(page)
            session.send("Network.enable")
            session.send("Performance.enable")
            loads = []
            session.on("Network.loadingFinished", lambda e, loads=loads: loads.append(e["encodedDataLength"]))
            began = time.perf_counter()
            page.goto(url, wait_until="commit")
            page.wait_for_function(ready, timeout=timeout_secs * 1e3, polling=20)
            page.evaluate(TWO_FRAMES)
            secs.append(time.perf_counter() - began)
            sizes.append(sum(loads))
            requests.append(len(loads))
            page.wait_for_timeout(1_000)
            session.send("HeapProfiler.collectGarbage")
            metrics = {m["name"]: m["value"] for m in session.send("Performance.getMetrics")["metrics"]}
            heap.append(metrics["JSHeapUsedSize"] / 1e6)
            context.close()
        browser.close()
    return {"secs": statistics.median(secs), "heap_mb": statistics.median(heap),
            "bytes": statistics.median(sizes), "requests": statistics.median(requests)}  # fmt: skip


def live(url, tag, append, steps):
    """Seconds from writing a point until the open page has drawn it, for each step."""
    waits = []
    card = f"document.querySelector('[data-testid=card][data-tag=\"{tag}\"]')"
    with sync_playwright() as playwright:
        browser = launch(playwright)
        page = browser.new_context(viewport={"width": 1440, "height": 900}).new_page()
        page.goto(url)
        page.wait_for_function(f"() => {card}?.dataset.state === 'ready'")
        for step in steps:
            began = append(step)
            page.wait_for_function(f"() => +{card}.dataset.xmax === {step}", polling=10)
            page.evaluate(TWO_FRAMES)
            waits.append(time.perf_counter() - began)
        browser.close()
    return waits


FRAMES = """() => {
    window.frames_ms = [];
    let before = performance.now();
    const frame = (now) => { window.frames_ms.push(now - before); before = now; requestAnimationFrame(frame); };
    requestAnimationFrame(frame);
}"""
TASKS = """window.tasks_ms = [];
new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) window.tasks_ms.push(entry.duration);
}).observe({ type: "longtask", buffered: true });"""

DRAWS = """[...document.querySelectorAll('[data-testid=card][data-state=ready]')]
    .slice(0, 12).map(({ dataset }) => [+dataset.drawMs, +dataset.turnMs])"""


BENCHMARK_SCRIPT = """() => {
    const began = performance.now();
    let seed = 1;
    const numbers = Float64Array.from({ length: 200_000 }, () => (seed = (seed * 48_271) % 2_147_483_647));
    numbers.sort((a, b) => a - b);
    const list = document.createElement("ol");
    for (const number of numbers.subarray(0, 3_000)) {
        const item = list.appendChild(document.createElement("li"));
        item.textContent = `${number} of ${seed}`;
    }
    document.body.append(list);
    const height = list.offsetHeight;
    list.remove();
    return height > 0 ? performance.now() - began : NaN;
}"""


def browser_speed(times=9):
    """Median ms of a fixed amount of script and layout: the speed of the browser on this machine."""
    with sync_playwright() as playwright:
        browser = launch(playwright)
        page = browser.new_page()
        took = [page.evaluate(BENCHMARK_SCRIPT) for _ in range(times)]
        browser.close()
    return statistics.median(took)


@contextmanager
def settled(url, script="", seen=READY["lightboard"]):
    """Our page in a fresh browser, a second after its first chart; `seen_ms` is when that was drawn."""
    with sync_playwright() as playwright:
        browser = launch(playwright)
        page = browser.new_context(viewport={"width": 1440, "height": 900}).new_page()
        page.add_init_script(script)
        page.goto(url)
        page.wait_for_function(seen)
        page.evaluate("() => { window.seen_ms = performance.now(); }")
        page.wait_for_timeout(1_000)
        yield page
        browser.close()


def crossing(page, box, moves):
    """95th percentile of the time between frames in ms while the pointer crosses a box."""
    page.evaluate(FRAMES)
    for i in range(moves):
        page.mouse.move(box["x"] + box["width"] * (0.1 + 0.8 * i / moves), box["y"] + box["height"] / 2)
        page.evaluate("() => new Promise(requestAnimationFrame)")
    frames = sorted(page.evaluate("window.frames_ms"))
    return {"p95_ms": frames[int(len(frames) * 0.95)]}


def hover_frames(url, moves=120):
    """Frame times while the pointer crosses the first chart."""
    with settled(url) as page:
        return crossing(page, page.locator("[data-testid=card] canvas").first.bounding_box(), moves)


def slider_frames(url, moves=90):
    """Frame times while the smoothing slider is dragged."""
    with settled(url) as page:
        box = page.locator("input[type=range]").first.bounding_box()
        page.mouse.move(box["x"] + box["width"] * 0.6, box["y"] + box["height"] / 2)
        page.mouse.down()
        return crossing(page, box, moves)


def scroll_tasks(url, secs=3.0):
    """First paint in seconds; ms to draw the first cards, the longest task of that, both again for a redraw; longest
    task in ms while opening, and while scrolling all cards in `secs`; heap in MB after that."""
    with settled(url, TASKS) as page:
        paint = page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime")
        start = page.evaluate("Math.max(0, ...window.tasks_ms)")
        draws = page.evaluate(DRAWS)
        page.keyboard.press("l")  # log y: every card is redrawn
        page.wait_for_timeout(1_000)
        redraws = page.evaluate(DRAWS)
        page.evaluate("() => { window.tasks_ms = []; }")
        page.mouse.move(900, 500)
        steps = 90
        for _ in range(steps):
            page.mouse.wheel(0, 100)
            page.wait_for_timeout(secs * 1e3 / steps)
        page.wait_for_timeout(500)
        scroll = page.evaluate("Math.max(0, ...window.tasks_ms)")
        session = page.context.new_cdp_session(page)
        session.send("HeapProfiler.collectGarbage")
        heap = page.evaluate("performance.memory.usedJSHeapSize")
    (draws, turns), (redraws, returns) = (tuple(zip(*cards, strict=True)) for cards in (draws, redraws))
    return {"paint_secs": paint / 1e3, "draw_ms": sum(draws), "slowest_ms": max(turns), "cards": len(draws),
            "redraw_ms": sum(redraws), "slowest_redraw_ms": max(returns),
            "start_ms": start, "scroll_ms": scroll, "heap_mb": heap / 1e6}  # fmt: skip
