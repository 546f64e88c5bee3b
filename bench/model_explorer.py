"""Model Explorer on graphs that Lightboard exports: its server, its page, and what opening one scope costs there.

python bench/model_explorer.py [deep large wide] --python PYTHON     of an environment with ai-edge-model-explorer
"""

import argparse
import json
import tempfile
import time
import urllib.parse
from pathlib import Path

from playwright.sync_api import TimeoutError as PageTimeout

from graphs import INPUTS, RUN, Meter, address, loaded, most_of_a_task, page_memory
from page import TASKS, settled
from servers import Server

DRAWN = "() => document.querySelector('webgl-renderer canvas') !== null"
CLICK_MS = 120
IDLE_SECS, MOST_SECS = 1.0, 120.0
IDLE_SHARE = 0.05
"""Of a core: what the page may spend when it has finished."""


class ModelExplorer(Server):
    """Shows one file."""

    name = "model explorer"

    def command(self, python, logdir):
        program = str(Path(python).with_name("model-explorer"))
        flags = ("--no_open_in_browser", "--skip_health_check", "--host", "127.0.0.1", "--port", str(self.port))
        return [program, *flags, logdir]

    def url(self, file):
        models = json.dumps({"models": [{"url": str(file)}]})
        return f"http://127.0.0.1:{self.port}/?data={urllib.parse.quote(models)}"


def export(folder, file):
    """Write the graph of a log folder to a file in Model Explorer's format: processor seconds of that."""
    with loaded(folder) as server:
        meter = Meter(server)
        _, status, data = server.request(address("export", format="model-explorer"))
        if status != 200:
            raise RuntimeError(f"the graph was not exported: {status}")
        file.write_bytes(data)
        return meter.lap()


def renderers(tab):
    """Processor seconds that the pages of the browser have spent."""
    found = tab.context.browser.new_browser_cdp_session().send("SystemInfo.getProcessInfo")["processInfo"]
    return sum(each["cpuTime"] for each in found if each["type"] == "renderer")


def wait_idle(tab):
    """Seconds of processor time until the page has finished."""
    first = now = renderers(tab)
    deadline = time.monotonic() + MOST_SECS
    while time.monotonic() < deadline:
        before = now
        tab.wait_for_timeout(1e3 * IDLE_SECS)
        now = renderers(tab)
        if now - before <= IDLE_SHARE * IDLE_SECS:
            return now - first
    raise RuntimeError(f"the page was busy for {MOST_SECS:.0f} s")


def open_middle(tab):
    """Open the box in the middle of the picture: processor seconds of the page, and milliseconds of its longest task.

    The inputs have that of the scope with most inside in the middle.
    """
    picture, browser = tab.locator("webgl-renderer"), tab.context.browser
    box = picture.bounding_box()
    middle = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    tab.mouse.move(*middle)
    tab.wait_for_timeout(500)
    tab.mouse.click(*middle)
    tab.wait_for_timeout(CLICK_MS)
    closed = picture.screenshot()
    browser.start_tracing(page=tab, categories=["toplevel"])
    for count in (1, 2):
        tab.mouse.click(*middle, click_count=count)
        tab.wait_for_timeout(CLICK_MS)
    secs = wait_idle(tab)
    task = most_of_a_task(browser.stop_tracing())
    if picture.screenshot() == closed:
        raise RuntimeError("the scope was not opened")
    return {"open_secs": secs, "open_task_ms": task}


def measure_page(url):
    """Milliseconds to the first picture, megabytes, and one scope opened. None if nothing is drawn in half a minute."""
    try:
        with settled(url, TASKS, DRAWN) as tab:
            shown = {"first_ms": tab.evaluate("window.seen_ms"), **page_memory(tab)}
            return {**shown, **open_middle(tab), "opened_heap_mb": page_memory(tab)["heap_mb"]}
    except PageTimeout:
        return None


def measure(folder, python):
    """Processor seconds of our export and its size, peak megabytes of the server, and its page."""
    with tempfile.TemporaryDirectory(prefix="bench-explorer-") as place:
        file = Path(place) / "graph.json"
        found = {"export_secs": export(folder, file), "kb": file.stat().st_size / 1e3}
        server = ModelExplorer(str(file), python)
        try:
            server.wait_first_answer()
            found["page"] = measure_page(server.url(file))
            return {**found, "peak_mb": server.tree.memory_mb("VmHWM")}
        finally:
            server.end()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", default=[*INPUTS])
    parser.add_argument("--python", required=True, help="the interpreter of its environment")
    options = parser.parse_args()
    for name in options.names:
        title, write = INPUTS[name]
        with tempfile.TemporaryDirectory(prefix="bench-graphs-") as folder:
            write(Path(folder) / RUN)
            print(json.dumps({"graph": title, "model explorer": measure(folder, options.python)}), flush=True)


if __name__ == "__main__":
    main()
