"""Meshes: validation, downsampling, the binary block and PLY files."""

import struct

import numpy as np
import pytest

from lightboard.errors import Unshowable, ValueNotFound
from lightboard.events import meshes
from lightboard.events.meshes import (
    COLORED,
    DOWNSAMPLED,
    FACELESS,
    MISCOLORED,
    encode_block,
    encode_ply,
    make_drawable,
    make_mesh,
    select_mesh,
    to_color_bytes,
    to_indices,
)

SQUARE = np.array([[-1, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0]], np.float32)
HALVES = np.array([[0, 1, 2], [0, 2, 3]])
RED = np.full((4, 3), (255, 0, 0), np.uint8)


def test_meshes_are_selected_from_a_batch() -> None:
    """Also without a batch dimension, and with more than three numbers per vertex."""
    batch = np.arange(24.0).reshape(2, 3, 4)
    assert select_mesh(batch, 1, "vertices").tolist() == [[12, 13, 14], [16, 17, 18], [20, 21, 22]]
    assert select_mesh(batch[0], 0, "vertices").tolist() == [[0, 1, 2], [4, 5, 6], [8, 9, 10]]


@pytest.mark.parametrize("shape", [(), (3,), (2, 2), (1, 4, 2), (1, 1, 4, 3)])
def test_other_shapes_are_unshowable(shape: tuple[int, ...]) -> None:
    """The message names the expected shape."""
    with pytest.raises(Unshowable, match="batch x n x 3"):
        select_mesh(np.zeros(shape), 0, "vertices")


@pytest.mark.parametrize("sample", [-1, 2])
def test_samples_outside_the_batch_are_not_found(sample: int) -> None:
    """Negative numbers do not count from the end."""
    with pytest.raises(ValueNotFound, match="2 meshes"):
        select_mesh(np.zeros((2, 1, 3)), sample, "vertices")


@pytest.mark.parametrize(
    ("colors", "found"),
    [
        (np.array([0, 128, 255], np.uint8), [0, 128, 255]),
        (np.array([-5, 128, 300], np.int64), [0, 128, 255]),
        (np.array([0.0, 128.0, 255.0]), [0, 128, 255]),
        (np.array([0.0, 0.5, 1.0]), [0, 128, 255]),
        (np.array([0.0, 1.0, 1.0]), [0, 1, 1]),
        (np.array([np.nan, np.inf, -np.inf]), [0, 255, 0]),
    ],
)
def test_colours_become_bytes(colors: np.ndarray, found: list[int]) -> None:
    """0 to 255; floats up to 1 with a fraction are scaled."""
    assert to_color_bytes(colors).tolist() == found


def test_indices_become_int64() -> None:
    """Invalid ones become an index that does not exist."""
    assert to_indices(np.array([0.0, 2.0, np.nan, np.inf, 1e300])).tolist() == [0, 2, -1, -1, -1]
    assert to_indices(np.array([7, 2**64 - 1], np.uint64)).tolist() == [7, 2**63 - 1]


def test_small_meshes_are_drawn_whole() -> None:
    """Every vertex, face and colour, and the bounding box."""
    picture = make_drawable(make_mesh(SQUARE, HALVES, RED), 2)
    assert (picture.vertices.tolist(), picture.faces.tolist()) == (SQUARE.tolist(), HALVES.tolist())
    assert picture.colors is not None
    assert picture.colors.tolist() == RED.tolist()
    assert picture[5:] == (4, 2, 0, 0, COLORED)


def test_nonfinite_vertices_remove_their_faces() -> None:
    """The other vertices are renumbered."""
    vertices = SQUARE.copy()
    vertices[1] = np.nan
    picture = make_drawable(make_mesh(vertices, HALVES, RED), 10)
    assert picture.vertices.tolist() == [[-1, -1, 0], [1, 1, 0], [-1, 1, 0]]
    assert picture.faces.tolist() == [[0, 1, 2]]
    assert picture[5:] == (4, 2, 1, 1, COLORED)


def test_faces_with_unknown_vertices_are_dropped() -> None:
    """Negative or too large indices."""
    faces = np.array([[0, 1, 2], [0, 1, 4], [-1, 0, 1], [0, 1, 2**40]])
    picture = make_drawable(make_mesh(SQUARE, faces, None), 10)
    assert picture.faces.tolist() == [[0, 1, 2]]
    assert picture[5:] == (4, 4, 0, 3, 0)


