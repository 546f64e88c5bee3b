"""The projector's config: what writers make of it, and what somebody else may."""

import pytest

from lightboard.events import projector
from lightboard.events.projector import Config, Embedding, Sprite, parse_config

TORCH = b"""
embeddings {
  tensor_name: "default:00003"
  metadata_path: "00003/default/metadata.tsv"
  sprite {
    image_path: "00003/default/sprite.png"
    single_image_dim: 8
    single_image_dim: 9
  }
  tensor_path: "00003/default/tensors.tsv"
}
"""


def named(config: Config) -> list[str]:
    return [one.name for one in config.embeddings]


def test_what_torch_writes_is_read() -> None:
    """With the picture of the points."""
    sprite = Sprite("00003/default/sprite.png", (8, 9))
    one = Embedding("default:00003", "00003/default/tensors.tsv", "00003/default/metadata.tsv", "", (), sprite)
    assert parse_config(TORCH) == Config("", "", [one], "")


def test_every_field_is_read() -> None:
    """Shape, bookmarks and the checkpoint too."""
    one = 'embeddings { tensor_shape: 3 tensor_shape: 4 bookmarks_path: "c" }'
    text = f'model_checkpoint_path: "a" model_checkpoint_dir: "b" {one}'.encode()
    assert parse_config(text) == Config("a", "b", [Embedding("", "", "", "c", (3, 4), None)], "")


@pytest.mark.parametrize(
    "text",
    [
        "embeddings < tensor_name: 'a' >",
        'embeddings: { tensor_name: "a"; }',
        'embeddings { tensor_name: "\\141" } # a remark',
        'unknown: [1, "two"] other { deep { deeper: 1.5e-3 } } embeddings { new_field: TRUE tensor_name: "" "a" }',
        '[ext.ension]: 1 embeddings { tensor_name: "b" tensor_name: "a" }',
    ],
)
def test_the_grammar_is_protobufs(text: str) -> None:
    """Brackets of both kinds, escapes, remarks, joined texts, fields that nobody knows."""
    config = parse_config(text.encode())
    assert (named(config), config.problem) == (["a"], "")


def test_escapes_are_bytes() -> None:
    """Protobuf writes what is not ASCII in octal, byte by byte."""
    assert named(parse_config(rb'embeddings { tensor_name: "\320\272\n\"\x41" }')) == ['к\n"A']


@pytest.mark.parametrize(
    ("text", "names", "problem"),
    [
        (b'embeddings { tensor_name: "a" } embeddings { tensor_name: "b', ["a"], "line 1 of the config makes no sense"),
        (b'embeddings { tensor_name: "a" } embeddings {', ["a"], "the config breaks off"),
        (b"embeddings { tensor_name }", [], "field 'tensor_name' of the config has no value"),
        (b"embeddings { } }", [""], "the config has '}' where a field should begin"),
        (b"a {" * 100, [], "the config is nested too deeply"),
        (b"a: [1, 2", [], "a list of the config does not end"),
        (b"\x00\xff\xfe", [], "line 1 of the config makes no sense"),
    ],
)
def test_what_breaks_off_keeps_what_is_whole(text: bytes, names: list[str], problem: str) -> None:
    """And says what is wrong, whatever the bytes."""
    config = parse_config(text)
    assert (named(config), config.problem) == (names, problem)


def test_a_shape_out_of_this_world_is_no_shape() -> None:
    """Numbers of more than 32 bits, or none, count as 0."""
    text = b"embeddings { tensor_shape: 99999999999999999999999 tensor_shape: -1 tensor_shape: 7 }"
    assert parse_config(text).embeddings[0].shape == (0, 0, 7)


def test_a_config_without_end_is_cut() -> None:
    """At so many bytes, and at so many tensors."""
    many = b"embeddings { }" * (projector.MOST_EMBEDDINGS + 1)
    assert len(parse_config(many).embeddings) == projector.MOST_EMBEDDINGS
    assert parse_config(b"#" * (projector.MOST_BYTES + 1)).problem == "the config is longer than 4 MB"
