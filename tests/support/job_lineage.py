"""Jobs over HTTP, and what their attempts have started with."""

from hashlib import sha256
from typing import Any

from support.hub_client import HubClient
from support.hub_process import wait_for

JOBS = "/api/v1/jobs"
EMPTY_CONTENTS = {"files": 0, "size_bytes": 0, "digest": sha256().hexdigest(), "links_skipped": 0, "problem": None}
"""What is in an empty folder."""


def create(hub: HubClient, **fields: Any) -> dict[str, Any]:
    """A job in `vision` that has started."""
    body = {"command": ["python", "train.py"], "project": "vision", **fields}
    answer = hub.request("POST", JOBS, "editor", body)
    assert answer.status_code == 201, answer.text
    hub.reconcile()
    made: dict[str, Any] = answer.json()
    return made


def lineage(hub: HubClient, job: dict[str, Any], name: str = "viewer") -> dict[str, Any]:
    """The lineage of a job as somebody sees it."""
    answer = hub.request("GET", f"{JOBS}/{job['id']}/lineage", name)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def recorded(hub: HubClient, job: dict[str, Any]) -> dict[str, Any]:
    """The lineage of a job once the contents of all of its inputs are recorded."""
    return wait_for(
        lambda: lineage(hub, job),
        lambda found: all(each["contents"] for each in found["attempts"][-1]["inputs"]),
        "contents of inputs",
    )
