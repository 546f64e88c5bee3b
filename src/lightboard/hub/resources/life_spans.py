"""Life spans of TensorBoards and jobs: how long they may run since a user started them."""

from typing import Protocol


class HasLifeSpan(Protocol):
    """What is stopped at the end of its life span."""

    @property
    def life_span_secs(self) -> float:
        """How long it may run, 0 for no end."""

    def running_secs(self, now: float) -> float:
        """How long it has run."""


def extended_span(
    resource: HasLifeSpan, at: float, *, additional_secs: float | None = None, total_secs: float | None = None
) -> float:
    """The life span in seconds with `additional_secs` more, or `total_secs` (0: no end).

    Without a life span, `additional_secs` changes nothing. One that is over is extended from `at` on.
    """
    span = resource.life_span_secs
    if total_secs is not None:
        return total_secs
    return max(span, resource.running_secs(at)) + (additional_secs or 0.0) if span else span
