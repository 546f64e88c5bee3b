"""`lightboard job submit --from-notebook`: a job with the settings of the notebook in which it is submitted."""

import json
import pathlib
from collections.abc import Iterator
from typing import Any

import pytest

from lightboard.cli.from_notebook import JOB_ID, taken_from
from lightboard.cli.main import main
from lightboard.client.project_secrets import Secret
from lightboard.errors import UsageError
from support.hub_cli import HubCli
from support.hub_process import HubProcess
from support.notebook_image import write_notebook_image

NOTHING: dict[str, Any] = {"image": "", "preset": "", "volumes": [], "environment": {}}
NOTEBOOK = {
    "name": "lab",
    "image": "torch",
    "preset": "small",
    "volumes": [
        {"source": "storage:mnist", "target": "/data", "read_only": True},
        {"source": "storage:out", "target": "/out", "read_only": False},
    ],
    "environment": {"A": "1", "TOKEN": {"secret": "hf"}},
}


@pytest.fixture(scope="module")
def hub(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HubProcess]:
    """With a preset and an image that a notebook can have."""
    folder = tmp_path_factory.mktemp("notebooks")
    image = write_notebook_image(folder / "image")
    words = ("--image", f"telling={image}", "--preset", "first=cpu:1,memory:64M", "--preset", "small=cpu:1,memory:64M")
    with HubProcess(folder / "hub", *words) as running:
        yield running
        running.delete_all_but(())  # or the notebook would outlive the hub


@pytest.fixture
def cli(hub: HubProcess, tmp_path: pathlib.Path) -> HubCli:
    """Somebody who types."""
    return HubCli(hub, tmp_path)


def test_a_job_is_as_the_notebook_unless_something_else_is_asked(hub: HubProcess, cli: HubCli) -> None:
    """What is taken is told; nothing is in another job, on another hub, or with `false`."""
    notebook = hub.json(
        "POST", "/api/v1/notebooks", {"name": "lab", "image": "telling", "preset": "small", "environment": {"A": "1"}}
    )
    job = hub.json("POST", "/api/v1/jobs", {"name": "other", "command": ["true"]})

    def submit(id: str, *words: str) -> tuple[list[Any], str]:
        done = cli.command("job", "submit", "--json", *words, "true", **{JOB_ID: id})
        made = json.loads(done.stdout)
        return [made[key] for key in ("image", "preset", "environment")], done.stderr.splitlines()[0]

    taken, said = submit(notebook["id"])
    chosen, _ = submit(notebook["id"], "--from-notebook", "true", "--preset", "first", "--env", "A=2", "--env", "B=3")
    others = [submit(id, *words)[0] for id, words in (
        (notebook["id"], ("--from-notebook", "false")), (job["id"], ()), ("job-01m8k407zg9hgycdwdf5qv8vdj", ()),
    )]  # fmt: skip

    assert (taken, said) == (
        ["telling", "small", {"A": "1"}], "as in the notebook lab: image telling, preset small, 1 variable",
    )  # fmt: skip
    assert chosen == ["telling", "first", {"A": "2", "B": "3"}]
    assert others == [["", "first", {}]] * 3


def test_true_needs_a_notebook(hub: HubProcess, cli: HubCli) -> None:
    """Of the same hub: a job is none."""
    job = hub.json("POST", "/api/v1/jobs", {"name": "none", "command": ["true"]})["id"]
    words = ("job", "submit", "--from-notebook", "true", "true")

    outside = cli.command(*words, code=2, **{JOB_ID: ""}).stderr.splitlines()
    in_job = cli.command(*words, code=2, **{JOB_ID: job}).stderr.splitlines()

    assert outside == [
        "lightboard: --from-notebook true: this is typed in no notebook of a hub",
        "hint: leave it out, or use a terminal of a notebook, where it is not needed",
    ]
    assert in_job == [
        f"lightboard: --from-notebook true: {hub.url} knows no notebook {job}",
        "hint: log in to the hub of the notebook",
    ]


def test_volumes_and_variables_are_merged() -> None:
    """Those that are given win, at their path and by their name; nothing is told where nothing is taken."""
    given = {
        **NOTHING,
        "volumes": ["storage:new://data//:rw"],
        "environment": {"A": "2"},
        "image": "jax",
        "tags": ["t"],
    }
    everything = {**given, "preset": "big", "volumes": ["storage:a:/data", "storage:b:/out"],
                  "environment": {"A": "2", "TOKEN": "x"}}  # fmt: skip

    assert taken_from(NOTEBOOK, given) == (
        {
            "image": "jax", "preset": "small", "tags": ["t"],
            "volumes": ["storage:out:/out:rw", "storage:new://data//:rw"],
            "environment": {"A": "2", "TOKEN": Secret("hf")},
        },
        "as in the notebook lab: preset small, 1 volume, 1 variable",
    )  # fmt: skip
    assert taken_from(NOTEBOOK, everything) == (everything, "")


def test_a_variable_that_cannot_be_read_is_told() -> None:
    """It is not left out silently; given, it is not needed."""
    notebook = {**NOTEBOOK, "environment": {"KEY": None}}
    with pytest.raises(UsageError) as caught:
        taken_from(notebook, NOTHING)

    assert (caught.value.message, caught.value.hint) == (
        "only the owner of the notebook lab can read its variable KEY", "--env KEY=VALUE, or --from-notebook false",
    )  # fmt: skip
    assert taken_from(notebook, {**NOTHING, "environment": {"KEY": "v"}})[0]["environment"] == {"KEY": "v"}


def test_the_choice_is_one_of_three(capsys: pytest.CaptureFixture[str]) -> None:
    """Told before any request."""
    code = main(["job", "submit", "--url", "http://127.0.0.1:1", "--from-notebook", "maybe", "true"])

    assert (code, "'maybe' is not one of 'auto', 'true', 'false'" in capsys.readouterr().err) == (2, True)
