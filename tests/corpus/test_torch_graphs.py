"""Graphs of a ResNet and a transformer by `add_graph` have the nodes, edges and shapes that torch has written."""

import gzip
import json
from collections import Counter
from typing import Any

import pytest

from lightboard.graphs.graph import GET_ATTRIBUTE, Graph
from lightboard.graphs.graph_def import read_graph_def
from lightboard.graphs.torch_modules import place_modules
from support.onnx_models import GRAPH_FILES

ANSWERS: dict[str, list[list[Any]]] = json.loads(
    gzip.decompress((GRAPH_FILES / "torch_models.answers.json.gz").read_bytes())
)
"""The name, operation, inputs and shapes of outputs of each node, by the protocol buffers of TensorBoard."""

MODELS = sorted(ANSWERS)


def read(model: str) -> Graph:
    """The graph of a model, with the names that torch has given."""
    return read_graph_def(gzip.decompress((GRAPH_FILES / f"{model}.pb.gz").read_bytes()))


def edges_of(graph: Graph) -> list[tuple[int, int]]:
    """The nodes at the ends of each edge."""
    return sorted(zip(graph.edges.source.tolist(), graph.edges.target.tolist(), strict=True))


def shapes_of(graph: Graph) -> list[list[list[int]]]:
    """The shapes of the outputs of each node."""
    outputs = [graph.output_types(node) for node in range(len(graph))]
    return [[list(each.shape) for each in types if each.shape is not None] for types in outputs]


def written_shapes(model: str) -> list[list[list[int]]]:
    """The same as torch has written them: lists of no sizes are those of values that are no tensors."""
    return [shapes or [] for _, _, _, shapes in ANSWERS[model]]


@pytest.mark.parametrize("model", MODELS)
def test_nodes_are_those_that_torch_has_written(model: str) -> None:
    graph = read(model)
    nodes = [[name, graph.op(at)] for at, name in enumerate(graph.names)]
    assert nodes == [[name, op] for name, op, _, _ in ANSWERS[model]]


@pytest.mark.parametrize("model", MODELS)
def test_edges_are_those_that_torch_has_written(model: str) -> None:
    """But for the modules that parameters are taken of, which torch names and does not write."""
    places = {name: at for at, (name, _, _, _) in enumerate(ANSWERS[model])}
    written = [
        (places[source], target)
        for target, (_, op, inputs, _) in enumerate(ANSWERS[model])
        for source in inputs
        if op != GET_ATTRIBUTE
    ]
    assert edges_of(read(model)) == sorted(written)


@pytest.mark.parametrize("model", MODELS)
def test_shapes_are_those_that_torch_has_written(model: str) -> None:
    assert shapes_of(read(model)) == written_shapes(model)


@pytest.mark.parametrize("model", MODELS)
def test_modules_are_placed_without_changing_the_graph(model: str) -> None:
    """Names alone differ, and stay those of one node each."""
    graph = read(model)
    place_modules(graph)
    kept = ([graph.op(at) for at in range(len(graph))], edges_of(graph), shapes_of(graph))
    before = read(model)
    assert kept == ([before.op(at) for at in range(len(before))], edges_of(before), shapes_of(before))
    assert [name for name, count in Counter(graph.names).items() if count > 1] == []
