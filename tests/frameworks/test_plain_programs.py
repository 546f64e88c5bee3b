"""The programs of the document about plain TensorBoard, with TensorFlow: E1, E2, E4, E6 to E8.

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


def test_e8_e_t1_e_t2_a_trace_records_graph_and_profile(workplace: Workplace) -> None:
    """Beside the scalars; the profile is in a file, and nothing is written into the folder by the board.

    As printed, without the folder in `trace_on`, the program records an empty trace, and the board says why.
    """
    workplace.python.run("plain_trace_as_printed")
    (trace,) = workplace.board.values("graph_run_metadata")
    with pytest.raises(urllib.error.HTTPError) as refused:
        workplace.board.ask("api/v1/graphs/summary", run=".", tag=trace["tag"], form="profile")
    message = json.loads(refused.value.read())["error"]["message"]
    empty(workplace.records)
    workplace.python.run("plain_trace")
    (graph,) = workplace.board.values("graph_run_metadata")
    files = sorted(path.relative_to(workplace.records).parts[:2] for path in workplace.records.rglob("*.xplane.pb"))

    assert message == EMPTY_TRACE
    assert (graph["tag"], graph["steps"], files) == ("model_trace", [0], [("plugins", "profile")])
    assert b"MatMul" in workplace.board.first_value("graph_run_metadata", ".", graph)
    assert [step for step, _ in workplace.board.points(".", "loss")] == [0, 1, 2]
