"""`lightboard port-forward`: ports of a running job, or a TensorBoard, at this machine."""

import contextlib
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from lightboard.cli.instances import Instance, check_board_rank, find_instance
from lightboard.cli.output import say, show
from lightboard.cli.remote import ProjectName, Url, Which, session_of
from lightboard.cli.tensorboard_command import TENSORBOARD_PORT
from lightboard.client import jobs, tensorboards
from lightboard.client.neuro_status import neuro_words
from lightboard.client.polling import RetryingReader, poll
from lightboard.client.training_jobs import TrainingJob
from lightboard.errors import Conflict, PermissionDenied, UsageError

if TYPE_CHECKING:
    from lightboard.cli.board_forward import BoardForward
    from lightboard.client.port_forward import PortForward

RUNNING = "Running"
MAX_PORT = 65_535
Ports = Annotated[
    list[str],
    typer.Argument(
        metavar="LOCAL:REMOTE...",
        help="a port of this machine, 0 for any, and the one of the job, or 6006 of a TensorBoard",
        show_default=False,
    ),
]
Rank = Annotated[int, typer.Option(min=0, max=63, help="number of the replica")]


def port_forward(which: Which, ports: Ports, rank: Rank = 0, url: Url = None, project: ProjectName = None) -> None:
    """Forward ports of a running job or TensorBoard to this machine, as with Neu.ro, until Ctrl-C or its end."""
    pairs = [port_pair(text) for text in ports]
    with session_of(url, project) as session:
        instance, info = find_instance(session, which)
        if isinstance(instance, TrainingJob):
            check_job(info)
        else:
            check_board(info, pairs, rank)
        forward_until_end(instance, info["name"], pairs, rank)


def check_job(info: Any) -> None:
    """Raises Conflict if a job does not run, PermissionDenied if its ports are not for this account."""
    if info["status"] != RUNNING:
        raise Conflict(f"the job {info['name']} is {info['status']}", hint="wait until it runs, or start it again")
    if "jobs.connect" not in info["rights"]:
        raise PermissionDenied(f"only its owner may forward ports of the job {info['name']}")


def check_board(info: Any, pairs: Sequence[tuple[int, int]], rank: int) -> None:
    """Raises UsageError for what no TensorBoard has, Conflict if this one does not run."""
    check_board_ports(pairs)
    check_board_rank(info, rank)
    if info["status"] != RUNNING:
        raise Conflict(f"{info['name']} is {neuro_words(info)}", hint=f"lightboard tb start {info['name']}")


def check_board_ports(pairs: Sequence[tuple[int, int]]) -> None:
    """Raises UsageError for another port than the one of a TensorBoard."""
    for local, remote in pairs:
        if remote != TENSORBOARD_PORT:
            raise UsageError(
                f"a TensorBoard has no port {remote}", hint=f"{local}:{TENSORBOARD_PORT} leads to its page"
            )


@contextlib.contextmanager
def forwarded(instance: Instance, name: str, pairs: Sequence[tuple[int, int]], rank: int = 0) -> Iterator[None]:
    """Forwards ports as long as this lasts. Raises UsageError if a local port is in use."""
    with contextlib.ExitStack() as forwards:
        for local, remote in pairs:
            forward = open_forward(instance, local, remote, rank)
            forwards.enter_context(forward)
            if isinstance(instance, TrainingJob):
                show(f"127.0.0.1:{forward.local_port} leads to port {remote} of {name}")
            else:
                show(f"http://127.0.0.1:{forward.local_port}/ shows {name}")
        yield


def open_forward(instance: Instance, local: int, remote: int, rank: int) -> "BoardForward | PortForward":
    """A port of a job or TensorBoard at a port of this machine. Raises UsageError if that is in use."""
    if isinstance(instance, TrainingJob):
        return instance.port_forward(remote, local, rank=rank, say=say)
    from lightboard.cli.board_forward import BoardForward  # loads a server

    return BoardForward(instance.session, instance.id, local)


def forward_until_end(instance: Instance, name: str, pairs: Sequence[tuple[int, int]], rank: int) -> None:
    """Forwards ports until the job or TensorBoard does not run any more, or Ctrl-C."""
    hub = RetryingReader(instance.session, say)
    path = (jobs if isinstance(instance, TrainingJob) else tensorboards).route(instance.id)
    with contextlib.suppress(KeyboardInterrupt), forwarded(instance, name, pairs, rank):
        say("Ctrl-C ends it")
        for info in poll(lambda: hub.get(path), None):
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
