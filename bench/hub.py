"""The hub: what a board costs there, and whether two hundred people who watch while points are written see them all."""

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

from contestants import TensorBoard
from lightboard.testing import event_files
from measures import read_made
from process import Tree, free_port

TOKEN = "a-token-for-the-bench-alone"
RUNS = 4
"""In each source; see `inputs.py`."""
RUN = "run_0000"
POLL_SECS = 2.0
WRITE_SECS = 1.0
SETTLE_SECS = 5.0
"""Until memory is first looked at, once everybody is there."""
LATE_SECS = 30.0
"""So long after the last point was written somebody may still wait to see it."""
START_SECS = 120.0


class Hub:
    """A hub as a process, over a copy of the sources that may grow; use as a context manager."""

    def __init__(self, folder):
        self.made = read_made(folder)
        self.folder = tempfile.TemporaryDirectory(prefix="bench-hub-")
        logs = Path(self.folder.name) / "logs"
        shutil.copytree(folder, logs)
        self.sources = sorted(path for path in logs.iterdir() if path.is_dir())
        self.url = f"http://127.0.0.1:{free_port()}"
        port = self.url.rpartition(":")[2]
        command = [sys.executable, "-m", "lightboard", "hub", "--port", port, "--allow-root", str(logs)]
        home = str(Path(self.folder.name) / "home")
        self.tree = Tree(command, env={**os.environ, "LIGHTBOARD_HOME": home, "LIGHTBOARD_BOOTSTRAP_TOKEN": TOKEN})

    def client(self):
        """Asks as the administrator."""
        return aiohttp.ClientSession(
            self.url,
            headers={"Authorization": f"Bearer {TOKEN}"},
            connector=aiohttp.TCPConnector(limit=0),
            timeout=aiohttp.ClientTimeout(total=None, sock_read=60),
        )

    def own_memory_mb(self):
        """Of the hub without its worker."""
        return self.tree.memory_mb(pids=[self.tree.process.pid])

    def append(self, source, step):
        """Write one more point into the first run of a source."""
        file = next((source / RUN).glob("*tfevents*"))
        with file.open("ab") as out:
            out.write(event_files.scalar_record(self.made["tags"][0], step=step, wall_time=time.time(), value=0.5))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.tree.end()
        self.folder.cleanup()


async def ready(hub, http):
    """Waits until the hub and its worker answer; lets its administrator have as many boards as are wanted."""
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
    """The JSON of an answer that must be well."""
    async with http.request(method, path, json=body) as answer:
        if not answer.ok:
            raise RuntimeError(f"{method} {path}: HTTP {answer.status}: {(await answer.text())[:300]}")
        return await answer.json()


async def opened(http, source):
    """One board more: its id, seconds from asking to its page and all of its runs, and from Pending to Running."""
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
    """Are the page and all runs there?"""
    async with http.get(f"/tb/{id}/data/runs") as answer:
        if answer.status != 200 or len(await answer.json()) < RUNS:
            return False
    async with http.get(f"/tb/{id}/", headers={"Accept": "text/html"}) as answer:
        return answer.status == 200 and bool(await answer.read())


async def fill(hub, http, count):
    """So many boards, one after the other, over all sources in turn."""
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
    """One person with an open page: asks for a chart every two seconds, and listens to the stream of news."""

    def __init__(self, http, board, tag):
        self.http = http
        self.chart = f"/tb/{board}/data/plugin/scalars/scalars?run={RUN}&tag={tag}"
        self.stream = f"/tb/{board}/api/v1/events"
        self.steps = []
        self.answers_ms = []
        self.events = 0
        self.errors = []
        self.wanted = None
        """The last step, once nothing more is written."""

    async def watch(self):
        """Until the last point was seen, or it is late."""
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
    """Somebody at each board for so long, while a point a second is written into each source."""
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
    """The same step into each source."""
    for source in hub.sources:
        hub.append(source, step)


def whole(folder, boards, secs):
    """Fills one hub with boards and has them all watched for `secs`: what both said."""

    async def visit(hub):
        async with hub.client() as http:
            await ready(hub, http)
            ids, filled = await fill(hub, http, boards)
            return filled, await watched(hub, http, ids, secs)

    with Hub(folder) as hub:
        return asyncio.run(visit(hub))


def peers(folder, python, count):
    """As many TensorBoards at once, one over each source: median seconds to all data, and memory of all together."""
    sources = sorted(path for path in Path(folder).iterdir() if path.is_dir())[:count]
    made = {**read_made(folder), "runs": RUNS}
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


def said(errors):
    """What went wrong, and how often."""
    return json.dumps({error: errors.count(error) for error in sorted(set(errors))})
