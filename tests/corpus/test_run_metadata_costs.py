"""Times and memory of the steps of the corpus are those in the messages, as TensorBoard has printed these."""

import gzip
import json
import pathlib
import re
from collections import defaultdict
from typing import Any

import pytest

from lightboard.config import BoardSettings
from lightboard.graphs.graph import Graph
from lightboard.graphs.scoped_graph import ScopedGraph
from lightboard.graphs.totals import totals_of
from lightboard.graphs.totals_table import totals_table
from lightboard.ingest.loader import Loader, LoaderOptions
from lightboard.ingest.logdir import sources
from lightboard.query.graphs import graph_steps
from lightboard.query.provider import CatalogProvider
from lightboard.series.catalog import Catalog

DATA = pathlib.Path(__file__).parents[1] / "data"
ANSWERS: dict[str, dict[str, Any]] = json.loads(gzip.decompress((DATA / "graph_answers.json.gz").read_bytes()))
FIELD = re.compile(r'^(\w+): "?(.*?)"?$')

Stats = dict[str, tuple[int, int, str]]
"""The time (microseconds), the memory (bytes) and the device of each node by its name; -1 where unknown."""


def steps_of_the_corpus() -> list[tuple[str, str, str]]:
    """Folder, tag and text of each RunMetadata with nodes, of runs whose times are shown."""
    return [(folder, tag, text) for folder, _, tag, text in steps_of("tf-v1-all")]


def steps_of(*folders: str) -> list[tuple[str, str, str, str]]:
    """Folder, run, tag and text of each RunMetadata of a step."""
    return [
        (folder, each["query"]["run"], each["query"]["tag"], each["text"])
        for folder in folders
        for each in ANSWERS[folder]["texts"]
        if each["route"] == "run_metadata"
    ]


def printed(text: str) -> Stats:
    """What the text of a RunMetadata says of each node, read line by line."""
    spans, memory, devices = defaultdict[str, list[tuple[int, int]]](list), defaultdict[str, list[int]](list), {}
    path, device, node = list[str](), "", dict[str, int]()
    name = ""
    for line in map(str.strip, text.splitlines()):
        if line.endswith("{"):
            path.append(line[:-2])
            if line == "node_stats {":
                node, name = {}, ""
        elif line == "}":
            if path.pop() == "node_stats":
                start = node.get("all_start_micros", 0)
                spans[name].append((start, start + node.get("all_end_rel_micros", 0)))
                devices.setdefault(name, device)
        elif match := FIELD.match(line):
            key, value = match.groups()
            if path[-1] == "dev_stats" and key == "device":
                device = value
            elif path[-1] == "node_stats" and key == "node_name":
                name = value
            elif path[-1] == "node_stats" and value.isdecimal():
                node[key] = int(value)
            elif path[-2:] == ["node_stats", "memory"] and key == "total_bytes":
                memory[name].append(int(value))
    return {
        name: (max(end for _, end in each) - min(start for start, _ in each), total(memory[name]), devices[name])
        for name, each in spans.items()
    }


def total(sizes: list[int]) -> int:
    """The sum of sizes, -1 if there are none."""
    return sum(sizes) if sizes else -1


def shown(graph: Graph) -> Stats:
    """The times, memory and devices of the nodes of a graph that ran."""
    assert graph.times is not None
    assert graph.memory is not None
    columns = zip(graph.names, graph.times.tolist(), graph.memory.tolist(), strict=True)
    return {name: (time, memory, graph.device(node)) for node, (name, time, memory) in enumerate(columns) if time >= 0}


def scopes_of(folder: str, tag: str, run: str = ".") -> ScopedGraph:
    """The graph of a step."""
    catalog, logdir = Catalog(), str(DATA / "logs" / folder)
    Loader(catalog, sources(logdir), LoaderOptions(threads=0)).load()
    provider = CatalogProvider(catalog, BoardSettings(logdir=logdir))
    steps = graph_steps(provider, run, tag, "profile")
    while True:
        try:
            next(steps)
        except StopIteration as end:
            scopes: ScopedGraph = end.value.scopes
            return scopes


@pytest.mark.parametrize(("folder", "tag", "text"), steps_of_the_corpus())
def test_times_memory_and_devices_are_those_of_the_message(folder: str, tag: str, text: str) -> None:
    """Of all operations that are in the graph; TensorFlow also runs some that it has made itself."""
    graph, written = scopes_of(folder, tag).graph, printed(text)
    names = set(graph.names)
    assert shown(graph) == {name: stats for name, stats in written.items() if name in names}


@pytest.mark.parametrize(("folder", "tag", "text"), steps_of_the_corpus())
def test_totals_of_a_step_are_the_sums_of_its_message(folder: str, tag: str, text: str) -> None:
    scopes, written = scopes_of(folder, tag), printed(text)
    stats = [stats for name, stats in written.items() if name in set(scopes.graph.names)]
    totals = totals_of(scopes.find(""), [0])
    assert (totals.time, totals.memory) == (
        sum(time for time, _, _ in stats),
        sum(memory for _, memory, _ in stats if memory >= 0),
    )


@pytest.mark.parametrize(("folder", "run", "tag", "text"), steps_of("tf-v1-all", "torch"))
def test_rows_of_the_table_are_the_sums_of_the_message(folder: str, run: str, tag: str, text: str) -> None:
    """Of every scope, by the names that begin with its path. torch writes steps without nodes, which have no times."""
    scopes, written = scopes_of(folder, tag, run), printed(text)
    names = set(scopes.graph.names)
    rows = [row for row in totals_table(scopes, 10**6).rows if row.kind == "scope"]

    assert {row.path: (row.time, row.memory) for row in rows} == {
        row.path: (sum_of(inside, 0), sum_of(inside, 1))
        for row in rows
        for inside in [[stats for name, stats in written.items() if name in names and is_in(name, row.path)]]
    }


def is_in(name: str, scope: str) -> bool:
    """Whether a node is in a scope, or named as it is."""
    return not scope or name == scope or name.startswith(f"{scope}/")


def sum_of(stats: list[tuple[int, int, str]], column: int) -> int | None:
    """The sum of what is known of nodes, None if nothing is."""
    known = [number for each in stats for number in [each[column]] if isinstance(number, int) and number >= 0]
    return sum(known) if known else None
