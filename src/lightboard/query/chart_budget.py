"""Limits the cost of a request for charts, which is computed before drawing.

The limits are far above what pages request: a thousand runs of twenty tags use a fifth.
"""

from lightboard.errors import OverBudget

MAX_SERIES = 100_000
"""Limit of the lines of a request, including members of groups."""

MAX_POINTS = 100_000_000
"""Limit of the points of a response: about half a gigabyte."""

MAX_CHART_POINTS = 16_000_000
"""Limit of the points of a chart, which is held in memory: about 90 MB."""

FEW_ROWS = 180_000
"""Charts up to this size are drawn as fast as their points are counted."""

MAX_GROUP_ROWS = 16_000_000
"""Limit of the points of the members of a group, of 16 bytes each."""

MAX_GROUP_WORK = 2_000_000_000
"""Limit of the values processed for the groups of a request."""

BYTES_OF_A_POINT = 6
"""y in single precision, and x as a delta."""

POINTS_OF_A_COLUMN = 4
"""First, lowest, highest and last."""

FEWER = "request fewer charts, runs or pixels at once"


class ChartBudget:
    """Adds up the cost of a request. Each method raises OverBudget above a limit.

    `held_bytes` is an estimate of the size of the largest chart.
    """

    def __init__(self, px: int, *, smoothed: bool) -> None:
        self._most_sent = POINTS_OF_A_COLUMN * px * (2 if smoothed else 1)
        self._most_read = 16 * px
        self.held_bytes = 0
        self._series = 0
        self._points = 0
        self._group_work = 0

    def most_held_bytes(self, lines: int) -> int:
        """The size of a chart with this number of long lines, in bytes."""
        return BYTES_OF_A_POINT * self._most_sent * lines

    def add_few_lines(self, count: int) -> list[int] | None:
        """Add lines of one chart as if all were long, and return the maximum cost of each, in rows.

        Returns None and adds nothing if the cost is high enough that points must be counted.
        """
        points = count * self._most_sent
        if count * self._most_read > FEW_ROWS or points > MAX_CHART_POINTS or self._points + points > MAX_POINTS // 2:
            return None
        self._add_series(count)
        self._add_points(points)
        return [self._most_read] * count

    def add_lines(self, lengths: list[int]) -> list[int]:
        """Add lines of one chart by their number of points, and return the cost of each, in rows."""
        self._add_series(len(lengths))
        self._add_points(sum(capped(lengths, self._most_sent)))
        return capped(lengths, self._most_read)

    def _add_points(self, points: int) -> None:
        if points > MAX_CHART_POINTS:
            raise OverBudget(f"a chart of up to {points:,} points; {MAX_CHART_POINTS:,} are the limit", hint=FEWER)
        self.held_bytes = max(self.held_bytes, BYTES_OF_A_POINT * points)
        self._points += points
        if self._points > MAX_POINTS:
            raise OverBudget(f"the answer would have over {MAX_POINTS:,} points", hint=FEWER)

    def add_group(self, lengths: list[int], *, whole_steps: bool) -> int:
        """Add a group by the number of points of its members, and return its cost in rows.

        All members are evaluated at every x of any member. Members usually share steps.
        """
        self._add_series(len(lengths))
        rows = sum(lengths)
        if rows > MAX_GROUP_ROWS:
            raise OverBudget(f"a group of {rows:,} points; {MAX_GROUP_ROWS:,} are the limit", hint="group fewer runs")
        positions = max(lengths, default=0) if whole_steps else rows
        work = rows + positions * len(lengths)
        self._group_work += work
        if self._group_work > MAX_GROUP_WORK:
            raise OverBudget(
                f"the groups would take over {MAX_GROUP_WORK:,} values",
                hint="group fewer runs, or put steps on the x axis",
            )
        return work

    def _add_series(self, count: int) -> None:
        self._series += count
        if self._series > MAX_SERIES:
            raise OverBudget(f"more than {MAX_SERIES:,} series in one request", hint=FEWER)


def capped(numbers: list[int], most: int) -> list[int]:
    """The numbers limited to `most`; the same list if none is larger."""
    return numbers if max(numbers, default=0) <= most else [min(number, most) for number in numbers]
