"""Graphs of models: which there are, one scope at a time, single nodes, and search.

A *path* names a node or scope by its labels from the root, joined by "/"; "" is the root. The body of a function that a
node calls is the scope of that node; if it calls several, such as a loop, each is a scope in it. A node whose name is
also that of a scope is in this scope, as `scope/(name)`.
"""

from typing import Annotated, Literal

from pydantic import Field

from lightboard.schema.model import Number, RequestModel, ResponseModel, RunId, Whole
from lightboard.schema.scalars import RunIds, TagName
from lightboard.schema.values import ValueKey

GraphForm = Literal["op", "conceptual", "profile"]
"""What a graph shows: operations, the layers of a Keras model, or operations with times and memory of one step."""

GraphFormat = Literal[
    "events", "onnx", "torch_export", "stablehlo", "hlo", "graph_def", "saved_model", "model_explorer"
]
"""Where a graph is: in event files, or in a model file of this format."""

BoxKind = Literal["scope", "op", "constant", "variable", "input", "call", "stack", "rest"]
"""What a box stands for: a scope, a node of the graph (four kinds, and a call of functions), several scopes or nodes of
the same structure, or the rest of the children where there are too many."""

NodePath = Annotated[str, Field(max_length=65536)]


class GraphsRequest(RequestModel):
    """Graphs of `runs` (null = all)."""

    runs: RunIds | None = None


class GraphInfo(ResponseModel):
    """One graph of a run, by its tag and form, in its last value.

    `at` is the key of this value, `step` its step, and `size` its bytes as written. The tag has `values` of the kind
    `plugin`, which `/api/v1/values` lists with their keys. A model file in the folder of the run has the tag
    `folder/name`, relative to it, no plugin, another key whenever it changes, and the time of its last change. A
    program of XLA in a capture has the tag `session/program`. What is in no folder of a run has null as `run`, and its
    run is called ".". `located` is false for StableHLO that was printed without locations, which has no scopes.
    """

    run: RunId | None
    tag: str
    form: GraphForm
    format: GraphFormat
    plugin: str
    values: int
    at: str
    step: int
    wall: Number
    size: int
    located: bool


class GraphsResponse(ResponseModel):
    """Graphs, ordered by run, then by tag in natural order, then by form."""

    generation: int
    graphs: list[GraphInfo]


class GraphQuery(RequestModel):
    """One graph, by the name of its run, its tag and form. Without `at`, that of the last value."""

    run: str
    tag: TagName
    form: GraphForm = "op"
    at: ValueKey | None = None


class ScopeQuery(GraphQuery):
    """One scope."""

    path: NodePath = ""


class GraphBox(ResponseModel):
    """A child of a scope.

    `nodes` is the number of nodes inside, 1 for a node; those of functions count at each call. `digest` is equal for
    boxes of equal structure, whatever their names; scopes that are equal can be laid out once. A stack has its number
    of `members`, a label such as "layer_[0–11]", and the path and digest of its first one. The rest has the path of its
    first child and no label. `opens` says that the box has a scope. `parameters`, `memory` (bytes) and `time`
    (microseconds) are sums of what is known, null if nothing is.
    """

    path: str
    label: str
    kind: BoxKind
    op: str
    device: str
    nodes: int
    members: int
    digest: str
    opens: bool
    parameters: int | None
    memory: int | None
    time: Number | None


class GraphEdge(ResponseModel):
    """All edges from one box of a scope to another, by their indices in `boxes`.

    Edges inside of a box, such as those between members of a stack, are left out, those of a node to itself are not.
    `count` is the number of edges. `elements` is the size of the largest tensor, where unknown sizes count as one; null
    if no shape is known. `shape` is its type and shape for display, such as "float32 8×512"; "" if it is not known.
    `control` says that all of them are control dependencies.
    """

    source: int
    target: int
    count: int
    elements: int | None
    shape: str
    control: bool


class GraphBridge(ResponseModel):
    """All edges between a box of a scope and what is outside of it. `incoming` edges end at the box.

    `paths` has at most eight of the `ends` nodes outside.
    """

    box: int
    incoming: bool
    count: int
    ends: int
    elements: int | None
    shape: str
    control: bool
    paths: list[str]


class GraphScope(ResponseModel):
    """One scope: its boxes, the edges between them, and those that leave it.

    `total` is the number of children that the boxes stand for. `problems` says in sentences what could not be read.
    """

    path: str
    total: int
    boxes: list[GraphBox]
    edges: list[GraphEdge]
    bridges: list[GraphBridge]
    problems: list[str]


class MembersQuery(GraphQuery):
    """`limit` members of the stack that begins at `path`, from the one with index `start`."""

    path: NodePath
    start: Whole = 0
    limit: Annotated[int, Field(ge=1, le=1000)] = 200


class MembersResponse(ResponseModel):
    """Members of a stack, as boxes, of `total`."""

    total: int
    members: list[GraphBox]


class NodeQuery(GraphQuery):
    """One node or scope."""

    path: NodePath


class NodeAttribute(ResponseModel):
    """One attribute for display. `size` is its bytes as written; `cut` says that `value` is only its beginning."""

    name: str
    value: str
    size: int
    cut: bool


class NodeEnd(ResponseModel):
    """The other end of an edge of a node: its path, its operation, and what flows."""

    path: str
    op: str
    shape: str
    elements: int | None
    control: bool


