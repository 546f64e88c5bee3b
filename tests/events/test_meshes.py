"""Meshes as numbers: what is drawn of one, what is left out and counted, and the file it can be kept in."""

import struct

import numpy as np
import pytest

from lightboard.errors import Unshowable, ValueNotFound
from lightboard.events import meshes
from lightboard.events.meshes import (
    COLORED,
    FACELESS,
    MISCOLORED,
    THINNED,
    block_of,
    bytes_of,
    mesh_of,
    one_of_batch,
    picture_of,
    places,
    ply_of,
)

SQUARE = np.array([[-1, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0]], np.float32)
HALVES = np.array([[0, 1, 2], [0, 2, 3]])
RED = np.full((4, 3), (255, 0, 0), np.uint8)


def test_one_of_a_batch() -> None:
    """Also of a batch that is none, and of corners with more than three numbers."""
    batch = np.arange(24.0).reshape(2, 3, 4)
    assert one_of_batch(batch, 1, "vertices").tolist() == [[12, 13, 14], [16, 17, 18], [20, 21, 22]]
    assert one_of_batch(batch[0], 0, "vertices").tolist() == [[0, 1, 2], [4, 5, 6], [8, 9, 10]]


@pytest.mark.parametrize("shape", [(), (3,), (2, 2), (1, 4, 2), (1, 1, 4, 3)])
def test_other_shapes_are_no_mesh(shape: tuple[int, ...]) -> None:
    """Said with the shape there is."""
    with pytest.raises(Unshowable, match="batch x n x 3"):
        one_of_batch(np.zeros(shape), 0, "vertices")


@pytest.mark.parametrize("sample", [-1, 2])
def test_a_number_out_of_the_batch_is_not_found(sample: int) -> None:
    """Not counted from its end either."""
    with pytest.raises(ValueNotFound, match="2 meshes"):
        one_of_batch(np.zeros((2, 1, 3)), sample, "vertices")


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
def test_colours_of_any_type(colors: np.ndarray, found: list[int]) -> None:
    """0 to 255; fractions of one where floats are plainly such."""
    assert bytes_of(colors).tolist() == found


def test_corners_of_any_type() -> None:
    """What is no place of a vertex becomes one that is never there."""
    assert places(np.array([0.0, 2.0, np.nan, np.inf, 1e300])).tolist() == [0, 2, -1, -1, -1]
    assert places(np.array([7, 2**64 - 1], np.uint64)).tolist() == [7, 2**63 - 1]


def test_a_solid_is_drawn_as_it_is() -> None:
    """Every vertex, face and colour, and the box they fill."""
    picture = picture_of(mesh_of(SQUARE, HALVES, RED), 2)
    assert (picture.vertices.tolist(), picture.faces.tolist()) == (SQUARE.tolist(), HALVES.tolist())
    assert picture.colors is not None
    assert picture.colors.tolist() == RED.tolist()
    assert picture[5:] == (4, 2, 0, 0, COLORED)


def test_a_vertex_that_is_nowhere_takes_its_faces_along() -> None:
    """The others are numbered anew."""
    vertices = SQUARE.copy()
    vertices[1] = np.nan
    picture = picture_of(mesh_of(vertices, HALVES, RED), 10)
    assert picture.vertices.tolist() == [[-1, -1, 0], [1, 1, 0], [-1, 1, 0]]
    assert picture.faces.tolist() == [[0, 1, 2]]
    assert picture[5:] == (4, 2, 1, 1, COLORED)


def test_faces_of_vertices_that_are_not_there_are_left_out() -> None:
    """Whatever number they name."""
    faces = np.array([[0, 1, 2], [0, 1, 4], [-1, 0, 1], [0, 1, 2**40]])
    picture = picture_of(mesh_of(SQUARE, faces, None), 10)
    assert picture.faces.tolist() == [[0, 1, 2]]
    assert picture[5:] == (4, 4, 0, 3, 0)


def test_nothing_that_can_be_drawn_is_an_empty_picture() -> None:
    """No point, no face, no box."""
    picture = picture_of(mesh_of(np.full((3, 3), np.inf), HALVES, None), 10)
    assert (len(picture.vertices), len(picture.faces), picture[5:]) == (0, 0, (3, 2, 3, 2, 0))
    assert struct.unpack("<8I6d", b"".join(block_of(picture))) == (0, 0, 3, 2, 3, 2, 0, 0, 0, 0, 0, 0, 0, 0)


