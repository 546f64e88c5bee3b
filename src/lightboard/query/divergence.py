"""Runs that diverged: whether a run has scalar series that end in NaN or an infinity, and since when."""

from dataclasses import dataclass

from lightboard.events.decode import series_stats
from lightboard.series.run import Run
from lightboard.series.timeseries import Tag


@dataclass(slots=True)
class NonfiniteEnd:
    """Scalar series of a run that had numbers once and end in points that are none.

    `tag` and `step` are those of the first such point of all, `value` is that series' last value (NaN or an infinity),
    `tags` how many series end so.
    """

    tag: str
    step: int
    value: float
    tags: int


def nonfinite_end(run: Run, purge: bool) -> NonfiniteEnd | None:
    """None where every series ends in a number, or never had one. With `purge` void points end nothing."""
    found: NonfiniteEnd | None = None
    for tag in _suspects(run):
        stats = series_stats(tag.parts, purge)
        if stats.nonfinite_tail == 0 or stats.nonfinite == stats.held:
            continue
        if found is None:
            found = NonfiniteEnd(tag.name, stats.nonfinite_from, stats.last_value, 0)
        elif stats.nonfinite_from < found.step:
            found.tag, found.step, found.value = tag.name, stats.nonfinite_from, stats.last_value
        found.tags += 1
    return found


def _suspects(run: Run) -> list[Tag]:
    """The scalar tags worth asking: those that end so in some file, and all where a restart may hide an end."""
    ends = {(file.decoder, index) for file in run.files for index in file.decoder.nonfinite_ends()}
    restarted = any(file.decoder.starts() for file in run.files)
    if not ends and not restarted:
        return []
    scalars = [tag for tag in run.tag_list() if tag.form == "scalar" and tag.plugin == "scalars"]
    return scalars if restarted else [tag for tag in scalars if not ends.isdisjoint(tag.parts)]
