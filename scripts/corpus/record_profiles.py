"""Records what torch-tb-profiler and xprof make of the captures of tests/data/profiles, for the tests of ours.

    python scripts/corpus/record_profiles.py tests/data/profiles

Needs torch-tb-profiler==0.4.3 with setuptools, or xprof==2.24.2 with jax==0.10.2, and writes `torch.answers.json` or
`xprof.answers.json`, by what is installed.
"""

import gzip
import importlib.util
import json
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any


def record_torch(folder: Path) -> dict[str, Any]:
    """Operators and steps of each capture of PyTorch, in microseconds."""
    from torch_tb_profiler.profiler.data import RunProfileData

    answers: dict[str, Any] = {}
    for path in sorted(folder.rglob("*.pt.trace.json*")):
        data = path.read_bytes()
        trace = json.loads(gzip.decompress(data) if path.suffix == ".gz" else data)
        profile = RunProfileData.from_json(path.stem, None, trace)
        answers[str(path.relative_to(folder))] = {
            "operators": [
                {
                    "name": each.name,
                    "count": each.calls,
                    "total_us": each.host_duration,
                    "self_us": each.self_host_duration,
                }
                for each in sorted(profile.op_list_groupby_name, key=lambda each: each.name)
            ],
            "steps": [
                {"step": name, "duration_us": costs.costs[-1]}
                for name, costs in zip(profile.steps_names, profile.steps_costs, strict=True)
            ],
        } | device_figures(profile)
    return answers


def device_figures(profile: Any) -> dict[str, Any]:
    """Kernels, and the part of the time that each GPU computes; nothing where there was none."""
    if not profile.has_kernel:
        return {}
    kernels = [
        {"name": name, "count": int(row["count"]), "total_us": float(row["sum"])}
        for name, row in sorted(profile.kernel_stat.iterrows())
    ]
    metrics = profile.gpu_metrics_parser
    return {"kernels": kernels, "busy": {str(id): metrics.gpu_utilization[id] for id in sorted(metrics.gpu_ids)}}


def record_xprof(folder: Path) -> dict[str, Any]:
    """Lines with the names and times of their events, and the steps that the overview has."""
    from xprof import profile_data

    answers: dict[str, Any] = {}
    for path in sorted(folder.rglob("*.xplane.pb")):
        planes = profile_data.ProfileData.from_file(str(path)).planes
        lines = [
            {
                "plane": plane.name,
                "line": line.name,
                "events": [[e.name, e.start_ns, e.duration_ns] for e in line.events],
            }
            for plane in planes
            for line in plane.lines
        ]
        answers[str(path.relative_to(folder))] = {"lines": lines, "steps": xprof_steps(path)}
    return answers


def xprof_steps(path: Path) -> list[Any]:
    """The steps of its overview with their times in milliseconds."""
    from xprof.convert import raw_to_tool_data

    with tempfile.TemporaryDirectory() as scratch:  # it writes caches beside the file
        copy = shutil.copy(path, scratch)
        data, _ = raw_to_tool_data.xspace_to_tool_data([copy], "overview_page", {})
    tables = json.loads(data)
    return [step(row["c"]) for table in tables for row in table.get("rows", ()) if is_step_table(table)]


def step(cells: list[dict[str, Any]]) -> dict[str, Any]:
    """A step of that table, whose last column is the time of the whole."""
    return {"name": cells[0]["v"], "duration_ms": cells[-1]["v"]}


def is_step_table(table: dict[str, Any]) -> bool:
    """Whether a table of the overview is that of steps."""
    return bool(table.get("cols")) and table["cols"][0]["id"] == "stepnum"


if __name__ == "__main__":
    root = Path(sys.argv[1])
    name, record = ("xprof", record_xprof) if importlib.util.find_spec("xprof") else ("torch", record_torch)
    (root / f"{name}.answers.json").write_text(json.dumps(record(root), indent=1) + "\n")
