"""Operators by shape are what PyTorch says of them."""

import json
import pathlib
import subprocess
from collections import defaultdict
from typing import Any

import pytest

from lightboard.cli.main import main
from support.framework_environment import PROGRAMS, framework_environment

RECURSIVE = {"aten::sum"}
"""Operators whose overloads call each other. PyTorch takes such two calls as one with the shapes of the outer one, so
only their self times together are the same."""


def test_operators_by_shape_are_those_that_pytorch_adds_up(
    tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """All rows of `key_averages(group_by_input_shape=True)`: count, total and self time. It has no types."""
    python = framework_environment() / "bin" / "python3"
    environment = {"HOME": str(tmp_path), "PATH": "/usr/bin:/bin"}
    program = PROGRAMS / "torch_shapes.py"
    output = subprocess.run(
        [python, program], env=environment, cwd=tmp_path, check=True, capture_output=True, text=True
    )
    theirs = sums(json.loads(output.stdout))
    assert main(["profile", "ops", str(tmp_path), "--by-shape", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    ours = sums([[row["name"], sizes_of(row["shapes"] or ()), *map(row.get, FIGURES)] for row in rows])

    assert len(theirs) > 100
    assert ours == {key: [count, *map(pytest.approx, times)] for key, (count, *times) in theirs.items()}


FIGURES = ("count", "total_us", "self_us")


def sums(rows: list[list[Any]]) -> dict[tuple[str, str], list[float]]:
    """The count, total and self time of each name with its shapes, of rows with these."""
    result: dict[tuple[str, str], list[float]] = defaultdict(lambda: [0, 0.0, 0.0])
    for name, shapes, count, total_us, self_us in rows:
        is_recursive = name in RECURSIVE
        found = result[name, "" if is_recursive else json.dumps(shapes)]
        for at, figure in enumerate((0, 0.0, self_us) if is_recursive else (count, total_us, self_us)):
            found[at] += figure
    return result


def sizes_of(shapes: list[str]) -> list[Any]:
    """Shapes as PyTorch has them: without types, and none of lists of tensors, which only the trace has."""
    return [[] if "[[" in shape or "[" not in shape else json.loads(shape[shape.index("[") :]) for shape in shapes]
