"""The hub: the cost of a board, and whether two hundred viewers of growing logs see all points."""

import asyncio
import contextlib
import itertools
import json
import os
import random
import shutil
import statistics
import sys
import tempfile
import time
from pathlib import Path

import aiohttp

from lightboard.testing import event_files
from measurements import read_description
from process import ProcessTree, free_port
from servers import TensorBoard

TOKEN = "a-token-for-the-bench-alone"
RUNS = 4
"""In each source; see `inputs.py`."""
RUN = "run_0000"
POLL_SECS = 2.0
WRITE_SECS = 1.0
SETTLE_SECS = 5.0
"""The delay before the memory is measured once all viewers are connected."""
LATE_SECS = 30.0
"""How long after the last point viewers may still wait for it."""
START_SECS = 120.0


class HubServer:
    """A hub process of its own, with flags. A context manager."""

    def __init__(self, *flags):
        self.folder = tempfile.TemporaryDirectory(prefix="bench-hub-")
        self.url = f"http://127.0.0.1:{free_port()}"
        port = self.url.rpartition(":")[2]
        command = [sys.executable, "-m", "lightboard", "hub", "--port", port, *flags]
        home = str(Path(self.folder.name) / "home")
        self.tree = ProcessTree(
            command, env={**os.environ, "LIGHTBOARD_HOME": home, "LIGHTBOARD_BOOTSTRAP_TOKEN": TOKEN}
        )

    def client(self):
        """An HTTP client of the administrator."""
        return aiohttp.ClientSession(
            self.url,
            headers={"Authorization": f"Bearer {TOKEN}"},
            connector=aiohttp.TCPConnector(limit=0),
            timeout=aiohttp.ClientTimeout(total=None, sock_read=60),
        )

    def own_memory_mb(self):
        """Memory of the hub without its worker."""
        return self.tree.memory_mb(pids=[self.tree.process.pid])

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.tree.end()
        self.folder.cleanup()


class Hub(HubServer):
    """A hub over a copy of the sources that may grow."""

    def __init__(self, folder):
        self.made = read_description(folder)
        self.logs = tempfile.TemporaryDirectory(prefix="bench-logs-")
        shutil.copytree(folder, self.logs.name, dirs_exist_ok=True)
        self.sources = sorted(path for path in Path(self.logs.name).iterdir() if path.is_dir())
        super().__init__("--allow-root", self.logs.name)

    def append(self, source, step):
        """Append one point to the first run of a source."""
        file = next((source / RUN).glob("*tfevents*"))
        with file.open("ab") as out:
            out.write(event_files.scalar_record(self.made["tags"][0], step=step, wall_time=time.time(), value=0.5))

    def __exit__(self, *error):
        super().__exit__(*error)
        self.logs.cleanup()


async def ready(hub, http):
    """Wait until the hub and its worker respond, and raise the administrator's limit of boards."""
    while True:
        with contextlib.suppress(aiohttp.ClientError):
            async with http.get("/readyz") as answer:
                if answer.status == 200:
                    break
        if hub.tree.age() > START_SECS or hub.tree.process.poll() is not None:
            raise RuntimeError(f"the hub gave no answer: {hub.tree.output()[-500:]}")
        await asyncio.sleep(0.05)
    await told(http, "PATCH", "/api/v1/accounts/admin", {"own_limit": 1_000})


async def told(http, method, path, body=None):
    """The JSON of a response, which must be successful."""
    async with http.request(method, path, json=body) as answer:
        if not answer.ok:
            raise RuntimeError(f"{method} {path}: HTTP {answer.status}: {(await answer.text())[:300]}")
        return await answer.json()


async def opened(http, source):
    """Start one board: its id, seconds until its page and all runs are served, and from Pending to Running."""
    began = time.perf_counter()
    made = await told(http, "POST", "/api/v1/tensorboards", {"sources": [{"uri": str(source)}]})
    id = made["id"]
    while not await shows_all(http, id):
        if time.perf_counter() - began > 60:
            raise RuntimeError(f"{id} showed nothing in 60 s")
        await asyncio.sleep(0.005)
    page_secs = time.perf_counter() - began
    detail = await told(http, "GET", f"/api/v1/tensorboards/{id}")
    at = {step["status"]: step["at"] for step in detail["transitions"]}
    return id, page_secs, at["Running"] - at["Pending"]


async def shows_all(http, id):
    """Whether the page and all runs are served."""
    async with http.get(f"/tb/{id}/data/runs") as answer:
        if answer.status != 200 or len(await answer.json()) < RUNS:
            return False
    async with http.get(f"/tb/{id}/", headers={"Accept": "text/html"}) as answer:
        return answer.status == 200 and bool(await answer.read())


async def fill(hub, http, count):
    """Start boards one after the other, over all sources in turn."""
    found = [await opened(http, source) for source in itertools.islice(itertools.cycle(hub.sources), count)]
    ids, pages, starts = zip(*found, strict=True)
    return list(ids), {
        "running_secs": statistics.median(starts),
        "running_max_secs": max(starts),
        "page_secs": statistics.median(pages),
        "page_max_secs": max(pages),
        "memory_mb": hub.tree.memory_mb(),
    }


