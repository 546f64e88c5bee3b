"""The process that reads the scalars of all jobs of a hub. Run as a module; it ends with its standard input.

Each request and each response is one line of JSON. A request names a job and its folder, and has the saved state of the
job if the process does not know it yet. `forget` ends the work on a job.
"""

import base64
import contextlib
import json
import os
import sys
from typing import Any

from lightboard.hub.resources.job_scalars import SavedFile, ScalarSeries, ScalarTable, pack, unpack
from lightboard.hub.scalar_reader.scalar_log import ScalarLog

MEMORY_BYTES = 2 << 30
"""Limit of the address space, of which the interpreter and its libraries reserve a part."""
NICE = 5
"""Below the hub and its boards."""


def main() -> None:
    """Handles requests until the input ends."""
    limit_resources()
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what libraries print is no response
    logs: dict[str, ScalarLog] = {}
    while line := sys.stdin.buffer.readline():
        out.write(json.dumps(respond(logs, json.loads(line))).encode() + b"\n")
        out.flush()


def limit_resources() -> None:
    """Lowers the priority of this process and limits its memory and what it can write."""
    with contextlib.suppress(OSError, AttributeError):
        os.nice(NICE)
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def respond(logs: dict[str, ScalarLog], request: dict[str, Any]) -> dict[str, Any]:
    """The response to one request."""
    job = request["job"]
    if request.get("forget"):
        logs.pop(job, None)
        return {}
    saved = request.get("saved")
    if saved is not None:
        logs[job] = restored(request["folder"], request["refused"], saved)
    log = logs.get(job)
    if log is None:
        return {"unknown": True}
    try:
        visit = log.visit()
    except OSError as error:
        return {"error": error.strerror or str(error)}
    return {
        "changed": [packed(each) for each in visit.changed],
        "removed": visit.removed,
        "more": visit.more,
        "limited": log.table.limited,
        "total": log.total,
        "files": log.saved_files() if visit.changed or visit.removed or visit.more else None,
    }


def restored(folder: str, refused: list[str], saved: dict[str, Any]) -> ScalarLog:
    """The log of a job, from its saved state."""
    table = ScalarTable(map(unpacked, saved["series"]), limited=saved["limited"])
    files = {path: SavedFile(*state) for path, state in saved["files"].items()}
    return ScalarLog(folder, refused, table, files, saved["total"])


def packed(series: ScalarSeries) -> dict[str, Any]:
    """A scalar as JSON."""
    return {
        "run": series.run,
        "tag": series.tag,
        "position": series.position,
        "count": series.count,
        "stride": series.stride,
        "samples": base64.b64encode(pack(series.samples)).decode(),
        "last": base64.b64encode(pack([series.last] if series.last else [])).decode(),
    }


def unpacked(data: dict[str, Any]) -> ScalarSeries:
    """The scalar that `packed` has made. Raises ValueError, KeyError or TypeError if it is none."""
    last = unpack(base64.b64decode(data["last"]))
    return ScalarSeries(
        run=data["run"],
        tag=data["tag"],
        position=int(data["position"]),
        count=int(data["count"]),
        stride=int(data["stride"]),
        samples=unpack(base64.b64decode(data["samples"])),
        last=last[0] if last else None,
    )


if __name__ == "__main__":
    main()
