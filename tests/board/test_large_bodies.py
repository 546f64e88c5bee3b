"""Bounded costs of large request bodies."""

import json
from typing import Any

import pytest
from pydantic import BaseModel, ValidationError

from lightboard.asgi.params import MAX_ITEMS, MAX_MARKS
from lightboard.schema.columns import ColumnsRequest
from lightboard.schema.export import ExportRequest
from lightboard.schema.images import ImagesRequest
from lightboard.schema.scalars import ChartsRequest, StatsRequest
from support.board_client import BoardClient

WRONG = ["wrong"] * 1_000


@pytest.mark.parametrize(
    ("model", "question"),
    [
        (ChartsRequest, {"px": 100, "charts": WRONG}),
        (ChartsRequest, {"px": 100, "charts": [{"tag": "a", "runs": WRONG}]}),
        (ChartsRequest, {"px": 100, "charts": [{"tag": "a", "groups": WRONG}]}),
        (ChartsRequest, {"px": 100, "charts": [{"tag": "a", "groups": [{"id": 0, "runs": WRONG}]}]}),
        (StatsRequest, {"tags": [1] * 1_000}),
        (StatsRequest, {"tags": [], "runs": WRONG}),
        (ImagesRequest, {"tag": "a", "values": WRONG[:500], "first": 0}),
        (ColumnsRequest, {"columns": WRONG}),
        (ExportRequest, {"format": "csv", "series": WRONG}),
        (ExportRequest, {"format": "csv", "series": [{"tag": "a", "runs": WRONG}]}),
    ],
)
def test_validation_stops_at_the_first_error(model: type[BaseModel], question: Any) -> None:
    """A million errors would take seconds."""
    with pytest.raises(ValidationError) as raised:
        model.model_validate_json(json.dumps(question))

    assert raised.value.error_count() == 1


def test_bodies_of_too_many_items_are_refused() -> None:
    """Before parsing; numbers may be more."""
    client = BoardClient()
    charts = [{"tag": "loss", "runs": list(range(50_000))}]
    too_many = [{"tag": "loss", "groups": [{"id": at, "runs": []} for at in range(9_999)]} for _ in range(3)]
    too_long = [{"tag": "loss", "runs": [1] * 90_000}] * 8
    asked = [{"px": 100, "charts": one} for one in (charts, too_many, too_long)]
    answers = [client.post("/api/v1/scalars/chart", json=one) for one in asked]

    assert (MAX_MARKS < 3 * 9_999 * 4, MAX_ITEMS < 8 * 90_000) == (True, True)
    assert [answer.status_code for answer in answers] == [200, 422, 422]
    assert {answer.json()["error"]["code"] for answer in answers[1:]} == {"over_budget"}
