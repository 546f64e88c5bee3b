"""Hyperparameters, metrics and trials."""

from typing import Annotated, Literal

from pydantic import Field

from lightboard.schema.model import Number, ResponseModel, RunId

Choice = Annotated[bool | Number | str, Field(union_mode="smart")]
"""One value in the domain of a hyperparameter."""


class Range(ResponseModel):
    """An interval of numbers, including both ends."""

    low: Number
    high: Number


class HyperParameter(ResponseModel):
    """One hyperparameter.

    Its domain is a list (`values`), an `interval`, or unknown. If it was not declared, it is inferred from the trials.
    `differs` is true if the trials have different values.
    """

    name: str
    display_name: str
    description: str
    type: Literal["unset", "string", "bool", "float64"]
    values: list[Choice] | None
    interval: Range | None
    differs: bool


class TrialMetric(ResponseModel):
    """The scalar `tag` of a trial, in the run at the path `group` below the trial's run ("" for that run itself).

    `trials` is the number of trials that have it, 0 if it was only declared.
    """

    group: str
    tag: str
    display_name: str
    description: str
    dataset_type: Literal["unknown", "training", "validation"]
    trials: int


class Trial(ResponseModel):
    """A trial, represented by `run`. Its hyperparameters, outcome and session group are in the list of runs.

    `members` are the ids of the runs with its metrics, by group; of several runs in a group, the first one that has a
    tag is used. Times are in seconds since the epoch, null if unknown.
    """

    run: RunId
    start_time: Number | None
    end_time: Number | None
    model_uri: str
    monitor_url: str
    members: dict[str, list[RunId]]


class Hparams(ResponseModel):
    """All trials, ordered by slot, and the declaration of their experiment. `time_created` is 0 if unknown."""

    generation: int
    name: str
    description: str
    user: str
    time_created: Number
    parameters: list[HyperParameter]
    metrics: list[TrialMetric]
    trials: list[Trial]
