"""How long small requests take beside greedy clients: the 99th percentile of status, page and one small chart.

Greedy clients ask again and again for every run of every tag; they have a process of their own.

    python bench/turns.py greedy PORT COUNT PATH CONTENT_TYPE < body     runs until it is ended
"""

import asyncio
import json
import math
import statistics
import subprocess
import sys
import time
import urllib.parse
from contextlib import contextmanager

SETTLE_SECS = 2.0
"""After the greedy clients began, until it is measured."""

PX = 1000


async def be_greedy(port, count, path, content_type, body):
    """`count` clients that ask for ever, and throw away what they get."""
    head = (f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: {content_type}\r\n"
            f"Content-Length: {len(body)}\r\nConnection: close\r\n\r\n").encode()  # fmt: skip

    async def client():
        while True:
            try:
                reader, writer = await asyncio.open_connection("127.0.0.1", port)
                writer.write(head + body)
                while await reader.read(1 << 20):
                    pass
                writer.close()
            except OSError:
                await asyncio.sleep(0.01)

    await asyncio.gather(*(client() for _ in range(count)))


@contextmanager
def greedy(server, count, path, content_type, body):
    """So many greedy clients of a server, as long as the block lasts."""
    if not count:
        yield
        return
    words = [sys.executable, __file__, "greedy", str(server.port), str(count), path, content_type]
    with subprocess.Popen(words, stdin=subprocess.PIPE) as process:
        process.stdin.write(body)
        process.stdin.close()
        time.sleep(SETTLE_SECS)
        try:
            yield
        finally:
            process.kill()


def p99(ask, secs):
    """99th percentile in ms of a request that is asked one after another, for so long and at least five times.

    Infinite where the server no longer takes connections, as happened to TensorBoard.
    """
    took, end = [], time.perf_counter() + secs
    while len(took) < 5 or time.perf_counter() < end:
        try:
            spent, status, _ = ask()
        except OSError:
            return math.inf
        if status != 200:
            raise RuntimeError(f"status {status}")
        took.append(spent * 1e3)
    return statistics.quantiles(took, n=100, method="inclusive")[98]


def questions(server, made):
    """By name: status, page, and one small chart, as each contestant is asked for them."""
    tag, run = made["tags"][0], "run_0000"
    if server.name == "lightboard":
        return {
            "status": lambda: server.request("/api/v1/status"),
            "page": lambda: server.request("/"),
            "chart": lambda: server.chart([tag], 300, [0]),
        }
    return {
        "status": lambda: server.request("/data/environment"),
        "page": lambda: server.request("/"),
        "chart": lambda: server.scalars(run, tag),
    }


def greed_of(server, made):
    """Path, content type and body of what a greedy client asks: all runs of all tags."""
    if server.name == "lightboard":
        charts = [{"tag": tag} for tag in made["tags"]]
        return "/api/v1/scalars/chart", "application/json", json.dumps({"px": PX, "charts": charts}).encode()
    asked = json.dumps([{"plugin": "scalars", "tag": tag} for tag in made["tags"]])
    path = "/experiment/defaultExperimentId/data/plugin/timeseries/timeSeries"
    return path, "application/x-www-form-urlencoded", urllib.parse.urlencode({"requests": asked}).encode()


def beside(contestant, python, logdir, made, crowds, secs):
    """By number of greedy clients and name of the question, its 99th percentile in ms."""
    server = contestant(logdir, python)
    try:
        server.wait_loaded(made)
        asked = questions(server, made)
        for ask in asked.values():
            ask()
        found = {}
        for count in crowds:
            with greedy(server, count, *greed_of(server, made)):
                found[count] = {name: p99(ask, secs) for name, ask in asked.items()}
        return found
    finally:
        server.end()


if __name__ == "__main__":
    _, _, port_, count_, path_, type_ = sys.argv
    asyncio.run(be_greedy(int(port_), int(count_), path_, type_, sys.stdin.buffer.read()))
