"""TensorBoard's own page: its server, its files over another server, and what its graph page draws."""

import mimetypes
import os
import pathlib
import re
import subprocess
import threading
import zipfile
from typing import Any, NamedTuple, Self
from urllib.parse import urlsplit

from playwright.sync_api import Page, Route

from support.framework_environment import framework_environment

ADDRESS = re.compile(r"TensorBoard \S+ at (http://\S+/) ")
TIMEOUT_SECS = 120
FILES = "lib/python*/site-packages/tensorboard/webfiles.zip"

FIND = """window.find = (name, root = document) => {
    for (const each of root.querySelectorAll('*')) {
        if (each.localName === name) return each;
        const inside = each.shadowRoot && find(name, each.shadowRoot);
        if (inside) return inside;
    }
    return null;
}"""
"""An element by its name, in whatever shadow it is."""

IS_OPEN = """() => {
    const board = find('tf-graph-board');
    return board?.graphHierarchy && board.progress.value === 100;
}"""

CHOOSE = """([run, tag, form]) => {
    const [controls, board] = [find('tf-graph-controls'), find('tf-graph-board')];
    const { selection, datasets } = controls;
    const isShown = selection.run === run && selection.tag === tag && selection.type === form;
    window.before = isShown ? null : board.graphHierarchy;
    const at = datasets.findIndex(({ name }) => name === run);
    controls.setProperties({ _selectedRunIndex: at });
    controls.setProperties({
        _selectedTagIndex: datasets[at].tags.findIndex((each) => each.tag === tag),
        _selectedGraphType: form,
    });
}"""
"""Choose a graph, as the menus do."""

IS_DRAWN = """([run, tag, form]) => {
    const [board, scene, { selection }] = ['tf-graph-board', 'tf-graph-scene', 'tf-graph-controls'].map((name) =>
        find(name));
    const { progress, graphHierarchy, renderHierarchy } = board;
    if (selection.run !== run || selection.tag !== tag || selection.type !== form) return false;
    if (progress.value !== 100 || renderHierarchy.hierarchy !== graphHierarchy) return false;
    const isRead = form === 'profile' ? Object.values(graphHierarchy.getNodeMap()).some(({ stats }) => stats)
        : graphHierarchy !== before;
    if (!isRead) return false;
    const shown = new Set([...scene.shadowRoot.querySelectorAll('g.node')].map(({ dataset }) => dataset.name));
    return renderHierarchy.root.coreGraph.nodes().every((name) => shown.has(name));
}"""
"""Whether the graph of choice is there, all boxes of its outermost scope are drawn, and times, if it has any."""

SELECT_NOTHING = "() => find('tf-graph').set('selectedNode', null)"
"""What was opened is selected; the page fails if the next graph does not have a node of this name."""

OPEN_SCOPES = """() => {
    const { shadowRoot } = find('tf-graph-scene');
    const { renderHierarchy } = find('tf-graph-board');
    const buttons = [...shadowRoot.querySelectorAll('g.node.meta')].map((scope) =>
        [scope.dataset.name, scope.querySelector('.buttoncontainer')]);
    const outermost = new Set(renderHierarchy.root.coreGraph.nodes());
    const scopes = buttons.filter(([name]) => outermost.has(name));
    for (const [name, button] of scopes) {
        if (!renderHierarchy.getRenderNodeByName(name).expanded) button.dispatchEvent(new MouseEvent('click'));
    }
    return scopes.map(([name]) => name);
}"""
"""Open the scopes that are in no other, as their buttons do, and return their names."""

ARE_OPEN = """(scopes) => {
    const { shadowRoot } = find('tf-graph-scene');
    const shown = new Set([...shadowRoot.querySelectorAll('g.node')].map(({ dataset }) => dataset.name));
    const { renderHierarchy } = find('tf-graph-board');
    return scopes.every((name) => {
        const { expanded, coreGraph } = renderHierarchy.getRenderNodeByName(name);
        return expanded && coreGraph.nodes().every((inside) => shown.has(inside));
    });
}"""

