"""`lightboard job run-again`: a job with what another one had, and what of that is not the same any more."""

import contextlib
import os
from typing import Annotated, Any

import typer

from lightboard.cli.input_contents import contents_text
from lightboard.cli.job_options import VariableFile, Variables
from lightboard.cli.jobs import each_of, follow_to_end
from lightboard.cli.output import say, show
from lightboard.cli.remote import ProjectName, Url, Which, command_text, status_text
from lightboard.cli.variables import environment_of
from lightboard.client.training_jobs import TrainingJob
from lightboard.errors import LightboardError


def run_again(
    which: Which,
    name: Annotated[str, typer.Option(help="name; default: the next free one, such as mnist-2")] = "",
    env: Variables = None,
    env_file: VariableFile = None,
    follow: Annotated[
        bool, typer.Option("--follow/--detach", help="print its log, and exit with the exit code of the command")
    ] = False,
    url: Url = None,
    project: ProjectName = None,
) -> None:
    """Run a job again as a new job, with the same command, code, inputs, image and settings."""
    environment = environment_of(env or [], env_file, os.environ)
    for job in each_of([which], url, project):
        for line in changes_of(job, project):
            say(line)
        made = job.run_again(name, environment)
        info = made.info()
        say(f"{info['name']} ({made.id}) is {status_text(info)}")
        if follow:
            raise typer.Exit(follow_to_end(made, info["name"], project, None))
        show(made.id)


def changes_of(job: TrainingJob, project: str | None) -> list[str]:
    """What a job had that is not the same now, in lines, as far as the hub finds out in time."""
    info = job.info()
    name, found = info["name"], list[str]()
    with contextlib.suppress(LightboardError):
        found += image_changes(job.lineage(), project)
    if info["inputs"] or info["volumes"]:
        with contextlib.suppress(LightboardError):
            found += [input_change(name, each) for each in job.compare_inputs() if each["changed"]]
    return found


def image_changes(lineage: Any, project: str | None) -> list[str]:
    """That the image of the last attempt is another one now, and where its packages are listed."""
    last = lineage["attempts"][-1:]
    if not any(each["image_changed"] for each in last):
        return []
    name, image = lineage["name"], lineage["image"]
    packages = command_text("job lineage --packages", name, project)
    return [
        f"the image {image} has changed since {name} started: the new job may find other packages",
        f"hint: `{packages}` lists those that {name} had, for an image that has them again",
    ]


def input_change(name: str, compared: Any) -> str:
    """What an input has now instead of what a job found in it."""
    then, now = contents_text(compared["recorded"]), contents_text(compared["now"])
    return f"the contents of {compared['name']} have changed since {name} started: {then} then, {now} now"
