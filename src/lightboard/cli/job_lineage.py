"""`lightboard job lineage`: what a job ran with."""

import shlex
from typing import Annotated, Any

import typer

from lightboard.cli.input_contents import changed_text, contents_text
from lightboard.cli.jobs import each_of, hyperparameters_text, source_code_text
from lightboard.cli.output import show
from lightboard.cli.remote import AsJson, Output, ProjectName, Url, Which, field, when
from lightboard.cli.tables import TABLE, Columns, show_data, show_one
from lightboard.errors import NotFound


def attempt_of(item: Any, number: int) -> Any:
    """One attempt of a lineage, the last for 0. Raises NotFound."""
    found = [each for each in item["attempts"] if number in (0, each["attempt"])]
    if not found:
        what = f"attempt {number} of {item['name']}" if number else item["name"]
        raise NotFound(f"there is no record of {what}", hint="it is written when the job starts")
    return found[-1]


def input_text(item: Any) -> str:
    """An input, with the version of its dataset and whether that is another one by now."""
    text, dataset = f"{item['name']}={item['source']}", item["dataset"]
    if dataset is None:
        return text
    now = dataset["current_version"]
    changed = "" if now == dataset["version"] else ", removed since" if now is None else f", now {now}"
    return f"{text} (version {dataset['version']}{changed})"


def inputs_text(item: Any) -> str:
    """The inputs of the attempt that is shown, with what was in them, and whether that has changed if it is known."""
    changes = {each["name"]: changed_text(each) for each in item.get("compared", ())}
    shown = [
        "; ".join(filter(None, (input_text(each), contents_text(each["contents"]), changes.get(each["name"]))))
        for each in item["of_attempt"]["inputs"]
    ]
    return ", ".join(shown) or "-"


LINEAGE: Columns = (
    ("name", field("name")),
    ("command", lambda item: shlex.join(item["command"])),
    ("source code", source_code_text),
    ("hyperparameters", hyperparameters_text),
    ("variables", lambda item: ", ".join(item["environment"]) or "-"),
    ("image", lambda item: item["image"] or "-"),
    ("attempt", lambda item: str(item["of_attempt"]["attempt"])),
    ("recorded", lambda item: when("at")(item["of_attempt"])),
    ("program", lambda item: item["of_attempt"]["program"] or "not known"),
    ("python", lambda item: item["of_attempt"]["python"] or "not known"),
    ("packages", lambda item: f"{len(item['packages'].get(item['of_attempt']['packages'], ())):,}"),
    ("inputs", inputs_text),
    ("replicas", field("replicas")),
    ("preset", lambda item: item["of_attempt"]["preset"] or "-"),
    ("lightboard", lambda item: item["of_attempt"]["hub_version"]),
    ("repeats", lambda item: item["repeat_of"]["name"] if item["repeat_of"] else "-"),
    ("run again as", lambda item: ", ".join(each["name"] for each in item["repeats"]) or "-"),
    ("TensorBoards", lambda item: ", ".join(each["name"] for each in item["tensorboards"]) or "-"),
)


def lineage(
    which: Which,
    attempt: Annotated[int, typer.Option(min=0, help="number of the attempt; 0 is the last one")] = 0,
    packages: Annotated[bool, typer.Option("--packages", help="only its packages, as a requirements file")] = False,
    compare: Annotated[
        bool, typer.Option("--compare", help="tell which inputs have changed since; lists their files again")
    ] = False,
    url: Url = None,
    project: ProjectName = None,
    output: Output = TABLE,
    _json: AsJson = False,
) -> None:
    """Show what a job ran with: programs, packages, data, code and settings."""
    for job in each_of([which], url, project):
        item = job.lineage()
        if compare:
            item["compared"] = job.compare_inputs(attempt)
        if output is not TABLE:
            show_data(item, output)
            return
        of_attempt = attempt_of(item, attempt)
        if not packages:
            show_one({**item, "of_attempt": of_attempt}, LINEAGE, output)
            return
        for each in item["packages"].get(of_attempt["packages"], ()):
            show(f"{each['name']}=={each['version']}")
