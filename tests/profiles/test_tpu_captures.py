"""Captures of TPUs, built from the published schema and not made on such a device."""

import pytest

from lightboard.profiles.breakdown import breakdown_of
from lightboard.profiles.capture import CATEGORIES, HostCapture
from lightboard.profiles.native_xplane import read_xplane as read_native
from lightboard.profiles.operators import operators_of
from lightboard.profiles.tpu_ops import TpuOp, read_tpu_ops
from lightboard.testing.event_files import bytes_field, varint_field
from support.profiles import capture_content, core_module, read_space, small_files, x_space
from support.tpu_captures import operation, text_stat, tpu_space


def test_scopes_and_categories_are_those_of_the_names_of_events() -> None:
    assert [(row.name, row.category, row.scope, row.self_ns) for row in operators_of([read_space(tpu_space())])] == [
        ("all-reduce.2", "communication", "jit(step)/psum", 1_000),
        ("copy.3", "copy", "", 1_000),
        ("fusion.1", "compute", "jit(step)/jvp(layer2)/dot_general", 1_000),
        ("infeed.4", "input", "", 1_000),
    ]


def test_lines_around_operations_show_the_same_time_again() -> None:
    assert [
        (row.device, row.step, row.duration_ns, row.compute_ns, row.communication_ns, row.copy_ns)
        for row in breakdown_of(read_space(tpu_space()))
    ] == [("TPU:0", 7, 10_000, 1_000, 1_000, 1_000)]


def test_the_core_reads_the_same() -> None:
    data = tpu_space()
    native = read_native(core_module(), lambda at, length: data[at : at + length], len(data), small_files())

    assert capture_content(native) == capture_content(read_space(data))


def test_of_names_that_programs_use_differently_nothing_is_known() -> None:
    stats = b"".join(
        bytes_field(5, varint_field(1, key) + bytes_field(2, varint_field(1, key) + bytes_field(2, name)))
        for key, name in ((1, b"tf_op"), (2, b"hlo_category"))
    )
    names = [operation(at, f"%a = {at}", "a", text_stat(1, f"scope{at}"), text_stat(2, "copy")) for at in (1, 2)]
    data = x_space(bytes_field(2, b"/device:TPU:1") + stats + b"".join(names))

    assert read_tpu_ops(lambda at, length: data[at : at + length], len(data)) == {"a": TpuOp("", "copy")}


@pytest.mark.parametrize(
    ("told", "category"),
    [
        ("convolution fusion", "compute"),
        ("data formatting", "compute"),
        ("all-gather", "communication"),
        ("collective-permute", "communication"),
        ("recv-done", "communication"),
        ("copy-start", "copy"),
        ("infeed", "input"),
        ("", None),
    ],
)
def test_categories_of_operations(told: str, category: str | None) -> None:
    index = TpuOp("", told).category_index()

    assert (None if index is None else CATEGORIES[index]) == category


def test_a_capture_that_is_cut_off_is_read_up_to_there() -> None:
    data = tpu_space()
    captures: list[HostCapture] = [read_space(data[:length]) for length in range(100, len(data), 7)]

    assert all(len(each.slices) <= len(read_space(data).slices) for each in captures)
