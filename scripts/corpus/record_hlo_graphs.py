"""Records the graph of tests/data/graphs/jax_step.hlo.pb as TensorFlow's protocol buffers have it, for the tests.

    python scripts/corpus/record_hlo_graphs.py tests/data/graphs

Needs tensorflow-cpu==2.21.0, and writes `jax_step.answers.json`: by computation, the operations with their opcodes and
shapes, and the edges between them.
"""

import json
import sys
from pathlib import Path
from typing import Any

from tensorflow.compiler.xla import xla_data_pb2
from tensorflow.compiler.xla.service import hlo_pb2


def shape_of(shape: Any) -> Any:
    """The element type and the sizes of a shape; a list of a tuple."""
    name = xla_data_pb2.PrimitiveType.Name(shape.element_type).lower()
    return [shape_of(each) for each in shape.tuple_shapes] if name == "tuple" else [name, *shape.dimensions]


def graph_of(computation: Any, names: dict[int, str]) -> dict[str, Any]:
    """The operations of a computation and its edges."""
    ids = {each.id: each.name for each in computation.instructions}
    return {
        "nodes": sorted(
            [each.name, each.opcode, shape_of(each.shape), [names[called] for called in each.called_computation_ids]]
            for each in computation.instructions
        ),
        "edges": sorted(
            [ids[operand], each.name, slot]
            for each in computation.instructions
            for slot, operand in enumerate(each.operand_ids)
        ),
        "waits": sorted(
            [ids[other], each.name] for each in computation.instructions for other in each.control_predecessor_ids
        ),
    }


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    module = hlo_pb2.HloProto.FromString((folder / "jax_step.hlo.pb").read_bytes()).hlo_module
    names = {each.id: each.name for each in module.computations}
    answers = {
        "entry": names[module.entry_computation_id],
        "computations": {each.name: graph_of(each, names) for each in module.computations},
    }
    (folder / "jax_step.answers.json").write_text(json.dumps(answers, separators=(",", ":")) + "\n")
