"""Scalars in every form that writers produce, and values that are not scalars."""

import math
import struct
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from lightboard.testing import event_files as files
from lightboard.testing.event_files import (
    BFLOAT16,
    BOOL,
    DOUBLE,
    FLOAT,
    HALF,
    INT8,
    INT16,
    INT32,
    INT64,
    STRING,
    UINT8,
    UINT16,
    UINT32,
    UINT64,
    bare_value,
    bytes_field,
    scalar_record,
    scalar_value,
    summary_metadata,
    summary_record,
    tensor,
    tensor_record,
    tensor_value,
    varint_field,
)
from support.series_columns import points, references, values

Decode = Callable[..., Any]
SCALARS = summary_metadata("scalars")
FLOAT32_TENTH = struct.unpack("<f", struct.pack("<f", 0.1))[0]


def value_or_form(impl: SimpleNamespace, decode: Decode, proto: bytes, metadata: bytes = SCALARS) -> Any:
    """The value of a scalar tensor, or the form of the series."""
    decoder = decode(tensor_record("a", 1, proto, metadata=metadata))
    form = decoder.describe(0).form
    return values(impl, decoder)[0] if form == "scalar" else form


NUMBERS = [
    (FLOAT, 0.1, FLOAT32_TENTH),
    (FLOAT, -1.5, -1.5),
    (DOUBLE, 0.1, 0.1),
    (INT32, -(1 << 31), -(2.0**31)),
    (UINT8, 200, 200.0),
    (INT16, -300, -300.0),
    (INT8, -5, -5.0),
    (INT64, -(1 << 62), -(2.0**62)),
    (INT64, (1 << 53) + 1, 2.0**53),
    (BOOL, 1, 1.0),
    (BOOL, 0, 0.0),
    (UINT16, 65535, 65535.0),
    (UINT32, (1 << 32) - 1, 2.0**32 - 1),
    (UINT64, (1 << 64) - 1, 2.0**64),
]


@pytest.mark.parametrize("content", [False, True])
@pytest.mark.parametrize("shape", [(), None])
@pytest.mark.parametrize(("dtype", "written", "read"), NUMBERS)
def test_all_numeric_types_are_read(
    impl: SimpleNamespace,
    decode: Decode,
    dtype: int,
    written: float,
    read: float,
    shape: tuple[int, ...] | None,
    content: bool,
) -> None:
    """As numbers or raw bytes, with or without a shape. Integers beyond 2^53 round to the nearest double."""
    proto = tensor(dtype, [written], shape=shape, content=content)
    assert value_or_form(impl, decode, proto) == read
    assert value_or_form(impl, decode, proto, b"") == read


@pytest.mark.parametrize(
    ("bits", "number"),
    [
        (0x3C00, 1.0),
        (0xBC00, -1.0),
        (0x7BFF, 65504.0),
        (0x0001, 2.0**-24),
        (0x83FF, -1023 * 2.0**-24),
        (0x7C00, math.inf),
        (0xFC00, -math.inf),
        (0x0000, 0.0),
        (0x3C00 - 0x10000 + 0xC000, struct.unpack("<e", struct.pack("<H", 0xFC00))[0]),
        (struct.unpack("<I", struct.pack("<f", 0.1))[0], FLOAT32_TENTH),
        (struct.unpack("<I", struct.pack("<f", -2.5))[0], -2.5),
        (struct.unpack("<i", struct.pack("<f", -2.5))[0], -2.5),
    ],
)
def test_halves_are_read(impl: SimpleNamespace, decode: Decode, bits: int, number: float) -> None:
    """Sixteen bits, sign-extended or not, and the float32 bits that torch writes in that field."""
    assert value_or_form(impl, decode, tensor(HALF, [bits])) == number


def test_halves_are_read_from_content(impl: SimpleNamespace, decode: Decode) -> None:
    """Raw bytes are plain halves."""
    assert (
        value_or_form(impl, decode, tensor(HALF, [0.1], content=True)) == struct.unpack("<e", struct.pack("<e", 0.1))[0]
    )


@pytest.mark.parametrize(("bits", "number"), [(0x3F80, 1.0), (0xC020, -2.5), (0x40200000, 2.5), (0x7F80, math.inf)])
def test_bfloat16_is_read(impl: SimpleNamespace, decode: Decode, bits: int, number: float) -> None:
    """The upper half of a float32, or all of it, as torch writes it."""
    assert value_or_form(impl, decode, tensor(BFLOAT16, [bits])) == number


