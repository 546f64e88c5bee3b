"""Measures captures of profilers: first picture, panning and zooming, memory; beside the peers that can be imported.

.venv/bin/python bench/profiles.py --events 1000000 --kinds torch xplane
"""

import argparse
import json
import random
import shutil
import subprocess
import sys
import tempfile
import urllib.parse
from pathlib import Path

from profile_inputs import make
from servers import JSON, Lightboard

HERE = Path(__file__).parent
MOVES = 50
WIDTH = 1440

PEERS = {
    "torch": ("torch-tb-profiler", "torch_tb_profiler", """
import os
from torch_tb_profiler.io.cache import Cache
from torch_tb_profiler.profiler.data import RunProfileData
with Cache(os.path.dirname(path)) as cache:
    RunProfileData.parse("trainer", "1", path, cache)
"""),
    "xplane": ("xprof", "xprof", """
from xprof.convert import raw_to_tool_data
raw_to_tool_data.xspace_to_tool_data([path], "trace_viewer@", {"resolution": "8000"})
"""),
}  # fmt: skip
"""For each kind: a program that makes the first picture, its module, and the code that makes it of `path`."""

MEASURED = """
import json, resource, sys, time
path, began = sys.argv[1], time.perf_counter()
exec(sys.argv[2])
used = resource.getrusage(resource.RUSAGE_SELF)
print(json.dumps({"secs": time.perf_counter() - began, "cpu_secs": used.ru_utime + used.ru_stime,
                  "peak_mb": used.ru_maxrss / 1024}))
"""


def answered(server, route, **query):
    """Seconds and the answer of a route of profiles."""
    secs, status, data = server.request(f"/api/v1/profiles{route}?" + urllib.parse.urlencode(query), headers=JSON)
    if status != 200:
        raise RuntimeError(f"HTTP {status}: {data[:200]!r}")
    return secs, json.loads(data)


def pictures(server, moves):
    """Of a started board: the first picture, then pans, zooms and single slices; times in ms."""
    _, listed = answered(server, "")
    capture = listed["captures"][0]["name"]
    idle_mb, idle_cpu = server.tree.memory_mb(), server.tree.cpu_secs()
    part, seen_part = answered(server, "/timeline", capture=capture, width=WIDTH, partial="true")
    rest, view = answered(server, "/timeline", capture=capture, width=WIDTH)
    first_cpu = server.tree.cpu_secs() - idle_cpu
    overview, _ = answered(server, "/overview", capture=capture)
    whole, rng, times, finds = view["end_us"], random.Random(0), [], []
    moves_cpu = 0.0
    for move in range(moves):
        before = server.tree.cpu_secs()
        length = whole / 4 ** (move % 10)
        begin = rng.uniform(0, whole - length)
        secs, seen = answered(server, "/timeline", capture=capture, begin_us=begin, end_us=begin + length, width=WIDTH)
        times.append(secs * 1e3)
        moves_cpu += server.tree.cpu_secs() - before
        if seen["marks"]["slice"]:
            chosen = rng.choice(seen["marks"]["slice"])
            finds.append(answered(server, "/slice", capture=capture, host=0, slice=chosen)[0] * 1e3)
    return {
        "part_secs": part,
        "part_loaded": seen_part["loaded"],
        "first_secs": part + rest,
        "first_cpu_secs": first_cpu,
        "overview_secs": overview,
        "slowest_move_ms": max(times),
        "mean_move_cpu_ms": moves_cpu / moves * 1e3,
        "slowest_slice_ms": max(finds),
        "idle_mb": idle_mb,
        "memory_mb": server.tree.memory_mb(),
        "peak_mb": server.tree.memory_mb("VmHWM"),
    }


def ours(folder, moves):
    """A board that reads the capture, and one that finds it in the index of the first."""
    homes = tempfile.mkdtemp(prefix="bench-profiles-")
    found = {}
    try:
        for state in ("cold", "index"):
            server = Lightboard(str(folder), sys.executable)
            try:
                server.wait_first_answer()
                cache = Path(server.home.name, "cache", "profiles")
                if state == "index":
                    shutil.copytree(Path(homes, "profiles"), cache, dirs_exist_ok=True)
                found[state] = pictures(server, moves)
                if state == "cold" and cache.exists():
                    shutil.copytree(cache, Path(homes, "profiles"))
            finally:
                server.end()
    finally:
        shutil.rmtree(homes)
    return found


def peer(kind, path, python):
    """What the peer takes for its first picture, of a copy: it writes beside. None if it cannot be imported."""
    name, module, code = PEERS[kind]
    if subprocess.run([python, "-c", f"import {module}"], capture_output=True, check=False).returncode:
        return name, None
    with tempfile.TemporaryDirectory(prefix="bench-peer-") as folder:
        copy = shutil.copy(path, folder)
        result = subprocess.run(
            [python, "-c", MEASURED, copy, code], capture_output=True, text=True, check=False, timeout=1800
        )
    if result.returncode:
        return name, {"error": result.stderr.strip().splitlines()[-1][:200]}
    return name, json.loads(result.stdout.splitlines()[-1])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--events", type=int, nargs="+", default=[1_000_000])
    parser.add_argument("--kinds", nargs="+", choices=[*PEERS], default=[*PEERS])
    parser.add_argument("--moves", type=int, default=MOVES, help="pans and zooms")
    parser.add_argument("--lab", type=Path, default=HERE / ".lab", help="where the inputs live")
    parser.add_argument("--peer-python", default=sys.executable, help="the interpreter that has the peers")
    options = parser.parse_args()
    for events in options.events:
        for kind in options.kinds:
            folder, path = make(options.lab, kind, events)
            print(f"\n{kind}, {events:,} events, {path.stat().st_size / 1e6:,.0f} MB")
            found = ours(folder, options.moves)
            for state, figures in found.items():
                print(f"  {state}: " + ", ".join(f"{name} {value:,.2f}" for name, value in figures.items()))
            name, figures = peer(kind, path, options.peer_python)
            if figures is None:
                print(f"  {name}: absent, so there is no ratio")
            elif "error" in figures:
                print(f"  {name}: failed: {figures['error']}")
            else:
                cold = found["cold"]
                print(f"  {name}: " + ", ".join(f"{key} {value:,.2f}" for key, value in figures.items()))
                print(f"  ratio: time {figures['secs'] / cold['first_secs']:.1f}, "
                      f"memory {figures['peak_mb'] / cold['peak_mb']:.1f}")  # fmt: skip


if __name__ == "__main__":
    main()
