"""Statuses of TensorBoards and jobs in Neu.ro's two words, such as `pending Scheduling`."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

CREATED = "pending Creating"
"""What Neu.ro says of something that has been created and of which nothing else is known."""
RESTARTING = "Restarting"
WAITING = {
    "Pending": "Scheduling",
    "Queued": "Scheduling",
    "Creating": "ContainerCreating",
    "Starting": "ContainerCreating",
    "Restarting": RESTARTING,
}
"""Neu.ro's reasons for the statuses in which something waits to run."""
PLAIN = frozenset({"Ready", "Completed"})
"""Reasons that say no more than the status."""


def neuro_words(info: Mapping[str, Any]) -> str:
    """The status of a TensorBoard or job, with a reason that adds information."""
    reason = info["reason"]
    if reason != RESTARTING:
        reason = WAITING.get(info["status"], "" if reason in PLAIN else reason)
    return f"{info['neuro_status']} {reason}".rstrip()


def history_words(steps: Sequence[Mapping[str, Any]], seen: int) -> Iterator[str]:
    """The statuses up to the last time it ran in the entries of a history that follow the first `seen`."""
    if steps and not seen:
        yield CREATED
    for step in steps[seen:]:
        if step["status"] == "Running":
            yield "running"
        elif step["status"] in WAITING:
            yield neuro_words({**step, "neuro_status": "pending"})
