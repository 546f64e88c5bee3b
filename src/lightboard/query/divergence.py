"""Finds runs that diverged: whether scalar series of a run end in NaN or an infinity, and since which step."""

from dataclasses import dataclass

from lightboard.events.decode import series_stats
from lightboard.series.run import Run
from lightboard.series.timeseries import Tag


@dataclass(slots=True)
class NonfiniteEnd:
    """The scalar series of a run that have finite values but end in non-finite ones.

    `tag` is the series that diverged first and `step` that of its first trailing non-finite point; `value` is its last
    value, NaN or an infinity. `tags` is the number of such series.
    """

    tag: str
    step: int
    value: float
    tags: int


def nonfinite_end(run: Run, purge: bool) -> NonfiniteEnd | None:
    """How a run diverged; None if each of its series ends in a finite value or never had one.

    With `purge`, superseded points are ignored.
    """
    earliest: NonfiniteEnd | None = None
    for tag in _candidates(run):
        stats = series_stats(tag.parts, purge)
        if stats.nonfinite_tail == 0 or stats.nonfinite == stats.held:
            continue
        if earliest is None:
            earliest = NonfiniteEnd(tag.name, stats.nonfinite_from, stats.last_value, 0)
        elif stats.nonfinite_from < earliest.step:
            earliest.tag, earliest.step, earliest.value = tag.name, stats.nonfinite_from, stats.last_value
        earliest.tags += 1
    return earliest


def _candidates(run: Run) -> list[Tag]:
    """The scalar tags whose statistics must be computed, which is slow for all tags of all runs.

    These are the tags with a non-finite end in some file. After a restart they are all tags, because superseded points
    may hide such an end.
    """
    ends = {(file.decoder, index) for file in run.files for index in file.decoder.nonfinite_ends()}
    restarted = any(file.decoder.starts() for file in run.files)
    if not ends and not restarted:
        return []
    scalars = [tag for tag in run.tag_list() if tag.form == "scalar" and tag.plugin == "scalars"]
    return scalars if restarted else [tag for tag in scalars if not ends.isdisjoint(tag.parts)]
