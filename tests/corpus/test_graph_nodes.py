"""Nodes and edges of the graphs of the corpus are those that TensorBoard wrote about them."""

import gzip
import json
import pathlib
import re
from typing import Any, NamedTuple

import pytest

from lightboard.config import BoardSettings
from lightboard.graphs.graph import Graph
from lightboard.graphs.graph_def import read_graph_def
from lightboard.graphs.keras_model import read_keras_model
from lightboard.graphs.run_metadata import read_traced_graph
from lightboard.ingest.loader import Loader, LoaderOptions
from lightboard.ingest.logdir import sources
from lightboard.query.graphs import RUN_GRAPH, last_content, read_content
from lightboard.query.provider import CatalogProvider
from lightboard.series.catalog import Catalog

DATA = pathlib.Path(__file__).parents[1] / "data"
ANSWERS: dict[str, dict[str, Any]] = json.loads(gzip.decompress((DATA / "graph_answers.json.gz").read_bytes()))
GRAPHS = [
    pytest.param(folder, each["query"], each["text"], id=f"{folder}-{each['query'].get('tag', '')}")
    for folder, answers in ANSWERS.items()
    for each in answers["texts"]
    if each["route"] == "graph"
]
FIELD = re.compile(r'^  (name|op|device|input): "(.*)"$', re.MULTILINE)


class Node(NamedTuple):
    """A node with its inputs: source, slot, and whether it is a control dependency."""

    name: str
    op: str
    device: str
    inputs: list[tuple[str, int, bool]]


def written_nodes(text: str) -> list[Node]:
    """The nodes of a GraphDef as text, without those of its functions."""
    nodes = []
    for block in re.findall(r"^node \{\n(.*?)^\}$", text, re.MULTILINE | re.DOTALL):
        fields = FIELD.findall(block)
        one = dict(fields)
        inputs = [edge_of(value) for key, value in fields if key == "input"]
        nodes.append(Node(one["name"], one.get("op", ""), one.get("device", ""), inputs))
    return nodes


def edge_of(text: str) -> tuple[str, int, bool]:
    """An input as it is written. TensorBoard puts the names of merged graphs before the sign: "graph_1/^assign"."""
    if "^" in text:
        return text.replace("^", ""), -1, True
    name, _, slot = text.partition(":")
    return name, int(slot or 0), False


def nodes_of(graph: Graph) -> list[Node]:
    """The nodes of a graph."""
    nodes = [Node(name, graph.op(at), graph.device(at), []) for at, name in enumerate(graph.names)]
    edges = graph.edges
    columns = (edges.source, edges.source_slot, edges.target, edges.control)
    for source, slot, target, control in zip(*(column.tolist() for column in columns), strict=True):
        nodes[target].inputs.append((graph.names[source], slot, bool(control)))
    return nodes


def graph_of(folder: str, run: str, tag: str, form: str) -> Graph:
    """A graph of the corpus, as its reader has it."""
    catalog, logdir = Catalog(), str(DATA / "logs" / folder)
    Loader(catalog, sources(logdir), LoaderOptions(threads=0)).load()
    provider = CatalogProvider(catalog, BoardSettings(logdir=logdir))
    data = read_content(provider, last_content(provider, run, tag, form))
    if form == "conceptual":
        return read_keras_model(data, by_call=False)
    return read_graph_def(data) if tag == RUN_GRAPH else read_traced_graph(data)


@pytest.mark.parametrize(("folder", "query", "text"), GRAPHS)
def test_nodes_and_edges_are_those_of_tensorboard(folder: str, query: dict[str, Any], text: str) -> None:
    form = "conceptual" if query.get("conceptual") else "op"
    graph = graph_of(folder, query["run"], query.get("tag", RUN_GRAPH), form)
    written = written_nodes(text)
    assert written
    assert [comparable(node, graph, form) for node in nodes_of(graph)] == [
        comparable(node, graph, form) for node in written
    ]


def comparable(node: Node, graph: Graph, form: str) -> Node:
    """A node with inputs that exist, since torch names modules that it does not write; TensorBoard types no layers."""
    names = set(graph.names)
    inputs = sorted(each for each in node.inputs if each[0] in names)
    return node._replace(inputs=inputs, op="" if form == "conceptual" else node.op)
