"""Every series of the corpus is read as TensorBoard's own `EventAccumulator` reads it (tests/data/oracle).

Compared bit by bit: steps, wall times, values as doubles; which points a restart hides; and for other kinds of data
how many there are, when, and under which plugin. This holds for the compiled and for the
pure-Python decoder.
"""

import os
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from lightboard._native import core
from support.tensorboard_oracle import DATA, ORACLE, exact, values

READER = Path(__file__).parents[1] / "support" / "corpus_reader.py"
IMPLEMENTATIONS = ["python"] if core is None else ["python", "native"]

# Lightboard keeps meta graphs as a series; TensorBoard's provider does not surface them.
EXTRA = {"__meta_graph__"}
RUNS = [pytest.param(name, id=name.encode("unicode_escape").decode()[:60]) for name in ORACLE]


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


def test_runs_are_the_folders_with_event_files(board: dict[str, Any]) -> None:
    """Run names are paths below the logdir, whatever they are written in."""
    assert set(board) == set(ORACLE)


@pytest.mark.parametrize("run", RUNS)
def test_points_are_equal_bit_by_bit(board: dict[str, Any], run: str) -> None:
    """Steps, wall times and values of scalar series, in order."""
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
    assert found == expected


@pytest.mark.parametrize("run", RUNS)
def test_the_same_points_are_superseded(board: dict[str, Any], run: str) -> None:
    """Those that EventAccumulator purges, and tensor scalars by the same rule."""
    found = {
        name: [place for place, mark in enumerate(tag["superseded"]) if mark]
        for name, tag in board[run]["tags"].items()
        if tag["form"] == "scalar"
    }
    assert found == {name: ORACLE[run]["series"][name]["hidden"] for name in found}


@pytest.mark.parametrize("run", RUNS)
def test_purging_keeps_other_points(board: dict[str, Any], run: str) -> None:
    """With superseded points hidden, the rest stands as it was."""
    found = {name: [tag["purged"][0], *map(exact, tag["purged"][1:])] for name, tag in board[run]["tags"].items()}
    expected = {}
    for name in found.keys() - EXTRA:
        tag = ORACLE[run]["series"][name]
        left = [place for place in range(len(tag["steps"])) if place not in set(tag["hidden"])]
        columns = [tag["walls"]]
        if board[run]["tags"][name]["form"] == "scalar":
            columns.append(values(run, name))
        expected[name] = [[tag["steps"][i] for i in left], *([exact([c[i] for i in left]) for c in columns])]
    assert {name: columns for name, columns in found.items() if name not in EXTRA} == expected


@pytest.mark.parametrize("run", RUNS)
def test_other_kinds_have_references(board: dict[str, Any], run: str) -> None:
    """Same counts, steps and wall times."""
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
    assert found == expected


@pytest.mark.parametrize("run", RUNS)
def test_tags_have_the_same_plugin(board: dict[str, Any], run: str) -> None:
    """And data class, from the first metadata of the tag."""
    found = {name: (tag["plugin"], tag["data_class"]) for name, tag in board[run]["tags"].items()}
    expected = {name: (tag["plugin"], tag["data_class"]) for name, tag in ORACLE[run]["series"].items()}
    assert {name: filed for name, filed in found.items() if name not in EXTRA} == expected


@pytest.mark.parametrize("run", [name for name, run in ORACLE.items() if run["meta_graph"]])
def test_meta_graphs_have_references(board: dict[str, Any], run: str) -> None:
    """TensorBoard does not expose them."""
    assert board[run]["tags"]["__meta_graph__"]["plugin"] == "meta_graph"


def test_runs_begin_with_their_first_event(board: dict[str, Any]) -> None:
    """Of their first file."""
    found = exact([board[run]["first_wall"] for run in ORACLE])
    assert found == exact([run["first_wall"] for run in ORACLE.values()])
