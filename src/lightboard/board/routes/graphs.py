"""Graphs of models: the list of graphs, one scope at a time, single nodes, and search."""

from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from lightboard import cancellation
from lightboard.asgi.params import page_of, read_body, read_query
from lightboard.asgi.scheduler import Pieces
from lightboard.asgi.streaming import stream
from lightboard.board import json_pieces
from lightboard.board.board import board_of
from lightboard.board.encoding import encode
from lightboard.board.endpoint import Endpoint
from lightboard.board.media import PIECE_BYTES, attachment
from lightboard.graphs.graph import Graph, Ints
from lightboard.graphs.graph_diff import diff_steps
from lightboard.graphs.neighbors import crossing_edges, ends_of, op_counts
from lightboard.graphs.node_kinds import kind_of
from lightboard.graphs.scope_view import Box, Bridge, EdgeGroup
from lightboard.graphs.scoped_graph import Place, ScopedGraph
from lightboard.graphs.summary import summarize
from lightboard.graphs.totals import totals_of
from lightboard.graphs.totals_table import totals_steps
from lightboard.query.graphs import GraphLocation, attributes_of, export_graph, graph_steps, list_graphs, search_graph
from lightboard.query.provider import DataProvider
from lightboard.schema.graphs import (
    DiffQuery,
    DiffResponse,
    GraphExportQuery,
    GraphPathsRequest,
    GraphPathsResponse,
    GraphQuery,
    GraphScope,
    GraphsRequest,
    GraphsResponse,
    MembersQuery,
    MembersResponse,
    NodeDetails,
    NodeQuery,
    NodeSearchResponse,
    ScopeQuery,
    SearchQuery,
    SummaryResponse,
    TotalsQuery,
    TotalsResponse,
)

MAX_ENDS = 200
"""Inputs and outputs of a node that are listed."""

EXPORTS = {
    "dot": (".dot", "text/vnd.graphviz; charset=utf-8"),
    "model-explorer": (".json", "application/json"),
}
"""The ending and the media type of each format of exports."""

PIECES_PER_STEP = 250
"""Nodes and edges of a file that are written between two steps."""

MAX_METADATA_CHARS = 1000
"""Characters of a text about the model that are sent."""

PATHS_PER_STEP = 100
"""Paths that are looked for, between two steps."""

MAX_OPS = 200
"""Operations that are counted for display."""


async def read_graphs(request: Request) -> Response:
    """POST /api/v1/graphs"""
    board = board_of(request)
    body = await read_body(request, GraphsRequest, board.pool)
    return await board.responses.stream(request, graphs_of(board.provider, body))


def graphs_of(provider: DataProvider, body: GraphsRequest) -> Pieces:
    """The fields of GraphsResponse."""
    generation = provider.generation
    graphs = list_graphs(provider, None if body.runs is None else set(body.runs))
    rows = json_pieces.rows(map(graph_fields, graphs))
    yield from json_pieces.fields_then({"generation": generation}, "graphs", rows)


def graph_fields(graph: GraphLocation) -> dict[str, Any]:
    """The fields of GraphInfo."""
    fields = graph._asdict()
    return {"at": fields.pop("key"), **fields}


async def read_scope(request: Request) -> Response:
    """GET /api/v1/graphs/scope"""
    board = board_of(request)
    query = read_query(request, ScopeQuery)
    return await board.responses.stream(request, scope_pieces(board.provider, query))


def scope_pieces(provider: DataProvider, query: ScopeQuery) -> Pieces:
    """The fields of GraphScope."""
    loaded = yield from graph_steps(provider, query.run, query.tag, query.form, query.at)
    yield encode(scope_fields(loaded.scopes, query.path, loaded.problems))


async def read_members(request: Request) -> Response:
    """GET /api/v1/graphs/members"""
    board = board_of(request)
    query = read_query(request, MembersQuery)
    return await board.responses.stream(request, member_pieces(board.provider, query))


def member_pieces(provider: DataProvider, query: MembersQuery) -> Pieces:
    """The fields of MembersResponse."""
    loaded = yield from graph_steps(provider, query.run, query.tag, query.form, query.at)
    place = loaded.scopes.find(query.path)
    items = loaded.scopes.members(place).items
    rows = (box_fields(place, single_box(place, item)) for item in page_of(items, query.start, query.limit))
    yield from json_pieces.fields_then({"total": len(items)}, "members", json_pieces.rows(rows))


