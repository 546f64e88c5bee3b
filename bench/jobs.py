"""Jobs of a hub: from the request to the first line, lists of many jobs, also with metrics, and the hub beside a job
that prints much and beside many that write metrics.
"""

import asyncio
import contextlib
import os
import pathlib
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
WRITE = """
import os, pathlib, sys, time
from lightboard.testing.event_files import append_events, scalar_record, write_events
file = pathlib.Path(os.environ["PAI_OUTPUT_TENSORBOARD"]) / "events.out.tfevents.1"
tags = ["loss", "accuracy", "lr", *(f"layer/{number}" for number in range(17))]
for step in range(int(sys.argv[1])):
    records = [scalar_record(tag, step, 1 / (step + 1), time.time()) for tag in tags]
    (append_events if step else write_events)(file, records)
    time.sleep(float(sys.argv[2]))
if sys.argv[3:]:
    time.sleep(3600)
"""
"""Writes twenty scalars at each of so many steps, with a pause between them."""
METERED, WRITERS, WRITER_STEPS, WRITER_PAUSE_SECS, METRIC_STEPS = 50, 100, 40, 0.5, 100
LIST = "/api/v1/jobs?page_size=100"
METRICS = f"{LIST}&metrics=*"
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


def writer(steps, pause_secs, *stays):
    """A command that writes metrics."""
    return [sys.executable, "-c", WRITE, str(steps), str(pause_secs), *stays]


async def list_ms(http, path=LIST):
    """Milliseconds for the first page of the list."""
    began = time.perf_counter()
    await told(http, "GET", path)
    return (time.perf_counter() - began) * 1e3


async def listed(hub, http, path=LIST):
    """Milliseconds for each of some requests for the list, and the processor time of the hub for one of them."""
    cpu_secs = own_cpu_secs(hub)
    found = [await list_ms(http, path) for _ in range(LISTS)]
    return found, (own_cpu_secs(hub) - cpu_secs) * 1e3 / LISTS


def reader_cpu_secs(hub):
    """Processor time of each process that reads logs now, by its id and when it was started: there may be another."""
    found = {}
    for pid in children(hub.tree.process.pid):
        with contextlib.suppress(OSError):
            if b"scalar_reader" in pathlib.Path(f"/proc/{pid}/cmdline").read_bytes():
                fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
                found[pid, fields[19]] = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return found


def secs_since(before, now):
    """Processor time between two looks at processes, of those that the second has found."""
    return sum(secs - before.get(process, 0.0) for process, secs in now.items())


def children(pid):
    """The child processes of a process."""
    found = pathlib.Path(f"/proc/{pid}/task").glob("*/children")
    return [int(child) for each in found for child in each.read_text().split()]


async def values_behind_secs(http, ids):
    """Seconds until the metrics of all of these ended jobs are complete."""
    began = time.perf_counter()
    for id in ids:
        assert (await told(http, "GET", f"/api/v1/jobs/{id}"))["status"] == "Succeeded"
        while not is_complete(await told(http, "GET", f"/api/v1/jobs/{id}/metrics")):
            await asyncio.sleep(0.05)
    return time.perf_counter() - began


def is_complete(metrics):
    """Whether the last values of a writer are there."""
    return metrics["items"] and all(item["step"] == WRITER_STEPS - 1 for item in metrics["items"])


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


def writers():
    """Many jobs that write metrics at once."""

    async def visit(hub):
        async with hub.client() as http:
            await ready(hub, http)
            ids = [await submit(http, writer(WRITER_STEPS, WRITER_PAUSE_SECS)) for _ in range(WRITERS)]
            began, hub_cpu_secs = time.perf_counter(), own_cpu_secs(hub)
            lists, reader_secs = [], {}
            while (await told(http, "GET", "/api/v1/jobs?status=Queued,Starting,Running&page_size=1"))["total"]:
                lists.append(await list_ms(http, METRICS))
                reader_secs |= reader_cpu_secs(hub)
                await asyncio.sleep(0.2)
            secs = time.perf_counter() - began
            return {
                "writers_secs": secs,
                "writers_behind_secs": await values_behind_secs(http, ids),
                "writers_reader_share": sum(reader_secs.values()) / secs,
                "writers_hub_share": (own_cpu_secs(hub) - hub_cpu_secs) / secs,
                "writers_list_ms": statistics.median(lists),
                "writers_list_p99_ms": percentile(lists, 0.99),
            }

    with HubServer("--job-slots", str(WRITERS)) as hub:
        return asyncio.run(visit(hub))


def whole():
    """All measurements on one hub."""

    async def visit(hub):
        async with hub.client() as http:
            await ready(hub, http)
            cpu_secs = own_cpu_secs(hub)
            firsts = [await first_line_secs(http) for _ in range(FIRST_LINES)]
            first_cpu_secs = (own_cpu_secs(hub) - cpu_secs) / FIRST_LINES
            for id in [await submit(http, ["true"]) for _ in range(FINISHED - FIRST_LINES - METERED)]:
                await ended(http, id)
            for id in [await submit(http, writer(METRIC_STEPS, 0)) for _ in range(METERED)]:
                await ended(http, id)
            for _ in range(RUNNING):
                await submit(http, writer(METRIC_STEPS, 0, "stays"))
            await asyncio.sleep(SETTLE_SECS * 10)
            lists, list_cpu_ms = await listed(hub, http)
            with_metrics, metrics_cpu_ms = await listed(hub, http, METRICS)
            cpu_secs, reader_secs = own_cpu_secs(hub), reader_cpu_secs(hub)
            await asyncio.sleep(IDLE_SECS)
            idle_cpu_secs = (own_cpu_secs(hub) - cpu_secs) / IDLE_SECS
            idle_reader_secs = secs_since(reader_secs, reader_cpu_secs(hub)) / IDLE_SECS
            cpu_secs = own_cpu_secs(hub)
            beside, log_secs = await lists_while(http, await submit(http, [sys.executable, "-c", PRINT]))
            beside_cpu_secs = own_cpu_secs(hub) - cpu_secs
            for job in (await told(http, "GET", "/api/v1/jobs?status=Running"))["items"]:
                await told(http, "DELETE", f"/api/v1/jobs/{job['id']}")
            await asyncio.sleep(SETTLE_SECS)
            return {
                "first_secs": statistics.median(firsts),
                "first_max_secs": max(firsts),
                "first_cpu_secs": first_cpu_secs,
                "plain_secs": statistics.median(plain_secs() for _ in range(FIRST_LINES)),
                "list_ms": statistics.median(lists),
                "list_p99_ms": percentile(lists, 0.99),
                "list_cpu_ms": list_cpu_ms,
                "metrics_ms": statistics.median(with_metrics),
                "metrics_p99_ms": percentile(with_metrics, 0.99),
                "metrics_cpu_ms": metrics_cpu_ms,
                "idle_ms": idle_cpu_secs * 1e3,
                "idle_reader_ms": idle_reader_secs * 1e3,
                "log_secs": log_secs,
                "beside_cpu_ms": beside_cpu_secs * 1e3 / len(beside),
                "beside_ms": statistics.median(beside),
                "beside_p99_ms": percentile(beside, 0.99),
            }

    with HubServer("--job-slots", str(SLOTS)) as hub:
        return asyncio.run(visit(hub))
