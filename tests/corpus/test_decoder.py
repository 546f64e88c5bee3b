"""Every series of the corpus is read as TensorBoard's own `EventAccumulator` reads it (tests/data/oracle).

Compared bit by bit: steps, wall times, values as doubles; which points a restart hides; and for other kinds of data
how many there are, when, and under which plugin. This holds for the compiled and for the
pure-Python decoder.
"""

import os
import pickle
import subprocess
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

from lightboard._native import core
from support.tensorboard_oracle import DATA, ORACLE, exact, values

READER = Path(__file__).parents[1] / "support" / "corpus_reader.py"
IMPLEMENTATIONS = ["python"] if core is None else ["python", "native"]

# Lightboard keeps meta graphs as a series; TensorBoard's provider does not surface them.
EXTRA = {"__meta_graph__"}
META_GRAPHS = [name for name, run in ORACLE.items() if run["meta_graph"]]


@pytest.fixture(scope="module", params=IMPLEMENTATIONS)
def board(request: pytest.FixtureRequest) -> dict[str, Any]:
    """All runs of the corpus as one of the two implementations reads them."""
    done = subprocess.run(
        [sys.executable, str(READER), str(DATA / "logs")],
        env={**os.environ, "LIGHTBOARD_NATIVE": "1" if request.param == "native" else "0"},
        capture_output=True,
        check=True,
    )
    found: dict[str, Any] = pickle.loads(done.stdout)
    assert found["native"] == (request.param == "native")
    return found["runs"]


def find_unequal(compare: Callable[[str], tuple[Any, Any]], runs: Iterable[str] = ORACLE) -> dict[str, Any]:
    """What was found and what was expected, by run, where they differ."""
    pairs = {run: compare(run) for run in runs}
    return {run: pair for run, pair in pairs.items() if pair[0] != pair[1]}


def test_runs_are_the_folders_with_event_files(board: dict[str, Any]) -> None:
    """Run names are paths below the logdir, whatever they are written in."""
    assert set(board) == set(ORACLE)


def test_points_are_equal_bit_by_bit(board: dict[str, Any]) -> None:
    """Steps, wall times and values of scalar series, in order."""

    def compare(run: str) -> tuple[Any, Any]:
        found = {
            name: (tag["steps"], exact(tag["walls"]), exact(tag["values"]))
            for name, tag in board[run]["tags"].items()
            if tag["form"] == "scalar"
        }
        expected = {
            name: (tag["steps"], exact(tag["walls"]), exact(numbers))
            for name, tag in ORACLE[run]["series"].items()
            if (numbers := values(run, name)) is not None
        }
        return found, expected

    assert find_unequal(compare) == {}


def test_the_same_points_are_superseded(board: dict[str, Any]) -> None:
    """Those that EventAccumulator purges, and tensor scalars by the same rule."""

    def compare(run: str) -> tuple[Any, Any]:
        found = {
            name: [place for place, mark in enumerate(tag["superseded"]) if mark]
            for name, tag in board[run]["tags"].items()
            if tag["form"] == "scalar"
        }
        return found, {name: ORACLE[run]["series"][name]["hidden"] for name in found}

    assert find_unequal(compare) == {}


def test_purging_keeps_other_points(board: dict[str, Any]) -> None:
    """With superseded points hidden, the rest stands as it was."""

    def compare(run: str) -> tuple[Any, Any]:
        found = {name: [tag["purged"][0], *map(exact, tag["purged"][1:])] for name, tag in board[run]["tags"].items()}
        expected = {}
        for name in found.keys() - EXTRA:
            tag = ORACLE[run]["series"][name]
            hidden = set(tag["hidden"])
            left = [place for place in range(len(tag["steps"])) if place not in hidden]
            columns = [tag["walls"]]
            if board[run]["tags"][name]["form"] == "scalar":
                columns.append(values(run, name))
            expected[name] = [[tag["steps"][i] for i in left], *([exact([c[i] for i in left]) for c in columns])]
        return {name: columns for name, columns in found.items() if name not in EXTRA}, expected

    assert find_unequal(compare) == {}


def test_other_kinds_have_references(board: dict[str, Any]) -> None:
    """Same counts, steps and wall times."""

    def compare(run: str) -> tuple[Any, Any]:
        found = {
            name: (tag["steps"], exact(tag["walls"]))
            for name, tag in board[run]["tags"].items()
            if tag["form"] == "reference" and name not in EXTRA
        }
        expected = {
            name: (tag["steps"], exact(tag["walls"]))
            for name, tag in ORACLE[run]["series"].items()
            if values(run, name) is None
        }
        return found, expected

    assert find_unequal(compare) == {}


def test_tags_have_the_same_plugin(board: dict[str, Any]) -> None:
    """And data class, from the first metadata of the tag."""

    def compare(run: str) -> tuple[Any, Any]:
        found = {name: (tag["plugin"], tag["data_class"]) for name, tag in board[run]["tags"].items()}
        expected = {name: (tag["plugin"], tag["data_class"]) for name, tag in ORACLE[run]["series"].items()}
        return {name: filed for name, filed in found.items() if name not in EXTRA}, expected

    assert find_unequal(compare) == {}


def test_meta_graphs_have_references(board: dict[str, Any]) -> None:
    """TensorBoard does not expose them."""

    def compare(run: str) -> tuple[Any, Any]:
        return board[run]["tags"]["__meta_graph__"]["plugin"], "meta_graph"

    assert find_unequal(compare, META_GRAPHS) == {}


def test_runs_begin_with_their_first_event(board: dict[str, Any]) -> None:
    """Of their first file."""
    found = exact([board[run]["first_wall"] for run in ORACLE])
    assert found == exact([run["first_wall"] for run in ORACLE.values()])
