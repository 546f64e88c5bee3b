"""Mesh metadata of a tag: name, part, components, shape and scene."""

import pytest

from lightboard.events.mesh_tags import ALL_COMPONENTS, MAX_CONFIG, MeshTag, mesh_tag
from lightboard.testing.event_files import bytes_field, summary_metadata, varint, varint_field


def tag_of(tag: str, *content: bytes) -> MeshTag:
    return mesh_tag(tag, summary_metadata("mesh", b"".join(content)))


def test_all_fields_are_read() -> None:
    """Shapes are packed, as TensorFlow writes them."""
    found = tag_of(
        "solid_FACE",
        bytes_field(2, b"solid"),
        varint_field(3, 2),
        bytes_field(5, b'{"camera": {}}'),
        bytes_field(6, b"".join(map(varint, (-1, 4, 3)))),
        varint_field(7, 6),
    )
    assert found == MeshTag("solid", "face", 0, 6, (-1, 4, 3), '{"camera": {}}')


def test_unpacked_shapes_and_missing_components_are_read() -> None:
    """As old writers store them."""
    found = tag_of("x", bytes_field(2, b"x"), varint_field(3, 1), *(varint_field(6, n) for n in (1, 2, 3)))
    assert found == MeshTag("x", "vertex", 0, ALL_COMPONENTS, (1, 2, 3), "")


@pytest.mark.parametrize(
    ("tag", "name"), [("a/solid_VERTEX", "a/solid"), ("x_color", "x"), ("_FACE", "_FACE"), ("cloud_1", "cloud_1")]
)
def test_missing_names_are_taken_from_the_tag(tag: str, name: str) -> None:
    """Without the suffix of the part."""
    assert tag_of(tag, varint_field(3, 3)).name == name


@pytest.mark.parametrize("metadata", [b"", b"\xff\xff", b"\x0a\x05\x12\x03\x10"])
def test_malformed_metadata_is_ignored(metadata: bytes) -> None:
    """No part and no shape."""
    assert mesh_tag("x", metadata) == MeshTag("x", None, 0, ALL_COMPONENTS, (), "")


def test_unknown_parts_are_none() -> None:
    """0 is undefined, 4 and more may come with later versions."""
    assert [tag_of("x", varint_field(3, kind)).part for kind in (0, 4, 2**40)] == [None] * 3


def test_oversized_scenes_are_dropped() -> None:
    """Parsing them would take too long."""
    assert tag_of("x", bytes_field(5, b" " * (MAX_CONFIG + 1))).config == ""
