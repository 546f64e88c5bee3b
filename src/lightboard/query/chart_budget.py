"""What one request for charts may cost, summed up before anything is drawn.

The limits are far above what a page asks: a thousand runs of twenty tags are a fifth of them.
"""

from lightboard.errors import OverBudget

MOST_SERIES = 100_000
"""Lines of one request, members of groups included."""

MOST_POINTS = 100_000_000
"""Points of one answer: about half a gigabyte."""

MOST_CHART_POINTS = 16_000_000
"""Points of one chart, which is held until it is whole: some 90 MB."""

FEW_ROWS = 180_000
"""A chart of so many at most is drawn in about the time in which its points are counted."""

MOST_GROUP_ROWS = 16_000_000
"""Points of the members of one group, which are laid side by side: 16 bytes each."""

MOST_GROUP_WORK = 2_000_000_000
"""Values looked at for the groups of one request."""

BYTES_OF_A_POINT = 6
"""y in single precision, and x as a difference."""

POINTS_OF_A_COLUMN = 4
"""First, lowest, highest and last."""

FEWER = "ask for fewer charts, runs or pixels at once"


class ChartBudget:
    """Sums up the cost of one request; each method raises OverBudget where it is too much.

    `held_bytes` is about what the largest of its charts takes.
    """

    def __init__(self, px: int, *, smoothed: bool) -> None:
        self._most_sent = POINTS_OF_A_COLUMN * px * (2 if smoothed else 1)
        self._most_read = 16 * px
        self.held_bytes = 0
        self._series = 0
        self._points = 0
        self._group_work = 0

    def most_held_bytes(self, lines: int) -> int:
        """What a chart of so many lines takes if all of them are long."""
        return BYTES_OF_A_POINT * self._most_sent * lines

    def add_few_lines(self, count: int) -> list[int] | None:
        """So many lines of one chart as if all of them were long: the most that each may take, in rows.

        None, and nothing is added, where that is so much that their points must be counted.
        """
        points = count * self._most_sent
        if count * self._most_read > FEW_ROWS or points > MOST_CHART_POINTS or self._points + points > MOST_POINTS // 2:
            return None
        self._add_series(count)
        self._add_points(points)
        return [self._most_read] * count

    def add_lines(self, lengths: list[int]) -> list[int]:
        """The lines of one chart, by how many points they hold. About how long each takes, in rows."""
        self._add_series(len(lengths))
        self._add_points(sum(capped(lengths, self._most_sent)))
        return capped(lengths, self._most_read)

    def _add_points(self, points: int) -> None:
        if points > MOST_CHART_POINTS:
            raise OverBudget(f"a chart of up to {points:,} points; {MOST_CHART_POINTS:,} are the limit", hint=FEWER)
        self.held_bytes = max(self.held_bytes, BYTES_OF_A_POINT * points)
        self._points += points
        if self._points > MOST_POINTS:
            raise OverBudget(f"the answer would have over {MOST_POINTS:,} points", hint=FEWER)

    def add_group(self, lengths: list[int], *, whole_steps: bool) -> int:
        """One group, by how many points its members hold. About how long it takes, in rows.

        At every x of any member all of them are looked at. Where x is a step members mostly share theirs.
        """
        self._add_series(len(lengths))
        rows = sum(lengths)
        if rows > MOST_GROUP_ROWS:
            raise OverBudget(f"a group of {rows:,} points; {MOST_GROUP_ROWS:,} are the limit", hint="group fewer runs")
        places = max(lengths, default=0) if whole_steps else rows
        work = rows + places * len(lengths)
        self._group_work += work
        if self._group_work > MOST_GROUP_WORK:
            raise OverBudget(
                f"the groups would take over {MOST_GROUP_WORK:,} values",
                hint="group fewer runs, or put steps on the x axis",
            )
        return work

    def _add_series(self, count: int) -> None:
        self._series += count
        if self._series > MOST_SERIES:
            raise OverBudget(f"more than {MOST_SERIES:,} series in one request", hint=FEWER)


def capped(numbers: list[int], most: int) -> list[int]:
    """None above `most`. The same list where none is, as of a thousand short series."""
    return numbers if max(numbers, default=0) <= most else [min(number, most) for number in numbers]
