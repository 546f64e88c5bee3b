"""Meshes and point clouds: select one of a batch, prepare it for drawing, encode it as a PLY file.

Vertices, faces and colours are tensors of shape [batch, n, 3] of any type. What cannot be drawn is left out and
counted: vertices that are not finite, faces with missing vertices. `mesh_tags` says which series belong to a mesh.
"""

import struct
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from lightboard.errors import Unshowable, ValueNotFound

Array = npt.NDArray[Any]

MAX_FACES = 1_000_000
"""A mesh with more faces is drawn as points, so that browsers receive at most 12 MB of faces."""

MAX_COORDINATE = 1e30
"""Vertices with larger coordinates are not drawn, because their distances overflow float32."""

DOWNSAMPLED, COLORED, FACELESS, MISCOLORED = 1, 2, 4, 8
"""Flags in the header of a block: downsampled; has colours; too many faces; colours do not fit the vertices."""

_HEAD = struct.Struct("<8I6d")


class Mesh(NamedTuple):
    """`vertices` [n, 3] floats, `faces` [m, 3] int64 indices of vertices, `colors` [n, 3] uint8 or None."""

    vertices: Array
    faces: Array
    colors: npt.NDArray[np.uint8] | None


class DrawableMesh(NamedTuple):
    """A mesh prepared for drawing: all numbers are finite, and all faces have their vertices.

    `vertices` [n, 3] are relative to the centre of their bounding box, so that large coordinates keep their decimals.
    `low` and `high` [3] are the corners of the box. `held` and `held_faces` count the vertices and faces in the logs,
    `broken` and `broken_faces` those of them that cannot be drawn.
    """

    vertices: npt.NDArray[np.float32]
    faces: npt.NDArray[np.uint32]
    colors: npt.NDArray[np.uint8] | None
    low: npt.NDArray[np.float64]
    high: npt.NDArray[np.float64]
    held: int
    held_faces: int
    broken: int
    broken_faces: int
    flags: int


def select_mesh(numbers: Array, sample: int, what: str) -> Array:
    """The [n, 3] numbers of one mesh of the batch. Raises Unshowable, ValueNotFound."""
    if numbers.ndim == 2:
        numbers = numbers[None]
    if numbers.ndim != 3 or numbers.shape[2] < 3:
        shape = " x ".join(map(str, numbers.shape)) or "one number"
        raise Unshowable(f"{what} of a mesh are batch x n x 3 numbers; these are {shape}")
    if not 0 <= sample < len(numbers):
        raise ValueNotFound(f"the value holds {len(numbers)} meshes, none numbered {sample}")
    return numbers[sample, :, :3]


def make_mesh(vertices: Array, faces: Array | None, colors: Array | None) -> Mesh:
    """A mesh from the [n, 3] numbers of its parts, of any type."""
    if vertices.dtype.kind != "f":
        vertices = vertices.astype(np.float64)
    corners = np.zeros((0, 3), np.int64) if faces is None else to_indices(faces)
    return Mesh(vertices, corners, None if colors is None else to_color_bytes(colors))


def to_indices(faces: Array) -> npt.NDArray[np.int64]:
    """Faces as integer indices. What is not a number or too large becomes -1, which is no vertex."""
    if faces.dtype.kind == "f":
        with np.errstate(invalid="ignore"):
            return np.where(np.abs(faces) < 2.0**53, faces, -1).astype(np.int64)
    if faces.dtype == np.uint64:
        return np.where(faces < 2**63, faces, 2**63 - 1).astype(np.int64)
    return faces.astype(np.int64)


def to_color_bytes(colors: Array) -> npt.NDArray[np.uint8]:
    """Colours as 0 to 255. Floats of which none exceeds 1 and some are fractions are scaled."""
    if colors.dtype == np.uint8:
        return colors
    if colors.dtype.kind == "f":
        colors = np.nan_to_num(colors.astype(np.float64), nan=0.0)
        if colors.size and colors.max() <= 1.0 and (colors != np.rint(colors)).any():
            colors = np.rint(colors * 255)
    return np.clip(colors, 0, 255).astype(np.uint8)


