"""What was in the inputs of jobs, in words."""

import contextlib
from typing import Any

from lightboard.cli.output import say
from lightboard.client.training_jobs import TrainingJob
from lightboard.errors import LightboardError
from lightboard.sizes import size_text

SHOWN_DIGITS = 12
"""Of the digests of source code and contents."""
PROBLEMS = {
    "TooSlow": "contents not recorded: listing them took too long",
    "Unreadable": "contents not recorded: the hub cannot read all of them",
    "Missing": "there is nothing",
}


def contents_text(contents: Any) -> str:
    """What was in an input, in a few words; "" if it was not recorded."""
    if contents is None:
        return ""
    if contents["problem"] == "TooManyFiles":
        return f"contents not recorded: more than {contents['files']:,} files"
    if contents["problem"]:
        return PROBLEMS[contents["problem"]]
    files = "1 file" if contents["files"] == 1 else f"{contents['files']:,} files"
    return f"{files}, {size_text(contents['size_bytes'])} ({contents['digest'][:SHOWN_DIGITS]})"


def changed_text(compared: Any) -> str:
    """Whether the contents of an input have changed, with what is there now if they have; "" if it is not known."""
    if compared["changed"] is None:
        return ""
    return f"changed since: now {contents_text(compared['now'])}" if compared["changed"] else "unchanged"


def say_changes(job: TrainingJob) -> None:
    """Tells which inputs of a job have other contents now, if the hub finds out in time."""
    info = job.info()
    name, compared = info["name"], []
    if info["inputs"] or info["volumes"]:
        with contextlib.suppress(LightboardError):
            compared = job.compare_inputs()
    for each in compared:
        if each["changed"]:
            say(
                f"the contents of {each['name']} have changed since {name} started: "
                f"{contents_text(each['recorded'])} then, {contents_text(each['now'])} now"
            )