async def read_node(request: Request) -> Response:
    """GET /api/v1/graphs/node"""
    board = board_of(request)
    query = read_query(request, NodeQuery)
    return await board.responses.stream(request, node_pieces(board.provider, query))


def node_pieces(provider: DataProvider, query: NodeQuery) -> Pieces:
    """The fields of NodeDetails."""
    loaded = yield from graph_steps(provider, query.run, query.tag, query.form, query.at)
    place = loaded.scopes.find(query.path)
    tree, item = place.tree, place.item
    attributes = attributes_of(loaded, place)
    entering, leaving = crossing_edges(tree, int(tree.low[item]), int(tree.high[item]))
    box = box_fields(place, single_box(place, item))
    shown = ("label", "kind", "op", "device", "nodes", "parameters", "memory", "time")
    yield encode(
        {"path": place.path}
        | {name: box[name] for name in shown}
        | {
            "attributes": [attribute._asdict() for attribute in attributes],
            "inputs": end_fields(place, entering, incoming=True),
            "outputs": end_fields(place, leaving, incoming=False),
            "input_count": len(entering),
            "output_count": len(leaving),
            "ops": ops_inside(loaded.scopes, place),
            "source": (tree.graph.sources or {}).get(place.node, ""),
        }
    )


def end_fields(place: Place, edges: Ints, *, incoming: bool) -> list[dict[str, Any]]:
    """The fields of each NodeEnd."""
    graph = place.tree.graph
    return [
        {
            "path": place.path_of_node(end.node),
            "op": graph.op(end.node),
            "shape": end.shape,
            "elements": known(end.elements),
            "control": end.control,
        }
        for end in ends_of(graph, edges, incoming=incoming, limit=MAX_ENDS)
    ]


def ops_inside(graph: ScopedGraph, place: Place) -> list[dict[str, Any]]:
    """The operations of a scope, or of the function that a node calls."""
    if place.node >= 0:
        if len(place.calls) != 1:
            return []
        place = graph.inside(place)
    tree = place.tree
    return count_fields(op_counts(tree, int(tree.low[place.item]), int(tree.high[place.item])))


def count_fields(counts: list[tuple[str, int]]) -> list[dict[str, Any]]:
    """The fields of each OpCount."""
    return [{"op": op, "count": count} for op, count in counts[:MAX_OPS]]


async def check_paths(request: Request) -> Response:
    """POST /api/v1/graphs/paths"""
    board = board_of(request)
    body = await read_body(request, GraphPathsRequest, board.pool)
    return await board.responses.stream(request, missing_pieces(board.provider, body))


def missing_pieces(provider: DataProvider, body: GraphPathsRequest) -> Pieces:
    """The fields of GraphPathsResponse."""
    loaded = yield from graph_steps(provider, body.run, body.tag, body.form, body.at)
    missing = []
    for at, path in enumerate(body.paths):
        if at % PATHS_PER_STEP == 0:
            cancellation.check()
            yield None
        if not loaded.scopes.has(path):
            missing.append(path)
    yield encode({"missing": missing})


async def search_nodes(request: Request) -> Response:
    """GET /api/v1/graphs/search"""
    board = board_of(request)
    query = read_query(request, SearchQuery)
    return await board.responses.stream(request, search_pieces(board.provider, query))


def search_pieces(provider: DataProvider, query: SearchQuery) -> Pieces:
    """The fields of NodeSearchResponse."""
    loaded = yield from graph_steps(provider, query.run, query.tag, query.form, query.at)
    hits = yield from search_graph(loaded, query.text, query.limit)
    rows = ({"path": place.path, **kind_and_op(place, place.item)} for place in hits.places)
    yield from json_pieces.fields_then({"total": hits.total}, "hits", json_pieces.rows(rows))


async def read_summary(request: Request) -> Response:
    """GET /api/v1/graphs/summary"""
    board = board_of(request)
    query = read_query(request, GraphQuery)
    return await board.responses.stream(request, summary_pieces(board.provider, query))


def summary_pieces(provider: DataProvider, query: GraphQuery) -> Pieces:
    """The fields of SummaryResponse."""
    loaded = yield from graph_steps(provider, query.run, query.tag, query.form, query.at)
    summary = summarize(loaded.scopes)
    facts = dict.fromkeys((name, value[:MAX_METADATA_CHARS]) for name, value in loaded.scopes.graph.metadata)
    metadata = [{"name": name, "value": value} for name, value in facts]
    yield encode({**summary._asdict(), "ops": count_fields(summary.ops), "metadata": metadata})


