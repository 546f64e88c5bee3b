"""`lightboard profile ls|overview|steps|ops|tree|breakdown|skew|memory|diff|export LOGDIR`."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from lightboard.cli.main import main
from lightboard.cli.profile_memory import NO_ALLOCATIONS
from support.profiles import PROFILES, slice_event, torch_events, trace

LOGS = PROFILES.parent / "logs"

HINT = (
    "lightboard profile ls|overview|steps|ops|tree|breakdown|skew|memory|diff|export LOGDIR [--capture NAME] [--json]"
)


def answer(capsys: pytest.CaptureFixture[str], *words: str) -> Any:
    """What a command prints as JSON."""
    assert main(["profile", *words, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_ls_lists_captures(capsys: pytest.CaptureFixture[str]) -> None:
    rows = answer(capsys, "ls", str(PROFILES / "torch_ranks"))
    sizes = [path.stat().st_size for path in (PROFILES / "torch_ranks").iterdir()]

    assert rows == [
        {"name": ".", "format": "trace_json", "hosts": ["trainer_rank0", "trainer_rank1"], "size_bytes": sum(sizes)}
    ]


def test_steps_have_their_times(capsys: pytest.CaptureFixture[str]) -> None:
    rows = answer(capsys, "steps", str(PROFILES), "--capture", "torch")
    slices = [event for event in torch_events() if event["ph"] == "X" and event["cat"] != "Trace"]
    begin = min(event["ts"] for event in slices)

    assert rows == [
        {
            "step": int(event["name"].partition("#")[2]),
            "start_us": pytest.approx(event["ts"] - begin, abs=0.002),
            "duration_us": event["dur"],
            "name": event["name"],
            "host": "trainer",
            "rank": None,
            "inferred": False,
        }
        for event in slices
        if event["name"].startswith("ProfilerStep#")
    ]


def test_ops_are_sorted_by_self_time(capsys: pytest.CaptureFixture[str]) -> None:
    rows = answer(capsys, "ops", str(PROFILES), "--capture", "torch_ranks")
    selves = [row["self_us"] for row in rows]

    assert list(rows[0]) == ["name", "category", "scope", "count", "total_us", "self_us", "p95_us"]
    assert (rows[0]["name"], rows[0]["count"], selves) == ("gloo:all_reduce", 6, sorted(selves, reverse=True))


def test_ops_by_shape_have_types_and_sizes_of_inputs(capsys: pytest.CaptureFixture[str]) -> None:
    rows = answer(capsys, "ops", str(PROFILES), "--capture", "torch", "--by-shape")

    assert list(rows[0]) == ["name", "category", "shapes", "count", "total_us", "self_us", "p95_us"]
    assert [(row["shapes"], row["count"]) for row in rows if row["name"] == "aten::relu"] == [(["float[8,32]"], 3)]
    assert [row["self_us"] for row in rows] == sorted((row["self_us"] for row in rows), reverse=True)


@pytest.mark.parametrize(
    ("folder", "note"),
    [
        (
            "torch_ranks",
            "note: Operators do not say the shapes of their inputs, since the profiler has not recorded them. "
            "torch.profiler.profile(record_shapes=True)\n",
        ),
        ("jax", "note: the capture has no shapes of inputs\n"),
        ("torch", ""),
    ],
)
def test_ops_without_shapes_say_how_to_record_them(capsys: pytest.CaptureFixture[str], folder: str, note: str) -> None:
    assert main(["profile", "ops", str(PROFILES / folder), "--by-shape"]) == 0

    assert capsys.readouterr().err == note


def test_an_overview_has_each_host(capsys: pytest.CaptureFixture[str]) -> None:
    row = answer(capsys, "overview", str(PROFILES / "torch_ranks"))

    assert [(host["rank"], host["steps"]["count"], list(host["categories_us"])) for host in row["hosts"]] == [
        (0, 3, ["communication", "compute"]),
        (1, 3, ["communication", "compute"]),
    ]
    assert (row["name"], len(row["operators"]), row["problems"]) == (".", 3, [])


def test_an_overview_has_devices_and_the_skew_of_ranks(capsys: pytest.CaptureFixture[str]) -> None:
    row = answer(capsys, "overview", str(PROFILES / "torch_ranks"))

    assert [(each["rank"], each["device"], each["steps"], each["communication_us"]) for each in row["devices"]] == [
        *[(0, "CPU", 3, 1885.753), (1, "CPU", 3, 1680.251)],
    ]
    assert [(each["step"], each["straggler"]["rank"], each["waited_us"]) for each in row["skew"]] == [
        *[(2, 0, 93.215), (3, 1, 361.566), (4, 0, 62.849)],
    ]
    assert answer(capsys, "skew", str(PROFILES / "torch_ranks")) == row["skew"]


def test_a_breakdown_adds_up_to_the_overview(capsys: pytest.CaptureFixture[str]) -> None:
    (total,) = answer(capsys, "overview", str(PROFILES / "torch"))["devices"]
    rows = answer(capsys, "breakdown", str(PROFILES / "torch"))
    times = [name for name in total if name.endswith("_us")]

    assert [row["step"] for row in rows] == [2, 3, 4]
    assert {name: pytest.approx(sum(row[name] for row in rows)) for name in times} == {
        name: total[name] for name in times
    }


def test_rank_and_host_select_what_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    folder = str(PROFILES / "torch_ranks")
    rows = answer(capsys, "steps", folder, "--rank", "1")
    same = answer(capsys, "steps", folder, "--host", "trainer", "--rank", "1")

    assert ({(row["host"], row["rank"]) for row in rows}, same) == ({("trainer", 1)}, rows)


def test_long_names_of_kernels_are_cut_in_the_middle(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """To the width of the terminal. In JSON they are whole."""
    name = f"void at::native::kernel<{'float, ' * 100}>(int)"
    Path(tmp_path, "node.trace.json").write_bytes(trace(slice_event(name, 0, 1, cat="kernel")))
    monkeypatch.setenv("COLUMNS", "100")
    assert main(["profile", "ops", str(tmp_path)]) == 0
    printed = capsys.readouterr().out.splitlines()

    assert max(map(len, printed)) <= 100
    assert printed[1].startswith("void at::native::kern")
    assert [row["name"] for row in answer(capsys, "ops", str(tmp_path))] == [name]


def test_diff_compares_the_ranks_of_a_capture(capsys: pytest.CaptureFixture[str]) -> None:
    """Rank 1 computes longer. What is noise is told from the steps."""
    rows = answer(capsys, "diff", str(PROFILES / "torch_ranks"), "--rank", "0,1")
    by_name = {row["name"]: row for row in rows}
    self_us = {
        rank: {
            row["name"]: row["self_us"] for row in answer(capsys, "ops", str(PROFILES / "torch_ranks"), "--rank", rank)
        }
        for rank in ("0", "1")
    }

    assert (rows[0]["name"], rows[0]["is_real"], rows[0]["noise_us"] > rows[0]["difference_us"]) == (
        *("aten::mm", False, True),
    )
    assert {name: (row["total_before_us"], row["total_after_us"]) for name, row in by_name.items()} == {
        name: (self_us["0"].get(name, 0), self_us["1"].get(name, 0)) for name in by_name
    }


def test_diff_marks_what_is_more_than_noise(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Of two folders, in a table."""
    for name, times in (("before", (10, 11, 10)), ("after", (20, 21, 20))):
        events = [slice_event("train", 100 * at, 90, args={"step_num": at}) for at in range(3)]
        events += [slice_event("mm", 100 * at, time, cat="cpu_op") for at, time in enumerate(times)]
        Path(tmp_path, name).mkdir()
        Path(tmp_path, name, "a.trace.json").write_bytes(trace(*events))
    assert main(["profile", "diff", str(tmp_path / "before"), str(tmp_path / "after")]) == 0
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]

    assert lines[1] == ["mm", "compute", "10.3", "µs", "20.3", "µs", "+10.0", "µs", "*", "1.97"]