DRAWN = """() => {
    const { shadowRoot } = find('tf-graph-scene');
    const labels = (what) => [...shadowRoot.querySelectorAll(what)];
    const hierarchy = find('tf-graph-board').graphHierarchy;
    const all = Object.values(hierarchy.getNodeMap());
    const edges = all.filter(({ metagraph }) => metagraph).flatMap(({ name, metagraph }) =>
        metagraph.edges().map((ends) => {
            const { numRegularEdges, numControlEdges, totalSize } = metagraph.edge(ends);
            return [name, ends.v, ends.w, numRegularEdges, numControlEdges, totalSize];
        }));
    return {
        boxes: labels('g.node, g.annotation').map((box) =>
            [box.dataset.name, box.classList[1], box.querySelector(':scope > text')?.textContent ?? '']),
        lines: labels('g.edge').map((line) => [line.dataset.edge, line.textContent]),
        nodes: all.map(({ name, type, op, device, attr, outputShapes, inputs, stats }) => ({
            name, type, op, device, attr, outputShapes,
            inputs: inputs?.map(({ name, outputTensorKey, isControlDependency }) =>
                [name, outputTensorKey, isControlDependency]),
            stats: stats && [stats.totalBytes, stats.totalMicros, stats.outputSize],
        })),
        edges,
    };
}"""
"""Boxes and lines with their captions, as they are drawn, and all that the page has read of the graph."""


class GraphChoice(NamedTuple):
    """What the menus of the graph page choose."""

    run: str
    tag: str | None
    form: str
    """op_graph, conceptual_graph, or profile"""


class TensorBoardServer:
    """A real TensorBoard over a logdir that it has read. A context manager."""

    def __init__(self, logdir: pathlib.Path) -> None:
        python = framework_environment() / "bin" / "python"
        words = ("--logdir", str(logdir), "--port", "0", "--load_fast=false", "--reload_task", "blocking")
        self.process = subprocess.Popen(
            [python, "-m", "tensorboard.main", *words, "--reload_interval", "0"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "TMPDIR": str(logdir.parent), "PYTHONPATH": ""},
        )
        self._lines: list[str] = []
        self.url = self._announced()
        self._reader = threading.Thread(target=self._drain, daemon=True)
        self._reader.start()

    def _announced(self) -> str:
        assert self.process.stderr
        overdue = threading.Timer(TIMEOUT_SECS, self.process.kill)
        overdue.start()
        try:
            for line in self.process.stderr:
                self._lines.append(line)
                if found := ADDRESS.match(line):
                    return found[1]
        finally:
            overdue.cancel()
        self.process.wait()
        raise RuntimeError("no address was announced:\n" + "".join(self._lines))

    def _drain(self) -> None:
        assert self.process.stderr
        self._lines.extend(self.process.stderr)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.terminate()
        self.process.wait(TIMEOUT_SECS)
        self._reader.join()
        assert self.process.stderr
        self.process.stderr.close()


def serve_frontend(page: Page) -> None:
    """Give the page the files of TensorBoard's own page; what it asks of /data is answered by the server."""
    (packed,) = framework_environment().glob(FILES)
    with zipfile.ZipFile(packed) as archive:
        files = {f"/{name}": archive.read(name) for name in archive.namelist() if not name.endswith("/")}
    files["/"] = files["/index.html"]

    def answer(route: Route) -> None:
        path = urlsplit(route.request.url).path
        kind = "text/html" if path == "/" else mimetypes.guess_type(path)[0] or "application/octet-stream"
        route.fulfill(body=files[path], content_type=kind)

    page.route(lambda url: urlsplit(url).path in files, answer)


def open_graphs(page: Page, url: str) -> None:
    """Open the graph page of TensorBoard's frontend, and wait for the first graph."""
    page.goto(f"{url}#graphs")
    page.evaluate(FIND)
    page.wait_for_function(IS_OPEN)


def draw(page: Page, choice: GraphChoice) -> dict[str, Any]:
    """Choose a graph, open its outermost scopes, and return what is drawn and known then."""
    page.evaluate(CHOOSE, list(choice))
    page.wait_for_function(IS_DRAWN, arg=list(choice))
    scopes = page.evaluate(OPEN_SCOPES)
    page.wait_for_function(ARE_OPEN, arg=scopes)
    page.evaluate(SELECT_NOTHING)
    drawn: dict[str, Any] = page.evaluate(DRAWN)
    return drawn
