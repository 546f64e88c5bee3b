"""Problems of the process itself: no free file descriptors, or too many connections.

Both are checked at each request, so they are reported only while they last.
"""

import errno
import os
import resource
from typing import TYPE_CHECKING

from starlette.types import Scope

from lightboard.asgi.connection import CONNECTION_COUNTER, ConnectionCounter

if TYPE_CHECKING:
    from lightboard.schema.problems import Problem


def process_problems(scope: Scope) -> "list[Problem]":
    """The current problems of the process that handles this request."""
    from lightboard.schema.problems import Problem  # slow to load, and the first page needs none

    connections: ConnectionCounter | None = scope.get(CONNECTION_COUNTER)
    problems = []
    if message := descriptor_problem():
        problems.append(Problem(run="", file="", offset=0, length=0, kind="descriptors", message=message))
    if connections is not None and connections.full:
        problems.append(
            Problem(run="", file="", offset=0, length=0, kind="connections", message=connection_problem(connections))
        )
    return problems


def descriptor_problem() -> str:
    """Why no file can be opened, or ""."""
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


def connection_problem(connections: ConnectionCounter) -> str:
    """The message that the limit of connections is reached."""
    return (
        f"{connections.open} connections are open, which is the limit of {connections.most}: "
        f"{connections.refused} more were refused; a higher limit of descriptors (ulimit -n) allows more"
    )
