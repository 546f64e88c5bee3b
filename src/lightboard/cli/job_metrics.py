"""`lightboard job metrics`: the last values of what a job has logged."""

from typing import Any

from lightboard.cli.jobs import each_of
from lightboard.cli.output import say
from lightboard.cli.remote import AsJson, Output, ProjectName, Url, Which, field, time_text
from lightboard.cli.tables import TABLE, Columns, show_list
from lightboard.client.jobs import route

MAX_METRICS = 200
"""The limit of the hub."""

METRICS: Columns = (
    ("METRIC", field("name")),
    ("VALUE", lambda item: value_text(item["value"])),
    ("STEP", field("step")),
    ("RUN", field("run")),
    ("WRITTEN", lambda item: "-" if isinstance(item["wall_time"], str) else time_text(item["wall_time"])),
)


def value_text(value: float | str) -> str:
    """A number with six significant digits; NaN and infinities as in JSON."""
    return value if isinstance(value, str) else f"{value:.6g}"


def metrics(
    which: Which, url: Url = None, project: ProjectName = None, output: Output = TABLE, _json: AsJson = False
) -> None:
    """Show the last values of what a job has logged."""
    for job in each_of([which], url, project):
        found = job.session.get(f"{route(job.id)}/metrics")
        show_list(found["items"], METRICS, output, "no metrics yet; a job logs them to PAI_OUTPUT_TENSORBOARD")
        for told in notes_of(found):
            say(told)


def notes_of(found: Any) -> list[str]:
    """What there is to know about metrics besides their values."""
    notes = [f"they are not complete: {found['message']}"] if found["message"] else []
    if found["behind"]:
        notes.append("there is more to be read: the values are older than the logs")
    if found["limited"]:
        notes.append(f"the logs have more than the {MAX_METRICS} metrics that are kept, or too much to read")
    return notes
