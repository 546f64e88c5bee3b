"""Flags of Neu.ro's `run` as settings of jobs. Pure functions."""

import shlex
from collections.abc import Sequence
from enum import StrEnum

from lightboard.cli.jobs import line_or_words
from lightboard.client.training_jobs import command_words
from lightboard.client.volumes import clean_path
from lightboard.errors import UsageError

ENDLESS_RETRIES = 100
"""As many as the hub allows."""
IN_FOLDER = ("sh", "-c", 'cd -- "$0" && exec "$@"')
"""Runs the rest of the words, without the first one, in the folder that is the first one."""


class Restart(StrEnum):
    """When a job is started again."""

    NEVER = "never"
    ON_FAILURE = "on-failure"
    ALWAYS = "always"


def with_entrypoint(entrypoint: str, command: Sequence[str]) -> list[str]:
    """The command after the words of an entry point, "" for none. Raises UsageError if its quotes are not closed."""
    try:
        return [*shlex.split(entrypoint), *command]
    except ValueError as error:
        raise UsageError(f"--entrypoint {entrypoint} is no command: {error}", hint="close its quotes") from None


def in_folder(workdir: str, command: list[str]) -> str | list[str]:
    """The command of a job that starts in a folder, as `TrainingJob.create` takes it; "" for that of the job.

    Raises UsageError for what is no absolute path.
    """
    line = line_or_words(command)
    return [*IN_FOLDER, clean_path(workdir), *command_words(line)] if workdir else line


def retries_of(restart: Restart) -> int:
    """How often a job is started again. Raises UsageError for `always`."""
    if restart is Restart.ALWAYS:
        raise UsageError(
            "a job that has succeeded is not started again", hint="--restart on-failure, or a loop in the command"
        )
    return ENDLESS_RETRIES if restart is Restart.ON_FAILURE else 0


PASSED = "the job has a token for itself; --env LIGHTBOARD_URL --env LIGHTBOARD_TOKEN gives it one of yours"
"""What `--pass-config` does not do."""


def refuse_sharing(share: Sequence[str]) -> None:
    """Raises UsageError if something is to be shared with accounts."""
    if share:
        raise UsageError(
            f"nothing is shared with {share[0]} alone: all members of a project see its jobs",
            hint=f"lightboard project add PROJECT {share[0]} --role viewer",
        )


def refuse_terminal(tty: bool) -> None:
    """Raises UsageError if the command is to have a terminal."""
    if tty:
        raise UsageError(
            "the command of a job has no terminal: it goes on when nobody is there",
            hint="leave out --tty; lightboard exec --tty NAME bash opens a terminal beside it",
        )
