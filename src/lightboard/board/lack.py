"""What the process lacks just now: descriptors for files, or room for connections.

Both are looked at when somebody asks, so that they are told while they last and gone as soon as they are over. Whoever
asks has a connection already; new ones are refused by the system, or by the server itself.
"""

import errno
import os
import resource
from typing import TYPE_CHECKING

from starlette.types import Scope

from lightboard.asgi.connection import CROWD, Crowd

if TYPE_CHECKING:
    from lightboard.schema.problems import Problem


def list_lacks(scope: Scope) -> "list[Problem]":
    """What the server that has this request lacks."""
    from lightboard.schema.problems import Problem  # slow to load, and the first page needs none

    crowd: Crowd | None = scope.get(CROWD)
    found = []
    if message := descriptors_lack():
        found.append(Problem(run="", file="", offset=0, length=0, kind="descriptors", message=message))
    if crowd is not None and crowd.full:
        found.append(Problem(run="", file="", offset=0, length=0, kind="connections", message=crowd_text(crowd)))
    return found


def descriptors_lack() -> str:
    """Why nothing more can be opened, "" where something can."""
    try:
        os.close(os.open(os.devnull, os.O_RDONLY | os.O_CLOEXEC))
    except OSError as error:
        if error.errno == errno.EMFILE:
            soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
            return (
                f"all {soft} descriptors of this process are in use: no file can be opened and new connections "
                "are refused until some are closed; start it with a higher limit (ulimit -n)"
            )
        if error.errno == errno.ENFILE:
            return "the machine can open no more files: new connections are refused until some are closed"
    return ""


def crowd_text(crowd: Crowd) -> str:
    """That no more connections are taken."""
    return (
        f"{crowd.open} connections are open, and {crowd.most} are the most: {crowd.refused} more were refused; "
        "a higher limit of descriptors (ulimit -n) allows more"
    )
