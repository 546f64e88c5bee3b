"""Requests for notebooks. Durations are in seconds (0 is no limit), sizes in bytes."""

from typing import Annotated

from pydantic import Field

from lightboard.schema.jobs import InputName, InputSource, LogDir, NewVolume, Variables
from lightboard.schema.life_spans import Span
from lightboard.schema.model import HubRequestModel
from lightboard.schema.page import Short
from lightboard.schema.tensorboards import Labels, Tags


class CreateNotebook(HubRequestModel):
    """A new notebook: a JupyterLab server. Its files are in a folder of the project's storage with its name.

    Fields are as those of a job. `idle_secs` is after what time without use it is stopped, `max_run_secs` how long it
    may run after each start.
    """

    project: Short = ""
    name: Annotated[str, Field(max_length=40)] = ""
    display_name: Annotated[str, Field(max_length=200)] = ""
    environment: Variables = Field(default_factory=dict)
    image: Annotated[str, Field(max_length=500)] = ""
    inputs: Annotated[dict[InputName, InputSource], Field(max_length=50)] = Field(default_factory=dict)
    preset: Annotated[str, Field(max_length=100)] = ""
    memory_bytes: Annotated[int, Field(ge=1 << 20, le=1 << 50)] | None = None
    log_dir: LogDir = ""
    volumes: Annotated[list[NewVolume], Field(max_length=50)] = Field(default_factory=list)
    tensorboard: bool = False
    priority: Annotated[int, Field(ge=1, le=9)] = 5
    idle_secs: Span = 1800.0
    max_run_secs: Span = 0.0
    queue_timeout_secs: Span = 0.0
    labels: Labels = Field(default_factory=dict)
    tags: Tags = Field(default_factory=list)
