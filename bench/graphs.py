"""Graphs of 20,000 and 200,000 nodes, and one scope of 50,000: what the server spends, and what the page does.

python bench/graphs.py [deep large wide]     beside TensorBoard where it is installed: bench/.lab or .venv-frameworks
"""

import contextlib
import json
import os
import statistics
import sys
import tempfile
import urllib.parse
from pathlib import Path

from playwright.sync_api import TimeoutError as PageTimeout

import page
from page import TASKS, TWO_FRAMES, settled
from servers import Lightboard, TensorBoard

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))
from lightboard.testing.event_files import graph_record, version_record
from support import graph_logs
from support.graph_defs import graph_def, node_def, shapes_attribute, type_attribute

HERE = Path(__file__).resolve().parent
RUN, TAG = "run", "__run_graph__"
SCOPES = 50
WORDS = ("matmul", "layer_12 bias", "norm_1/shift", "64", "dtype=int32")
READY = "() => document.querySelector('[data-testid=graphs][data-state=ready]')"
DRAWN_BY_TENSORBOARD = """() => {
    const roots = [document];
    for (const root of roots)
        for (const each of root.querySelectorAll('*')) if (each.shadowRoot) roots.push(each.shadowRoot);
    return roots.some((root) => root.querySelector('g.node')); }"""
EXPANDED = "document.querySelectorAll('[role=treeitem][aria-expanded=true]').length"
CLOSED = """() => {
    const tree = document.querySelector('[data-testid=graph-tree]');
    return document.getElementById(tree.getAttribute('aria-activedescendant'))?.ariaExpanded === 'false'; }"""
OPENED, MOVES = 20, 300
BOTH_READY = """() => {
    const trees = [...document.querySelectorAll('[data-testid=graph-tree]')];
    return trees.length === 2 && trees.every((tree) => tree.querySelector('[role=treeitem]')); }"""
BASE = "base"


def wide(folder):
    """One scope of 50,000 nodes, of which one has 50,000 inputs."""
    shapes = shapes_attribute((8, 16)) + type_attribute("T")
    names = [f"features/column_{(at * 7919) % 50_000}_{'ab'[at % 2]}{at % 977}" for at in range(50_000)]
    nodes = [node_def("x", "Placeholder", (), shapes)]
    nodes += [node_def(name, ("Mul", "Add", "Cast")[at % 3], ("x",), shapes) for at, name in enumerate(names)]
    nodes.append(node_def("all", "ConcatV2", names, shapes))
    folder.mkdir(parents=True)
    (folder / "events.out.tfevents.1750000000.host").write_bytes(version_record() + graph_record(graph_def(*nodes)))


def versions(folder):
    """Two runs with graphs of 20,000 nodes: in one, five layers of the other are missing."""
    graph_logs.transformer(folder, 345)
    graph_logs.transformer(folder.parent / BASE, 340)


INPUTS = {
    "deep": ("20,000 nodes", lambda folder: graph_logs.transformer(folder, 345)),
    "large": ("200,000 nodes", lambda folder: graph_logs.transformer(folder, 3448)),
    "wide": ("a scope of 50,000", wide),
}
COMPARED = {"pair": ("two of 20,000 nodes", versions)}


def address(route, **query):
    return f"/api/v1/graphs/{route}?" + urllib.parse.urlencode({"run": RUN, "tag": TAG, "form": "op", **query})


class AnyTensorBoard(TensorBoard):
    """Also without its data server."""

    def command(self, python, logdir):
        return [each.replace("load_fast=true", "load_fast=auto") for each in super().command(python, logdir)]


class Meter:
    """Processor seconds of a server between two calls."""

    def __init__(self, server):
        self.server = server
        self.before = self.now()

    def now(self):
        total = 0
        for pid in self.server.tree.pids():
            for task in Path(f"/proc/{pid}/task").iterdir():
                try:
                    total += int((task / "schedstat").read_text().split()[0])
                except OSError:
                    continue  # it has ended
        return total / 1e9

    def lap(self):
        self.before, before = self.now(), self.before
        return self.before - before


def opened_scopes(server):
    """Paths of scopes, the outermost first."""
    pending, found = [""], []
    while pending and len(found) < SCOPES:
        path = pending.pop(0)
        _, _, data = server.request(address("scope", path=path))
        found.append(path)
        pending += [box["path"] for box in json.loads(data)["boxes"] if box["opens"]]
    return found


@contextlib.contextmanager
def loaded(folder):
    """Our server once it lists the run of a folder."""
    server = Lightboard(str(folder), None)
    try:
        server.wait_first_answer()
        while not server.runs():
            pass
        yield server
    finally:
        server.end()


