"""Scalars in every form found in the wild, and what is no scalar."""

import math
import struct
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from columns import points, references, values

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

Decoded = Callable[..., Any]
SCALARS = summary_metadata("scalars")
FLOAT32_TENTH = struct.unpack("<f", struct.pack("<f", 0.1))[0]


def one(impl: SimpleNamespace, decoded: Decoded, proto: bytes, metadata: bytes = SCALARS) -> Any:
    """The value of a tensor, or the form it has instead."""
    decoder = decoded(tensor_record("a", 1, proto, metadata=metadata))
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
def test_every_numeric_type(
    impl: SimpleNamespace,
    decoded: Decoded,
    dtype: int,
    written: float,
    read: float,
    shape: tuple[int, ...] | None,
    content: bool,
) -> None:
    """As numbers or as raw bytes, with a shape or without; integers beyond 2^53 round to the nearest double."""
    proto = tensor(dtype, [written], shape=shape, content=content)
    assert one(impl, decoded, proto) == read
    assert one(impl, decoded, proto, b"") == read


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
def test_half(impl: SimpleNamespace, decoded: Decoded, bits: int, number: float) -> None:
    """Sixteen bits, sign-extended or not; and the float32 patterns that torch writes in the same field."""
    assert one(impl, decoded, tensor(HALF, [bits])) == number


def test_half_from_content(impl: SimpleNamespace, decoded: Decoded) -> None:
    """Raw bytes are plain halves."""
    assert one(impl, decoded, tensor(HALF, [0.1], content=True)) == struct.unpack("<e", struct.pack("<e", 0.1))[0]


@pytest.mark.parametrize(("bits", "number"), [(0x3F80, 1.0), (0xC020, -2.5), (0x40200000, 2.5), (0x7F80, math.inf)])
def test_bfloat16(impl: SimpleNamespace, decoded: Decoded, bits: int, number: float) -> None:
    """The upper half of a float32, or by torch the whole of it."""
    assert one(impl, decoded, tensor(BFLOAT16, [bits])) == number


def test_bfloat16_from_content(impl: SimpleNamespace, decoded: Decoded) -> None:
    """Raw bytes are the upper half."""
    assert one(impl, decoded, tensor(BFLOAT16, [0xC020], content=True)) == -2.5


@pytest.mark.parametrize("field", [7, 10, 16, 17])
@pytest.mark.parametrize("dtype", [INT32, UINT8, INT16, INT8, INT64, UINT16, UINT32, UINT64])
def test_integers_in_any_integer_field(impl: SimpleNamespace, decoded: Decoded, dtype: int, field: int) -> None:
    """torch writes uint8 as uint32; any integer field will do for any integer type."""
    assert one(impl, decoded, varint_field(1, dtype) + varint_field(field, 77)) == 77.0
    assert one(impl, decoded, varint_field(1, dtype) + bytes_field(field, b"\x4d")) == 77.0


def test_unpacked_numbers(impl: SimpleNamespace, decoded: Decoded) -> None:
    """Numbers written one by one are read like packed ones."""
    assert one(impl, decoded, varint_field(1, FLOAT) + files.float_field(5, 1.5)) == 1.5
    assert one(impl, decoded, varint_field(1, DOUBLE) + files.double_field(6, 0.1)) == 0.1


def test_content_goes_before_numbers(impl: SimpleNamespace, decoded: Decoded) -> None:
    """A tensor with both is read from its bytes."""
    proto = tensor(FLOAT, [2.0], content=True) + files.float_field(5, 1.0)
    assert one(impl, decoded, proto) == 2.0


def test_a_tensor_without_numbers_is_zero(impl: SimpleNamespace, decoded: Decoded) -> None:
    """TensorFlow fills what is missing with zeros."""
    assert one(impl, decoded, tensor(FLOAT, [])) == 0.0
    assert one(impl, decoded, tensor(INT64, [], shape=None)) == 0.0


