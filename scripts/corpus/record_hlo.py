"""Records what the programs in the xplanes of tests/data/profiles call their instructions, for the tests of ours.

    python scripts/corpus/record_hlo.py tests/data/profiles

Needs tensorflow-cpu==2.21.0, whose classes of protocol buffers read both, and writes `hlo.answers.json`: for each
xplane, by the number of a program and the name of an instruction, its `op_name`.
"""

import json
import sys
from pathlib import Path
from typing import Any

from tensorflow.compiler.xla.service import hlo_pb2
from tensorflow.tsl.profiler.protobuf import xplane_pb2


def programs_of(path: Path) -> dict[str, dict[str, str]]:
    """The instructions of each program of a capture."""
    space = xplane_pb2.XSpace.FromString(path.read_bytes())
    found: dict[str, dict[str, str]] = {}
    for plane in space.planes:
        for event in plane.event_metadata.values():
            stats: dict[str, Any] = {plane.stat_metadata[stat.metadata_id].name: stat for stat in event.stats}
            if "Hlo Proto" in stats and "program_id" in stats:
                proto = hlo_pb2.HloProto.FromString(stats["Hlo Proto"].bytes_value)
                number = stats["program_id"].uint64_value or stats["program_id"].int64_value
                found[str(number)] = {
                    instruction.name: instruction.metadata.op_name
                    for computation in proto.hlo_module.computations
                    for instruction in computation.instructions
                    if instruction.metadata.op_name
                }
    return dict(sorted(found.items()))


if __name__ == "__main__":
    root = Path(sys.argv[1])
    answers = {str(path.relative_to(root)): programs_of(path) for path in sorted(root.rglob("*.xplane.pb"))}
    answers = {path: programs for path, programs in answers.items() if programs}
    (root / "hlo.answers.json").write_text(json.dumps(answers, indent=1) + "\n")
