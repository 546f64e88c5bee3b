"""Jobs of a hub: from the request to the first line, lists of many jobs, and the hub beside a job that prints much."""

import asyncio
import os
import statistics
import subprocess
import sys
import time

from hub import HubServer, ready, told

SLOTS = 24
FIRST_LINES, FINISHED, RUNNING, LISTS = 50, 200, 20, 100
IDLE_SECS = 30.0
SETTLE_SECS = 3.0
LOG_MB = 100
PRINT = f"""
import sys
for _ in range({LOG_MB} * 10_000):
    sys.stdout.write("x" * 99 + "\\n")
"""
LIST = "/api/v1/jobs?page_size=100"
ENDED = ("Succeeded", "Failed", "Stopped")


async def submit(http, command):
    """The id of a new job."""
    return (await told(http, "POST", "/api/v1/jobs", {"command": command}))["id"]


async def ended(http, id):
    """Wait until a job has ended."""
    while (await told(http, "GET", f"/api/v1/jobs/{id}"))["status"] not in ENDED:
        await asyncio.sleep(0.05)


async def first_line_secs(http):
    """Seconds from the request to the time at which the job wrote its first line."""
    began = time.time()
    id = await submit(http, ["echo", "first"])
    await ended(http, id)
    (line,) = (await told(http, "GET", f"/api/v1/jobs/{id}/logs"))["lines"]
    return line["at"] - began


def plain_secs():
    """Seconds until the same command has written its line without a hub."""
    began = time.perf_counter()
    subprocess.run(["echo", "first"], check=True, stdout=subprocess.PIPE)
    return time.perf_counter() - began


async def list_ms(http):
    """Milliseconds for the first page of the list."""
    began = time.perf_counter()
    await told(http, "GET", LIST)
    return (time.perf_counter() - began) * 1e3


def own_cpu_secs(hub):
    """Processor time of all threads of the hub, without workers and jobs."""
    pid, total = hub.tree.process.pid, 0
    for task in os.listdir(f"/proc/{pid}/task"):
        with open(f"/proc/{pid}/task/{task}/schedstat") as file:
            total += int(file.read().split()[0])
    return total / 1e9


async def lists_while(http, id):
    """Milliseconds of each request for the list until a job has ended, and how many seconds that took."""
    began, found = time.perf_counter(), []
    while (await told(http, "GET", f"/api/v1/jobs/{id}"))["status"] not in ENDED:
        found.append(await list_ms(http))
        await asyncio.sleep(0.02)
    return found, time.perf_counter() - began


def percentile(values, share):
    """A percentile of some values."""
    return sorted(values)[int(len(values) * share)]


def whole():
    """All measurements on one hub."""

    async def visit(hub):
        async with hub.client() as http:
            await ready(hub, http)
            firsts = [await first_line_secs(http) for _ in range(FIRST_LINES)]
            for id in [await submit(http, ["true"]) for _ in range(FINISHED - FIRST_LINES)]:
                await ended(http, id)
            for _ in range(RUNNING):
                await submit(http, ["sleep", "3600"])
            await asyncio.sleep(SETTLE_SECS)
            lists = [await list_ms(http) for _ in range(LISTS)]
            cpu_secs = own_cpu_secs(hub)
            await asyncio.sleep(IDLE_SECS)
            idle_cpu_secs = (own_cpu_secs(hub) - cpu_secs) / IDLE_SECS
            beside, log_secs = await lists_while(http, await submit(http, [sys.executable, "-c", PRINT]))
            for job in (await told(http, "GET", "/api/v1/jobs?status=Running"))["items"]:
                await told(http, "DELETE", f"/api/v1/jobs/{job['id']}")
            await asyncio.sleep(SETTLE_SECS)
            return {
                "first_secs": statistics.median(firsts),
                "first_max_secs": max(firsts),
                "plain_secs": statistics.median(plain_secs() for _ in range(FIRST_LINES)),
                "list_ms": statistics.median(lists),
                "list_p99_ms": percentile(lists, 0.99),
                "idle_ms": idle_cpu_secs * 1e3,
                "log_secs": log_secs,
                "beside_ms": statistics.median(beside),
                "beside_p99_ms": percentile(beside, 0.99),
            }

    with HubServer("--job-slots", str(SLOTS)) as hub:
        return asyncio.run(visit(hub))