def test_doubles_beyond_floats_are_broken_too() -> None:
    """They cannot be drawn."""
    picture = picture_of(mesh_of(np.array([[1e300, 0, 0], [1, 2, 3]]), None, None), 10)
    assert (picture.vertices.tolist(), picture.low.tolist(), picture.broken) == ([[0, 0, 0]], [1, 2, 3], 1)


def test_places_on_a_map_keep_their_decimals() -> None:
    """What is drawn counts from the middle of the box."""
    picture = picture_of(mesh_of(np.array([[5_000_000.001, 0, 0], [5_000_000.003, 0, 0]]), None, None), 10)
    assert picture.low[0] == 5_000_000.001
    assert picture.vertices[:, 0].tolist() == pytest.approx([-0.001, 0.001], rel=1e-5)


def test_a_cloud_is_thinned_the_same_way_each_time() -> None:
    """So that the steps of one cloud show the same points; colours stay with theirs."""
    cloud = np.arange(3000, dtype=np.float32).reshape(1000, 3)
    colors = np.repeat(np.arange(1000) % 256, 3).reshape(1000, 3).astype(np.uint8)
    first, second = (picture_of(mesh_of(cloud + shift, None, colors), 100) for shift in (0, 5))
    assert first.vertices.tolist() == second.vertices.tolist()
    assert (first.low + 5).tolist() == second.low.tolist()
    assert (len(first.vertices), first.held, first.flags) == (100, 1000, THINNED | COLORED)
    assert first.colors is not None
    assert first.colors[:, 0].tolist() == [
        round(x) // 3 % 256 for x in first.vertices[:, 0] + (first.low + first.high)[0] / 2
    ]


def test_of_too_many_faces_the_points_are_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    """And that is said."""
    monkeypatch.setattr(meshes, "MAX_FACES", 1)
    picture = picture_of(mesh_of(SQUARE, HALVES, None), 10)
    assert (len(picture.vertices), len(picture.faces), picture.held_faces, picture.flags) == (4, 0, 2, FACELESS)


def test_colours_of_another_number_are_left_out() -> None:
    """And that is said."""
    picture = picture_of(mesh_of(SQUARE, None, RED[:3]), 10)
    assert (picture.colors, picture.flags) == (None, MISCOLORED)


def test_the_block() -> None:
    """Head, box, points, faces, colours."""
    block = b"".join(block_of(picture_of(mesh_of(SQUARE * 2, HALVES, RED), 10)))
    assert struct.unpack_from("<8I6d", block) == (4, 2, 4, 2, 0, 0, COLORED, 0, -2, -2, 0, 2, 2, 0)
    assert block[80:] == (SQUARE * 2).tobytes() + HALVES.astype("<u4").tobytes() + RED.tobytes()


def test_a_ply_file_has_all_of_it() -> None:
    """Broken vertices and faces as they are."""
    vertices = SQUARE.copy()
    vertices[3, 0] = np.nan
    file = b"".join(ply_of(mesh_of(vertices, np.array([[0, 1, 9]]), RED)))
    head, _, body = file.partition(b"end_header\n")
    assert head.decode().split("\n") == [
        *("ply", "format binary_little_endian 1.0", "element vertex 4"),
        *(f"property float {axis}" for axis in "xyz"),
        *(f"property uchar {name}" for name in ("red", "green", "blue")),
        *("element face 1", "property list uchar int vertex_indices", ""),
    ]
    points = b"".join(struct.pack("<3f3B", *row, 255, 0, 0) for row in vertices.tolist())
    assert body == points + struct.pack("<B3i", 3, 0, 1, 9)


def test_a_cloud_of_doubles_stays_exact() -> None:
    """No face, no colour, eight bytes a number."""
    file = b"".join(ply_of(mesh_of(np.array([[0.1, 0.2, 0.3]]), None, None)))
    assert file.endswith(b"property double z\nend_header\n" + struct.pack("<3d", 0.1, 0.2, 0.3))