class Viewer:
    """A viewer with an open page: requests a chart every two seconds and reads the event stream."""

    def __init__(self, http, board, tag):
        self.http = http
        self.chart = f"/tb/{board}/data/plugin/scalars/scalars?run={RUN}&tag={tag}"
        self.stream = f"/tb/{board}/api/v1/events"
        self.steps = []
        self.answers_ms = []
        self.events = 0
        self.errors = []
        self.wanted = None
        """Set the last step, once nothing more is written."""

    async def watch(self):
        """Wait until the last point was seen, or time is up."""
        listening = asyncio.create_task(self.listen())
        await asyncio.sleep(random.random() * POLL_SECS)
        late_at = None
        while late_at is None or time.monotonic() < late_at:
            await self.look()
            if self.wanted is not None:
                late_at = late_at or time.monotonic() + LATE_SECS
                if self.steps and self.steps[-1] == self.wanted:
                    break
            await asyncio.sleep(POLL_SECS)
        if listening.done():
            self.errors.append("the stream ended")
        listening.cancel()
        await asyncio.gather(listening, return_exceptions=True)

    async def look(self):
        began = time.perf_counter()
        try:
            async with self.http.get(self.chart) as answer:
                if answer.status == 200:
                    self.steps = [point[1] for point in await answer.json()]
                else:
                    self.errors.append(f"HTTP {answer.status}")
        except (aiohttp.ClientError, OSError, TimeoutError, ValueError) as error:
            self.errors.append(type(error).__name__)
        self.answers_ms.append((time.perf_counter() - began) * 1e3)

    async def listen(self):
        try:
            async with self.http.get(self.stream, headers={"Accept": "text/event-stream"}) as answer:
                if answer.status != 200:
                    self.errors.append(f"stream: HTTP {answer.status}")
                async for line in answer.content:
                    self.events += line.startswith(b"data:")
        except (aiohttp.ClientError, OSError, TimeoutError) as error:
            self.errors.append(f"stream: {type(error).__name__}")


async def watched(hub, http, boards, secs):
    """Run a viewer for each board while one point per second is written into each source."""
    viewers = [Viewer(http, board, hub.made["tags"][0]) for board in boards]
    tasks = [asyncio.create_task(viewer.watch()) for viewer in viewers]
    await asyncio.sleep(SETTLE_SECS)
    before = hub.own_memory_mb(), hub.tree.memory_mb()
    began, cpu_secs = time.perf_counter(), hub.tree.cpu_secs()
    last = hub.made["steps"] + max(1, round(secs / WRITE_SECS))
    for step in range(hub.made["steps"] + 1, last + 1):
        due = time.monotonic() + WRITE_SECS
        await asyncio.to_thread(write_all, hub, step)
        await asyncio.sleep(max(0.0, due - time.monotonic()))
    after = hub.own_memory_mb(), hub.tree.memory_mb()
    busy = (hub.tree.cpu_secs() - cpu_secs) / (time.perf_counter() - began)
    for viewer in viewers:
        viewer.wanted = last
    await asyncio.gather(*tasks)
    every = list(range(1, last + 1))
    answers_ms = sorted(ms for viewer in viewers for ms in viewer.answers_ms)
    return {
        "viewers": len(viewers),
        "blind": sum(viewer.steps != every for viewer in viewers),
        "deaf": sum(viewer.events == 0 for viewer in viewers),
        "errors": [error for viewer in viewers for error in viewer.errors],
        "asked": len(answers_ms),
        "p50_ms": statistics.median(answers_ms),
        "p99_ms": answers_ms[int(len(answers_ms) * 0.99)],
        "events": sum(viewer.events for viewer in viewers),
        "cores": busy,
        "hub_grew_mb": after[0] - before[0],
        "all_grew_mb": after[1] - before[1],
    }


def write_all(hub, step):
    """Write the same step into each source."""
    for source in hub.sources:
        hub.append(source, step)


def whole(folder, boards, secs):
    """Start the boards of one hub and view them all for `secs`: results of both."""

    async def visit(hub):
        async with hub.client() as http:
            await ready(hub, http)
            ids, filled = await fill(hub, http, boards)
            return filled, await watched(hub, http, ids, secs)

    with Hub(folder) as hub:
        return asyncio.run(visit(hub))


def peers(folder, python, count):
    """Run as many TensorBoards at once, one over each source: median seconds to all data, and memory of all."""
    sources = sorted(path for path in Path(folder).iterdir() if path.is_dir())[:count]
    made = {**read_description(folder), "runs": RUNS}
    servers, secs = [], []
    try:
        for source in sources:
            servers.append(TensorBoard(str(source), python))
            secs.append(servers[-1].wait_loaded(made)["secs"])
        return {"secs": statistics.median(secs), "max_secs": max(secs), "memory_mb": sum(map(memory_of, servers))}
    finally:
        for server in servers:
            server.end()


def memory_of(server):
    return server.tree.memory_mb()


def error_counts(errors):
    """The errors and their counts."""
    return json.dumps({error: errors.count(error) for error in sorted(set(errors))})