def test_bfloat16_is_read_from_content(impl: SimpleNamespace, decode: Decode) -> None:
    """Raw bytes are the upper half of a float32."""
    assert value_or_form(impl, decode, tensor(BFLOAT16, [0xC020], content=True)) == -2.5


@pytest.mark.parametrize("field", [7, 10, 16, 17])
@pytest.mark.parametrize("dtype", [INT32, UINT8, INT16, INT8, INT64, UINT16, UINT32, UINT64])
def test_integers_may_be_in_any_integer_field(impl: SimpleNamespace, decode: Decode, dtype: int, field: int) -> None:
    """torch writes uint8 as uint32, for example."""
    assert value_or_form(impl, decode, varint_field(1, dtype) + varint_field(field, 77)) == 77.0
    assert value_or_form(impl, decode, varint_field(1, dtype) + bytes_field(field, b"\x4d")) == 77.0


def test_unpacked_numbers_are_read(impl: SimpleNamespace, decode: Decode) -> None:
    """Like packed ones."""
    assert value_or_form(impl, decode, varint_field(1, FLOAT) + files.float_field(5, 1.5)) == 1.5
    assert value_or_form(impl, decode, varint_field(1, DOUBLE) + files.double_field(6, 0.1)) == 0.1


def test_content_takes_precedence_over_numbers(impl: SimpleNamespace, decode: Decode) -> None:
    """If a tensor has both."""
    proto = tensor(FLOAT, [2.0], content=True) + files.float_field(5, 1.0)
    assert value_or_form(impl, decode, proto) == 2.0


def test_tensors_without_numbers_are_zero(impl: SimpleNamespace, decode: Decode) -> None:
    """TensorFlow fills missing numbers with zeros."""
    assert value_or_form(impl, decode, tensor(FLOAT, [])) == 0.0
    assert value_or_form(impl, decode, tensor(INT64, [], shape=None)) == 0.0


NOT_SCALARS = {
    "string": tensor(STRING, [b"text"]),
    "no type": files.float_field(5, 1.0),
    "two numbers": tensor(FLOAT, [1.0, 2.0]),
    "two in the shape": tensor(FLOAT, [1.0], shape=(2,)),
    "none in the shape": tensor(FLOAT, [], shape=(0,)),
    "unknown size": tensor(FLOAT, [1.0], shape=(-1,)),
    "too much content": varint_field(1, FLOAT) + bytes_field(4, bytes(8)),
    "too little content": varint_field(1, DOUBLE) + bytes_field(4, bytes(4)),
    "numbers of another type": varint_field(1, FLOAT) + files.double_field(6, 1.0),
    "complex": varint_field(1, 8) + bytes_field(9, bytes(8)),
    "an unknown type": varint_field(1, 99) + files.float_field(5, 1.0),
}


@pytest.mark.parametrize("proto", NOT_SCALARS.values(), ids=NOT_SCALARS.keys())
def test_other_tensors_are_references(impl: SimpleNamespace, decode: Decode, proto: bytes) -> None:
    """They are kept as positions in the file."""
    assert value_or_form(impl, decode, proto) == "reference"
    assert value_or_form(impl, decode, proto, b"") == "reference"


@pytest.mark.parametrize("shape", [(1,), (1, 1)])
def test_single_elements_are_scalars_if_metadata_says_so(
    impl: SimpleNamespace, decode: Decode, shape: tuple[int, ...]
) -> None:
    """A tensor of shape [1] is a scalar for the scalars plugin or data class, otherwise a tensor."""
    proto = tensor(FLOAT, [1.5], shape=shape)
    assert value_or_form(impl, decode, proto) == 1.5
    assert value_or_form(impl, decode, proto, b"") == "reference"
    assert value_or_form(impl, decode, proto, summary_metadata("mine", data_class=1)) == 1.5
    assert value_or_form(impl, decode, proto, summary_metadata("mine", data_class=2)) == "reference"


def test_malformed_tensors_are_damage(impl: SimpleNamespace, decode: Decode) -> None:
    """With or without metadata."""
    for metadata in (SCALARS, b""):
        decoder = decode(tensor_record("a", 1, varint_field(1, FLOAT) + bytes_field(5, b"abc"), metadata=metadata))
        assert (decoder.series_count(), len(decoder.damage())) == (0, 1)


