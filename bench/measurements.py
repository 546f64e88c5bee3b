"""One function per promise. Each returns numbers for one server."""

import json
import random
import shutil
import statistics
import tempfile
import time
from functools import partial
from pathlib import Path

import page
from lightboard.testing import event_files

median = statistics.median


def read_description(logdir):
    return json.loads((Path(logdir) / "set.json").read_text())


def warm(logdir):
    """Read the files into the page cache, so that the disk does not matter."""
    for path in Path(logdir).rglob("*tfevents*"):
        path.read_bytes()


def load(server_type, python, logdir, repeats):
    """Seconds from exec until every run and its last step are served."""
    made = read_description(logdir)
    results = []
    for _ in range(repeats):
        server = server_type(logdir, python)
        try:
            results.append(server.wait_loaded(made))
        finally:
            server.end()
    return {key: median(result[key] for result in results) for key in results[0]}


def start(server_type, python, logdir, repeats):
    """Seconds from exec to the first HTTP 200 with data, and memory once idle."""
    made = read_description(logdir)
    secs, idle = [], []
    for _ in range(repeats):
        server = server_type(logdir, python)
        try:
            server.wait_first_answer()
            while server.last_step("run_0000", made["tags"][0]) != made["steps"]:
                if server.tree.age() > 60:
                    raise RuntimeError(f"{server.name} served no data in 60 s")
                time.sleep(0.005)
            secs.append(server.tree.age())
            server.wait_loaded(made)
            idle.append(server.tree.memory_mb())
        finally:
            server.end()
    return {"secs": median(secs), "idle_mb": median(idle)}


def timed(calls):
    """Median and 99th percentile in milliseconds, and the median size in bytes."""
    times, sizes = [], []
    for call in calls:
        secs, status, data = call()
        if status != 200:
            raise RuntimeError(f"HTTP {status}: {data[:200]!r}")
        times.append(secs * 1e3)
        sizes.append(len(data))
    ordered = sorted(times)
    return {"p50_ms": median(times), "p99_ms": ordered[int(len(ordered) * 0.99)], "bytes": median(sizes)}


def ranges(made, count):
    """Whole charts and zoomed ranges in turn, so that no response cache can help."""
    rng = random.Random(0)
    for i in range(count):
        if i % 2 == 0:
            yield None, None
        else:
            low = rng.randrange(made["steps"] // 2)
            yield low, low + rng.randrange(made["steps"] // 10, made["steps"] // 2)


def chart(server, made, count, smoothing=0.0, runs=10):
    """One chart of up to ten runs, 1,000 px wide."""
    shown = list(range(min(runs, made["runs"])))
    tags = made["tags"]
    calls = [
        partial(server.chart, [tags[i % len(tags)]], 1_000, shown, smoothing, *x)
        for i, x in enumerate(ranges(made, count))
    ]
    return timed(calls)


def wall(server, made, count, px):
    """Every tag of every run in one request."""
    return timed([partial(server.chart, made["tags"], px)] * count)


class GrowingLog:
    """A copy of a log folder whose first run grows. A context manager."""

    def __init__(self, logdir):
        self.made = read_description(logdir)
        self.tag = self.made["tags"][0]
        self.folder = tempfile.TemporaryDirectory()
        self.logdir = Path(self.folder.name) / "logs"
        shutil.copytree(logdir, self.logdir)
        self.file = next((self.logdir / "run_0000").glob("*tfevents*"))
        self.phase = random.Random(1)

    def steps(self, count):
        """The next steps, with pauses that hit any polling at a random phase."""
        for i in range(count):
            time.sleep(self.phase.uniform(0.2, 1.2))
            yield self.made["steps"] + 1 + i

    def append(self, step):
        """Write one point. Returns the time when it was written."""
        record = event_files.scalar_record(self.tag, step=step, wall_time=time.time(), value=0.5)
        with self.file.open("ab") as out:
            out.write(record)
        return time.perf_counter()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.folder.cleanup()


def freshness(server_type, python, logdir, count):
    """Seconds from writing a point until it is served."""
    waits = []
    with GrowingLog(logdir) as growing:
        server = server_type(str(growing.logdir), python)
        try:
            server.wait_loaded(growing.made)
            for step in growing.steps(count):
                began = growing.append(step)
                while server.last_step("run_0000", growing.tag) != step:
                    if time.perf_counter() - began > 30:
                        raise RuntimeError(f"{server.name} did not serve a new point in 30 s")
                    time.sleep(0.005)
                waits.append(time.perf_counter() - began)
        finally:
            server.end()
    return {"p50_secs": median(waits), "max_secs": max(waits)}


def freshness_on_page(server_type, python, logdir, count):
    """Seconds from writing a point until the open page has drawn it."""
    with GrowingLog(logdir) as growing:
        server = server_type(str(growing.logdir), python)
        try:
            server.wait_loaded(growing.made)
            url = f"http://127.0.0.1:{server.port}/?tagFilter={growing.tag}"
            waits = page.live(url, growing.tag, growing.append, growing.steps(count))
        finally:
            server.end()
    return {"p50_secs": median(waits), "max_secs": max(waits)}