def measure_server(folder):
    """Of our server: processor seconds and peak memory of the first answer, then of scopes and searches."""
    with loaded(folder) as server:
        meter = Meter(server)
        server.request(address("scope"))
        found = {"first_secs": meter.lap(), "peak_mb": server.tree.memory_mb("VmHWM")}
        scopes = opened_scopes(server)
        costs, sizes = [], []
        for path in scopes:
            meter.lap()
            _, status, data = server.request(address("scope", path=path))
            costs.append(meter.lap())
            sizes.append(len(data))
            if status != 200:
                raise RuntimeError(f"{path}: {status}")
        searches = []
        for word in WORDS:
            meter.lap()
            server.request(address("search", text=word))
            searches.append(meter.lap())
        return {
            **found,
            "scopes": len(scopes),
            "scope_ms": 1e3 * max(costs),
            "median_ms": 1e3 * statistics.median(costs),
            "scope_kb": max(sizes) / 1e3,
            "search_ms": 1e3 * max(searches[:-1]),
            "attribute_search_ms": 1e3 * searches[-1],
        }


def open_scope(tab):
    """Milliseconds from the key that opens a scope until it is drawn, and the longest task of that."""
    tab.evaluate("() => { window.tasks_ms = []; }")
    before, began = tab.evaluate(f"[{EXPANDED}, performance.now()]")
    tab.keyboard.press("ArrowRight")
    tab.wait_for_function(f"() => {EXPANDED} > {before}", polling="raf")
    tab.evaluate(TWO_FRAMES)
    wait = tab.evaluate("performance.now()") - began
    tab.wait_for_timeout(300)  # long tasks are reported later
    return wait, tab.evaluate("Math.max(0, ...window.tasks_ms)")


def most_of_a_task(trace):
    """The most processor milliseconds that a task of the page's main thread took: its length on a quiet machine."""
    events = json.loads(trace)["traceEvents"]
    mains = {
        (event["pid"], event["tid"])
        for event in events
        if event["name"] == "thread_name" and event["args"]["name"] == "CrRendererMain"
    }
    tasks = [
        event.get("tdur", 0)
        for event in events
        if (event["pid"], event["tid"]) in mains and event["name"].endswith("RunTask")
    ]
    return max(tasks) / 1e3


def move_about(tab):
    """Point at, drag and zoom the picture."""
    box = tab.get_by_test_id("graph").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    tab.mouse.move(x - 300, y - 200)
    tab.mouse.move(x, y, steps=60)
    tab.mouse.down()
    tab.mouse.move(x - 200, y - 150, steps=30)
    tab.mouse.up()
    for delta in [-120] * 8 + [120] * 12:
        tab.mouse.wheel(0, delta)
        tab.wait_for_timeout(40)


def page_memory(tab):
    """Megabytes of a page after garbage collection: what its scripts hold, and its process in all."""
    session = tab.context.new_cdp_session(tab)
    session.send("Performance.enable")
    session.send("HeapProfiler.collectGarbage")
    metrics = {each["name"]: each["value"] for each in session.send("Performance.getMetrics")["metrics"]}
    processes = tab.context.browser.new_browser_cdp_session().send("SystemInfo.getProcessInfo")["processInfo"]
    renderers = [each["id"] for each in processes if each["type"] == "renderer"]
    pages = [int(Path(f"/proc/{pid}/statm").read_text().split()[1]) for pid in renderers]
    return {"heap_mb": metrics["JSHeapUsedSize"] / 1e6, "renderer_mb": max(pages) * os.sysconf("SC_PAGE_SIZE") / 1e6}


def open_scopes(tab):
    """Milliseconds until each of up to OPENED scopes is drawn, and the longest task of each."""
    waits, tasks = [], []
    tab.get_by_test_id("graph-tree").first.focus()
    tab.keyboard.press("Home")
    for _ in range(MOVES):
        if len(waits) == OPENED:
            break
        if tab.evaluate(CLOSED):
            wait, task = open_scope(tab)
            waits.append(wait)
            tasks.append(task)
        tab.keyboard.press("ArrowDown")
    return waits, tasks


def close_scopes(tab):
    """Close what is open from the start, which opens again as any other."""
    tab.get_by_test_id("graph-tree").first.focus()
    while tab.evaluate(EXPANDED):
        tab.keyboard.press("Home")
        while tab.evaluate(CLOSED.replace("'false'", "'true'")) is False:
            tab.keyboard.press("ArrowDown")
        before = tab.evaluate(EXPANDED)
        tab.keyboard.press("ArrowLeft")
        tab.wait_for_function(f"() => {EXPANDED} < {before}")


