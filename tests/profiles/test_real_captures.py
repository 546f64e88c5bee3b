"""What captures by real profilers hold, compared with the raw messages where no other program shows it."""

import gzip
import json
from collections import Counter
from typing import Any

from lightboard.profiles.capture import CATEGORIES
from lightboard.profiles.operators import operators_of
from lightboard.profiles.steps import steps_of
from support.profiles import PROFILES, TORCH, read_path, rows, torch_events, xplane_of

TORCH_GPU = next((PROFILES / "torch_gpu").iterdir())
JAX_GPU = next((PROFILES / "jax_gpu").rglob("*.xplane.pb"))


def categories(capture: Any) -> dict[str, int]:
    """How many slices are of each category."""
    return dict(Counter(CATEGORIES[each] for each in capture.slices.category.tolist()))


def test_every_event_of_pytorch_is_in_a_column() -> None:
    capture = read_path(TORCH)
    kinds = Counter((event["ph"], event.get("cat")) for event in torch_events())

    assert (len(capture.slices), len(capture.instants.time_ns), len(capture.flow_begins.time_ns)) == (
        sum(count for (phase, kind), count in kinds.items() if phase == "X" and kind != "Trace"),
        sum(count for (phase, _), count in kinds.items() if phase == "i"),
        kinds["s", "fwdbwd"],
    )
    assert sorted(capture.flow_begins.value.tolist()) == sorted(capture.flow_ends.value.tolist())
    assert categories(capture) == {
        "compute": kinds["X", "cpu_op"],
        "python": kinds["X", "python_function"],
        "annotation": kinds["X", "user_annotation"],
    }
    assert (capture.host, capture.rank, capture.problems) == ("trainer", None, [])


def test_allocations_of_pytorch_have_their_bytes() -> None:
    capture = read_path(TORCH)
    memory = capture.names.index("[memory]")

    assert capture.instants.value[capture.instants.name == memory].tolist() == [
        event["args"]["Bytes"] for event in torch_events() if event["name"] == "[memory]"
    ]


def test_offsets_of_arguments_are_those_of_the_events() -> None:
    capture, text = read_path(TORCH), gzip.decompress(TORCH.read_bytes())
    decoder = json.JSONDecoder()
    found = [decoder.raw_decode(text[offset : offset + 5000].decode())[0] for offset in capture.slices.args.tolist()]

    assert found == [event for event in torch_events() if event["ph"] == "X" and event["cat"] != "Trace"]


def test_times_of_pytorch_are_absolute() -> None:
    capture = read_path(TORCH)
    first = next(event for event in torch_events() if event["name"] == "ProfilerStep#2")

    assert steps_of(capture)[0].start_ns == 1_790_857_026_000_000_000 + round(first["ts"] * 1000)


def test_modules_are_the_scopes_of_operators() -> None:
    scopes = {row.scope for row in operators_of([read_path(TORCH)]) if row.name == "aten::linear"}

    assert scopes == {"Sequential_0/Linear_0", "Sequential_0/Linear_1"}


def test_ranks_are_of_one_base_time() -> None:
    first, second = (read_path(path) for path in sorted((PROFILES / "torch_ranks").iterdir()))
    begins = [steps_of(each)[0].start_ns for each in (first, second)]

    assert ((first.rank, second.rank), abs(begins[0] - begins[1]) < 1_000_000) == ((0, 1), True)


def test_collectives_are_communication() -> None:
    path = sorted((PROFILES / "torch_ranks").iterdir())[0]

    assert {row.name for row in operators_of([read_path(path)]) if row.category == "communication"} == {
        "gloo:all_reduce",
        "c10d::allreduce_",
    }


def test_batches_of_keras_are_steps_though_xprof_sees_none() -> None:
    assert [(step.name, step.step) for step in steps_of(read_path(xplane_of("keras")))] == [
        ("Profiled batch", 1),
        ("Profiled batch", 2),
        ("Profiled batch", 3),
    ]


def test_operations_of_tensorflow_have_their_scopes() -> None:
    rows = {(row.name, row.scope) for row in operators_of([read_path(xplane_of("tensorflow"))])}

    assert {("MatMul", "dense"), ("Relu", "dense"), ("Mean", "dense")} <= rows


def test_operations_of_tensorflow_that_are_its_own_begin_with_an_underscore() -> None:
    path = (
        PROFILES.parent / "logs" / "tf215-keras-full" / "plugins" / "profile" / "2026_11_20_11_46_58" / "vm.xplane.pb"
    )
    operators = operators_of([read_path(path)])

    assert {row.scope for row in operators if row.name == "_MklNativeConv2DBackpropFilterWithBias"} == {
        "gradient_tape/sequential/conv/Conv2D"
    }


def test_the_input_of_keras_is_input() -> None:
    rows = operators_of([read_path(xplane_of("keras"))])

    assert {"Iterator::Root", "IteratorGetNextOp::DoCompute"} <= {row.name for row in rows if row.category == "input"}


