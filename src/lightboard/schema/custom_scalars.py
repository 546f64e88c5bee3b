"""The layout of scalars that writers gave: categories of charts, with the tags that they mean."""

from typing import Literal

from lightboard.schema.model import Answer


class TagPattern(Answer):
    """A regular expression that has to fit the beginning of a tag, and the tags it means in natural order.

    `error` says why it is none, or is not followed; "" if it is.
    """

    pattern: str
    tags: list[str]
    error: str


class MarginSeries(Answer):
    """A line with a band around it: tags of the value and of both edges; `missing` are those that no run has."""

    value: str
    lower: str
    upper: str
    missing: list[str]


class CustomChart(Answer):
    """One chart: lines of all tags that `patterns` mean, or bands; a writer may also say nothing of it."""

    title: str
    kind: Literal["multiline", "margin", ""]
    patterns: list[TagPattern]
    margins: list[MarginSeries]


class CustomCategory(Answer):
    """Charts under one title; `closed` where its writer wants it folded."""

    title: str
    closed: bool
    charts: list[CustomChart]


class UnreadableLayout(Answer):
    """A layout that could not be read, and why."""

    run: str
    error: str


class CustomScalars(Answer):
    """The layouts of all runs as one; no categories where no run has one."""

    generation: int
    categories: list[CustomCategory]
    unreadable: list[UnreadableLayout]