def make_drawable(mesh: Mesh, limit: int) -> DrawableMesh:
    """Prepare a mesh for a page: a point cloud is downsampled to `limit` points, a mesh is kept if it has at most
    `MAX_FACES`.

    Vertices that belong to no face of a mesh are left out, because they are not drawn.
    """
    flags = 0
    vertices = mesh.vertices
    colors = mesh.colors
    if colors is not None and len(colors) != len(vertices):
        colors, flags = None, flags | MISCOLORED
    with np.errstate(invalid="ignore"):
        valid: npt.NDArray[np.bool_] = np.logical_and.reduce(np.abs(vertices) < MAX_COORDINATE, axis=1)
    faces, broken_faces = valid_faces(mesh.faces, valid)
    if len(faces) > MAX_FACES:
        faces, flags = faces[:0], flags | FACELESS
    if len(faces):
        used = np.zeros(len(vertices), np.bool_)
        used[faces] = True
        selected = np.flatnonzero(used)
        faces = (np.cumsum(used) - 1)[faces]
    else:
        selected = downsample(np.flatnonzero(valid), limit)
        flags |= DOWNSAMPLED if len(selected) < int(valid.sum()) else 0
    flags |= COLORED if colors is not None else 0
    shown = vertices[selected].astype(np.float64)
    low, high = (shown.min(axis=0), shown.max(axis=0)) if len(shown) else (np.zeros(3), np.zeros(3))
    return DrawableMesh(
        (shown - (low + high) / 2).astype(np.float32),
        faces.astype(np.uint32),
        None if colors is None else colors[selected],
        low,
        high,
        len(vertices),
        len(mesh.faces),
        len(vertices) - int(valid.sum()),
        broken_faces,
        flags,
    )


def valid_faces(faces: npt.NDArray[np.int64], valid: npt.NDArray[np.bool_]) -> tuple[npt.NDArray[np.int64], int]:
    """The faces of which all vertices can be drawn, and the number of the others."""
    within = ((faces >= 0) & (faces < len(valid))).all(axis=1)
    kept = faces[within]
    kept = kept[valid[kept].all(axis=1)]
    return kept, len(faces) - len(kept)


def downsample(selected: npt.NDArray[np.intp], limit: int) -> npt.NDArray[np.intp]:
    """At most `limit` of the indices, in order, and always the same ones.

    They are selected at random: scanners write row by row, so that selecting every k-th point would draw stripes.
    """
    if len(selected) <= limit:
        return selected
    return np.sort(np.random.default_rng(0).choice(selected, limit, replace=False))


CHUNK_ROWS = 20_000
"""Points or faces encoded at once."""


def chunks_of(rows: Array) -> Iterator[bytes]:
    """The bytes of an array in chunks of rows."""
    return (np.ascontiguousarray(rows[at : at + CHUNK_ROWS]).tobytes() for at in range(0, len(rows), CHUNK_ROWS))


def encode_block(mesh: DrawableMesh) -> Iterator[bytes]:
    """The block that is sent to the page, little-endian, in chunks.

    Header of 80 bytes: points, faces, vertices held, faces held, broken vertices, broken faces, flags, zero (u32 each),
    minimum and maximum of x, y, z (f64). Then x, y, z of each point relative to the centre (f32), vertices of each face
    (u32), colours (3 bytes).
    """
    points = mesh.vertices
    counts = (len(points), len(mesh.faces), mesh.held, mesh.held_faces)
    head = _HEAD.pack(*counts, mesh.broken, mesh.broken_faces, mesh.flags, 0, *mesh.low, *mesh.high)
    yield head
    yield from chunks_of(points)
    yield from chunks_of(mesh.faces)
    if mesh.colors is not None:
        yield from chunks_of(mesh.colors)


def encode_ply(mesh: Mesh) -> Iterator[bytes]:
    """The whole unchanged mesh as a binary PLY file, in chunks, including broken vertices and faces."""
    vertices = mesh.vertices
    wide = vertices.dtype == np.float64
    layout = [(axis, "<f8" if wide else "<f4") for axis in "xyz"]
    colors = mesh.colors if mesh.colors is not None and len(mesh.colors) == len(vertices) else None
    names = ("red", "green", "blue") if colors is not None else ()
    head = ["ply", "format binary_little_endian 1.0", f"element vertex {len(vertices)}"]
    head += [f"property {'double' if wide else 'float'} {axis}" for axis in "xyz"]
    head += [f"property uchar {name}" for name in names]
    if len(mesh.faces):
        head += [f"element face {len(mesh.faces)}", "property list uchar int vertex_indices"]
    yield "\n".join([*head, "end_header", ""]).encode()
    table = np.dtype([*layout, *((name, "u1") for name in names)])
    for at in range(0, len(vertices), CHUNK_ROWS):
        some = vertices[at : at + CHUNK_ROWS]
        rows = np.zeros(len(some), table)
        for i, axis in enumerate("xyz"):
            rows[axis] = some[:, i]
        for i, name in enumerate(names):
            rows[name] = colors[at : at + CHUNK_ROWS, i] if colors is not None else 0
        yield rows.tobytes()
    for at in range(0, len(mesh.faces), CHUNK_ROWS):
        corners = mesh.faces[at : at + CHUNK_ROWS]
        listed = np.zeros(len(corners), np.dtype([("n", "u1"), ("at", "<i4", (3,))]))
        listed["n"] = 3
        listed["at"] = np.clip(corners, -(2**31), 2**31 - 1)
        yield listed.tobytes()