def test_values_that_fit_stay_float32(impl: SimpleNamespace, decode: Decode) -> None:
    """20 bytes per point."""
    decoder = decode(*(scalar_record("a", i, 0.1) for i in range(10)))
    assert (values(impl, decoder), decoder.size_bytes) == ([FLOAT32_TENTH] * 10, 200)


def test_one_double_makes_the_column_float64(impl: SimpleNamespace, decode: Decode) -> None:
    """No value is rounded, before it or after."""
    written = [0.5, math.nan, 0.1, 3.0, 1e300]
    decoder = decode(*(tensor_record("a", i, tensor(DOUBLE, [v]), metadata=SCALARS) for i, v in enumerate(written)))
    read = values(impl, decoder)
    assert [value for value in read if value == value] == [0.5, 0.1, 3.0, 1e300]
    assert math.isnan(read[1])
    assert decoder.size_bytes == 120


def test_doubles_that_fit_are_stored_as_float32(decode: Decode) -> None:
    """Double precision costs nothing unless it is used."""
    written = [0.5, math.inf, -math.inf, math.nan, 2.0**-149, 3.4028234663852886e38]
    decoder = decode(*(tensor_record("a", i, tensor(DOUBLE, [v]), metadata=SCALARS) for i, v in enumerate(written)))
    assert decoder.size_bytes == 20 * len(written)


def test_nonfinite_values_are_kept(impl: SimpleNamespace, decode: Decode) -> None:
    """NaN and infinities, in their order."""
    read = values(impl, decode(*(scalar_record("a", i, v) for i, v in enumerate([math.nan, math.inf, -math.inf, 1.0]))))
    assert math.isnan(read[0])
    assert read[1:] == [math.inf, -math.inf, 1.0]


def test_repeated_and_backward_steps_are_kept(impl: SimpleNamespace, decode: Decode) -> None:
    """In the order of the file."""
    written = [5, 5, 3, 9, 0]
    decoder = decode(files.version_record(), *(scalar_record("a", step, 1.0) for step in written))
    assert [point[0] for point in points(impl, [(decoder, 0)])] == written


def test_simple_values_are_scalars_whatever_their_metadata(decode: Decode) -> None:
    """TensorBoard replaces it."""
    decoder = decode(scalar_record("a", 0, 1.0, metadata=summary_metadata("text")))
    assert decoder.describe(0) == ("a", "scalars", "scalar", summary_metadata("text"), 1)


def test_the_first_metadata_describes_all_values(impl: SimpleNamespace, decode: Decode) -> None:
    """Writers omit it later; if they do not, it is ignored."""
    metadata = summary_metadata("scalars", display_name="Loss", description="*mean*")
    one_element = tensor(FLOAT, [1.0], shape=(1,))
    decoder = decode(
        tensor_record("a", 0, one_element, metadata=metadata),
        tensor_record("a", 1, one_element),
        tensor_record("a", 2, one_element, metadata=summary_metadata("text")),
    )
    assert decoder.describe(0) == ("a", "scalars", "scalar", metadata, 1)
    assert values(impl, decoder) == [1.0, 1.0, 1.0]


def test_late_metadata_is_used(decode: Decode) -> None:
    """Until then the plugin of the tensor is ""."""
    decoder = decode(tensor_record("a", 0, tensor(FLOAT, [1.0])))
    assert decoder.describe(0) == ("a", "", "scalar", b"", 0)
    decoder.feed(tensor_record("a", 1, tensor(FLOAT, [1.0]), metadata=SCALARS))
    assert decoder.describe(0) == ("a", "scalars", "scalar", SCALARS, 1)


@pytest.mark.parametrize(
    ("plugin", "written", "expected"),
    [
        ("scalars", 0, 1),
        ("histograms", 0, 2),
        ("text", 0, 2),
        ("hparams", 0, 2),
        ("pr_curves", 0, 2),
        ("mesh", 0, 2),
        ("custom_scalars", 0, 2),
        ("images", 0, 3),
        ("audio", 0, 3),
        ("graph_run_metadata", 0, 3),
        ("graph_run_metadata_graph", 0, 3),
        ("graph_keras_model", 0, 3),
        ("tensor", 0, 0),
        ("mine", 2, 2),
        ("text", 3, 3),
    ],
)
def test_data_classes_default_to_those_of_the_plugin(decode: Decode, plugin: str, written: int, expected: int) -> None:
    """The metadata decides if it has one; unknown plugins have none."""
    metadata = summary_metadata(plugin, data_class=written)
    described = decode(tensor_record("a", 0, tensor(FLOAT, [1.0, 2.0], shape=(2,)), metadata=metadata)).describe(0)
    assert (described.plugin, described.form, described.data_class) == (plugin, "reference", expected)


