"""`lightboard port-forward`: ports of a running job at this machine."""

import contextlib
from collections.abc import Iterator, Sequence
from typing import Annotated

import typer

from lightboard.cli.instances import find_instance
from lightboard.cli.output import say, show
from lightboard.cli.remote import ProjectName, Url, Which, session_of
from lightboard.client.jobs import route
from lightboard.client.polling import RetryingReader, poll
from lightboard.client.training_jobs import TrainingJob
from lightboard.errors import Conflict, PermissionDenied, UsageError

RUNNING = "Running"
MAX_PORT = 65_535
Ports = Annotated[
    list[str],
    typer.Argument(
        metavar="LOCAL:REMOTE...", help="a port of this machine and the one of the job; 0 is any", show_default=False
    ),
]
Rank = Annotated[int, typer.Option(min=0, max=63, help="number of the replica")]


def port_forward(which: Which, ports: Ports, rank: Rank = 0, url: Url = None, project: ProjectName = None) -> None:
    """Forward ports of a running job to this machine, as with Neu.ro, until Ctrl-C or its end."""
    pairs = [port_pair(text) for text in ports]
    with session_of(url, project) as session:
        instance, info = find_instance(session, which)
        if not isinstance(instance, TrainingJob):
            raise Conflict(f"{info['name']} is a TensorBoard", hint=f"lightboard browse {which} opens it")
        if info["status"] != RUNNING:
            raise Conflict(f"the job {info['name']} is {info['status']}", hint="wait until it runs, or start it again")
        if "jobs.connect" not in info["rights"]:
            raise PermissionDenied(f"only its owner may forward ports of the job {info['name']}")
        forward_until_end(instance, info["name"], pairs, rank)


@contextlib.contextmanager
def forwarded(job: TrainingJob, name: str, pairs: Sequence[tuple[int, int]], rank: int = 0) -> Iterator[None]:
    """Forwards ports as long as this lasts. Raises UsageError if a local port is in use."""
    with contextlib.ExitStack() as forwards:
        for local, remote in pairs:
            forward = forwards.enter_context(job.port_forward(remote, local, rank=rank, say=say))
            show(f"127.0.0.1:{forward.local_port} leads to port {remote} of {name}")
        yield


def forward_until_end(job: TrainingJob, name: str, pairs: Sequence[tuple[int, int]], rank: int) -> None:
    """Forwards ports until the job does not run any more, or Ctrl-C."""
    hub = RetryingReader(job.session, say)
    with contextlib.suppress(KeyboardInterrupt), forwarded(job, name, pairs, rank):
        say("Ctrl-C ends it")
        for info in poll(lambda: hub.get(route(job.id)), None):
            if info["status"] != RUNNING:
                say(f"{name} is {info['status']}")
                return


def port_pair(text: str) -> tuple[int, int]:
    """The local port and that of the job in `LOCAL:REMOTE`; one number is both. Raises UsageError."""
    local, colon, remote = text.partition(":")
    numbers = [int(word) if word.isdecimal() else -1 for word in (local, remote if colon else local)]
    if not 0 <= numbers[0] <= MAX_PORT or not 1 <= numbers[1] <= MAX_PORT:
        raise UsageError(f"{text!r} is not LOCAL:REMOTE", hint="for example 8080:80; 0:80 takes any free local port")
    return numbers[0], numbers[1]
