"""The projector's config in protobuf's text format, from writers and by hand."""

import pytest

from lightboard.events import projector_config
from lightboard.events.projector_config import Embedding, ProjectorConfig, Sprite, parse_config

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


def names_of(config: ProjectorConfig) -> list[str]:
    return [one.name for one in config.embeddings]


def test_configs_of_torch_are_read() -> None:
    """With the sprite image."""
    sprite = Sprite("00003/default/sprite.png", (8, 9))
    one = Embedding("default:00003", "00003/default/tensors.tsv", "00003/default/metadata.tsv", "", (), sprite)
    assert parse_config(TORCH) == ProjectorConfig("", "", [one], "")


def test_all_fields_of_a_config_are_read() -> None:
    """Shape, bookmarks and checkpoint as well."""
    one = 'embeddings { tensor_shape: 3 tensor_shape: 4 bookmarks_path: "c" }'
    text = f'model_checkpoint_path: "a" model_checkpoint_dir: "b" {one}'.encode()
    assert parse_config(text) == ProjectorConfig("a", "b", [Embedding("", "", "", "c", (3, 4), None)], "")


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
def test_the_text_format_of_protobuf_is_parsed(text: str) -> None:
    """Both kinds of brackets, escapes, comments, adjacent strings, unknown fields."""
    config = parse_config(text.encode())
    assert (names_of(config), config.problem) == (["a"], "")


def test_escapes_are_decoded_as_bytes() -> None:
    """Protobuf writes non-ASCII text in octal, byte by byte."""
    assert names_of(parse_config(rb'embeddings { tensor_name: "\320\272\n\"\x41" }')) == ['к\n"A']


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
def test_malformed_configs_keep_what_was_parsed(text: bytes, names: list[str], problem: str) -> None:
    """And report one problem."""
    config = parse_config(text)
    assert (names_of(config), config.problem) == (names, problem)


def test_invalid_dimensions_are_zero() -> None:
    """Numbers beyond 32 bits, and negative ones."""
    text = b"embeddings { tensor_shape: 99999999999999999999999 tensor_shape: -1 tensor_shape: 7 }"
    assert parse_config(text).embeddings[0].shape == (0, 0, 7)


def test_configs_are_limited() -> None:
    """In bytes and in the number of tensors."""
    many = b"embeddings { }" * (projector_config.MAX_EMBEDDINGS + 1)
    assert len(parse_config(many).embeddings) == projector_config.MAX_EMBEDDINGS
    assert parse_config(b"#" * (projector_config.MAX_BYTES + 1)).problem == "the config is longer than 4 MB"
