"""Request and response bodies: non-finite numbers and strict validation."""

import math

import pytest
from pydantic import ValidationError

from lightboard.events.decode import Stats
from lightboard.schema.scalars import ChartSpec, ChartsRequest, SeriesResponse, SeriesStats
from lightboard.schema.tags import TagsQuery


def test_nonfinite_numbers_round_trip_as_strings() -> None:
    """NaN, Infinity and -Infinity."""
    sent = SeriesResponse(run="r", tag="t", points=[(1.0, 0, math.nan), (2.0, 1, math.inf), (3.0, 2, -math.inf)])

    text = sent.model_dump_json()

    assert text == '{"run":"r","tag":"t","points":[[1.0,0,"NaN"],[2.0,1,"Infinity"],[3.0,2,"-Infinity"]]}'
    assert SeriesResponse.model_validate_json(text).model_dump_json() == text


def test_statistics_have_the_decoders_fields() -> None:
    """In its order."""
    assert ("tag", "run", *Stats._fields) == tuple(SeriesStats.model_fields)


@pytest.mark.parametrize("field", ["typo", "Tag"])
def test_unknown_fields_are_errors(field: str) -> None:
    """A misspelt field is not silently passed over."""
    with pytest.raises(ValidationError):
        TagsQuery.model_validate({field: "x"})


@pytest.mark.parametrize("x0", [math.nan, math.inf])
def test_bounds_are_numbers(x0: float) -> None:
    """An open end is null."""
    with pytest.raises(ValidationError):
        ChartSpec(tag="a", x0=x0)


def test_charts_require_a_width() -> None:
    """Everything else has a default."""
    asked = ChartsRequest.model_validate({"px": 8, "charts": []})

    assert (asked.axis, asked.smoothing, asked.aux, asked.orphans) == ("step", 0.0, False, False)
