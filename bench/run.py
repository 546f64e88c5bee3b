"""Measures Lightboard beside TensorBoard with its data server, in one run, and prints one table of ratios.

    python bench/run.py                 everything, about fifteen minutes on two cores
    python bench/run.py load chart      only these lines
    python bench/run.py --repeats 1     quick look
    BENCH_HUB_SECS=20 python bench/run.py hub     seconds that viewers watch the boards of a hub; default 300

The peer is installed, and the inputs are made, in bench/.lab (or --lab DIR) the first time. --write puts the
table and the machine's description into docs/performance.md.
"""

import argparse
import compileall
import datetime
import json
import os
import platform
import shutil
import subprocess
import sys
import venv
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import fairness
import hub
import jobs
import many_runs
import measurements
import media
import page
import projector
from servers import Lightboard, TensorBoard, TensorBoardAll

HERE = Path(__file__).resolve().parent
PEER = "tensorboard==2.21.0"
OVERVIEW_PX = 12
"""Columns per series if a thousand lines share a card; the page requests zoomed ranges again."""

HEAD = ("What", "TensorBoard", "Lightboard", "Ratio", "Promise", "Holds")


def prepare(lab, scale):
    """Install the peer and make the inputs, once."""
    # An installed package is compiled, like the peer's; a source tree is not.
    compileall.compile_dir(HERE.parent / "src", quiet=1)
    python = lab / "tb" / "bin" / "python"
    if not python.exists():
        print("installing the peer", PEER, file=sys.stderr)
        venv.create(lab / "tb", with_pip=True)
        subprocess.run([python, "-m", "pip", "install", "-q", PEER], check=True)
    folders = {}
    scripts = dict.fromkeys(("small", "long", "many", "tags", "dense", "listed", "sources"), "inputs.py")
    scripts |= dict.fromkeys(("images", "histograms"), "media_inputs.py")
    for kind, name in scripts.items():
        folders[kind] = lab / "inputs" / kind
        if not (folders[kind] / "set.json").exists():
            print("making", kind, file=sys.stderr)
            shutil.rmtree(folders[kind], ignore_errors=True)
            folders[kind].mkdir(parents=True)
            subprocess.run([python, str(HERE / name), kind, str(folders[kind]), str(scale)], check=True)
        measurements.warm(folders[kind])
    folders["points"] = lab / "inputs" / "points"
    if not (folders["points"] / "run" / "projector_config.pbtxt").exists():
        projector.write(folders["points"])
    return python, {kind: str(folder) for kind, folder in folders.items()}


class Table:
    """Rows of (what, peer, ours, unit, promise). A ratio above 1 says how many times better ours is."""

    def __init__(self):
        self.rows = []

    def add(self, what, peer, ours, unit, promise, limit=None):
        holds = "" if limit is None else ("yes" if ours <= limit else "NO")
        ratio = f"{peer / ours:.1f}x" if peer is not None and ours else ""
        peer_text = "" if peer is None else f"{peer:,.3g} {unit}"
        self.rows.append((what, peer_text, f"{ours:,.3g} {unit}", ratio, promise, holds))
        print(json.dumps(dict(zip(HEAD, self.rows[-1], strict=True))), flush=True)

    def markdown(self):
        lines = ["| " + " | ".join(row) + " |" for row in (HEAD, ("---",) * len(HEAD), *self.rows)]
        return "\n".join(lines)


