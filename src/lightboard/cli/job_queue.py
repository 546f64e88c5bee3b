"""`lightboard job queue`: what jobs of a hub share, and which wait."""

from typing import Any

from lightboard.cli.output import say
from lightboard.cli.remote import AsJson, Output, ProjectName, Url, field, session_of, when
from lightboard.cli.tables import TABLE, Columns, show_data, show_list
from lightboard.client.training_jobs import TrainingJob
from lightboard.counts import counted
from lightboard.memory_sizes import measured_memory_text, memory_text


def waited_for(item: Any) -> str:
    """What a job in the queue waits for."""
    if item["status"] == "Queued":
        return str(item["message"]).removeprefix("waiting for ") or "free slots"
    return "its next attempt"


def amounts_text(slots: int, memory: int, gpus: int) -> str:
    """An amount of what jobs share: `2 slots, 4G, 1 GPU`."""
    texts = [counted(slots, "slot"), memory_text(memory) if memory else "", counted(gpus, "GPU") if gpus else ""]
    return ", ".join(filter(None, texts))


def capacity_text(capacity: Any) -> str:
    """How much of what jobs share is used, as far as it is counted."""
    pairs = [("slots", str(capacity["used_slots"]), None if capacity["slots"] is None else str(capacity["slots"]))]
    if capacity["memory_bytes"] is not None:
        used, memory = (measured_memory_text(capacity[key]) for key in ("used_memory_bytes", "memory_bytes"))
        pairs.append(("memory", used, memory))
    if capacity["gpu_ids"]:
        pairs.append(("GPUs", str(len(capacity["used_gpu_ids"])), str(len(capacity["gpu_ids"]))))
    return ", ".join(f"{what} {used}" if all_ is None else f"{what} {used} of {all_}" for what, used, all_ in pairs)


def capability_lines(able: dict[str, Any]) -> list[str]:
    """Where jobs run, if that is not the machine of the hub, and what they cannot have there."""
    place = [f"jobs run on {able['place']}"] if able["place"] else []
    problems = (able[f"{name}_problem"] for name in ("commands", "servers", "volumes"))
    return [*place, *(f"not here: {problem}" for problem in problems if problem)]


QUEUE: Columns = (
    ("POSITION", lambda item: "-" if item["position"] is None else item["position"]),
    ("NAME", field("name")),
    ("PRIORITY", field("priority")),
    ("NEEDS", lambda item: amounts_text(item["slots"], item["memory_bytes"], item["gpus"])),
    ("WAITS FOR", waited_for),
    ("SINCE", when("waits_since")),
    ("OWNER", field("owner_name")),
    ("ID", field("id")),
)


def queue(url: Url = None, project: ProjectName = None, output: Output = TABLE, _json: AsJson = False) -> None:
    """Show what jobs share, and the waiting jobs in the order in which they start."""
    with session_of(url, project) as session:
        found = TrainingJob.queue(session)
    if output is not TABLE:
        show_data(found, output)
        return
    say(f"in use: {capacity_text(found['capacity'])}")
    for line in capability_lines(found["capabilities"]):
        say(line)
    hidden = found["waiting"] - len(found["items"])
    show_list(found["items"], QUEUE, output, "no job waits" if not hidden else "no job that you may see waits")
    if hidden:
        say(f"of other projects: {counted(hidden, 'waiting job')}")