class OpCount(ResponseModel):
    """How many nodes of a scope have this operation."""

    op: str
    count: int


class NodeDetails(ResponseModel):
    """What is known about a node or scope. Lists are limited: `input_count` and `output_count` are their full lengths.

    Of a scope, inputs and outputs are edges that cross its border, and `ops` counts its operations, most frequent
    first. `source` is the line of code that made the node, "" if the format has none.
    """

    path: str
    label: str
    kind: BoxKind
    op: str
    device: str
    nodes: int
    attributes: list[NodeAttribute]
    inputs: list[NodeEnd]
    outputs: list[NodeEnd]
    input_count: int
    output_count: int
    ops: list[OpCount]
    parameters: int | None
    memory: int | None
    time: Number | None
    source: str


class SearchQuery(GraphQuery):
    """Nodes and scopes that match all words of `text`: in path, operation, shapes, or an attribute as `name=value`."""

    text: Annotated[str, Field(min_length=1, max_length=500)]
    limit: Annotated[int, Field(ge=1, le=1000)] = 100


class SearchHit(ResponseModel):
    """A node or scope that matches."""

    path: str
    kind: BoxKind
    op: str


class NodeSearchResponse(ResponseModel):
    """The first hits, of `total`. Those whose own label matches come first, then by the order of the file."""

    total: int
    hits: list[SearchHit]


class TotalsQuery(GraphQuery):
    """At most `limit` rows."""

    limit: Annotated[int, Field(ge=1, le=100_000)] = 5000


CostName = Literal["parameters", "trainable", "bytes", "flops"]
"""What a node costs: parameters, those of them that are trained, bytes of the parameters, floating-point operations."""


class TotalsRow(ResponseModel):
    """The sums over one scope, or what one node costs.

    Null is unknown; a scope that has none of something has 0 of it, if anything is known of the graph. `partial` names
    sums that lack nodes of which it is not known, so that they are lower bounds. `flops` counts matrix products and
    convolutions of one pass, as two operations for each multiplication and addition; sizes that the graph leaves open,
    such as that of the batch, count as one. `time` (microseconds) and `memory` (bytes) sum up what the nodes that ran
    took in the step that was measured; they are null without such a step.
    """

    path: str
    depth: int
    kind: BoxKind
    op: str
    nodes: int
    parameters: int | None
    trainable: int | None
    bytes: int | None
    flops: int | None
    time: int | None
    memory: int | None
    partial: list[CostName]


class TotalsResponse(ResponseModel):
    """The graph, its scopes, and the nodes in them that cost something; of a Keras model all layers.

    Each scope comes before what is in it, in the order of the file, and `depth` tells how far inside a row is. Of more
    than `limit` rows, the outermost are here; `total` counts all.
    """

    total: int
    rows: list[TotalsRow]


class DiffQuery(GraphQuery):
    """A graph, and the one that it is compared with: `base_run` and so on, named as the graph itself is."""

    base_run: str
    base_tag: TagName
    base_form: GraphForm = "op"
    base_at: ValueKey | None = None
    limit: Annotated[int, Field(ge=1, le=10_000)] = 1000


class GraphPathsRequest(RequestModel):
    """Paths that are looked for in a graph, which is named as in `GraphQuery`."""

    run: str
    tag: TagName
    form: GraphForm = "op"
    at: ValueKey | None = None
    paths: Annotated[list[NodePath], Field(max_length=10_000, fail_fast=True)]


class GraphPathsResponse(ResponseModel):
    """Those of the paths that the graph does not have."""

    missing: list[str]


class GraphExportQuery(GraphQuery):
    """A graph, and the program that it is written for: Graphviz or Model Explorer."""

    format: Literal["dot", "model-explorer"]


class GraphDifference(ResponseModel):
    """A node or scope that differs from the base.

    `path` is that in the graph, null if it was removed, `base_path` that in the base, null if it was added, `scope`
    that of the scope in the graph that it is in, or would be. A scope that was added, removed or renamed is one
    difference, with its number of `nodes`. `changes` says what is different about a node that both have.
    """

    status: Literal["added", "removed", "renamed", "changed"]
    scope: NodePath
    path: str | None
    base_path: str | None
    kind: BoxKind
    op: str
    nodes: int
    changes: list[Literal["op", "types", "attributes", "inputs"]]


class ScopeDifferences(ResponseModel):
    """How many nodes inside of a scope differ. The path is that in the graph."""

    path: str
    added: int
    removed: int
    renamed: int
    changed: int


class DiffResponse(ResponseModel):
    """What is different in a graph: the first `limit` differences of `total`, from the root down, and counts by scope.

    The first of `scopes` is the whole graph; scopes without differences are left out.
    """

    total: int
    differences: list[GraphDifference]
    scopes: list[ScopeDifferences]


class ModelFact(ResponseModel):
    """What a model file says about the whole model, such as its producer."""

    name: str
    value: str


class SummaryResponse(ResponseModel):
    """A graph as a whole. Nodes and edges of functions are included, once each, and `depth` is that of its scopes.

    `problems` says in sentences what could not be read.
    """

    nodes: int
    edges: int
    scopes: int
    depth: int
    functions: int
    devices: list[str]
    ops: list[OpCount]
    parameters: int | None
    metadata: list[ModelFact]
    problems: list[str]
