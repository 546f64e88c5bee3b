"""Meshes: which there are, one as a block to be drawn, one as a file."""

from collections.abc import Iterator

from starlette.requests import Request
from starlette.responses import Response

from lightboard.asgi.params import read_body, read_query
from lightboard.asgi.scheduler import Pieces
from lightboard.asgi.streaming import stream
from lightboard.board import json_pieces, media
from lightboard.board.board import Board, board_of
from lightboard.board.descriptions import Descriptions
from lightboard.board.encoding import encode
from lightboard.board.endpoint import Endpoint
from lightboard.board.long_names import DigestIndex, SeriesName
from lightboard.board.named_queries import read_named_query
from lightboard.board.value_columns import value_columns
from lightboard.cancellation import finish
from lightboard.events.meshes import block_of, picture_of, ply_of
from lightboard.events.meshtags import PARTS, mesh_tag
from lightboard.events.meshtags import PLUGIN as MESH
from lightboard.query.meshes import MeshSeries, mesh_series, mesh_steps, read_mesh
from lightboard.query.provider import Provider
from lightboard.schema.meshes import MeshesAnswer, MeshesQuestion, MeshFileQuery, MeshQuery

PLY = "model/x-ply"


async def read_meshes(request: Request) -> Response:
    """POST /api/v1/meshes"""
    board = board_of(request)
    question = await read_body(request, MeshesQuestion, board.pool)
    return await board.stream_json(request, meshes_of(board, question))


def meshes_of(board: Board, question: MeshesQuestion) -> Pieces:
    """The fields of MeshesAnswer, a mesh at a time."""
    generation = board.provider.generation
    runs = None if question.runs is None else set(question.runs)
    found = yield from mesh_steps(board.provider, runs, question.orphans)
    descriptions = Descriptions()
    members = (mesh_pieces(run, mesh, descriptions) for run, mesh in found)
    yield from json_pieces.fields_then({"generation": generation}, "meshes", json_pieces.array(members))


def mesh_pieces(run: int, mesh: MeshSeries, descriptions: Descriptions) -> Pieces:
    """The fields of one mesh."""
    values = mesh.shape
    head = {
        "name": mesh.name,
        "run": run,
        "tag": values.tag,
        "description": descriptions.one(mesh.description),
        "samples": mesh.samples,
        "parts": [part for part in PARTS if part in mesh.parts],
        "config": mesh.config,
    }
    yield encode(head).removesuffix(b"}")
    yield from value_columns(values, sizes=False)
    yield b"}"


async def read_picture(request: Request) -> Response:
    """GET /api/v1/meshes/data"""
    board = board_of(request)
    query = read_query(request, MeshQuery)
    return await stream(request, picture_block(board, query), "application/octet-stream", pool=board.pool)


def picture_block(board: Board, query: MeshQuery) -> Pieces:
    """The block of one mesh. Raises NotFound, Unshowable before its first bytes."""
    mesh = yield from mesh_series(board.provider, query.run, query.name, orphans=True)
    found = yield from read_mesh(board.provider, mesh, mesh.shape.find(query.at), query.sample)
    yield from block_of(picture_of(found, query.most))


async def read_file(request: Request) -> Response:
    """GET /api/v1/meshes/file"""
    board = board_of(request)
    query = await read_named_query(request, MeshFileQuery, "name", MESHES.find)
    step = await board.pool.call(step_of, board, query)
    name = f"{query.run}-{query.name}-{step}-{query.sample}.ply"
    headers = {**media.attachment(name), "cache-control": "private, no-cache"}
    return await stream(request, file_of(board, query), PLY, pool=board.pool, headers=headers)


def mesh_names(provider: Provider) -> Iterator[SeriesName]:
    """Runs and names of all meshes."""
    for run, tags in provider.tags_by_run(MESH).items():
        for tag in tags:
            yield SeriesName(run, mesh_tag(tag, provider.values(MESH, run, tag).metadata).name)


MESHES = DigestIndex(mesh_names)


def step_of(board: Board, query: MeshFileQuery) -> int:
    """The step of a mesh. Raises NotFound."""
    shape = finish(mesh_series(board.provider, query.run, query.name, orphans=True)).shape
    return shape.steps[shape.find(query.at)]


def file_of(board: Board, query: MeshFileQuery) -> Pieces:
    """One mesh as a file. Raises NotFound, Unshowable before its first bytes."""
    mesh = yield from mesh_series(board.provider, query.run, query.name, orphans=True)
    found = yield from read_mesh(board.provider, mesh, mesh.shape.find(query.at), query.sample)
    yield from ply_of(found)


ENDPOINTS = (
    Endpoint(
        method="POST",
        path="/api/v1/meshes",
        handler=read_meshes,
        summary="Meshes and point clouds of runs: steps, keys, parts, the scene as its writer described it",
        body=MeshesQuestion,
        answer=MeshesAnswer,
        errors=(400, 413),
    ),
    Endpoint(
        method="GET",
        path="/api/v1/meshes/data",
        handler=read_picture,
        summary="One mesh to be drawn, in binary: points, faces, colours; clouds of many points are thinned",
        query=MeshQuery,
        answer="application/octet-stream",
        errors=(400, 404, 422),
    ),
    Endpoint(
        method="GET",
        path="/api/v1/meshes/file",
        handler=read_file,
        summary="One mesh as a PLY file, with every point as it was written",
        query=MeshFileQuery,
        answer=PLY,
        errors=(400, 404, 422),
    ),
)