def test_operations_of_jax_are_compute_though_xprof_sees_none() -> None:
    rows = [row for row in operators_of([read_path(xplane_of("jax"))]) if row.category == "compute"]

    assert {(row.name, row.count) for row in rows} >= {("wrapped_tanh", 3), ("dot.1", 3)}


def test_the_json_of_jax_has_the_slices_of_its_xplane() -> None:
    folder = xplane_of("jax").parent
    space, text = read_path(xplane_of("jax")), read_path(folder / "trainer.trace.json.gz")
    inner = [row for row in rows(text) if row[2] > 0]

    assert sorted(inner) == sorted(row for row in rows(space) if row[2] > 0)


def track_categories(capture: Any) -> dict[tuple[str, str], dict[str, int]]:
    """How many slices of each category are on each track, by the names of process and track."""
    found: dict[tuple[str, str], Counter[str]] = {}
    for at, kind in zip(capture.slices.track.tolist(), capture.slices.category.tolist(), strict=True):
        track = capture.tracks[at]
        key = (capture.processes[track.process].name, track.name)
        found.setdefault(key, Counter())[CATEGORIES[kind]] += 1
    return {key: dict(counts) for key, counts in found.items()}


def test_what_a_gpu_runs_for_pytorch_is_compute_copies_and_ranges() -> None:
    kinds = Counter(
        event.get("cat")
        for event in json.loads(gzip.decompress(TORCH_GPU.read_bytes()))["traceEvents"]
        if event["ph"] == "X"
    )
    found = track_categories(read_path(TORCH_GPU))
    streams = Counter[str]()
    for (_, track), counts in found.items():
        if track.startswith("stream "):
            streams += Counter(counts)

    assert streams == {
        "compute": kinds["kernel"],
        "copy": kinds["gpu_memcpy"] + kinds["gpu_memset"],
        "annotation": kinds["gpu_user_annotation"],
    }


def test_steps_that_a_gpu_repeats_are_no_operators() -> None:
    capture = read_path(TORCH_GPU)

    assert [step.name for step in steps_of(capture)] == [f"ProfilerStep#{at}" for at in (2, 3, 4)]
    assert [row.name for row in operators_of([capture]) if row.name.startswith("ProfilerStep")] == []


def test_kernels_of_jax_are_compute_and_launches_are_not() -> None:
    found = track_categories(read_path(JAX_GPU))

    assert found["/device:GPU:0", "Stream #14(Compute)"] == {"compute": 30}
    assert {kind for (process, _), counts in found.items() if process == "/host:CPU" for kind in counts} == {
        *("host", "python", "annotation")
    }


def test_kernels_of_jax_have_the_scopes_of_their_instructions() -> None:
    """Also those of a command buffer, which name only the buffer as their operation."""
    scopes = {row.name: row.scope for row in operators_of([read_path(JAX_GPU)]) if row.category == "compute"}

    assert {name: scope for name, scope in scopes.items() if scope} == {
        "gemm_fusion_dot_2": "jit(step)/jvp(layer2)/dot_general",
        "gemm_fusion_dot_3": "jit(step)/transpose(jvp(layer1))/transpose",
        "gemm_fusion_dot_4": "jit(step)/transpose(jvp(layer2))/transpose",
        "gemm_fusion_dot_general_8": "jit(step)/transpose(jvp(layer2))/dot_general",
        "loop_multiply_fusion": "jit(step)/transpose(jvp(layer1))/mul",
        "loop_reduce_fusion": "jit(step)/jvp(layer2)/dot_general",
        "loop_subtract_fusion": "jit(step)/sub",
        "loop_subtract_fusion_1": "jit(step)/sub",
        "wrapped_tanh": "jit(step)/jvp(layer1)/tanh",
    }


def test_operations_of_jax_have_the_scopes_of_their_instructions() -> None:
    scopes = {row.name: row.scope for row in operators_of([read_path(xplane_of("jax"))]) if row.category == "compute"}

    assert scopes == {
        "broadcast_multiply_fusion": (
            "jit(step)/transpose(jvp(layer2))/mul;jit(step)/transpose(jvp(layer2))/broadcast_in_dim"
        ),
        "dot": "jit(step)/transpose(jvp(layer1))/transpose",
        "dot.1": "jit(step)/transpose(jvp(layer2))/transpose",
        "multiply_add_fusion": "jit(step)/transpose(jvp(layer1))/add_any",
        "multiply_subtract_fusion": "jit(step)/sub",
        "multiply_subtract_fusion.1": "jit(step)/sub",
        "wrapped_tanh": "jit(step)/jvp(layer1)/tanh",
        "ynn_fusion": "jit(step)/transpose(jvp(layer2))/dot_general",
        "ynn_fusion.1": "jit(step)/jvp(layer2)/dot_general",
        "ynn_fusion.2": "jit(step)/jvp(layer1)/dot_general",
    }