async def read_totals(request: Request) -> Response:
    """GET /api/v1/graphs/totals"""
    board = board_of(request)
    query = read_query(request, TotalsQuery)
    return await board.responses.stream(request, totals_pieces(board.provider, query))


def totals_pieces(provider: DataProvider, query: TotalsQuery) -> Pieces:
    """The fields of TotalsResponse."""
    loaded = yield from graph_steps(provider, query.run, query.tag, query.form, query.at)
    table = yield from totals_steps(loaded.scopes, query.limit)
    yield from json_pieces.fields_then(
        {"total": table.total}, "rows", json_pieces.rows(row._asdict() for row in table.rows)
    )


async def read_diff(request: Request) -> Response:
    """GET /api/v1/graphs/diff"""
    board = board_of(request)
    query = read_query(request, DiffQuery)
    return await board.responses.stream(request, diff_pieces(board.provider, query))


def diff_pieces(provider: DataProvider, query: DiffQuery) -> Pieces:
    """The fields of DiffResponse."""
    loaded = yield from graph_steps(provider, query.run, query.tag, query.form, query.at)
    base = yield from graph_steps(provider, query.base_run, query.base_tag, query.base_form, query.base_at)
    diff = yield from diff_steps(base.scopes, loaded.scopes)
    counts = {"total": len(diff.differences), "scopes": [scope._asdict() for scope in diff.scopes]}
    rows = json_pieces.rows(each._asdict() for each in diff.differences[: query.limit])
    yield from json_pieces.fields_then(counts, "differences", rows)


async def download_graph(request: Request) -> Response:
    """GET /api/v1/graphs/export"""
    board = board_of(request)
    query = read_query(request, GraphExportQuery)
    ending, media_type = EXPORTS[query.format]
    headers = attachment(f"{query.run}-{query.tag}{ending}")
    return await stream(request, export_pieces(board.provider, query), media_type, pool=board.pool, headers=headers)


def export_pieces(provider: DataProvider, query: GraphExportQuery) -> Pieces:
    """The file. Small pieces are sent together."""
    loaded = yield from graph_steps(provider, query.run, query.tag, query.form, query.at)
    pending: list[str] = []
    length = 0
    for at, piece in enumerate(export_graph(loaded, query.format)):
        pending.append(piece)
        length += len(piece)
        if length >= PIECE_BYTES:
            yield "".join(pending).encode("utf-8", "replace")
            pending, length = [], 0
        elif at % PIECES_PER_STEP == 0:
            yield None
    yield "".join(pending).encode("utf-8", "replace")


def scope_fields(graph: ScopedGraph, path: str, problems: list[str]) -> dict[str, Any]:
    """The fields of GraphScope. Raises NotFound."""
    place = graph.find(path)
    branches = graph.branches(place)
    if branches:
        boxes = [branch_fields(label, branch) for label, branch in branches]
        return {"path": path, "total": len(boxes), "boxes": boxes, "edges": [], "bridges": [], "problems": problems}
    place = graph.inside(place)
    view = graph.view(place)
    return {
        "path": path,
        "total": view.total,
        "boxes": [box_fields(place, box) for box in view.boxes],
        "edges": [edge_fields(place.tree.graph, edge) for edge in view.edges],
        "bridges": [bridge_fields(place, bridge) for bridge in view.bridges],
        "problems": problems + ([] if place.tree.graph is graph.graph else place.tree.graph.problems),
    }


def box_fields(place: Place, box: Box) -> dict[str, Any]:
    """The fields of GraphBox."""
    tree, item = place.tree, box.items[0]
    node = item - tree.scopes
    totals = totals_of(place, box.items)
    return {
        "path": place.path_of(item),
        "label": box.label,
        "kind": box.kind,
        "op": tree.graph.op(node) if node >= 0 and box.kind != "rest" else "",
        "device": totals.device,
        "nodes": totals.nodes,
        "members": len(box.items),
        "digest": digest_text(int(tree.digests[item])),
        "opens": box.kind in ("scope", "call") or (box.kind == "stack" and (node < 0 or node in tree.graph.calls)),
        "parameters": totals.parameters,
        "memory": totals.memory,
        "time": totals.time,
    }


def single_box(place: Place, item: int) -> Box:
    """The box of one item of the body of `place`."""
    return Box([item], place.tree.labels[item], kind_and_op(place, item)["kind"])


def kind_and_op(place: Place, item: int) -> dict[str, str]:
    """The kind and the operation of one item."""
    node = item - place.tree.scopes
    if node < 0:
        return {"kind": "scope", "op": ""}
    return {"kind": kind_of(place.tree.graph, node), "op": place.tree.graph.op(node)}


