"""Meshes and point clouds as numbers: one of a batch, made fit for drawing, and as a PLY file.

Vertices, faces and colours are tensors of shape [batch, n, 3]; writers use any type for any of them. What cannot be
drawn is left out and counted: vertices that are nowhere, faces of vertices that are not there. Not here: which series
are parts of which mesh (`meshtags.py`), and the page's camera and lights.
"""

import struct
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from lightboard.errors import Unshowable, ValueNotFound

Array = npt.NDArray[Any]

MAX_FACES = 1_000_000
"""A mesh of more is shown as points: browsers are sent at most 12 MB of corners."""

LARGEST = 1e30
"""A vertex further out is nowhere: distances between such are no floats."""

THINNED, COLORED, FACELESS, MISCOLORED = 1, 2, 4, 8
"""Bits of a picture's head: fewer points than there are; with colours; too many faces; colours for other vertices."""

_HEAD = struct.Struct("<8I6d")


class Mesh(NamedTuple):
    """`vertices` [n, 3] floats, `faces` [m, 3] int64 places of vertices, `colors` [n, 3] uint8 or None."""

    vertices: Array
    faces: Array
    colors: npt.NDArray[np.uint8] | None


class Picture(NamedTuple):
    """A mesh as it is drawn: all of its numbers are finite, all faces have their vertices.

    `vertices` [n, 3] count from the middle of the box they fill, so that places on a map keep their decimals; `low` and
    `high` [3] are the corners of the box, as they were written. `held` vertices and `held_faces` are in the logs,
    `broken` vertices and `broken_faces` of these cannot be drawn.
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


def one_of_batch(numbers: Array, sample: int, what: str) -> Array:
    """The [n, 3] of a tensor that belong to one mesh of the batch. Raises Unshowable, ValueNotFound."""
    if numbers.ndim == 2:
        numbers = numbers[None]
    if numbers.ndim != 3 or numbers.shape[2] < 3:
        shape = " x ".join(map(str, numbers.shape)) or "one number"
        raise Unshowable(f"{what} of a mesh are batch x n x 3 numbers; these are {shape}")
    if not 0 <= sample < len(numbers):
        raise ValueNotFound(f"the value holds {len(numbers)} meshes, none numbered {sample}")
    return numbers[sample, :, :3]


def mesh_of(vertices: Array, faces: Array | None, colors: Array | None) -> Mesh:
    """A mesh out of the [n, 3] of its parts, in any types."""
    if vertices.dtype.kind != "f":
        vertices = vertices.astype(np.float64)
    corners = np.zeros((0, 3), np.int64) if faces is None else places(faces)
    return Mesh(vertices, corners, None if colors is None else bytes_of(colors))


def places(faces: Array) -> npt.NDArray[np.int64]:
    """Corners as integers; what is no number, or too large for one, is no vertex: -1."""
    if faces.dtype.kind == "f":
        with np.errstate(invalid="ignore"):
            return np.where(np.abs(faces) < 2.0**53, faces, -1).astype(np.int64)
    if faces.dtype == np.uint64:
        return np.where(faces < 2**63, faces, 2**63 - 1).astype(np.int64)
    return faces.astype(np.int64)


def bytes_of(colors: Array) -> npt.NDArray[np.uint8]:
    """Colours from 0 to 255, or fractions of one: floats none of which is over 1, and some are between."""
    if colors.dtype == np.uint8:
        return colors
    if colors.dtype.kind == "f":
        colors = np.nan_to_num(colors.astype(np.float64), nan=0.0)
        if colors.size and colors.max() <= 1.0 and (colors != np.rint(colors)).any():
            colors = np.rint(colors * 255)
    return np.clip(colors, 0, 255).astype(np.uint8)


def picture_of(mesh: Mesh, most: int) -> Picture:
    """A mesh for a page: a cloud thinned to `most` points, a solid whole as long as it has `MAX_FACES` at most.

    Of a solid only the vertices of its faces are there: nothing is drawn of the others.
    """
    flags = 0
    vertices = mesh.vertices
    colors = mesh.colors
    if colors is not None and len(colors) != len(vertices):
        colors, flags = None, flags | MISCOLORED
    with np.errstate(invalid="ignore"):
        good: npt.NDArray[np.bool_] = np.logical_and.reduce(np.abs(vertices) < LARGEST, axis=1)
    faces, broken_faces = whole_faces(mesh.faces, good)
    if len(faces) > MAX_FACES:
        faces, flags = faces[:0], flags | FACELESS
    if len(faces):
        used = np.zeros(len(vertices), np.bool_)
        used[faces] = True
        chosen = np.flatnonzero(used)
        faces = (np.cumsum(used) - 1)[faces]
    else:
        chosen = thinned(np.flatnonzero(good), most)
        flags |= THINNED if len(chosen) < int(good.sum()) else 0
    flags |= COLORED if colors is not None else 0
    shown = vertices[chosen].astype(np.float64)
    low, high = (shown.min(axis=0), shown.max(axis=0)) if len(shown) else (np.zeros(3), np.zeros(3))
    return Picture(
        (shown - (low + high) / 2).astype(np.float32),
        faces.astype(np.uint32),
        None if colors is None else colors[chosen],
        low,
        high,
        len(vertices),
        len(mesh.faces),
        len(vertices) - int(good.sum()),
        broken_faces,
        flags,
    )


def whole_faces(faces: npt.NDArray[np.int64], good: npt.NDArray[np.bool_]) -> tuple[npt.NDArray[np.int64], int]:
    """The faces all of whose corners are vertices that can be drawn, and how many are not."""
    within = ((faces >= 0) & (faces < len(good))).all(axis=1)
    kept = faces[within]
    kept = kept[good[kept].all(axis=1)]
    return kept, len(faces) - len(kept)


def thinned(chosen: npt.NDArray[np.intp], most: int) -> npt.NDArray[np.intp]:
    """At most `most` of the places given, in order, and the same ones each time: spread at random, since scanners
    write row by row and every so-manieth point of a row would be a stripe."""
    if len(chosen) <= most:
        return chosen
    return np.sort(np.random.default_rng(0).choice(chosen, most, replace=False))


PIECE_ROWS = 20_000
"""Points or faces written at once."""


def pieces_of(rows: Array) -> Iterator[bytes]:
    """The bytes of an array, some rows at a time."""
    return (np.ascontiguousarray(rows[at : at + PIECE_ROWS]).tobytes() for at in range(0, len(rows), PIECE_ROWS))


def block_of(picture: Picture) -> Iterator[bytes]:
    """The block that travels to the page, little-endian, in pieces.

    Head of 80 bytes: points, faces, vertices held, faces held, broken vertices, broken faces, flags, zero (u32 each),
    least and largest x, y, z (f64). Then x, y, z of each point from the middle of these (f32), corners of each face
    (u32), colours (3 bytes).
    """
    points = picture.vertices
    counts = (len(points), len(picture.faces), picture.held, picture.held_faces)
    head = _HEAD.pack(*counts, picture.broken, picture.broken_faces, picture.flags, 0, *picture.low, *picture.high)
    yield head
    yield from pieces_of(points)
    yield from pieces_of(picture.faces)
    if picture.colors is not None:
        yield from pieces_of(picture.colors)


def ply_of(mesh: Mesh) -> Iterator[bytes]:
    """The whole mesh as a binary PLY file, exactly, in pieces: broken vertices and faces too."""
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
    for at in range(0, len(vertices), PIECE_ROWS):
        some = vertices[at : at + PIECE_ROWS]
        rows = np.zeros(len(some), table)
        for place, axis in enumerate("xyz"):
            rows[axis] = some[:, place]
        for place, name in enumerate(names):
            rows[name] = colors[at : at + PIECE_ROWS, place] if colors is not None else 0
        yield rows.tobytes()
    for at in range(0, len(mesh.faces), PIECE_ROWS):
        corners = mesh.faces[at : at + PIECE_ROWS]
        listed = np.zeros(len(corners), np.dtype([("n", "u1"), ("at", "<i4", (3,))]))
        listed["n"] = 3
        listed["at"] = np.clip(corners, -(2**31), 2**31 - 1)
        yield listed.tobytes()