def test_meshes_without_finite_vertices_are_empty() -> None:
    """No points, no faces, a bounding box of zeros."""
    picture = make_drawable(make_mesh(np.full((3, 3), np.inf), HALVES, None), 10)
    assert (len(picture.vertices), len(picture.faces), picture[5:]) == (0, 0, (3, 2, 3, 2, 0))
    assert struct.unpack("<8I6d", b"".join(encode_block(picture))) == (0, 0, 3, 2, 3, 2, 0, 0, 0, 0, 0, 0, 0, 0)


def test_vertices_beyond_float32_are_broken() -> None:
    """They cannot be drawn."""
    picture = make_drawable(make_mesh(np.array([[1e300, 0, 0], [1, 2, 3]]), None, None), 10)
    assert (picture.vertices.tolist(), picture.low.tolist(), picture.broken) == ([[0, 0, 0]], [1, 2, 3], 1)


def test_map_coordinates_keep_their_precision() -> None:
    """Coordinates are relative to the centre of the bounding box."""
    picture = make_drawable(make_mesh(np.array([[5_000_000.001, 0, 0], [5_000_000.003, 0, 0]]), None, None), 10)
    assert picture.low[0] == 5_000_000.001
    assert picture.vertices[:, 0].tolist() == pytest.approx([-0.001, 0.001], rel=1e-5)


def test_point_clouds_are_downsampled_consistently() -> None:
    """All steps of a cloud show the same points, with their own colours."""
    cloud = np.arange(3000, dtype=np.float32).reshape(1000, 3)
    colors = np.repeat(np.arange(1000) % 256, 3).reshape(1000, 3).astype(np.uint8)
    first, second = (make_drawable(make_mesh(cloud + shift, None, colors), 100) for shift in (0, 5))
    assert first.vertices.tolist() == second.vertices.tolist()
    assert (first.low + 5).tolist() == second.low.tolist()
    assert (len(first.vertices), first.held, first.flags) == (100, 1000, DOWNSAMPLED | COLORED)
    assert first.colors is not None
    assert first.colors[:, 0].tolist() == [
        round(x) // 3 % 256 for x in first.vertices[:, 0] + (first.low + first.high)[0] / 2
    ]


def test_too_many_faces_are_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    """A flag says so; the vertices are drawn."""
    monkeypatch.setattr(meshes, "MAX_FACES", 1)
    picture = make_drawable(make_mesh(SQUARE, HALVES, None), 10)
    assert (len(picture.vertices), len(picture.faces), picture.held_faces, picture.flags) == (4, 0, 2, FACELESS)


def test_colours_of_the_wrong_number_are_dropped() -> None:
    """A flag says so."""
    picture = make_drawable(make_mesh(SQUARE, None, RED[:3]), 10)
    assert (picture.colors, picture.flags) == (None, MISCOLORED)


def test_blocks_are_encoded() -> None:
    """Header, bounding box, vertices, faces, colours."""
    block = b"".join(encode_block(make_drawable(make_mesh(SQUARE * 2, HALVES, RED), 10)))
    assert struct.unpack_from("<8I6d", block) == (4, 2, 4, 2, 0, 0, COLORED, 0, -2, -2, 0, 2, 2, 0)
    assert block[80:] == (SQUARE * 2).tobytes() + HALVES.astype("<u4").tobytes() + RED.tobytes()


def test_ply_files_contain_everything() -> None:
    """Broken vertices and faces as well, unchanged."""
    vertices = SQUARE.copy()
    vertices[3, 0] = np.nan
    file = b"".join(encode_ply(make_mesh(vertices, np.array([[0, 1, 9]]), RED)))
    head, _, body = file.partition(b"end_header\n")
    assert head.decode().split("\n") == [
        *("ply", "format binary_little_endian 1.0", "element vertex 4"),
        *(f"property float {axis}" for axis in "xyz"),
        *(f"property uchar {name}" for name in ("red", "green", "blue")),
        *("element face 1", "property list uchar int vertex_indices", ""),
    ]
    points = b"".join(struct.pack("<3f3B", *row, 255, 0, 0) for row in vertices.tolist())
    assert body == points + struct.pack("<B3i", 3, 0, 1, 9)


def test_ply_files_keep_double_precision() -> None:
    """Without faces and colours each point has 24 bytes."""
    file = b"".join(encode_ply(make_mesh(np.array([[0.1, 0.2, 0.3]]), None, None)))
    assert file.endswith(b"property double z\nend_header\n" + struct.pack("<3d", 0.1, 0.2, 0.3))
