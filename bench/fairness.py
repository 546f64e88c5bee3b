"""Duration of small requests beside greedy clients: the 99th percentile of status, page and one small chart.

Greedy clients request every run of every tag again and again, in a separate process.

python bench/fairness.py greedy PORT COUNT PATH CONTENT_TYPE < body runs until it is killed
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
"""The delay after greedy clients start, before the measurement."""

PX = 1000


async def be_greedy(port, count, path, content_type, body):
    """`count` clients that send requests forever and discard the responses."""
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
    """Run greedy clients of a server for the duration of the block."""
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
    """99th percentile in ms of a request that is sent repeatedly for some time, at least five times.

    Infinite if the server no longer accepts connections, as happened to TensorBoard.
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


def small_requests(server, made):
    """By name: status, page, and one small chart, as requests of each server."""
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


def greedy_request(server, made):
    """Path, content type and body of a greedy client's request: all runs of all tags."""
    if server.name == "lightboard":
        charts = [{"tag": tag} for tag in made["tags"]]
        return "/api/v1/scalars/chart", "application/json", json.dumps({"px": PX, "charts": charts}).encode()
    asked = json.dumps([{"plugin": "scalars", "tag": tag} for tag in made["tags"]])
    path = "/experiment/defaultExperimentId/data/plugin/timeseries/timeSeries"
    return path, "application/x-www-form-urlencoded", urllib.parse.urlencode({"requests": asked}).encode()


def measure_with_greedy_clients(server_type, python, logdir, made, crowds, secs):
    """By number of greedy clients and name of the request, its 99th percentile in ms."""
    server = server_type(logdir, python)
    try:
        server.wait_loaded(made)
        asked = small_requests(server, made)
        for ask in asked.values():
            ask()
        found = {}
        for count in crowds:
            with greedy(server, count, *greedy_request(server, made)):
                found[count] = {name: p99(ask, secs) for name, ask in asked.items()}
        return found
    finally:
        server.end()


if __name__ == "__main__":
    _, _, port_, count_, path_, type_ = sys.argv
    asyncio.run(be_greedy(int(port_), int(count_), path_, type_, sys.stdin.buffer.read()))
