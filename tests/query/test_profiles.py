"""Captures in a logdir."""

import pytest

from lightboard.errors import NotFound, Unshowable
from lightboard.profiles.steps import Step
from lightboard.query.capture_files import Capture, find_captures
from lightboard.query.profiles import (
    choose_capture,
    host_overview,
    read_capture,
    step_figures,
)
from lightboard.storage.local import LocalStorage
from lightboard.storage.memory import MemoryStorage
from support.profiles import PROFILES, slice_event, trace, xplane_of

TRACE = trace(slice_event("a", 1, 2))
SESSION = "plugins/profile/2026_11_27_10_00_00"


def found(*paths: str) -> list[tuple[str, str, list[str]]]:
    """The captures among files of these names."""
    return [named(each) for each in find_captures(MemoryStorage(dict.fromkeys(paths, TRACE)))]


def named(capture: Capture) -> tuple[str, str, list[str]]:
    """Its name, format and hosts."""
    return capture.name, capture.format, [file.host for file in capture.files]


def test_the_corpus_has_a_capture_of_each_framework() -> None:
    assert [named(each) for each in find_captures(LocalStorage(str(PROFILES)))] == [
        ("jax/2026_11_27_10_00_00", "xplane", ["trainer"]),
        ("jax_gpu/memory.prof", "pprof_memory", [""]),
        ("jax_gpu/2026_11_27_18_00_00", "xplane", ["trainer"]),
        ("jax_unmarked/2026_11_27_10_00_00", "xplane", ["trainer"]),
        ("keras/train/2026_11_27_10_00_00", "xplane", ["trainer"]),
        ("tensorflow/2026_11_27_10_00_00", "xplane", ["trainer"]),
        ("torch", "trace_json", ["trainer"]),
        ("torch_gpu", "trace_json", ["trainer"]),
        ("torch_ranks", "trace_json", ["trainer_rank0", "trainer_rank1"]),
        ("torch_snapshot/memory_snapshot.pickle", "torch_memory", [""]),
    ]


def test_hosts_of_a_session_are_one_capture() -> None:
    assert found(f"run/{SESSION}/b.xplane.pb", f"run/{SESSION}/a.xplane.pb", f"run/{SESSION}/a.trace.json.gz") == [
        ("run/2026_11_27_10_00_00", "xplane", ["a", "b"])
    ]


def test_the_session_of_the_logdir_itself_has_its_own_name() -> None:
    assert found(f"{SESSION}/a.xplane.pb") == [("2026_11_27_10_00_00", "xplane", ["a"])]


def test_without_an_xplane_the_trace_is_read_and_not_that_for_perfetto() -> None:
    assert found(f"{SESSION}/perfetto_trace.json.gz", f"{SESSION}/a.trace.json.gz") == [
        ("2026_11_27_10_00_00", "trace_json", ["a"])
    ]


def test_captures_that_a_worker_repeats_are_several() -> None:
    names = [
        f"run/{worker}.{time}.pt.trace.json" for worker in ("w0", "w1") for time in (10**18 + 5, 10**18, 999 * 10**15)
    ]

    assert found(*names[:-1]) == [
        ("run/1", "trace_json", ["w0", "w1"]),
        ("run/2", "trace_json", ["w0", "w1"]),
        ("run/3", "trace_json", ["w0"]),
    ]


def test_traces_of_other_names_are_captures_of_their_own() -> None:
    assert found("step1.trace.json", "step2.pt.trace.json.gz", "notes.json", "one/x.trace.json") == [
        ("step1.trace.json", "trace_json", ["step1"]),
        ("step2.pt.trace.json.gz", "trace_json", ["step2"]),
        ("one", "trace_json", ["x"]),
    ]


def test_names_begin_with_the_prefix_of_the_source() -> None:
    storage = MemoryStorage({f"logs/run/{SESSION}/a.xplane.pb": TRACE})

    assert [each.name for each in find_captures(storage, "logs", "mine")] == ["mine/run/2026_11_27_10_00_00"]


@pytest.mark.parametrize(
    ("names", "name", "message", "hint"),
    [
        (
            *([], "", "no captures of profilers"),
            "they are plugins/profile/<session>/*.xplane.pb, *.pt.trace.json and *.trace.json, gzipped or not",
        ),
        (["a", "b"], "", "there are 2 captures", "choose with --capture: one of a, b"),
        (["a", "b"], "c", "no capture c", "one of a, b"),
    ],
)
def test_a_capture_that_cannot_be_chosen_is_an_error(names: list[str], name: str, message: str, hint: str) -> None:
    captures = [Capture(each, "xplane", []) for each in names]
    with pytest.raises(NotFound) as error:
        choose_capture(captures, name)

    assert (error.value.message, error.value.hint) == (message, hint)


def test_a_host_that_cannot_be_read_leaves_the_others() -> None:
    storage = MemoryStorage(
        {f"{SESSION}/a.xplane.pb": b"hello", f"{SESSION}/b.xplane.pb": xplane_of("jax").read_bytes()}
    )
    hosts, problems = read_capture(next(find_captures(storage)))

    assert ([len(host.slices) for host in hosts], problems) == (
        *([145], ["a.xplane.pb: it is no xplane: it has no planes"]),
    )


def test_a_file_that_is_gone_is_an_error() -> None:
    storage = MemoryStorage({"a.trace.json": TRACE})
    capture = next(find_captures(storage))
    storage.remove("a.trace.json")

    with pytest.raises(Unshowable, match=r"a\.trace\.json cannot be read"):
        read_capture(capture)


def test_a_host_that_has_no_name_has_that_of_its_file() -> None:
    hosts, _ = read_capture(next(find_captures(MemoryStorage({"node7.trace.json": TRACE}))))

    assert [host.host for host in hosts] == ["node7"]


def test_a_large_capture_of_a_bucket_is_read_in_large_pieces() -> None:
    events = [slice_event(f"event {at}", at, 1) for at in range(20_000)]
    storage = MemoryStorage({"a.trace.json": trace(*events)}, remote=True)
    hosts, _ = read_capture(next(find_captures(storage)))

    assert (len(hosts[0].slices), len(storage.reads)) == (20_000, 1)


def test_an_overview_has_time_by_category() -> None:
    events = (
        slice_event("step", 0, 10, args={"step_num": 1}),
        slice_event("aten::mm", 1, 4, cat="cpu_op"),
        slice_event("nccl:all_reduce", 5, 3, cat="cpu_op"),
        slice_event("fn", 1, 9, cat="python_function"),
        slice_event("gpu", 4, 16, cat="kernel", tid=9),
    )
    hosts, _ = read_capture(next(find_captures(MemoryStorage({"a.trace.json": trace(*events)}))))
    overview = host_overview(hosts[0])

    assert (overview.duration_ns, overview.tracks, overview.categories) == (
        *(20_000, 2),
        {"compute": 20_000, "communication": 3000},
    )


def test_the_spread_of_steps_is_that_of_a_sample() -> None:
    steps = [Step("", None, "train", at, 0, duration) for at, duration in enumerate((1, 2, 6))]

    assert step_figures(steps) == (3, 3.0, 7**0.5, 1, 6, 2, False)
    assert step_figures(steps[:1]) == (1, 1.0, None, 1, 1, 0, False)
    assert step_figures([]) is None
