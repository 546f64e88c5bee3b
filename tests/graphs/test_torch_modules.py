"""Graphs that torch has traced: parameters are in their modules, and calls of one module apart."""

import pytest

from lightboard.graphs import torch_modules
from lightboard.graphs.graph import Graph
from lightboard.graphs.graph_def import read_graph_def
from lightboard.graphs.scoped_graph import ScopedGraph
from lightboard.graphs.torch_modules import place_modules
from support.graph_defs import graph_def, node_def

Nodes = tuple[tuple[str, str, tuple[str, ...]], ...]

BIAS = "Net/ModuleList[layers]/Linear[0]/bias/bias.1"
WEIGHT = "Net/ModuleList[layers]/Linear[0]/weight/weight.1"
MODULE = "Net/ModuleList[layers]/Linear[0]/weight/_0.1"
"""What torch gives as the input of both, and does not write."""

LISTED: Nodes = (
    ("input/x", "IO Node", ()),
    (BIAS, "prim::GetAttr", (MODULE,)),
    (WEIGHT, "prim::GetAttr", (MODULE,)),
    ("Net/Linear[0]/7", "aten::linear", ("input/x", WEIGHT, BIAS)),
)
"""A linear layer in a list, as torch 2.13 writes it."""

CALLED_AGAIN: Nodes = (
    ("input/x", "IO Node", ()),
    ("Net/Pool[pool]/1", "prim::Constant", ()),
    ("Net/Pool[pool]/a", "aten::max_pool2d", ("input/x", "Net/Pool[pool]/1")),
    ("Net/Conv[conv]/b", "aten::relu", ("Net/Pool[pool]/a",)),
    ("Net/Pool[pool]/2", "prim::Constant", ()),
    ("Net/Pool[pool]/c", "aten::max_pool2d", ("Net/Conv[conv]/b", "Net/Pool[pool]/2")),
)
"""A module that is called before another one and after it."""


def placed(*nodes: tuple[str, str, tuple[str, ...]]) -> Graph:
    """A graph of these names, operations and inputs."""
    graph = read_graph_def(graph_def(*(node_def(*node) for node in nodes)))
    place_modules(graph)
    return graph


def test_parameters_are_in_the_module_that_uses_them() -> None:
    """Lists of modules are never called, and are in the names of parameters only."""
    graph = placed(*LISTED)
    assert graph.names == ["input/x", "Net/Linear[0]/bias", "Net/Linear[0]/weight", "Net/Linear[0]/7"]
    scoped = ScopedGraph(graph)
    kinds = [(box.label, box.kind) for box in scoped.view(scoped.find("Net/Linear[0]")).boxes]
    assert kinds == [("bias", "variable"), ("weight", "variable"), ("7", "op")]


def test_a_parameter_that_another_module_uses_stays_in_its_own() -> None:
    """Such as the weights of an embedding that the last layer has as well."""
    graph = placed(
        ("Net/Embedding[tokens]/weight/weight.1", "prim::GetAttr", ("Net/Embedding[tokens]/weight/tokens",)),
        ("Net/3", "aten::linear", ("Net/Embedding[tokens]/weight/weight.1",)),
    )
    assert graph.names == ["Net/Embedding[tokens]/weight", "Net/3"]


def test_a_parameter_whose_short_name_is_taken_keeps_its_own() -> None:
    reads = [(f"Net/Linear[a]/weight/weight.{at}", "prim::GetAttr", ("Net/Linear[a]/weight/a",)) for at in (1, 2)]
    assert placed(*reads, ("Net/4", "aten::add", ())).names == [
        "Net/Linear[a]/weight",
        "Net/Linear[a]/weight/weight.2",
        "Net/4",
    ]


def test_a_module_that_is_called_again_is_a_scope_for_each_call() -> None:
    """Otherwise the two scopes would be a cycle. Constants are with what uses them."""
    assert placed(*CALLED_AGAIN).names == [
        "input/x",
        "Net/Pool[pool] #1/1",
        "Net/Pool[pool] #1/a",
        "Net/Conv[conv]/b",
        "Net/Pool[pool] #2/2",
        "Net/Pool[pool] #2/c",
    ]


def test_modules_inside_of_one_that_is_called_again_are_not_told_apart_twice() -> None:
    graph = placed(
        ("input/x", "IO Node", ()),
        ("Net/Block[b]/Linear[fc]/1", "aten::linear", ("input/x",)),
        ("Net/2", "aten::relu", ("Net/Block[b]/Linear[fc]/1",)),
        ("Net/Block[b]/Linear[fc]/3", "aten::linear", ("Net/2",)),
    )
    assert graph.names == ["input/x", "Net/Block[b] #1/Linear[fc]/1", "Net/2", "Net/Block[b] #2/Linear[fc]/3"]


def test_a_constant_that_two_modules_share_is_no_call() -> None:
    """Torch keeps one of equal constants, in the module that it met first."""
    nodes: Nodes = (
        ("input/x", "IO Node", ()),
        ("Net/Norm[a]/1", "prim::Constant", ()),
        ("Net/Norm[b]/2", "aten::layer_norm", ("input/x", "Net/Norm[a]/1")),
        ("Net/Norm[a]/3", "aten::layer_norm", ("Net/Norm[b]/2", "Net/Norm[a]/1")),
    )
    assert placed(*nodes).names == [name for name, _, _ in nodes]


def test_two_calls_that_do_not_depend_on_each_other_are_one_scope() -> None:
    nodes: Nodes = (
        ("input/x", "IO Node", ()),
        ("Net/Encoder[e]/1", "aten::relu", ("input/x",)),
        ("Net/2", "aten::neg", ("input/x",)),
        ("Net/Encoder[e]/3", "aten::relu", ("Net/2",)),
    )
    assert placed(*nodes).names == [name for name, _, _ in nodes]


def test_names_of_other_frameworks_stay() -> None:
    """An optimizer of TensorFlow is around the variables of layers, and no module."""
    nodes: Nodes = (
        ("dense/MatMul", "MatMul", ()),
        ("train/Grad", "MatMul", ("dense/MatMul",)),
        ("dense/Assign", "AssignVariableOp", ("train/Grad",)),
    )
    assert placed(*nodes).names == [name for name, _, _ in nodes]


def test_modules_beyond_the_limit_are_one_scope_each(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch_modules, "MAX_STEPS", 1)
    assert placed(*CALLED_AGAIN).names == [name for name, _, _ in CALLED_AGAIN]