def measure_page(url, ready):
    """Of our page: milliseconds to the first picture, memory then, and of up to OPENED scopes opened, the slowest:
    until it is drawn, and its longest task. Then the most processor time of a task of loading, of this, and of moving
    about: the length of the task on a machine that does nothing else."""
    with settled(url, TASKS, ready) as tab:
        first, memory = tab.evaluate("window.seen_ms"), page_memory(tab)
        browser = tab.context.browser

        def traced(work):
            browser.start_tracing(page=tab, categories=["toplevel"])
            found = work()
            return found, most_of_a_task(browser.stop_tracing())

        def load():
            tab.reload()
            tab.wait_for_function(ready)
            tab.wait_for_timeout(1_000)

        _, loading = traced(load)
        close_scopes(tab)
        (waits, tasks), opening = traced(lambda: open_scopes(tab))
        _, moving = traced(lambda: move_about(tab))
        return {"first_ms": first, **memory, "opened": len(waits), "open_ms": max(waits, default=0),
                "task_ms": max(tasks, default=0), "load_cpu_ms": loading, "open_cpu_ms": opening,
                "move_cpu_ms": moving}  # fmt: skip


def measure_pages(folder):
    """The page of one graph. What it costs to read the graph is measured by itself."""
    server = Lightboard(str(folder), None)
    try:
        server.wait_first_answer()
        server.request(address("scope"))
        return measure_page(f"http://127.0.0.1:{server.port}/#graphs", READY)
    finally:
        server.end()


def measure_comparison(folder):
    """Two graphs: processor seconds of the server until it has read and compared both, milliseconds of the same answer
    again, its bytes; then the page with both beside each other."""
    server = Lightboard(str(folder), None)
    try:
        server.wait_first_answer()
        while not server.runs():
            pass
        compared, meter = address("diff", base_run=BASE, base_tag=TAG), Meter(server)
        server.request(compared)
        first = meter.lap()
        _, status, data = server.request(compared)
        if status != 200:
            raise RuntimeError(f"{compared}: {status}")
        found = {"first_secs": first, "again_ms": 1e3 * meter.lap(), "kb": len(data) / 1e3}
        if os.environ.get("BENCH_NO_PAGE"):
            return found
        url = f"http://127.0.0.1:{server.port}/#graphs&graphs=run={RUN};base={BASE},{TAG},op"
        page_meter = Meter(server)
        shown = measure_page(url, BOTH_READY)
        return {**found, "page": shown, "page_server_secs": page_meter.lap(), "peak_mb": server.tree.memory_mb("VmHWM")}
    finally:
        server.end()


def measure_peer(folder, python):
    """TensorBoard sends the whole graph: processor seconds of that, peak memory, bytes; of its page, milliseconds to
    the first picture and memory."""
    server = AnyTensorBoard(str(folder), python)
    try:
        server.wait_first_answer()
        query = urllib.parse.urlencode({"run": RUN, "limit_attr_size": 1024, "large_attrs_key": "_too_large_attrs"})
        status, meter = 0, Meter(server)
        while status != 200:
            meter.lap()
            _, status, data = server.request(f"/data/plugin/graphs/graph?{query}")
        found = {"first_secs": meter.lap(), "peak_mb": server.tree.memory_mb("VmHWM"), "kb": len(data) / 1e3}
        if os.environ.get("BENCH_NO_PAGE"):
            return found
        try:
            with settled(f"http://127.0.0.1:{server.port}/#graphs&run={RUN}", TASKS, DRAWN_BY_TENSORBOARD) as tab:
                return {**found, "page": {"first_ms": tab.evaluate("window.seen_ms"), **page_memory(tab)}}
        except PageTimeout:  # as with 200,000 nodes
            return {**found, "page": None}
    finally:
        server.end()


def peer_python():
    """The Python of an environment with TensorBoard, None if there is none."""
    found = (HERE / ".lab" / "tb" / "bin" / "python", HERE.parent / ".venv-frameworks" / "bin" / "python")
    return next((each for each in found if (each.parent / "tensorboard").exists()), None)


def main():
    names = sys.argv[1:] or [*INPUTS, *COMPARED]
    peer = peer_python()
    for name in names:
        title, write = {**INPUTS, **COMPARED}[name]
        with tempfile.TemporaryDirectory(prefix="bench-graphs-") as folder:
            write(Path(folder) / RUN)
            if name in COMPARED:
                print(json.dumps({"graph": title, "comparison": measure_comparison(folder)}), flush=True)
                continue
            found = {"graph": title, "server": measure_server(folder)}
            if peer is not None:
                found["tensorboard"] = measure_peer(folder, peer)
            if not os.environ.get("BENCH_NO_PAGE"):
                found["page"] = measure_pages(folder)
        print(json.dumps(found), flush=True)
    if not os.environ.get("BENCH_NO_PAGE"):
        print(json.dumps({"browser_speed_ms": page.browser_speed()}))


if __name__ == "__main__":
    main()
