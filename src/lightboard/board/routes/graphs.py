"""Graphs of models: the list of graphs, one scope at a time, single nodes, and search."""

from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from lightboard.asgi.params import read_body, read_query
from lightboard.asgi.scheduler import Pieces
from lightboard.board import json_pieces
from lightboard.board.board import board_of
from lightboard.board.encoding import encode
from lightboard.board.endpoint import Endpoint
from lightboard.graphs.graph import Graph
from lightboard.graphs.scope_view import Box, Bridge, EdgeGroup
from lightboard.graphs.scoped_graph import Place, ScopedGraph
from lightboard.graphs.totals import totals_of
from lightboard.query.graphs import GraphLocation, graph_steps, list_graphs
from lightboard.query.provider import DataProvider
from lightboard.schema.graphs import GraphScope, GraphsRequest, GraphsResponse, ScopeQuery


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
    """The fields of GraphInfo, of the last value."""
    values, last = graph.values, len(graph.values) - 1
    return {
        "run": graph.run,
        "tag": graph.tag,
        "form": graph.form,
        "at": values.key(last),
        "step": values.steps[last],
        "wall": values.walls[last],
        "size": values.lengths[last],
    }


async def read_scope(request: Request) -> Response:
    """GET /api/v1/graphs/scope"""
    board = board_of(request)
    query = read_query(request, ScopeQuery)
    return await board.responses.stream(request, scope_pieces(board.provider, query))


def scope_pieces(provider: DataProvider, query: ScopeQuery) -> Pieces:
    """The fields of GraphScope."""
    loaded = yield from graph_steps(provider, query.run, query.tag, query.form, query.at)
    yield encode(scope_fields(loaded.scopes, query.path, loaded.problems))


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
)
