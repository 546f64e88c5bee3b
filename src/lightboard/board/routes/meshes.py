"""Meshes: the list of meshes, and one mesh in binary or as a PLY file."""

from collections.abc import Iterator

from starlette.requests import Request
from starlette.responses import Response

from lightboard.asgi.params import read_body, read_query
from lightboard.asgi.scheduler import Pieces
from lightboard.asgi.streaming import stream
from lightboard.board import json_pieces, media
from lightboard.board.board import board_of
from lightboard.board.descriptions import Descriptions
from lightboard.board.encoding import encode
from lightboard.board.endpoint import Endpoint
from lightboard.board.long_names import DigestIndex, SeriesName
from lightboard.board.named_queries import read_named_query
from lightboard.board.value_columns import value_columns
from lightboard.cancellation import finish
from lightboard.events.mesh_tags import PARTS, mesh_tag
from lightboard.events.mesh_tags import PLUGIN as MESH
from lightboard.events.meshes import encode_block, encode_ply, make_drawable
from lightboard.query.meshes import MeshSeries, mesh_series, mesh_steps, read_mesh
from lightboard.query.provider import DataProvider
from lightboard.schema.meshes import MeshesRequest, MeshesResponse, MeshFileQuery, MeshQuery

PLY = "model/x-ply"


async def read_meshes(request: Request) -> Response:
    """POST /api/v1/meshes"""
    board = board_of(request)
    body = await read_body(request, MeshesRequest, board.pool)
    return await board.responses.stream(request, meshes_of(board.provider, body))


def meshes_of(provider: DataProvider, body: MeshesRequest) -> Pieces:
    """The fields of MeshesResponse."""
    generation = provider.generation
    runs = None if body.runs is None else set(body.runs)
    meshes = yield from mesh_steps(provider, runs, body.orphans)
    descriptions = Descriptions()
    members = (mesh_pieces(run, mesh, descriptions) for run, mesh in meshes)
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
    return await stream(request, picture_block(board.provider, query), "application/octet-stream", pool=board.pool)


def picture_block(provider: DataProvider, query: MeshQuery) -> Pieces:
    """One mesh in binary. Raises NotFound, Unshowable before the first bytes."""
    mesh = yield from mesh_series(provider, query.run, query.name, orphans=True)
    geometry = yield from read_mesh(provider, mesh, mesh.shape.find(query.at), query.sample)
    yield from encode_block(make_drawable(geometry, query.most))


async def read_file(request: Request) -> Response:
    """GET /api/v1/meshes/file"""
    board = board_of(request)
    query = await read_named_query(request, MeshFileQuery, "name", MESHES.find)
    step = await board.pool.call(step_of, board.provider, query)
    name = f"{query.run}-{query.name}-{step}-{query.sample}.ply"
    headers = {**media.attachment(name), "cache-control": "private, no-cache"}
    return await stream(request, file_of(board.provider, query), PLY, pool=board.pool, headers=headers)


def mesh_names(provider: DataProvider) -> Iterator[SeriesName]:
    """The runs and names of all meshes."""
    for run, tags in provider.tags_by_run(MESH).items():
        for tag in tags:
            yield SeriesName(run, mesh_tag(tag, provider.values(MESH, run, tag).metadata).name)


MESHES = DigestIndex(mesh_names)


def step_of(provider: DataProvider, query: MeshFileQuery) -> int:
    """The step of a mesh. Raises NotFound."""
    shape = finish(mesh_series(provider, query.run, query.name, orphans=True)).shape
    return shape.steps[shape.find(query.at)]


def file_of(provider: DataProvider, query: MeshFileQuery) -> Pieces:
    """One mesh as a PLY file. Raises NotFound, Unshowable before the first bytes."""
    mesh = yield from mesh_series(provider, query.run, query.name, orphans=True)
    geometry = yield from read_mesh(provider, mesh, mesh.shape.find(query.at), query.sample)
    yield from encode_ply(geometry)


ENDPOINTS = (
    Endpoint(
        method="POST",
        path="/api/v1/meshes",
        handler=read_meshes,
        summary="Meshes and point clouds of runs: steps, keys, parts, and the scene config",
        body=MeshesRequest,
        response=MeshesResponse,
        errors=(400, 413),
    ),
    Endpoint(
        method="GET",
        path="/api/v1/meshes/data",
        handler=read_picture,
        summary="One mesh in binary: points, faces, colours; large point clouds are downsampled",
        query=MeshQuery,
        response="application/octet-stream",
        errors=(400, 404, 422),
    ),
    Endpoint(
        method="GET",
        path="/api/v1/meshes/file",
        handler=read_file,
        summary="One mesh as a PLY file with all points",
        query=MeshFileQuery,
        response=PLY,
        errors=(400, 404, 422),
    ),
)