def branch_fields(label: str, branch: Place) -> dict[str, Any]:
    """The fields of GraphBox for one of several functions of a node."""
    return {**box_fields(branch, Box([0], label, "scope")), "path": branch.prefix}


def digest_text(digest: int) -> str:
    """A digest as it is sent."""
    return f"{digest:016x}"


def edge_fields(graph: Graph, edge: EdgeGroup) -> dict[str, Any]:
    """The fields of GraphEdge."""
    return {
        "source": edge.source,
        "target": edge.target,
        "count": edge.count,
        "elements": known(edge.elements),
        "shape": flow_text(graph, edge.largest),
        "control": edge.control,
    }


def bridge_fields(place: Place, bridge: Bridge) -> dict[str, Any]:
    """The fields of GraphBridge."""
    return {
        "box": bridge.box,
        "incoming": bridge.incoming,
        "count": bridge.count,
        "ends": bridge.ends,
        "elements": known(bridge.elements),
        "shape": flow_text(place.tree.graph, bridge.largest),
        "control": bridge.control,
        "paths": [place.path_of_node(node) for node in bridge.nodes],
    }


def known(number: int) -> int | None:
    """A number, None for the one that stands for unknown."""
    return None if number < 0 else number


def flow_text(graph: Graph, edge: int) -> str:
    """What flows along an edge, for display."""
    outputs = graph.output_types(graph.edges.source[edge])
    slot = int(graph.edges.source_slot[edge])
    return str(outputs[slot]) if 0 <= slot < len(outputs) else ""


ENDPOINTS = (
    Endpoint(
        method="POST",
        path="/api/v1/graphs",
        handler=read_graphs,
        summary="The graphs of runs: tag, form, step and size of each",
        body=GraphsRequest,
        response=GraphsResponse,
        errors=(400, 413),
    ),
    Endpoint(
        method="GET",
        path="/api/v1/graphs/scope",
        handler=read_scope,
        summary="One scope of a graph: its boxes, the edges between them, and those that leave it",
        query=ScopeQuery,
        response=GraphScope,
        errors=(400, 404, 422),
    ),
    Endpoint(
        method="GET",
        path="/api/v1/graphs/members",
        handler=read_members,
        summary="The members of a stack, or what the rest of a scope stands for",
        query=MembersQuery,
        response=MembersResponse,
        errors=(400, 404, 422),
    ),
    Endpoint(
        method="GET",
        path="/api/v1/graphs/node",
        handler=read_node,
        summary="One node or scope: attributes, inputs, outputs, operations inside",
        query=NodeQuery,
        response=NodeDetails,
        errors=(400, 404, 422),
    ),
    Endpoint(
        method="GET",
        path="/api/v1/graphs/search",
        handler=search_nodes,
        summary="Nodes and scopes by words in paths, operations and shapes, or by attributes",
        query=SearchQuery,
        response=NodeSearchResponse,
        errors=(400, 404, 422),
    ),
    Endpoint(
        method="GET",
        path="/api/v1/graphs/summary",
        handler=read_summary,
        summary="A graph as a whole: counts, depth, devices, operations, and what could not be read",
        query=GraphQuery,
        response=SummaryResponse,
        errors=(400, 404, 422),
    ),
    Endpoint(
        method="GET",
        path="/api/v1/graphs/diff",
        handler=read_diff,
        summary="What was added, removed, renamed and changed in a graph, compared with another one",
        query=DiffQuery,
        response=DiffResponse,
        errors=(400, 404, 422),
    ),
    Endpoint(
        method="GET",
        path="/api/v1/graphs/totals",
        handler=read_totals,
        summary="Parameters, bytes and operations of a graph by scope",
        query=TotalsQuery,
        response=TotalsResponse,
        errors=(400, 404, 422),
    ),
    Endpoint(
        method="POST",
        path="/api/v1/graphs/paths",
        handler=check_paths,
        summary="Which of many paths a graph does not have",
        body=GraphPathsRequest,
        response=GraphPathsResponse,
        errors=(400, 404, 413, 422),
    ),
    Endpoint(
        method="GET",
        path="/api/v1/graphs/export",
        handler=download_graph,
        summary="A graph as a file for Graphviz or Model Explorer; streamed",
        query=GraphExportQuery,
        response="text/vnd.graphviz, application/json",
        errors=(400, 404, 422),
    ),
)
