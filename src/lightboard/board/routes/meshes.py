"""Meshes: which there are, one as a block to be drawn, one as a file."""

from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from lightboard.asgi.answers import respond
from lightboard.asgi.params import read_body, read_query
from lightboard.board import media
from lightboard.board.board import Board, board_of
from lightboard.board.descriptions import description_html
from lightboard.board.endpoint import Endpoint
from lightboard.events.meshes import Mesh, encode, picture_of, ply_of
from lightboard.events.meshtags import PARTS
from lightboard.query.meshes import list_meshes, mesh_series, read_mesh
from lightboard.schema.meshes import MeshesAnswer, MeshesQuestion, MeshFileQuery, MeshQuery

PLY = "model/x-ply"


async def read_meshes(request: Request) -> Response:
    """POST /api/v1/meshes"""
    board = board_of(request)
    question = await read_body(request, MeshesQuestion)
    return await board.json(request, meshes_of, board, question)


def meshes_of(board: Board, question: MeshesQuestion) -> dict[str, Any]:
    """The fields of MeshesAnswer."""
    generation = board.provider.generation
    runs = None if question.runs is None else set(question.runs)
    found = []
    for run, mesh in list_meshes(board.provider, runs, question.orphans):
        values = mesh.shape
        found.append(
            {
                "name": mesh.name,
                "run": run,
                "tag": values.tag,
                "description": description_html({mesh.description: []}) if mesh.description else "",
                "samples": mesh.samples,
                "steps": list(values.steps),
                "walls": list(values.walls),
                "keys": values.keys(),
                "parts": [part for part in PARTS if part in mesh.parts],
                "config": mesh.config,
            }
        )
    return {"generation": generation, "meshes": found}


async def read_picture(request: Request) -> Response:
    """GET /api/v1/meshes/data"""
    board = board_of(request)
    query = read_query(request, MeshQuery)
    body = await board.pool.call(picture_block, board, query)
    return await respond(request, body, "application/octet-stream", pool=board.pool)


def picture_block(board: Board, query: MeshQuery) -> bytes:
    """The block of one mesh. Raises NotFound, Unshowable."""
    return encode(picture_of(one_mesh(board, query)[0], query.most))


def one_mesh(board: Board, query: MeshFileQuery) -> tuple[Mesh, int]:
    """One mesh and its step. Raises NotFound, Unshowable."""
    mesh = mesh_series(board.provider, query.run, query.name, orphans=True)
    at = mesh.shape.find(query.at)
    return read_mesh(board.provider, mesh, at, query.sample), mesh.shape.steps[at]


async def read_file(request: Request) -> Response:
    """GET /api/v1/meshes/file"""
    board = board_of(request)
    query = read_query(request, MeshFileQuery)
    body, step = await board.pool.call(file_of, board, query)
    headers = media.attachment(f"{query.run}-{query.name}-{step}-{query.sample}.ply")
    return Response(body, headers={**headers, "cache-control": "private, no-cache"}, media_type=PLY)


def file_of(board: Board, query: MeshFileQuery) -> tuple[bytes, int]:
    """One mesh as a file, and its step. Raises NotFound, Unshowable."""
    mesh, step = one_mesh(board, query)
    return ply_of(mesh), step


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