@pytest.mark.parametrize("words", [[], ["--format", "speedscope"]])
def test_export_writes_a_file_for_another_viewer(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], words: list[str]
) -> None:
    target = tmp_path / "out.json"
    assert main(["profile", "export", str(PROFILES / "torch"), str(target), *words]) == 0

    assert ("traceEvents" in json.loads(target.read_text()), capsys.readouterr().err) == (
        *(not words, f"wrote {target}\n"),
    )


def test_people_get_tables(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    events = [slice_event("train", 0, 2_500_000, args={"step_num": 4}), slice_event("aten::mm", 10, 12.5, cat="cpu_op")]
    Path(tmp_path, "node.trace.json").write_bytes(trace(*events))
    printed = []
    for verb in ("ls", "steps", "ops", "overview"):
        assert main(["profile", verb, str(tmp_path)]) == 0
        printed.append([line.split() for line in capsys.readouterr().out.splitlines()])

    assert printed[:3] == [
        [["CAPTURE", "FORMAT", "HOSTS", "SIZE"], [".", "trace_json", "node", "210", "B"]],
        [["STEP", "START", "DURATION", "HOST", "NAME"], ["4", "0.0", "µs", "2.50", "s", "node", "train"]],
        [
            ["NAME", "CATEGORY", "COUNT", "TOTAL", "SELF", "P95", "SCOPE"],
            ["aten::mm", "compute", "1", *["12.5", "µs"] * 3],
        ],
    ]
    assert printed[3][:5] == [
        ["Host", "node"],
        ["Duration", "2.50", "s"],
        ["Events", "2", "on", "1", "tracks"],
        ["Steps", "1,", "2.50", "s,", "slowest", "4:", "2.50", "s"],
        ["Time", "compute", "12.5", "µs"],
    ]


def test_inferred_steps_say_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    events = (slice_event("train_step", at, 2) for at in (10, 20, 30))
    Path(tmp_path, "node.trace.json").write_bytes(trace(*events))

    assert main(["profile", "steps", str(tmp_path)]) == 0
    shown = capsys.readouterr()
    assert [line.split()[-2:] for line in shown.out.splitlines()[1:]] == [["train_step", "(inferred)"]] * 2
    assert shown.err.startswith("note: no steps are marked, so they are inferred from calls that repeat; to mark them")
    assert [row["inferred"] for row in answer(capsys, "steps", str(tmp_path))] == [True, True]
    (host,) = answer(capsys, "overview", str(tmp_path))["hosts"]
    assert (host["steps"]["count"], host["steps"]["inferred"]) == (2, True)


def test_a_capture_without_steps_says_how_to_mark_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path(tmp_path, "node.trace.json").write_bytes(trace(slice_event("a", 0, 1)))

    assert main(["profile", "steps", str(tmp_path)]) == 0
    assert capsys.readouterr().err == (
        "no steps are marked: call profiler.step() of torch.profiler, or put jax.profiler.StepTraceAnnotation or "
        "tf.profiler.experimental.Trace(name, step_num=..., _r=1) around each\n"
    )


def test_what_is_cut_off_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path(tmp_path, "node.trace.json").write_bytes(trace(slice_event("a", 0, 1))[:-2])

    assert main(["profile", "ops", str(tmp_path)]) == 0
    assert capsys.readouterr().err == "note: node.trace.json: the file is cut off, and is read up to there\n"


def test_a_folder_named_profile_is_given_by_its_flag(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    shutil.copytree(PROFILES / "torch", "profile")

    assert [row["name"] for row in answer(capsys, "ls", "--logdir", "profile")] == ["."]


@pytest.mark.parametrize(
    ("words", "code", "message", "hint"),
    [
        ([], 2, "profile needs a command", f"{HINT}; a folder of that name: --logdir profile"),
        *[
            (
                ["steps", str(PROFILES / "torch_ranks"), *words],
                1,
                f"no {name} in the capture",
                "it has trainer rank 0, trainer rank 1",
            )
            for words, name in ((["--rank", "2"], "rank 2"), (["--host", "b"], "b"))
        ],
        (
            *(["export", "a"], 2, "profile export needs a folder and a file to write"),
            "lightboard profile export LOGDIR FILE.json --format perfetto|speedscope",
        ),
        (
            *(["export", str(PROFILES / "torch"), "none/a.json"], 1),
            *("cannot write none/a.json: No such file or directory", "give another file"),
        ),
        (
            *(["diff", "a", "b", "c"], 2, "profile diff needs two folders with a capture each"),
            "lightboard profile diff BEFORE AFTER, or one folder with --rank 0,1",
        ),
        (
            *(["steps", str(PROFILES / "torch_ranks"), "--rank", "x"], 2, "--rank x is no rank"),
            "give --rank 0, or --rank 0,1 to profile diff",
        ),
        (["show", "."], 2, "profile cannot show", f"{HINT}; a folder of that name: --logdir profile"),
        (["ls"], 2, "profile ls needs a folder", HINT),
        (["ls", "missing"], 2, "{folder}/missing is not there", "give a folder that exists and can be read"),
        (
            *(["steps", "."], 1, "no captures of profilers"),
            "they are plugins/profile/<session>/*.xplane.pb, *.pt.trace.json and *.trace.json, gzipped or not",
        ),
    ],
)
def test_what_cannot_be_done_is_one_error(
    words: list[str],
    code: int,
    message: str,
    hint: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)

    told = f"lightboard: {message.format(folder=tmp_path)}\nhint: {hint}\n"
    assert (main(["profile", *words]), capsys.readouterr().err) == (code, told)


def test_memory_is_told_by_device_and_line(capsys: pytest.CaptureFixture[str]) -> None:
    row = answer(capsys, "memory", str(PROFILES / "torch_snapshot"))
    (device,) = row["devices"]

    assert (row["name"], device["device"], device["peak_bytes"]) == ("memory_snapshot.pickle", "GPU:0", 129_017_344)
    assert [(each["line"], each["size_bytes"]) for each in device["holders"]][:2] == [(0, 67_119_616), (66, 36_700_672)]


def test_memory_is_a_table_for_people(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["profile", "memory", str(PROFILES / "jax_gpu")]) == 0

    lines = [line.split() for line in capsys.readouterr().out.splitlines() if line.strip()]
    assert lines[0] == ["DEVICE", "cuda:0"]
    assert lines[-2:] == [
        ["2.4", "MB", "53", "%", "2", "write_jax_gpu", "(/srv/write_gpu_profiles.py:110)"],
        ["2.1", "MB", "47", "%", "1", "write_jax_gpu", "(/srv/write_gpu_profiles.py:102)"],
    ]


def test_a_capture_without_allocations_says_how_to_record_them(capsys: pytest.CaptureFixture[str]) -> None:
    main(["profile", "memory", str(PROFILES / "torch_ranks")])

    assert capsys.readouterr().err == f"note: {NO_ALLOCATIONS}\n"


def test_what_has_only_memory_is_chosen_by_no_other_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["profile", "steps", str(PROFILES / "torch_snapshot")]) != 0
    assert "no captures of profilers" in capsys.readouterr().err


def test_step_stats_in_event_files_are_found_if_there_is_nothing_else(capsys: pytest.CaptureFixture[str]) -> None:
    rows = answer(capsys, "steps", str(LOGS / "tf-v1-all"))

    assert [(row["name"], row["step"]) for row in rows] == [("step000", 0), ("step005", 5)]


def test_step_stats_are_found_by_their_name(capsys: pytest.CaptureFixture[str]) -> None:
    rows = answer(capsys, "steps", str(LOGS), "--capture", "tf-v1-all/run metadata")

    assert [(row["name"], row["step"]) for row in rows] == [("step000", 0), ("step005", 5)]


@pytest.mark.parametrize(("name", "rules"), [("torch", []), ("torch_ranks", ["no_stacks", "no_shapes"])])
def test_an_overview_says_what_pytorch_has_not_recorded(
    name: str, rules: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    row = answer(capsys, "overview", str(PROFILES / name))

    assert [each["rule"] for each in row["advice"] if each["rule"] in ("no_stacks", "no_shapes")] == rules
