"""Options that the commands for new jobs and new notebooks have in common."""

from typing import Annotated

import typer

from lightboard.errors import UsageError

Variables = Annotated[
    list[str] | None,
    typer.Option(
        "--env",
        metavar="NAME=VALUE",
        help="environment variable, of a secret with NAME=secret:SECRET; NAME alone takes its value here; repeatable",
    ),
]
VariableFile = Annotated[
    str | None, typer.Option("--env-file", metavar="FILE", help="file with a variable on each line")
]
Image = Annotated[str, typer.Option(metavar="NAME", help="environment of its programs; default: the hub's")]
Preset = Annotated[
    str, typer.Option(metavar="NAME", help="what each replica gets of the machine; default: the hub's first")
]
InputTexts = Annotated[
    list[str] | None,
    typer.Option(
        "--input",
        metavar="NAME=SOURCE",
        help="data to read, for example train=storage:mnist/train; its path is in PAI_INPUT_NAME; repeatable",
    ),
]
VolumeTexts = Annotated[
    list[str] | None,
    typer.Option(
        "--volume",
        "-v",
        metavar="SOURCE:TARGET:MODE",
        help="folder at a path that the command knows, for example storage:mnist:/data:ro; repeatable",
    ),
]
LogDir = Annotated[
    str,
    typer.Option(
        metavar="SOURCE",
        help="folder for TensorBoard logs, for example dataset:mnist/logs; default: one of its own",
    ),
]
HttpPort = Annotated[
    int | None,
    typer.Option("--http-port", "--http", min=1, max=65_535, help="port of its web page, which its owner opens"),
]
WithTensorBoard = Annotated[bool, typer.Option("--tensorboard", help="also create its TensorBoard")]


def inputs_of(texts: list[str]) -> dict[str, str]:
    """The inputs of several `--input`. Raises UsageError."""
    found: dict[str, str] = {}
    for text in texts:
        name, equals, source = text.partition("=")
        if not (name and equals and source):
            raise UsageError(f"--input {text} is not NAME=SOURCE", hint="for example --input train=storage:mnist/train")
        if name in found:
            raise UsageError(f"the input {name} is given twice", hint="each needs a name of its own")
        found[name] = source
    return found