def test_scalars_of_other_plugins_are_references(decode: Decode) -> None:
    """Even tensors of rank 0."""
    described = decode(tensor_record("a", 0, tensor(FLOAT, [1.0]), metadata=summary_metadata("tensor"))).describe(0)
    assert (described.plugin, described.form) == ("tensor", "reference")


def test_other_kinds_are_references(impl: SimpleNamespace, decode: Decode) -> None:
    """With offset, length, step and wall time."""
    found = {
        "img": ("images", files.image_value("img", b"png")),
        "snd": ("audio", files.audio_value("snd", b"wav")),
        "hist": ("histograms", files.histogram_value("hist", [0.0, 1.0], [3.0, 4.0])),
        "txt": ("text", tensor_value("txt", tensor(STRING, [b"hi"]), summary_metadata("text"))),
    }
    prefix = files.version_record()
    frame = summary_record([value for _, value in found.values()], step=7, wall_time=2.5)
    data = prefix + frame
    decoder = decode(data)
    for index, (tag, (plugin, value)) in enumerate(found.items()):
        described = decoder.describe(index)
        assert (described.tag, described.plugin, described.form) == (tag, plugin, "reference")
        (reference,) = references(impl, [(decoder, index)])
        assert data[reference.offset : reference.offset + reference.length] == value
        assert (reference.part, reference.step, reference.wall) == (0, 7, 2.5)
    assert (decoder.points, decoder.size_bytes) == (0, 32 * len(found))


@pytest.mark.parametrize(
    ("make", "tag", "plugin", "data_class"),
    [
        (files.graph_record, "__run_graph__", "graphs", 3),
        (files.meta_graph_record, "__meta_graph__", "meta_graph", 0),
        (lambda blob, **when: files.tagged_run_metadata_record("t", blob, **when), "t", "graph_tagged_run_metadata", 3),
    ],
)
def test_graphs_are_references(
    impl: SimpleNamespace, decode: Decode, make: Any, tag: str, plugin: str, data_class: int
) -> None:
    """To the serialized graph or run metadata itself."""
    data = files.version_record() + make(b"serialized graph", step=3, wall_time=1.5)
    decoder = decode(data)
    assert decoder.describe(0) == (tag, plugin, "reference", b"", data_class)
    (reference,) = references(impl, [(decoder, 0)])
    assert data[reference.offset : reference.offset + reference.length] == b"serialized graph"
    assert (reference.step, reference.wall) == (3, 1.5)


def test_values_with_only_metadata_are_references(decode: Decode) -> None:
    """Hyperparameters are stored in metadata. A value with neither is ignored."""
    metadata = summary_metadata("hparams", b"content")
    decoder = decode(summary_record([bare_value("h", metadata), bare_value("nothing")]))
    assert decoder.series_count() == 1
    assert decoder.describe(0) == ("h", "hparams", "reference", metadata, 2)


def test_a_tag_may_have_scalars_and_references(impl: SimpleNamespace, decode: Decode) -> None:
    """As two series."""
    decoder = decode(summary_record([scalar_value("a", 1.0), files.image_value("a", b"png"), scalar_value("a", 2.0)]))
    assert [decoder.describe(i)[:3] for i in range(2)] == [("a", "scalars", "scalar"), ("a", "images", "reference")]
    assert (values(impl, decoder), decoder.lengths([0, 1])) == ([1.0, 2.0], [2, 1])


def test_functions_on_parts_check_the_form(impl: SimpleNamespace, decode: Decode) -> None:
    """ValueError for the other form, IndexError for an unknown series."""
    decoder = decode(summary_record([scalar_value("a", 1.0), files.image_value("a", b"png")]))
    for ask, index in ((impl.series_points, 1), (impl.series_stats, 1), (impl.references, 0)):
        with pytest.raises(ValueError, match="wrong form"):
            ask([(decoder, index)], False)
        with pytest.raises(IndexError):
            ask([(decoder, 2)], False)
