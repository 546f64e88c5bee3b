"""Volumes of jobs that have no mount namespace: the arguments of their command get the real paths. Pure functions."""

from collections.abc import Mapping, Sequence

from lightboard.hub.resources.replicas import Isolation
from lightboard.hub.resources.volumes import Enforcement

VARIABLE = "LIGHTBOARD_VOLUME_"


def mapped_command(command: Sequence[str], paths: Mapping[str, str]) -> tuple[str, ...]:
    """A command whose arguments have the real `paths` of volumes, which are by target.

    Arguments are mapped that are a path at or below a target, and flags with such a value: `--dir=//project/results`.
    The program itself is never mapped, nor is text in which a path is only a part, such as a line for a shell.
    """
    return (*command[:1], *(mapped_argument(argument, paths) for argument in command[1:]))


def mapped_argument(argument: str, paths: Mapping[str, str]) -> str:
    """One argument with a real path; unchanged if it has none of the targets."""
    flag, equals, value = argument.partition("=") if argument.startswith("-") else ("", "", argument)
    if not value.startswith("/"):
        return argument
    path = "/" + value.lstrip("/")  # shells of Windows leave //project alone
    for target, real in paths.items():
        if path == target or path.startswith(f"{target}/"):
            return f"{flag}{equals}{real}{path.removeprefix(target)}"
    return argument


def volume_variables(paths: Sequence[str]) -> dict[str, str]:
    """The variables that have the paths of volumes, in their order: `LIGHTBOARD_VOLUME_1` and so on."""
    return {f"{VARIABLE}{number}": path for number, path in enumerate(paths, 1)}


def enforcement_of(target: str, command: Sequence[str], isolation: Isolation | None) -> Enforcement | None:
    """How a job that runs a command finds the volume at `target`; None if its isolation is not known."""
    if isolation is None:
        return None
    if isolation is Isolation.KERNEL:
        return Enforcement.KERNEL
    is_mapped = mapped_command(command, {target: ""}) != tuple(command)
    return Enforcement.PROCESS if is_mapped else Enforcement.NONE
