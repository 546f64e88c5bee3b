"""100,000 embeddings: time until they are drawn, frame times while dragging, and duration of a layout."""

import array
import random
import time

from page import settled

ROWS, DIMS, LABELS = 100_000, 64, 10
SEEN = """() => document.querySelector('[data-testid=projector][data-state=ready]')
    && +document.querySelector('[data-testid=points]')?.dataset.count === 100000"""
# The points are drawn by a worker. This attribute says what it has drawn.
DRAWN = """() => {
    window.drawn_ms = [];
    let before = performance.now();
    new MutationObserver(() => {
        const now = performance.now();
        window.drawn_ms.push(now - before);
        before = now;
    }).observe(document.querySelector('[data-testid=points]'), { attributeFilter: ['data-camera'] });
}"""
RUNS = "() => document.querySelector('[data-testid=foot]').dataset.state === 'running'"
LAYOUT_MS = 590_000


def write(folder):
    """Files like those of torch's add_embedding, with a label for each point."""
    rng = random.Random(7)
    middles = [[rng.gauss(0, 3) for _ in range(DIMS)] for _ in range(LABELS)]
    run = folder / "run"
    run.mkdir(parents=True, exist_ok=True)
    values = array.array("f")
    with open(run / "metadata.tsv", "w") as labels:
        for _ in range(ROWS):
            label = rng.randrange(LABELS)
            labels.write(f"class {label}\n")
            values.extend([middle + rng.gauss(0, 1) for middle in middles[label]])
    (run / "tensor.bytes").write_bytes(values.tobytes())
    (run / "projector_config.pbtxt").write_text(
        'embeddings { tensor_name: "many" metadata_path: "metadata.tsv" tensor_path: "tensor.bytes" '
        f"tensor_shape: {ROWS} tensor_shape: {DIMS} }}\n"
    )


def seen(url, moves=150):
    """Seconds until all points are drawn in the colours of their labels, on a server that has not read them before; and
    ms between two frames of a drag, mean and 95th percentile."""
    with settled(f"{url}#projector", seen=SEEN) as page:
        secs = page.evaluate("window.seen_ms") / 1e3
        page.evaluate(DRAWN)
        box = page.get_by_test_id("points").bounding_box()
        page.mouse.move(box["x"] + box["width"] * 0.3, box["y"] + box["height"] / 2)
        page.mouse.down()
        # As fast as the page accepts them, because waiting for a frame after each would measure the waiting.
        page.mouse.move(box["x"] + box["width"] * 0.7, box["y"] + box["height"] / 2, steps=moves)
        page.mouse.up()
        pictures = sorted(page.evaluate("window.drawn_ms.slice(1)"))
    return {"secs": secs, "mean_ms": sum(pictures) / len(pictures), "p95_ms": pictures[int(len(pictures) * 0.95)]}


def measure_layout(url):
    """Seconds for UMAP of all points, and the longest response time of the page to a click meanwhile in ms."""
    waits = []
    with settled(f"{url}#projector", seen=SEEN) as page:
        page.set_default_timeout(LAYOUT_MS)
        page.get_by_role("radio", name="UMAP").first.check()
        page.wait_for_function(RUNS)
        began = time.perf_counter()
        items = page.locator("[data-testid=legend-item]")
        while page.get_by_test_id("foot").get_attribute("data-state") in ("queued", "running"):
            clicked = time.perf_counter()
            items.nth(len(waits) % LABELS).click()
            waits.append((time.perf_counter() - clicked) * 1e3)
            page.wait_for_timeout(1_000)
        state = page.get_by_test_id("foot").get_attribute("data-state")
    if state != "done":
        raise RuntimeError(f"the layout ended as {state}")
    return {"secs": time.perf_counter() - began, "longest_ms": max(waits)}
