"""Opens a contestant's Time Series page in Chromium: seconds to the first drawn chart, heap, bytes."""

import statistics
import time

from playwright.sync_api import sync_playwright

ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--enable-precise-memory-info",
]

READY = {
    "lightboard": "() => document.querySelector('[data-testid=card][data-state=ready]') !== null",
    # A card without its spinner, whose chart has a size.
    "tensorboard": """() => [...document.querySelectorAll('scalar-card')].some((card) =>
        !card.querySelector('mat-spinner') &&
        [...card.querySelectorAll('line-chart canvas, line-chart svg')].some(
            (part) => part.getBoundingClientRect().width > 50))""",
}
TWO_FRAMES = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"


def first_chart(url, ready, executable, repeats, timeout_secs=120):
    """Medians over fresh browser contexts: nothing is cached."""
    secs, heap, sizes, requests = [], [], [], []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable, args=ARGUMENTS)
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


def live(url, tag, executable, append, steps):
    """Seconds from writing a point until the open page has drawn it, for each step."""
    waits = []
    card = f"document.querySelector('[data-testid=card][data-tag=\"{tag}\"]')"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable, args=ARGUMENTS)
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
