"""What a large body may cost before it is understood, or refused."""

import json
from typing import Any

import pytest
from asking import Asker
from pydantic import BaseModel, ValidationError

from lightboard.asgi.params import MOST_ITEMS, MOST_MARKS
from lightboard.schema.columns import ColumnsQuestion
from lightboard.schema.export import ExportQuestion
from lightboard.schema.images import ImagesQuestion
from lightboard.schema.scalars import ChartsQuestion, StatsQuestion

WRONG = ["wrong"] * 1_000


@pytest.mark.parametrize(
    ("model", "question"),
    [
        (ChartsQuestion, {"px": 100, "charts": WRONG}),
        (ChartsQuestion, {"px": 100, "charts": [{"tag": "a", "runs": WRONG}]}),
        (ChartsQuestion, {"px": 100, "charts": [{"tag": "a", "groups": WRONG}]}),
        (ChartsQuestion, {"px": 100, "charts": [{"tag": "a", "groups": [{"id": 0, "runs": WRONG}]}]}),
        (StatsQuestion, {"tags": [1] * 1_000}),
        (StatsQuestion, {"tags": [], "runs": WRONG}),
        (ImagesQuestion, {"tag": "a", "values": WRONG[:500], "first": 0}),
        (ColumnsQuestion, {"columns": WRONG}),
        (ExportQuestion, {"format": "csv", "series": WRONG}),
        (ExportQuestion, {"format": "csv", "series": [{"tag": "a", "runs": WRONG}]}),
    ],
)
def test_a_list_is_read_up_to_what_is_wrong_in_it(model: type[BaseModel], question: Any) -> None:
    """A million wrong items took seconds in which the server did nothing else; one of them is told anyway."""
    with pytest.raises(ValidationError) as raised:
        model.model_validate_json(json.dumps(question))

    assert raised.value.error_count() == 1


def test_a_body_of_too_many_parts_is_refused_unread() -> None:
    """Whatever they are; of numbers there may be more."""
    asker = Asker()
    charts = [{"tag": "loss", "runs": list(range(50_000))}]
    too_many = [{"tag": "loss", "groups": [{"id": at, "runs": []} for at in range(9_999)]} for _ in range(3)]
    too_long = [{"tag": "loss", "runs": [1] * 90_000}] * 8
    asked = [{"px": 100, "charts": one} for one in (charts, too_many, too_long)]
    answers = [asker.post("/api/v1/scalars/chart", json=one) for one in asked]

    assert (MOST_MARKS < 3 * 9_999 * 4, MOST_ITEMS < 8 * 90_000) == (True, True)
    assert [answer.status_code for answer in answers] == [200, 422, 422]
    assert {answer.json()["error"]["code"] for answer in answers[1:]} == {"over_budget"}
