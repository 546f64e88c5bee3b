"""`lightboard job submit --from-notebook`: what a job takes from the notebook in which the command is typed."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated, Any

import typer

from lightboard.client.jobs import find_job, kind_of
from lightboard.client.notebooks import KIND
from lightboard.client.project_secrets import Secret
from lightboard.client.session import Session
from lightboard.client.volumes import parse_volumes, volume_of
from lightboard.counts import counted
from lightboard.errors import NotFound, UsageError

JOB_ID = "LIGHTBOARD_JOB_ID"
"""The variable with the id of the job, which may be a notebook, that a program runs in."""


class FromNotebook(StrEnum):
    """Whether a job is as the notebook in which it is submitted."""

    AUTO = "auto"
    TRUE = "true"
    FALSE = "false"


AUTO = FromNotebook.AUTO
Choice = Annotated[
    FromNotebook,
    typer.Option(
        metavar="auto|true|false",
        help="take image, preset, volumes and variables of the notebook that this is typed in; auto: if there is one",
    ),
]


def surrounding_id(choice: FromNotebook, environ: Mapping[str, str]) -> str:
    """The id of the job in which the command is typed, "" for none. Raises UsageError if there has to be one."""
    id = "" if choice is FromNotebook.FALSE else environ.get(JOB_ID, "")
    if choice is FromNotebook.TRUE and not id:
        raise UsageError(
            "--from-notebook true: this is typed in no notebook of a hub",
            hint="leave it out, or use a terminal of a notebook, where it is not needed",
        )
    return id


def with_notebook(
    session: Session, settings: Mapping[str, Any], choice: FromNotebook, environ: Mapping[str, str]
) -> tuple[dict[str, Any], str]:
    """The settings of a new job with those of the notebook in which it is submitted, and what that is, in words.

    Settings that were given win. Raises UsageError if there has to be a notebook, or if it has variables that only its
    owner can read.
    """
    id = surrounding_id(choice, environ)
    notebook = find_notebook_here(session, id) if id else None
    if notebook is not None:
        return taken_from(notebook, settings)
    if choice is FromNotebook.TRUE:
        raise UsageError(
            f"--from-notebook true: {session.url} knows no notebook {id}", hint="log in to the hub of the notebook"
        )
    return dict(settings), ""


def find_notebook_here(session: Session, id: str) -> dict[str, Any] | None:
    """The notebook with this id; None if the hub has none, because it is another hub or this is typed in a job."""
    try:
        found = find_job(session, id)
    except NotFound:
        return None
    return found if kind_of(found) == KIND else None


def taken_from(notebook: Mapping[str, Any], settings: Mapping[str, Any]) -> tuple[dict[str, Any], str]:
    """The settings of a job with those of a notebook, and what is taken, in words; "" for nothing."""
    chosen = {key: notebook[key] for key in ("image", "preset") if notebook[key] and not settings[key]}
    targets = {volume.target for volume in parse_volumes(settings["volumes"])}
    volumes = [volume_of(each) for each in notebook["volumes"] if each["target"] not in targets]
    variables = variables_of(notebook, settings["environment"])
    merged = {
        **settings,
        **chosen,
        "volumes": [*map(str, volumes), *settings["volumes"]],
        "environment": {**variables, **settings["environment"]},
    }
    numbers = [counted(len(each), noun) for each, noun in ((volumes, "volume"), (variables, "variable")) if each]
    words = ", ".join([*(f"{key} {value}" for key, value in chosen.items()), *numbers])
    return merged, f"as in the notebook {notebook['name']}: {words}" if words else ""


def variables_of(notebook: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, str | Secret]:
    """The variables of a notebook that are not given. Raises UsageError for those that only its owner can read."""
    found = {name: value for name, value in notebook["environment"].items() if name not in given}
    if hidden := [name for name, value in found.items() if value is None]:
        raise UsageError(
            f"only the owner of the notebook {notebook['name']} can read its variable {hidden[0]}",
            hint=f"--env {hidden[0]}=VALUE, or --from-notebook false",
        )
    return {name: Secret(value["secret"]) if isinstance(value, dict) else value for name, value in found.items()}
