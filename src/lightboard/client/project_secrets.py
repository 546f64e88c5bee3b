"""`Secret`: a variable of a job whose value the project keeps, and the job gets when it starts."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Secret:
    """The secret of the project with this name, as the value of a variable: `environment={"HF_TOKEN": Secret("hf")}`.

    `Project.add_secret` adds one. Nobody is shown its value, but the program gets it.
    """

    name: str


def variables_request(environment: Mapping[str, str | Secret] | None) -> dict[str, Any]:
    """Variables in the request for a job."""
    return {
        name: {"secret": value.name} if isinstance(value, Secret) else value
        for name, value in (environment or {}).items()
    }


def variable_text(name: str, value: str | Mapping[str, str]) -> str:
    """A variable of a job, as the hub describes it, in the form of Neu.ro: `NAME=VALUE` or `NAME=secret:SECRET`."""
    return f"{name}={value}" if isinstance(value, str) else f"{name}=secret:{value['secret']}"
