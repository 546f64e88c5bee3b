"""A hub in use for a long time: live writers, people who watch, greedy clients, and a fault every few seconds.

    python bench/soak.py                     an hour with 200 viewers, about 2 GB of memory
    python bench/soak.py --secs 120 --viewers 20 --seed 7

Ends with 0 if, once it is quiet again, every board shows exactly the points that lie in its files, memory did not grow,
and no request took longer than its budget. What was found is printed as JSON.
"""

import argparse
import asyncio
import contextlib
import json
import os
import random
import statistics
import sys
import tempfile
import time
from pathlib import Path

import aiohttp

import hub as hubs
from faults import Faults
from lightboard.testing.event_files import scalar_record, version_record
from process import ProcessTree, free_port

TAG = "train/loss"
RUN = "live"
FILE = "events.out.tfevents.1700000000.soak"
BUDGET_SECS = 35.0
"""No request may take longer: the server's own limit for a response, plus what a fault may add."""
GROWTH = 1.15
"""The allowed ratio of median memory in the last quarter to that in the second one."""
SETTLE_SECS = 60.0
SAMPLE_SECS = 2.0


class Source:
    """A folder with one run and its writer, who keeps a ledger: the steps of the valid records in the file.

    `lock` is held while the folder is away, so that nothing is written then.
    """

    def __init__(self, folder, runs, steps):
        self.folder = folder
        self.lock = asyncio.Lock()
        self.path = folder / RUN / FILE
        self.path.parent.mkdir(parents=True)
        self.next = 0
        self.records = [(None, version_record())]
        self.path.write_bytes(version_record())
        for _ in range(steps):
            self.write()
        for run in range(runs):  # what greedy clients request
            other = folder / f"seed{run:03d}" / FILE
            other.parent.mkdir()
            points = ((f"{TAG}{tag}", step, run + tag / step) for tag in range(4) for step in range(1, 500))
            other.write_bytes(version_record() + b"".join(scalar_record(*point) for point in points))

    @property
    def ledger(self):
        """The steps that must be shown, in order."""
        return [step for step, _ in self.records if step is not None]

    def write(self):
        """Write one more point."""
        self.next += 1
        self._append(self.next, scalar_record(TAG, self.next, 1 / self.next, time.time()))

    def write_damage(self):
        """Write a record that readers must reject."""
        if self.lock.locked():
            return
        record = bytearray(scalar_record(TAG, 10**9, 0.5, time.time()))
        record[-1] ^= 1
        self._append(None, bytes(record))

    def truncate(self):
        """Drop the second half of the records."""
        if not self.lock.locked():
            self.records = self.records[: max(1, len(self.records) // 2)]
            os.truncate(self.path, sum(len(data) for _, data in self.records))

    def replace(self):
        """Replace the file by another one with the first half of the records."""
        if self.lock.locked():
            return
        self.records = self.records[: max(1, len(self.records) // 2)]
        fresh = self.path.with_suffix(".new")
        fresh.write_bytes(b"".join(data for _, data in self.records))
        fresh.replace(self.path)

    def _append(self, step, data):
        self.records.append((step, data))
        with self.path.open("ab") as file:
            file.write(data)


class Hub:
    """A hub process over its own folders. A context manager that can be used like that of `bench/hub.py`."""

    def __init__(self, sources, runs):
        self.folder = tempfile.TemporaryDirectory(prefix="bench-soak-")
        logs = Path(self.folder.name) / "logs"
        self.sources = [Source(logs / f"source{at:02d}", runs, 200) for at in range(sources)]
        self.url = f"http://127.0.0.1:{free_port()}"
        port = self.url.rpartition(":")[2]
        command = [sys.executable, "-m", "lightboard", "hub", "--port", port, "--allow-root", str(logs)]
        home = str(Path(self.folder.name) / "home")
        env = {**os.environ, "LIGHTBOARD_HOME": home, "LIGHTBOARD_BOOTSTRAP_TOKEN": hubs.TOKEN}
        self.tree = ProcessTree(command, env=env)

    client = hubs.Hub.client

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.tree.end()
        self.folder.cleanup()


class Requests:
    """Durations and results of requests."""

    def __init__(self):
        self.secs = []
        self.answers = {}
        self.over = []

    async def ask(self, http, what, method, path, body=None, read=True):
        """The JSON of a successful response, else None. Every result is counted."""
        began, outcome, answer_body = time.perf_counter(), "", None
        try:
            async with http.request(method, path, json=body) as answer:
                outcome = f"HTTP {answer.status}"
                data = await answer.read() if read else b""
                answer_body = json.loads(data) if answer.ok and data[:1] in (b"{", b"[") else None
        except (aiohttp.ClientError, OSError, TimeoutError, ValueError) as error:
            outcome = type(error).__name__
        secs = time.perf_counter() - began
        self.secs.append(secs)
        self.answers[outcome] = self.answers.get(outcome, 0) + 1
        if secs > BUDGET_SECS:
            self.over.append((what, round(secs, 1), outcome))
        return answer_body


async def write(sources, until):
    """Write one point per second into each source."""
    loop = asyncio.get_running_loop()
    while loop.time() < until:
        for source in sources:
            if not source.lock.locked():
                source.write()
        await asyncio.sleep(1)


async def view(http, board, requests, until):
    """A viewer who requests a chart every two seconds and reads the event stream."""
    loop = asyncio.get_running_loop()
    listening = asyncio.create_task(listen(http, board, until))
    chart = {"px": 600, "charts": [{"tag": TAG}]}
    while loop.time() < until:
        await asyncio.sleep(hubs.POLL_SECS * random.uniform(0.5, 1.5))
        await requests.ask(http, "status", "GET", f"/tb/{board}/api/v1/status")
        await requests.ask(http, "chart", "POST", f"/tb/{board}/api/v1/scalars/chart", chart)
    listening.cancel()
    await asyncio.gather(listening, return_exceptions=True)


async def listen(http, board, until):
    """Reopen the event stream whenever it ends, as pages do."""
    while asyncio.get_running_loop().time() < until:
        with contextlib.suppress(aiohttp.ClientError, OSError, TimeoutError):
            async with http.get(f"/tb/{board}/api/v1/events", headers={"Accept": "text/event-stream"}) as answer:
                async for _ in answer.content:
                    pass
        await asyncio.sleep(1)


async def be_greedy(http, boards, seed, until):
    """Request as much as is allowed again and again, and mostly disconnect before the response."""
    loop, chance = asyncio.get_running_loop(), random.Random(seed)
    everything = {"px": 4000, "smoothing": 0.9, "charts": [{"tag": f"{TAG}{at % 4}"} for at in range(500)]}
    while loop.time() < until:
        board = chance.choice(boards)
        with contextlib.suppress(aiohttp.ClientError, OSError, TimeoutError):
            async with asyncio.timeout(chance.choice((0.05, 0.5, 20.0))):
                async with http.post(f"/tb/{board}/api/v1/scalars/chart", json=everything) as answer:
                    async for _ in answer.content.iter_chunked(1 << 16):
                        pass
        await asyncio.sleep(0.1)


async def weigh(tree, samples, until):
    """Measure the memory of the hub and its workers every two seconds."""
    while asyncio.get_running_loop().time() < until:
        samples.append(tree.memory_mb())
        await asyncio.sleep(SAMPLE_SECS)


async def settled(http, hub, boards, requests):
    """Sources whose board does not show their ledger some time after all writing ended, with what it shows."""
    wrong = {}
    deadline = time.monotonic() + SETTLE_SECS
    for board, source in zip(boards, hub.sources, strict=False):
        path = f"/tb/{board}/api/v1/scalars/series?run={RUN}&tag={TAG}"
        while True:
            answer = await requests.ask(http, "series", "GET", path)
            steps = [point[1] for point in answer["points"]] if answer else None
            if steps == source.ledger or time.monotonic() > deadline:
                break
            await asyncio.sleep(0.5)
        if steps != source.ledger:
            shown = len(steps) if steps is not None else await state_of(http, board)
            wrong[source.folder.name] = [len(source.ledger), shown]
    return wrong


async def state_of(http, board):
    """The hub's status of a board that does not respond."""
    told = await hubs.told(http, "GET", f"/api/v1/tensorboards/{board}")
    return f"{told['status']} ({told['reason']}): {told['message']}"


async def soak(hub, secs, viewers, greedy, every_secs, seed):
    """Run everything at once, then wait, then check the ledgers."""
    loop = asyncio.get_running_loop()
    requests, samples = Requests(), []
    async with hub.client() as http, hub.client() as strangers:
        await hubs.ready(hub, http)
        boards = [(await opened(http, source))["id"] for source in hub.sources]
        until = loop.time() + secs
        faults = Faults(hub, hub.sources, http, boards, seed)
        await asyncio.gather(
            write(hub.sources, until),
            weigh(hub.tree, samples, until),
            faults.go_on(every_secs, until),
            *(view(http, boards[at % len(boards)], requests, until) for at in range(viewers)),
            *(be_greedy(strangers, boards, seed + at, until) for at in range(greedy)),
        )
        wrong = await settled(http, hub, boards, requests)
    quarter = max(1, len(samples) // 4)
    early, late = samples[quarter : 2 * quarter] or samples, samples[-quarter:]
    ordered = sorted(requests.secs)
    return {
        "secs": secs,
        "faults": faults.done,
        "requests": requests.answers,
        "p50_ms": round(statistics.median(ordered) * 1e3, 1),
        "p99_ms": round(ordered[int(len(ordered) * 0.99)] * 1e3, 1),
        "slowest_secs": round(ordered[-1], 2),
        "over_budget": requests.over,
        "memory_mb": [round(statistics.median(early)), round(statistics.median(late)), round(max(samples))],
        "ledger_differs": wrong,
    }


async def opened(http, source):
    """Start a board over one source."""
    return await hubs.told(http, "POST", "/api/v1/tensorboards", {"sources": [{"uri": str(source.folder)}]})


def main():
    """Exit code 0 if nothing was lost, slow or leaking."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--secs", type=float, default=3600)
    parser.add_argument("--viewers", type=int, default=200)
    parser.add_argument("--greedy", type=int, default=8)
    parser.add_argument("--sources", type=int, default=20)
    parser.add_argument("--every", type=float, default=4.0, help="seconds between faults, about")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    with Hub(asked.sources, runs=50) as hub:
        found = asyncio.run(soak(hub, asked.secs, asked.viewers, asked.greedy, asked.every, asked.seed))
        found["tracebacks"] = hub.tree.output().count("Traceback")
    print(json.dumps(found, indent=2))
    early, late, _ = found["memory_mb"]
    lost = found["ledger_differs"] or found["over_budget"] or found["tracebacks"]
    well = not lost and late <= early * GROWTH
    sys.exit(0 if well else 1)


if __name__ == "__main__":
    main()
