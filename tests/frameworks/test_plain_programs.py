"""The programs of the document about plain TensorBoard, with TensorFlow: E1, E2, E4, E6 to E10. Captures of frameworks.

They run where the document runs them, beside the folder `tensorboard`, and `--logdir=./tensorboard` shows it.
"""

import json
import pathlib
import shutil
import urllib.error
from collections.abc import Iterator
from typing import NamedTuple

import pytest

from lightboard.query.graphs import EMPTY_TRACE
from support.board_process import LightboardProcess
from support.framework_environment import FrameworkPython
from support.shown_board import ShownBoard

pytestmark = pytest.mark.frameworks

SCALARS = {
    "MyScalar": [(step, 2.0 * step) for step in range(10)],
    "loss": [(step, pytest.approx(1 / (1 + step))) for step in range(10)],
}


class Workplace(NamedTuple):
    """The folder of the records, which is empty, with a Python beside it and a board over it."""

    records: pathlib.Path
    python: FrameworkPython
    board: ShownBoard


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workplace]:
    """Started once. The document wants folders with English names (E7); any name will do."""
    folder = tmp_path_factory.mktemp("e") / "训练代码"
    (folder / "tensorboard").mkdir(parents=True)
    with (
        FrameworkPython(folder) as python,
        LightboardProcess("--logdir=./tensorboard", "--port", "0", cwd=folder) as board,
    ):
        yield Workplace(folder / "tensorboard", python, ShownBoard(board.url))


@pytest.fixture
def workplace(running: Workplace) -> Workplace:
    """The same, with nothing recorded."""
    empty(running.records)
    assert running.board.ask("data/runs") == []
    return running


def empty(records: pathlib.Path) -> None:
    """Deletes what is in the folder."""
    for path in records.iterdir():
        shutil.rmtree(path) if path.is_dir() else path.unlink()


def shown(board: ShownBoard) -> dict[str, list[tuple[int, float]]]:
    """The points of all scalars of the run in the folder itself."""
    return {tag: board.points(".", tag) for tag in board.scalars(".")}


def test_e1_e2_e7_each_call_adds_one_record(workplace: Workplace) -> None:
    """To the folder `tensorboard` beside the code, below a folder with a Chinese name."""
    workplace.python.run("plain_scalars")

    assert shown(workplace.board) == SCALARS


def test_e4_images_audio_and_more_are_shown(workplace: Workplace) -> None:
    """Besides scalars."""
    workplace.python.run("plain_kinds")
    listing = workplace.board.ask("data/plugins_listing")
    (image,) = workplace.board.images(".", "image")

    assert [kind for kind in ("images", "audio", "text", "histograms") if not listing[kind]["enabled"]] == []
    assert (image[0], image[1][:4]) == (0, b"\x89PNG")


def test_e6_training_again_in_the_emptied_folder_replaces_the_curves(workplace: Workplace) -> None:
    """While the board runs: it needs no restart."""
    workplace.python.run("plain_scalars")
    empty(workplace.records)
    emptied = workplace.board.ask("data/runs")
    workplace.python.run("plain_scalars")

    assert (emptied, shown(workplace.board)) == ([], SCALARS)


def test_e8_as_printed_the_program_runs_and_the_board_says_what_is_missing(workplace: Workplace) -> None:
    """E-T1: without the folder in `trace_on`, the trace is empty."""
    workplace.python.run("plain_trace_as_printed")
    (trace,) = workplace.board.values("graph_run_metadata")
    with pytest.raises(urllib.error.HTTPError) as refused:
        workplace.board.ask("api/v1/graphs/summary", run=".", tag=trace["tag"], form="profile")

    assert json.loads(refused.value.read())["error"]["message"] == EMPTY_TRACE
    assert workplace.board.ask("api/v1/profiles")["captures"] == []


def test_e8_e9_e10_with_the_folder_in_trace_on_there_are_a_graph_and_a_time_line(workplace: Workplace) -> None:
    """E-T1, E-T2: `log_dir` is the folder of the records. The board writes nothing into it."""
    workplace.python.run("plain_trace")
    board = workplace.board
    (trace,) = board.values("graph_run_metadata")
    files = sorted(path.relative_to(workplace.records).parts[:2] for path in workplace.records.rglob("*.xplane.pb"))
    (capture,) = board.ask("api/v1/profiles")["captures"]
    line = board.ask("api/v1/profiles/timeline", capture=capture["name"])
    found = board.ask("api/v1/graphs/search", run=".", tag="model_trace", form="op", text="MatMul")

    assert (trace["tag"], trace["steps"], files) == ("model_trace", [0], [("plugins", "profile")])
    assert [step for step, _ in board.points(".", "loss")] == [0, 1, 2]
    assert "MatMul" in {name.rpartition("/")[2].partition(":")[0] for name in line["names"]}
    assert [hit["op"] for hit in found["hits"] if hit["op"]] == ["MatMul"]


def test_captures_of_tensorflow_have_their_steps(workplace: Workplace) -> None:
    """By `lightboard.profiling`."""
    workplace.python.run("capture_tensorflow")

    assert shown_steps(workplace.board) == {"steps": [(None, 10), (None, 11), (None, 12)]}


def test_captures_of_torch_have_their_steps_schedules_and_ranks(workplace: Workplace) -> None:
    """By `lightboard.profiling`. The ranks of a program are one capture."""
    workplace.python.run("capture_torch")
    captures = shown_steps(workplace.board)

    assert captures == {
        "ranks": [(0, 0), (1, 0)],
        "scheduled": [(None, 2), (None, 3)],
        "scheduled 2": [(None, 6), (None, 7)],
        "steps": [(None, 10), (None, 11), (None, 12)],
    }


def shown_steps(board: ShownBoard) -> dict[str, list[tuple[int | None, int]]]:
    """The ranks and steps of each capture, by run, in the order of time."""
    found: dict[str, list[tuple[int | None, int]]] = {}
    for capture in sorted(board.ask("api/v1/profiles")["captures"], key=lambda each: each["name"]):
        run = capture["name"].partition("/")[0]
        steps = board.ask("api/v1/profiles/steps", capture=capture["name"])["steps"]
        key = run if run not in found else f"{run} 2"
        found[key] = [(step["rank"], step["step"]) for step in steps]
    return found
