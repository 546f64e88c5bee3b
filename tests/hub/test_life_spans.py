"""How life spans of TensorBoards and jobs are extended."""

import pytest

from lightboard.hub.resources.jobs import JobStatus
from lightboard.hub.resources.life_spans import HasLifeSpan, extended_span
from support.personas import new_job, new_tensorboard

RAN_50_SECS = 150.0


def having_run(life_span_secs: float) -> tuple[HasLifeSpan, HasLifeSpan]:
    """A TensorBoard and a job that started at 100."""
    return (
        new_tensorboard("", running_since=100.0, life_span_secs=life_span_secs),
        new_job(status=JobStatus.RUNNING, started_at=100.0, life_span_secs=life_span_secs),
    )


@pytest.mark.parametrize(
    ("span", "wanted", "extended"),
    [
        (80.0, {"additional_secs": 10.0}, 90.0),
        (20.0, {"additional_secs": 10.0}, 60.0),
        (0.0, {"additional_secs": 10.0}, 0.0),
        (80.0, {"total_secs": 10.0}, 10.0),
        (80.0, {"total_secs": 0.0}, 0.0),
        (0.0, {"total_secs": 10.0}, 10.0),
    ],
    ids=["more", "overdue", "without end", "set", "to no end", "to an end"],
)
def test_an_extended_life_span(span: float, wanted: dict[str, float], extended: float) -> None:
    """The same for both."""
    assert [extended_span(each, RAN_50_SECS, **wanted) for each in having_run(span)] == [extended, extended]
