"""Totals of Keras models are what Keras says of them."""

import json
import pathlib
import subprocess

from lightboard.graphs.keras_model import read_keras_model
from lightboard.graphs.scoped_graph import ScopedGraph
from lightboard.graphs.totals_table import totals_table
from support.framework_environment import PROGRAMS, framework_environment


def test_parameters_are_those_that_keras_counts(tmp_path: pathlib.Path) -> None:
    """Of each layer, also those that are trained; and their bytes. Operations of recurrent layers are not known."""
    python = framework_environment() / "bin" / "python3"
    environment = {"TF_CPP_MIN_LOG_LEVEL": "3", "HOME": str(tmp_path), "PATH": "/usr/bin:/bin"}
    program = PROGRAMS / "keras_totals.py"
    output = subprocess.run([python, program], env=environment, check=True, capture_output=True, text=True).stdout
    told = [json.loads(line) for line in output.splitlines()]
    assert len(told) == 2

    for each in told:
        rows = totals_table(ScopedGraph(read_keras_model(json.dumps(each["model"]).encode())), 1000).rows
        layers = {row.path.rpartition("/")[2]: [row.parameters, row.trainable] for row in rows[2:]}
        assert {name: layers[name] for name in each["layers"]} == each["layers"]
        assert (rows[0].parameters, rows[0].bytes, rows[0].partial) == (each["parameters"], each["bytes"], ("flops",))
