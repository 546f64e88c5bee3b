"""Hypothesis strategies for event files, and decoder states that can be compared."""

import math
from typing import Any

from hypothesis import strategies as st

from lightboard.testing import event_files as files


def comparable_value(value: Any) -> Any:
    """A value in which NaN equals itself and the sign of zero counts."""
    if isinstance(value, float):
        return "nan" if math.isnan(value) else repr(value)
    if isinstance(value, list | tuple):
        return [comparable_value(item) for item in value]
    return value


def decoder_state(decoder: Any, functions: Any) -> dict[str, Any]:
    """The complete observable state of a decoder."""
    described = [tuple(decoder.describe(i)) for i in range(decoder.series_count())]
    columns = []
    for i, (_, _, form, _, _) in enumerate(described):
        ask = functions.series_points if form == "scalar" else functions.references
        columns.append([ask([(decoder, i)], purge) for purge in (False, True)])
    return {
        "offset": decoder.offset,
        "records": decoder.records,
        "points": decoder.points,
        "size_bytes": decoder.size_bytes,
        "file_version": decoder.file_version,
        "walls": comparable_value([decoder.first_wall_time, decoder.last_wall_time]),
        "scalar_walls": comparable_value([decoder.first_scalar_wall_time, decoder.last_scalar_wall_time]),
        "nonfinite_ends": decoder.nonfinite_ends(),
        "highest_step": decoder.highest_step,
        "damage": decoder.damage(),
        "starts": comparable_value(decoder.starts()),
        "regressions": (decoder.regression_count, comparable_value(decoder.regressions())),
        "session_logs": decoder.session_logs(),
        "ends": comparable_value(decoder.ends()),
        "described": described,
        "lengths": decoder.lengths(range(len(described))),
        "columns": columns,
    }


any_step = st.one_of(st.integers(-3, 12), st.integers(-(1 << 63), (1 << 63) - 1))
any_wall = st.one_of(st.floats(0, 100, width=32), st.floats())
any_tag = st.sampled_from([b"a", b"b", b"", b"loss/train", b"\xff\xfe", "损失".encode()])
any_plugin = st.sampled_from(["scalars", "text", "images", "hparams", "tensor", "", "histograms"])
any_metadata = st.one_of(
    st.just(b""),
    st.builds(files.summary_metadata, any_plugin, data_class=st.integers(0, 3)),
    st.binary(max_size=12),
)
any_dtype = st.sampled_from([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 14, 17, 19, 22, 23, 99])


@st.composite
def any_tensor(draw: st.DrawFn) -> bytes:
    """A TensorProto, valid in most cases."""
    out = files.varint_field(1, draw(any_dtype))
    if draw(st.booleans()):
        sizes = draw(st.lists(st.sampled_from([0, 1, 1, 2, -1]), max_size=2))
        out += files.bytes_field(2, b"".join(files.bytes_field(2, files.varint_field(1, size)) for size in sizes))
    field = draw(st.sampled_from([4, 5, 6, 7, 8, 10, 11, 13, 16, 17]))
    form = draw(st.integers(0, 4))
    if form == 0:
        out += files.varint_field(field, draw(st.integers(-(1 << 63), (1 << 64) - 1)))
    elif form == 1:
        out += files.float_field(field, draw(st.floats(width=32)))
    elif form == 2:
        out += files.double_field(field, draw(st.floats()))
    elif form == 3:
        out += files.bytes_field(
            field, draw(st.sampled_from([1, 2, 4, 8]).flatmap(lambda n: st.binary(min_size=n, max_size=n)))
        )
    return out + (files.bytes_field(field, draw(st.binary(max_size=20))) if draw(st.integers(0, 5)) == 0 else b"")


any_value = st.one_of(
    st.builds(files.scalar_value, any_tag, st.floats(width=32), any_metadata),
    st.builds(files.tensor_value, any_tag, any_tensor(), any_metadata),
    st.builds(files.image_value, any_tag, st.binary(max_size=8), metadata=any_metadata),
    st.builds(files.audio_value, any_tag, st.binary(max_size=8)),
    st.builds(files.bare_value, any_tag, any_metadata),
    st.binary(max_size=16),
)
any_when = {"step": any_step, "wall_time": any_wall}
any_record = st.one_of(
    st.builds(files.summary_record, st.lists(any_value, max_size=4), **any_when),
    st.builds(files.summary_record, st.lists(any_value, max_size=4), **any_when),
    st.builds(files.version_record, st.sampled_from(["brain.Event:2", "brain.Event:1", "x"]), step=any_step),
    st.builds(files.start_record, **any_when, status=st.integers(0, 3)),
    st.builds(files.graph_record, st.binary(max_size=8), **any_when),
    st.builds(files.meta_graph_record, st.binary(max_size=8), **any_when),
    st.builds(files.tagged_run_metadata_record, st.sampled_from(["a", "run"]), st.binary(max_size=8), **any_when),
    st.builds(files.record, st.binary(max_size=40)),
)


@st.composite
def any_file(draw: st.DrawFn) -> bytes:
    """The bytes of an event file: records, garbage, damaged records, and a truncated end."""
    pieces = draw(
        st.lists(st.one_of(any_record, any_record, any_record, st.binary(max_size=30), st.just(bytes(40))), max_size=12)
    )
    data = bytearray(b"".join(pieces))
    for _ in range(draw(st.integers(0, 2))):
        if data:
            data[draw(st.integers(0, len(data) - 1))] ^= draw(st.integers(1, 255))
    cut = draw(st.integers(0, 30)) if draw(st.booleans()) else 0
    return bytes(data[: len(data) - cut] if cut else data)
