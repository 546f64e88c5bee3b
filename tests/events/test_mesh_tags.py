"""What the metadata of a series says of the mesh it is a part of."""

import pytest

from lightboard.events.meshtags import ALL_COMPONENTS, MAX_CONFIG, MeshTag, mesh_tag
from lightboard.testing.event_files import bytes_field, summary_metadata, varint, varint_field


def told(tag: str, *content: bytes) -> MeshTag:
    return mesh_tag(tag, summary_metadata("mesh", b"".join(content)))


def test_everything_that_is_said() -> None:
    """Sizes packed, as TensorFlow writes them."""
    found = told(
        "solid_FACE",
        bytes_field(2, b"solid"),
        varint_field(3, 2),
        bytes_field(5, b'{"camera": {}}'),
        bytes_field(6, b"".join(map(varint, (-1, 4, 3)))),
        varint_field(7, 6),
    )
    assert found == MeshTag("solid", "face", 0, 6, (-1, 4, 3), '{"camera": {}}')


def test_sizes_one_by_one_and_no_components() -> None:
    """As old writers have it."""
    found = told("x", bytes_field(2, b"x"), varint_field(3, 1), *(varint_field(6, n) for n in (1, 2, 3)))
    assert found == MeshTag("x", "vertex", 0, ALL_COMPONENTS, (1, 2, 3), "")


@pytest.mark.parametrize(
    ("tag", "name"), [("a/solid_VERTEX", "a/solid"), ("x_color", "x"), ("_FACE", "_FACE"), ("cloud_1", "cloud_1")]
)
def test_without_a_name_the_tag_gives_it(tag: str, name: str) -> None:
    """Less the end that says which part it is."""
    assert told(tag, varint_field(3, 3)).name == name


@pytest.mark.parametrize("metadata", [b"", b"\xff\xff", b"\x0a\x05\x12\x03\x10"])
def test_malformed_metadata_says_nothing(metadata: bytes) -> None:
    """No part, no shape."""
    assert mesh_tag("x", metadata) == MeshTag("x", None, 0, ALL_COMPONENTS, (), "")


def test_a_part_nobody_knows() -> None:
    """Is none."""
    assert [told("x", varint_field(3, kind)).part for kind in (0, 4, 2**40)] == [None] * 3


def test_a_scene_that_is_too_long_is_left_out() -> None:
    """Nothing is parsed that would take so long."""
    assert told("x", bytes_field(5, b" " * (MAX_CONFIG + 1))).config == ""
