"""Hyper-parameters: what is known of each, what is measured, and which runs are trials."""

from typing import Annotated, Literal

from pydantic import Field

from lightboard.schema.model import Answer, Number, RunId

Choice = Annotated[bool | Number | str, Field(union_mode="smart")]
"""One value of a domain."""


class Range(Answer):
    """A domain of numbers, ends included."""

    low: Number
    high: Number


class HyperParameter(Answer):
    """One parameter. Its domain is a list (`values`), an interval, or not known; as declared, else as the trials have
    it. `differs` says whether trials have several values."""

    name: str
    display_name: str
    description: str
    type: Literal["unset", "string", "bool", "float64"]
    values: list[Choice] | None
    interval: Range | None
    differs: bool


class TrialMetric(Answer):
    """A scalar `tag` in the runs that lie in the folder `group` below the run of a trial, "" for that run itself.

    `trials` says how many have it; what was declared and is nowhere has 0.
    """

    group: str
    tag: str
    display_name: str
    description: str
    dataset_type: Literal["unknown", "training", "validation"]
    trials: int


class Trial(Answer):
    """The run that stands for a trial; its hyper-parameters, outcome and group of sessions are in the list of runs.

    `members` are the ids of the runs that hold its metrics, by group; where there are several the first that has a
    tag counts. Times are seconds since the epoch, null where nobody said.
    """

    run: RunId
    start_time: Number | None
    end_time: Number | None
    model_uri: str
    monitor_url: str
    members: dict[str, list[RunId]]


class Hparams(Answer):
    """All trials, by slot, and what was said of their experiment; `time_created` is 0 where nobody said."""

    generation: int
    name: str
    description: str
    user: str
    time_created: Number
    parameters: list[HyperParameter]
    metrics: list[TrialMetric]
    trials: list[Trial]