def measure_load(table, python, folders, n):
    peer = measurements.load(TensorBoardAll, python, folders["long"], max(1, n // 2))
    ours = measurements.load(Lightboard, python, folders["long"], n)
    table.add(
        "load 10 M points, exec to served",
        peer["secs"],
        ours["secs"],
        "s",
        "10 times quicker",
        peer["secs"] / 10,
    )
    table.add("the same, processor time", peer["cpu_secs"], ours["cpu_secs"], "s", "")
    table.add("the same, peak memory", peer["peak_mb"], ours["peak_mb"], "MB", "under 400 MB", 400)


def measure_many(table, python, folders, n):
    peer = measurements.load(TensorBoard, python, folders["many"], n)
    ours = measurements.load(Lightboard, python, folders["many"], n)
    table.add(
        "load 1,000 runs x 20 tags x 200",
        peer["secs"],
        ours["secs"],
        "s",
        "8 times quicker",
        peer["secs"] / 8,
    )
    table.add("the same, peak memory", peer["peak_mb"], ours["peak_mb"], "MB", "under 200 MB", 200)


def measure_start(table, python, folders, n):
    peer = measurements.start(TensorBoard, python, folders["small"], n)
    ours = measurements.start(Lightboard, python, folders["small"], n)
    table.add("start to first answer with data", peer["secs"], ours["secs"], "s", "0.4 s", 0.4)
    table.add("idle memory", peer["idle_mb"], ours["idle_mb"], "MB", "70 MB", 70)


@contextmanager
def served(server_type, python, folder):
    """A loaded server over one of the inputs, and the input's description."""
    made = measurements.read_description(folder)
    server = server_type(folder, python)
    try:
        server.wait_loaded(made)
        yield server, made
    finally:
        server.end()


def peer_charts(python, folders, count):
    """TensorBoard's closest responses: one series, ten runs, and one long series with every point kept."""
    names = [f"run_{i:04d}" for i in range(10)]
    with served(TensorBoard, python, folders["small"]) as (server, made):
        tags = made["tags"]
        one = measurements.timed(partial(server.scalars, names[i % 10], tags[i % 20]) for i in range(count))
        ten = measurements.timed(partial(server.multirun, tags[i % 20], names) for i in range(count))
    with served(TensorBoardAll, python, folders["long"]) as (server, made):
        calls = [partial(server.scalars, names[i], made["tags"][0]) for i in range(3)]
        return one, ten, measurements.timed(calls)


def measure_chart(table, python, folders, n):
    count = 40 * n
    one, ten, long = peer_charts(python, folders, count)
    for what, folder, peer, shown in (
        ("one series of 1,000 points", "small", one, 1),
        ("one chart of 10 runs x 1,000 points", "small", ten, 10),
        ("one series of 500,000 points", "long", long, 1),
        ("one chart of 4 runs x 500,000 points", "long", None, 4),
    ):
        with served(Lightboard, python, folders[folder]) as (server, made):
            for weight in (0.0, 0.6):
                ours = measurements.chart(server, made, count, weight, shown)
                label = f"{what}, 1,000 px" + (", smoothed" if weight else "")
                peer_ms, peer_kb = (peer["p50_ms"], peer["bytes"] / 1e3) if peer else (None, None)
                table.add(f"{label}: p50", peer_ms, ours["p50_ms"], "ms", "3 ms", 3)
                table.add(f"{label}: size", peer_kb, ours["bytes"] / 1e3, "KB", "100 KB", 100)


def measure_wall(table, python, folders, n):
    with served(TensorBoard, python, folders["many"]) as (server, made):
        peer = measurements.timed([partial(server.time_series, made["tags"])])
    with served(Lightboard, python, folders["many"]) as (server, made):
        ours = measurements.wall(server, made, 3 * n, OVERVIEW_PX)
    table.add(
        f"20 tags x 1,000 runs, one request, {OVERVIEW_PX} px each",
        peer["p50_ms"] / 1e3,
        ours["p50_ms"] / 1e3,
        "s",
        "0.5 s",
        0.5,
    )
    table.add("the same, size", peer["bytes"] / 1e6, ours["bytes"] / 1e6, "MB", "6 MB", 6)


def measure_freshness(table, python, folders, n):
    peer = measurements.freshness(TensorBoard, python, folders["small"], 4 * n)
    ours = measurements.freshness(Lightboard, python, folders["small"], 8 * n)
    table.add("a point written until served: p50", peer["p50_secs"], ours["p50_secs"], "s", "0.05 s", 0.05)
    table.add("the same, slowest", peer["max_secs"], ours["max_secs"], "s", "")
    ours = measurements.freshness_on_page(Lightboard, python, folders["small"], 6 * n)
    table.add("a point written until drawn on the open page: p50", None, ours["p50_secs"], "s", "0.3 s", 0.3)
    table.add("the same, slowest", None, ours["max_secs"], "s", "")


def measure_page(table, python, folders, n):
    for kind, what, peer_class, promise_secs, promise_mb in (
        ("small", "10 runs x 20 tags", TensorBoard, 1.0, 20),
        ("many", "1,000 runs x 20 tags", TensorBoard, 1.5, 60),
        ("long", "10 M points", TensorBoardAll, 1.0, 20),
    ):
        got = {}
        for server_type, ready in ((peer_class, "tensorboard"), (Lightboard, "lightboard")):
            slow = server_type is not Lightboard and kind != "small"
            with served(server_type, python, folders[kind]) as (server, _):
                url = f"http://127.0.0.1:{server.port}/#timeseries"
                got[ready] = page.first_chart(url, page.READY[ready], 1 if slow else n)
        peer, ours = got["tensorboard"], got["lightboard"]
        table.add(f"first chart, {what}", peer["secs"], ours["secs"], "s", f"{promise_secs} s", promise_secs)
        table.add("the same, heap", peer["heap_mb"], ours["heap_mb"], "MB", f"{promise_mb} MB", promise_mb)
        table.add("the same, sent", peer["bytes"] / 1e3, ours["bytes"] / 1e3, "KB", "")


def measure_hands(table, python, folders, n):
    del n  # one visit is hundreds of frames
    with served(Lightboard, python, folders["dense"]) as (server, _):
        frames = page.hover_frames(f"http://127.0.0.1:{server.port}/")
    table.add("pointing at 50 runs x 10,000, frame p95", None, frames["p95_ms"], "ms", "20 ms", 20)
    with served(Lightboard, python, folders["small"]) as (server, _):
        frames = page.slider_frames(f"http://127.0.0.1:{server.port}/")
    table.add(
        "dragging the smoothing slider, 10 runs x 20 tags, frame p95", None, frames["p95_ms"], "ms", "33 ms", 33.4
    )
    with served(Lightboard, python, folders["tags"]) as (server, _):
        scrolled = page.scroll_tasks(f"http://127.0.0.1:{server.port}/")
    table.add("opening 100 tags, first paint", None, scrolled["paint_secs"], "s", "0.6 s", 0.6)
    table.add(
        f"drawing the first {scrolled['cards']} cards of 10 runs x 1,000", None, scrolled["draw_ms"], "ms", "80 ms", 80
    )
    table.add("longest task of that", None, scrolled["slowest_ms"], "ms", "16 ms", 16)
    table.add("drawing them again", None, scrolled["redraw_ms"], "ms", "80 ms", 80)
    table.add("longest task of that, again", None, scrolled["slowest_redraw_ms"], "ms", "16 ms", 16)
    table.add("opening 100 tags, longest task", None, scrolled["start_ms"], "ms", "100 ms", 100)
    table.add("scrolling 100 tags, longest task", None, scrolled["scroll_ms"], "ms", "50 ms", 50)
    table.add("heap after that", None, scrolled["heap_mb"], "MB", "60 MB", 60)


def measure_projector(table, python, folders, n):
    del n  # a layout of all points takes minutes
    server = Lightboard(str(folders["points"]), python)
    try:
        server.wait_first_answer()
        got = projector.seen(f"http://127.0.0.1:{server.port}/")
        laid = projector.measure_layout(f"http://127.0.0.1:{server.port}/")
    finally:
        server.end()
    many = "100,000 embeddings of 64"
    table.add(f"opening {many}, all drawn and coloured", None, got["secs"], "s", "2 s", 2)
    table.add("dragging them, between two pictures, mean", None, got["mean_ms"], "ms", "33 ms", 33.4)
    table.add("the same, p95", None, got["p95_ms"], "ms", "")
    table.add("UMAP of all of them", None, laid["secs"], "s", "")
    table.add("longest click on the page meanwhile", None, laid["longest_ms"], "ms", "")


def measure_crowd(table, python, folders, n):
    got = {}
    for server_type, name in ((TensorBoard, "tensorboard"), (Lightboard, "lightboard")):
        with served(server_type, python, folders["many"]) as (server, _):
            got[name] = many_runs.charts(f"http://127.0.0.1:{server.port}/#timeseries", name)
    peer, ours = got["tensorboard"], got["lightboard"]
    for key, what in (("hover_ms", "pointing at"), ("scroll_ms", "scrolling")):
        table.add(f"{what} 1,000 runs x 20 tags, longest task", peer[key], ours[key], "ms", "50 ms", 50)
    with served(Lightboard, python, folders["many"]) as (server, _):
        url = f"http://127.0.0.1:{server.port}/"
        every = many_runs.charts(url, "lightboard", everything=True)
        found = many_runs.listing(url)
    table.add("pointing with all 1,000 runs on, longest task", None, every["hover_ms"], "ms", "100 ms", 100)
    table.add("scrolling with all 1,000 runs on, longest task", None, every["scroll_ms"], "ms", "100 ms", 100)
    table.add("filtering 1,000 runs, key to picture", None, found["key_ms"], "ms", "50 ms", 50)
    with served(Lightboard, python, folders["listed"]) as (server, _):
        url = f"http://127.0.0.1:{server.port}/"
        first = page.first_chart(url, page.READY["lightboard"], n)
        rows = many_runs.listing(url)
    table.add("first chart, 10,000 runs x 3 tags", None, first["secs"], "s", "1.5 s", 1.5)
    table.add("10,000 runs listed: rows in the page", None, rows["rows"], "rows", "80", 80)
    table.add("flinging through them, frame p95", None, rows["p95_ms"], "ms", "32 ms", 32)
    table.add("the same, longest frame", None, rows["frame_ms"], "ms", "")
    table.add("filtering them, key to picture", None, rows["key_ms"], "ms", "100 ms", 100)


def measure_media(table, python, folders, n):
    peer = measurements.load(TensorBoard, python, folders["images"], n)
    ours = measurements.load(Lightboard, python, folders["images"], n)
    table.add("load 1 GB of images, exec to served", peer["secs"], ours["secs"], "s", "")
    table.add("the same, peak memory", peer["peak_mb"], ours["peak_mb"], "MB", "120 MB", 120)
    with served(TensorBoard, python, folders["images"]) as (server, _):
        kept = media.peer_images(server)
        peer = media.opened(server, kept, 40 * n)
    with served(Lightboard, python, folders["images"]) as (server, _):
        every = media.our_images(server)
        ours = media.opened(server, every, 40 * n)
    table.add("images of 1,000 that can be opened", None, len(every), "images", f"TensorBoard {len(kept)}")
    table.add("one of them, 1 MB, p50", peer["p50_ms"], ours["p50_ms"], "ms", "50 ms", 50)
    table.add("the same, slowest", peer["max_ms"], ours["max_ms"], "ms", "50 ms", 50)
    table.add(f"memory after {40 * n} of them", peer["memory_mb"], ours["memory_mb"], "MB", "120 MB", 120)
    costs = []
    for server_type in (TensorBoard, Lightboard):
        with served(server_type, python, folders["histograms"]) as (server, _):
            costs.append(media.histograms_cost(f"http://127.0.0.1:{server.port}/"))
    peer, ours = costs
    table.add(
        "18 histograms of 500 steps on the page, unpacked", peer["unpacked_mb"], ours["unpacked_mb"], "MB", "1 MB", 1
    )
    table.add("the same over the wire", peer["wire_mb"], ours["wire_mb"], "MB", "")


def measure_hub(table, python, folders, n):
    del n  # two hundred boards are enough repeats
    count, others = 200, 5
    secs = float(os.environ.get("BENCH_HUB_SECS", "300"))
    peer = hub.peers(folders["sources"], python, others)
    filled, watched = hub.whole(folders["sources"], count, secs)
    table.add(
        f"{count} boards over 50 sources: asked for until Running, p50",
        peer["secs"],
        filled["running_secs"],
        "s",
        "0.3 s",
        0.3,
    )
    table.add("the same, slowest", peer["max_secs"], filled["running_max_secs"], "s", "")
    table.add("asked for until page and runs are there, p50", peer["secs"], filled["page_secs"], "s", "1 s", 1)
    table.add("the same, slowest", peer["max_secs"], filled["page_max_secs"], "s", "1 s", 1)
    table.add(f"memory: {others} TensorBoards, or hub and {count} boards", peer["memory_mb"], filled["memory_mb"],
              "MB", "less", peer["memory_mb"])  # fmt: skip
    table.add("the same for each board", peer["memory_mb"] / others, filled["memory_mb"] / count, "MB", "")
    what = f"{watched['viewers']} people watch for {secs:.0f} s"
    table.add(f"{what}: who missed a point", None, watched["blind"], "people", "0", 0)
    table.add(f"{what}: who heard no news", None, watched["deaf"], "people", "0", 0)
    table.add(f"{what}: errors among {watched['asked']} answers", None, len(watched["errors"]), "errors", "0", 0)
    if watched["errors"]:
        print(hub.error_counts(watched["errors"]), file=sys.stderr)
    table.add(f"{what}: a chart, p50", None, watched["p50_ms"], "ms", "")
    table.add(f"{what}: a chart, p99", None, watched["p99_ms"], "ms", "")
    table.add(f"{what}: hub and worker keep busy", None, watched["cores"], "cores", "")
    table.add(f"{what}: memory of the hub grew by", None, watched["hub_grew_mb"], "MB", "20 MB", 20)
    table.add(f"{what}: hub and worker grew by", None, watched["all_grew_mb"], "MB", "")


def measure_jobs(table, python, folders, n):
    del python, folders, n  # no peer runs jobs; the first line is compared with a plain start of the same command
    found = jobs.whole()
    table.add("job: from the request to its first line, p50; beside it a plain start", found["plain_secs"],
              found["first_secs"], "s", "0.3 s", 0.3)  # fmt: skip
    table.add("the same, slowest", None, found["first_max_secs"], "s", "")
    table.add(
        "the same, processor time of the hub, until its end is known", None, 1e3 * found["first_cpu_secs"], "ms", ""
    )
    many = f"{jobs.FINISHED} finished and {jobs.RUNNING} running jobs"
    table.add(f"{many}: the list, p50", None, found["list_ms"], "ms", "100 ms", 100)
    table.add("the same, 99th percentile", None, found["list_p99_ms"], "ms", "")
    table.add("the same, processor time of the hub", None, found["list_cpu_ms"], "ms", "")
    table.add("the same with three metrics of each, p50", None, found["metrics_ms"], "ms", "100 ms", 100)
    table.add("the same, 99th percentile", None, found["metrics_p99_ms"], "ms", "")
    table.add("the same, processor time of the hub", None, found["metrics_cpu_ms"], "ms", "")
    table.add(f"{many}: processor time of the hub in a second", None, found["idle_ms"], "ms", "10 ms", 10)
    table.add("beside it, that of the process that reads metrics", None, found["idle_reader_ms"], "ms", "10 ms", 10)
    table.add(f"a job prints {jobs.LOG_MB} MB: until it has ended", None, found["log_secs"], "s", "")
    table.add("meanwhile: processor time of the hub for each list", None, found["beside_cpu_ms"], "ms", "")
    table.add("meanwhile: the list, p50", None, found["beside_ms"], "ms", "100 ms", 100)
    table.add("the same, 99th percentile", None, found["beside_p99_ms"], "ms", "")
    found = jobs.writers()
    table.add(f"{jobs.WRITERS} jobs write metrics at once: until all values of ended ones are there", None,
              found["writers_behind_secs"], "s", "")  # fmt: skip
    table.add("meanwhile: the list with metrics, p50", None, found["writers_list_ms"], "ms", "")
    table.add("the share of a processor that reading takes", None, 100 * found["writers_reader_share"], "%", "")


def measure_turns(table, python, folders, n):
    """Small requests beside greedy clients. BENCH_TURNS_SECS is the duration of each measurement."""
    secs = float(os.environ.get("BENCH_TURNS_SECS", 2 * n))
    made = measurements.read_description(folders["many"])
    crowds = (0, 4, 64)
    ours, peer = (
        fairness.measure_with_greedy_clients(server_type, python, folders["many"], made, crowds, secs)
        for server_type in (Lightboard, TensorBoard)
    )
    for name in ("status", "page", "chart"):
        for count in crowds:
            limit = None if count == 0 else 5 * ours[0][name] + 20
            promise = "" if limit is None else f"{limit:.0f} ms: 5 times alone plus 20 ms"
            what = f"{name}, beside {count} greedy clients, 99th percentile"
            table.add(what, peer[count][name], ours[count][name], "ms", promise, limit)


LINES = {
    "load": measure_load,
    "many": measure_many,
    "start": measure_start,
    "chart": measure_chart,
    "wall": measure_wall,
    "freshness": measure_freshness,
    "page": measure_page,
    "hands": measure_hands,
    "crowd": measure_crowd,
    "media": measure_media,
    "projector": measure_projector,
    "hub": measure_hub,
    "jobs": measure_jobs,
    "turns": measure_turns,
}


def machine():
    """The machine and software of the measurements, in one sentence."""
    with open("/proc/cpuinfo") as file:
        model = next((line.split(":")[1].strip() for line in file if line.startswith("model name")), "?")
    with open("/proc/meminfo") as file:
        memory = int(file.readline().split()[1]) / 1024**2
    return (f"{os.cpu_count()} cores of {model}, {memory:.0f} GiB, {platform.system()} {platform.release()}, "
            f"Python {platform.python_version()}, {PEER}, warm page cache, loopback; "
            f"the browser's yardstick {page.browser_speed():.0f} ms")  # fmt: skip


def write(table):
    """Replace the generated part of docs/performance.md."""
    path = HERE.parent / "docs" / "performance.md"
    text = path.read_text()
    begin, end = "<!-- made by bench/run.py --write -->\n", "<!-- end -->\n"
    body = f"{datetime.date.today().isoformat()}, {machine()}.\n\n{table.markdown()}\n"
    head, rest = text.split(begin, 1)
    path.write_text(head + begin + body + end + rest.split(end, 1)[1])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("lines", nargs="*", choices=[*LINES, []], help="which lines; all by default")
    parser.add_argument("--lab", type=Path, default=HERE / ".lab", help="where the peer and the inputs live")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--scale", type=float, default=1.0, help="fewer steps, for a quick look")
    parser.add_argument("--write", action="store_true", help="write docs/performance.md")
    options = parser.parse_args()
    if options.write and options.lines:
        parser.error("--write replaces the whole table, whose figures are of one run: give no lines with it")
    python, folders = prepare(options.lab, options.scale)
    table = Table()
    for line in options.lines or LINES:
        LINES[line](table, python, folders, options.repeats)
    print("\n" + machine() + "\n\n" + table.markdown())
    if options.write:
        write(table)


if __name__ == "__main__":
    main()
