"""Documentation of the hub is complete and current."""

import inspect
import json
import os
import pathlib
import re
import subprocess
import sys
from collections.abc import Iterator

import pytest
from typer.main import get_command

import lightboard
from lightboard import Estimator, TensorBoard, TrainingJob, errors
from lightboard.cli.hub import parser
from lightboard.cli.hub_client import app
from lightboard.client.session import BY_CODE
from lightboard.hub import data_directory, lifecycle, reconcile
from lightboard.hub.api.tensorboard_responses import NEURO, PHASES
from lightboard.hub.launchers.base import REASONS
from lightboard.hub.metrics import Metrics
from lightboard.hub.resources import tensorboards
from lightboard.hub.resources.tensorboards import COUNTED, Status
from support.hub_process import HubProcess

ROOT = pathlib.Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
EXAMPLE_SECS = 120


def headings(page: str) -> list[str]:
    """Of the third order: what a page is about, one by one."""
    return re.findall(r"^### (.+)$", (DOCS / page).read_text(), re.MULTILINE)


def under(page: str, heading: str) -> str:
    """What stands under a heading of the third order."""
    return re.split(r"^##", (DOCS / page).read_text().split(f"\n### {heading}\n")[1], maxsplit=1, flags=re.MULTILINE)[0]


def rows(page: str, head: str) -> list[list[str]]:
    """The table whose first column has this head, without marks of code; links and words stay as they are."""
    table = (DOCS / page).read_text().split(f"\n| {head} |")[1].split("\n\n")[0]
    lines = table.split("\n")[2:]
    return [[cell.strip().replace("`", "") for cell in line.strip("|").split(" | ")] for line in lines]


def commands() -> Iterator[tuple[str, set[str]]]:
    """Every command that speaks to a hub, and its long flags."""
    left = [("lightboard", get_command(app))]
    while left:
        name, command = left.pop()
        if inner := getattr(command, "commands", None):
            left += [(f"{name} {word}", each) for word, each in inner.items()]
        else:
            options = [flag for each in command.params for flag in (*each.opts, *each.secondary_opts)]
            yield name, {flag for flag in options if flag.startswith("--")}


def public(kind: type) -> set[str]:
    """What a class offers, by its bases as well."""
    return {name for each in kind.__mro__[:-1] for name in vars(each) if not name.startswith("_")}


def test_every_hub_flag_has_a_heading() -> None:
    """docs/hub-flags.md and the parser agree, in order."""
    assert headings("hub-flags.md") == [action.option_strings[-1] for action in parser()._actions]


def test_every_command_has_a_heading() -> None:
    """In docs/cli-hub.md."""
    assert sorted(headings("cli-hub.md")) == sorted(name for name, _ in commands())


@pytest.mark.parametrize(("command", "flags"), [pytest.param(*each, id=each[0]) for each in commands()])
def test_every_command_flag_is_documented(command: str, flags: set[str]) -> None:
    """Below its command."""
    assert set(re.findall(r"`(--[\w-]+)", under("cli-hub.md", command))) == flags


def test_every_sdk_name_has_a_heading() -> None:
    """With methods and properties of the classes that have them, in docs/sdk.md."""
    imported = set(lightboard.__all__) - {"TensorBoard", "TrainingJob", "__version__"}
    members = {f"{kind.__name__}.{name}" for kind in (Estimator, TensorBoard, TrainingJob) for name in public(kind)}

    assert sorted(headings("sdk.md")) == sorted(imported | members)


@pytest.mark.parametrize("kind", [TensorBoard, TrainingJob])
def test_every_create_parameter_is_documented(kind: type[TensorBoard] | type[TrainingJob]) -> None:
    """In the signature or the table."""
    said = under("sdk.md", f"{kind.__name__}.create")

    assert [name for name in inspect.signature(kind.create).parameters if not re.search(rf"\b{name}\b", said)] == []


def test_every_exception_is_documented() -> None:
    """And can be imported."""
    listed = {name for first, *_ in rows("sdk.md", "exception") for name in first.split(", ")}

    assert {kind.__name__ for kind in BY_CODE.values()} - listed == set()
    assert {name for name in listed if not hasattr(errors, name)} == set()


def test_every_route_has_a_heading() -> None:
    """docs/hub-http.md and the OpenAPI document agree."""
    paths = json.loads((DOCS / "hub-openapi.json").read_text())["paths"]

    assert sorted(headings("hub-http.md")) == sorted(
        f"{method.upper()} {path}" for path in paths for method in paths[path]
    )


def test_every_status_is_documented() -> None:
    """In order, with its effect on the limit."""
    listed = {name: counts for name, _, counts in rows("hub.md", "status")}

    assert listed == {status.value: "yes" if status in COUNTED else "no" for status in Status}


def test_every_reason_is_documented() -> None:
    """Of the hub and the launchers."""
    source = "".join(inspect.getsource(module) for module in (lifecycle, reconcile, tensorboards))
    others = {status.value for status in Status} - {"Creating"}  # which is a reason of Pending as well

    words = set(re.findall(r'"([A-Z][a-z]+(?:[A-Z][a-z]+)*)"', source)) - others

    assert {name for name, _ in rows("hub.md", "reason")} == words | set(REASONS)


def test_every_metric_is_documented() -> None:
    """In docs/hub-operations.md."""
    families = list(Metrics().registry.collect())
    told = {f"{each.name}_total" if each.type == "counter" else each.name for each in families}

    assert {name for name, _ in rows("hub-operations.md", "figure")} == told


def test_platform_vocabularies_are_current() -> None:
    """In docs/pai.md."""
    listed = [[first.removesuffix(" (not PAI's)"), *rest] for first, *rest in rows("pai.md", "Lightboard and PAI")]

    assert sorted(listed) == sorted([status.value, PHASES.get(status, ""), NEURO[status]] for status in Status)


def test_the_access_table_is_current() -> None:
    """In docs/access.md."""
    done = subprocess.run(
        [sys.executable, "scripts/access_table.py", "--check"], cwd=ROOT, capture_output=True, text=True, timeout=60
    )

    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("page", ["sdk.md", "pai.md"])
def test_examples_run(page: str, tmp_path: pathlib.Path) -> None:
    """In page order."""
    logs = tmp_path / "logs"
    for folder in (
        logs / "mnist",
        logs / "again",
        data_directory.create(str(tmp_path / "hub")) / "storage" / "default" / "mnist",
    ):
        folder.mkdir(parents=True)
    with HubProcess(tmp_path / "hub", roots=[logs]) as hub:
        examples = "\n".join(re.findall(r"```python\n(.*?)```", (DOCS / page).read_text(), re.DOTALL))
        program = examples.replace("/srv/logs", str(logs)).replace("http://127.0.0.1:8080", hub.url)
        env = {"LIGHTBOARD_URL": hub.url, "LIGHTBOARD_TOKEN": hub.token, "LIGHTBOARD_HOME": str(tmp_path / "home")}
        env |= {"PYTHONPATH": str(ROOT / "compat" / "pai" / "src")}

        done = subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, **env},
            input="what somebody types\n",
            capture_output=True,
            text=True,
            timeout=EXAMPLE_SECS,
        )

    assert (done.returncode, "Traceback" in done.stderr) == (0, False), done.stderr