NO_SCALARS = {
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


@pytest.mark.parametrize("proto", NO_SCALARS.values(), ids=NO_SCALARS.keys())
def test_what_is_no_scalar_is_a_reference(impl: SimpleNamespace, decoded: Decoded, proto: bytes) -> None:
    """It is kept as a place in the file, so nothing is lost, and nothing is made up."""
    assert one(impl, decoded, proto) == "reference"
    assert one(impl, decoded, proto, b"") == "reference"


@pytest.mark.parametrize("shape", [(1,), (1, 1)])
def test_one_element_is_a_scalar_where_described_as_one(
    impl: SimpleNamespace, decoded: Decoded, shape: tuple[int, ...]
) -> None:
    """A tensor of shape [1] is a scalar for the scalars plugin, and otherwise a tensor."""
    proto = tensor(FLOAT, [1.5], shape=shape)
    assert one(impl, decoded, proto) == 1.5
    assert one(impl, decoded, proto, b"") == "reference"
    assert one(impl, decoded, proto, summary_metadata("mine", data_class=1)) == 1.5
    assert one(impl, decoded, proto, summary_metadata("mine", data_class=2)) == "reference"


def test_a_malformed_tensor_is_damage(impl: SimpleNamespace, decoded: Decoded) -> None:
    """Numbers that end in the middle are reported, whether the tensor is described or not."""
    for metadata in (SCALARS, b""):
        decoder = decoded(tensor_record("a", 1, varint_field(1, FLOAT) + bytes_field(5, b"abc"), metadata=metadata))
        assert (decoder.series_count(), len(decoder.damage())) == (0, 1)


def test_values_that_fit_stay_float32(impl: SimpleNamespace, decoded: Decoded) -> None:
    """Twenty bytes a point."""
    decoder = decoded(*(scalar_record("a", i, 0.1) for i in range(10)))
    assert (values(impl, decoder), decoder.size_bytes) == ([FLOAT32_TENTH] * 10, 200)


def test_one_value_that_does_not_fit_makes_the_column_float64(impl: SimpleNamespace, decoded: Decoded) -> None:
    """No value is ever rounded, those before and those after neither."""
    written = [0.5, math.nan, 0.1, 3.0, 1e300]
    decoder = decoded(*(tensor_record("a", i, tensor(DOUBLE, [v]), metadata=SCALARS) for i, v in enumerate(written)))
    read = values(impl, decoder)
    assert [value for value in read if value == value] == [0.5, 0.1, 3.0, 1e300]
    assert math.isnan(read[1])
    assert decoder.size_bytes == 120


def test_doubles_that_fit_need_no_float64(decoded: Decoded) -> None:
    """Double precision costs nothing where it is not used."""
    written = [0.5, math.inf, -math.inf, math.nan, 2.0**-149, 3.4028234663852886e38]
    decoder = decoded(*(tensor_record("a", i, tensor(DOUBLE, [v]), metadata=SCALARS) for i, v in enumerate(written)))
    assert decoder.size_bytes == 20 * len(written)


def test_non_finite_values_are_points(impl: SimpleNamespace, decoded: Decoded) -> None:
    """NaN and infinities are kept in place."""
    read = values(
        impl, decoded(*(scalar_record("a", i, v) for i, v in enumerate([math.nan, math.inf, -math.inf, 1.0])))
    )
    assert math.isnan(read[0])
    assert read[1:] == [math.inf, -math.inf, 1.0]


def test_repeated_and_backward_steps_are_kept(impl: SimpleNamespace, decoded: Decoded) -> None:
    """Order is the order of the file."""
    written = [5, 5, 3, 9, 0]
    decoder = decoded(files.version_record(), *(scalar_record("a", step, 1.0) for step in written))
    assert [point[0] for point in points(impl, [(decoder, 0)])] == written


def test_a_simple_value_is_a_scalar_whatever_its_metadata(decoded: Decoded) -> None:
    """TensorBoard rewrites it with metadata of its own."""
    decoder = decoded(scalar_record("a", 0, 1.0, metadata=summary_metadata("text")))
    assert decoder.describe(0) == ("a", "scalars", "scalar", summary_metadata("text"), 1)


def test_metadata_on_the_first_value_describes_the_others(impl: SimpleNamespace, decoded: Decoded) -> None:
    """Writers that strip it from later values are understood; later metadata of the tag is ignored."""
    metadata = summary_metadata("scalars", display_name="Loss", description="*mean*")
    one_element = tensor(FLOAT, [1.0], shape=(1,))
    decoder = decoded(
        tensor_record("a", 0, one_element, metadata=metadata),
        tensor_record("a", 1, one_element),
        tensor_record("a", 2, one_element, metadata=summary_metadata("text")),
    )
    assert decoder.describe(0) == ("a", "scalars", "scalar", metadata, 1)
    assert values(impl, decoder) == [1.0, 1.0, 1.0]


def test_metadata_that_comes_late_still_describes(decoded: Decoded) -> None:
    """A tensor nobody described is "" until somebody does."""
    decoder = decoded(tensor_record("a", 0, tensor(FLOAT, [1.0])))
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
def test_data_classes(decoded: Decoded, plugin: str, written: int, expected: int) -> None:
    """What the metadata says, else what the plugin is known to use, else nothing."""
    metadata = summary_metadata(plugin, data_class=written)
    described = decoded(tensor_record("a", 0, tensor(FLOAT, [1.0, 2.0], shape=(2,)), metadata=metadata)).describe(0)
    assert (described.plugin, described.form, described.data_class) == (plugin, "reference", expected)


def test_a_number_of_another_plugin_is_a_reference(decoded: Decoded) -> None:
    """A rank-0 tensor that belongs to somebody else is left to them."""
    described = decoded(tensor_record("a", 0, tensor(FLOAT, [1.0]), metadata=summary_metadata("tensor"))).describe(0)
    assert (described.plugin, described.form) == ("tensor", "reference")


def test_every_other_kind_is_referred_to(impl: SimpleNamespace, decoded: Decoded) -> None:
    """Where each lies in the file, how long it is, when it came, which kind it is."""
    found = {
        "img": ("images", files.image_value("img", b"png")),
        "snd": ("audio", files.audio_value("snd", b"wav")),
        "hist": ("histograms", files.histogram_value("hist", [0.0, 1.0], [3.0, 4.0])),
        "txt": ("text", tensor_value("txt", tensor(STRING, [b"hi"]), summary_metadata("text"))),
    }
    prefix = files.version_record()
    frame = summary_record([value for _, value in found.values()], step=7, wall_time=2.5)
    data = prefix + frame
    decoder = decoded(data)
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
def test_graphs_are_referred_to(
    impl: SimpleNamespace, decoded: Decoded, make: Any, tag: str, plugin: str, data_class: int
) -> None:
    """The reference is the serialized graph or run metadata itself."""
    data = files.version_record() + make(b"serialized graph", step=3, wall_time=1.5)
    decoder = decoded(data)
    assert decoder.describe(0) == (tag, plugin, "reference", b"", data_class)
    (reference,) = references(impl, [(decoder, 0)])
    assert data[reference.offset : reference.offset + reference.length] == b"serialized graph"
    assert (reference.step, reference.wall) == (3, 1.5)


def test_a_value_of_metadata_alone_is_a_reference(decoded: Decoded) -> None:
    """Hyper-parameters live in the metadata; a value without both is nothing."""
    metadata = summary_metadata("hparams", b"content")
    decoder = decoded(summary_record([bare_value("h", metadata), bare_value("nothing")]))
    assert decoder.series_count() == 1
    assert decoder.describe(0) == ("h", "hparams", "reference", metadata, 2)


def test_a_tag_may_be_both(impl: SimpleNamespace, decoded: Decoded) -> None:
    """A scalar series and a reference series of one tag do not mix."""
    decoder = decoded(summary_record([scalar_value("a", 1.0), files.image_value("a", b"png"), scalar_value("a", 2.0)]))
    assert [decoder.describe(i)[:3] for i in range(2)] == [("a", "scalars", "scalar"), ("a", "images", "reference")]
    assert (values(impl, decoder), decoder.lengths([0, 1])) == ([1.0, 2.0], [2, 1])


def test_functions_on_parts_want_the_right_form(impl: SimpleNamespace, decoded: Decoded) -> None:
    """ValueError for a series of the other form, IndexError for none."""
    decoder = decoded(summary_record([scalar_value("a", 1.0), files.image_value("a", b"png")]))
    for ask, index in ((impl.series_points, 1), (impl.series_stats, 1), (impl.references, 0)):
        with pytest.raises(ValueError, match="other form"):
            ask([(decoder, index)], False)
        with pytest.raises(IndexError):
            ask([(decoder, 2)], False)
