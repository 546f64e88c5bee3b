"""Custom layouts of scalars: categories of charts, with the tags that the charts show."""

from typing import Literal

from lightboard.schema.model import ResponseModel


class TagPattern(ResponseModel):
    """A regular expression that is matched at the beginning of tags, and the matching tags in natural order.

    `error` says why the pattern is invalid or is not used; "" if there is no error.
    """

    pattern: str
    tags: list[str]
    error: str


class MarginSeries(ResponseModel):
    """A line with a band: the tags of the value and of both edges. `missing` lists those of them that no run has."""

    value: str
    lower: str
    upper: str
    missing: list[str]


class CustomChart(ResponseModel):
    """One chart, of all tags that match `patterns` or of `margins`. `kind` is "" if the layout defines neither."""

    title: str
    kind: Literal["multiline", "margin", ""]
    patterns: list[TagPattern]
    margins: list[MarginSeries]


class CustomCategory(ResponseModel):
    """Charts with a common title. `closed` categories are collapsed at first."""

    title: str
    closed: bool
    charts: list[CustomChart]


class UnreadableLayout(ResponseModel):
    """A layout that could not be read, and the reason."""

    run: str
    error: str


class CustomScalars(ResponseModel):
    """The merged layouts of all runs. There are no categories if no run has a layout."""

    generation: int
    categories: list[CustomCategory]
    unreadable: list[UnreadableLayout]
