"""Records the graphs of programs of XLA as TensorFlow's protocol buffers have them, for the tests.

    python scripts/corpus/record_hlo_graphs.py tests/data

Needs tensorflow-cpu==2.21.0, and writes `graphs/jax_step.answers.json` of `jax_step.hlo.pb`, and
`profiles/programs.answers.json` of the programs in xplanes, by xplane and name: by computation, the operations with
their opcodes and shapes, and the edges between them.
"""

import json
import sys
from pathlib import Path
from typing import Any

from tensorflow.compiler.xla import xla_data_pb2
from tensorflow.compiler.xla.service import hlo_pb2
from tensorflow.tsl.profiler.protobuf import xplane_pb2


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


def answers_of(proto: bytes) -> dict[str, Any]:
    """The computations of an HloProto, and which of them it begins with."""
    module = hlo_pb2.HloProto.FromString(proto).hlo_module
    names = {each.id: each.name for each in module.computations}
    return {
        "entry": names[module.entry_computation_id],
        "computations": {each.name: graph_of(each, names) for each in module.computations},
    }


def programs_of(path: Path) -> dict[str, Any]:
    """The programs in an xplane by their names."""
    found = {}
    for plane in xplane_pb2.XSpace.FromString(path.read_bytes()).planes:
        for event in plane.event_metadata.values():
            for stat in event.stats:
                if plane.stat_metadata[stat.metadata_id].name == "Hlo Proto":
                    found[event.name] = answers_of(stat.bytes_value)
    return dict(sorted(found.items()))


def write(path: Path, answers: dict[str, Any]) -> None:
    """Write answers as one line."""
    path.write_text(json.dumps(answers, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    data = Path(sys.argv[1])
    write(data / "graphs/jax_step.answers.json", answers_of((data / "graphs/jax_step.hlo.pb").read_bytes()))
    profiles = data / "profiles"
    found = {str(path.relative_to(profiles)): programs_of(path) for path in sorted(profiles.rglob("*.xplane.pb"))}
    write(profiles / "programs.answers.json", {path: programs for path, programs in found.items() if programs})
