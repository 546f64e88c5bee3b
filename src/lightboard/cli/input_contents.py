"""What was in the inputs of jobs, in words."""

from typing import Any

from lightboard.counts import counted
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
    files, size = counted(contents["files"], "file"), size_text(contents["size_bytes"])
    return f"{files}, {size} ({contents['digest'][:SHOWN_DIGITS]})"


def changed_text(compared: Any) -> str:
    """Whether the contents of an input have changed, with what is there now if they have; "" if it is not known."""
    if compared["changed"] is None:
        return ""
    return f"changed since: now {contents_text(compared['now'])}" if compared["changed"] else "unchanged"
