"""The last point of each step, of series that have several at one, as when a program logs each batch with the number of
its epoch. Points belong to one step if they follow each other with the same step and no restart is between them."""

from collections.abc import Sequence
from itertools import pairwise

from lightboard.events.python_decoder import Decoder
from lightboard.events.superseding import Point, visible_points


def drawn_points(parts: Sequence[tuple[Decoder, int]], purge: bool, last: bool) -> tuple[list[Point], bool]:
    """The visible points of a series, or the last one of each step, and whether it has repeated steps.

    Superseded points of the same files count for that too.
    """
    points = visible_points(parts, purge)
    columns = {point.part: point.columns for point in points}.values()
    repeated = any(one == other for each in columns for one, other in pairwise(each.steps)) or any(
        belong_together(*pair) for pair in pairwise(points)
    )
    return last_of_step(points) if last else points, repeated


def last_of_step(points: Sequence[Point]) -> list[Point]:
    """The last point of each step. Positions are those among these points, with the same gaps."""
    kept: list[Point] = []
    left_out = 0
    for i, point in enumerate(points):
        if i + 1 < len(points) and belong_together(point, points[i + 1]):
            left_out += 1
        else:
            kept.append(point._replace(position=point.position - left_out))
    return kept


def belong_together(before: Point, after: Point) -> bool:
    """Whether two points that follow each other have one step, without a restart between them."""
    return before.step == after.step and before.restart == after.restart and before.position + 1 == after.position
