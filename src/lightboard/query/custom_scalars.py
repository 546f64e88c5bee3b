"""The layout of scalars that the runs of a logdir give together, and the tags that its charts mean.

Not here: points, which are asked for as those of any scalar.
"""

from typing import NamedTuple

from lightboard.errors import LightboardError, NotFound
from lightboard.events.layouts import CONFIG_TAG, PLUGIN, Layout, Margin, layout_of, merged
from lightboard.query.provider import Provider
from lightboard.untrusted.patterns import BadPattern, Work, matching


class Meant(NamedTuple):
    """The scalar tags that a pattern means, in natural order; `error` says why it means none, "" if it could."""

    pattern: str
    tags: list[str]
    error: str


class MarginMeant(NamedTuple):
    """A band, and which of its three tags no run has."""

    margin: Margin
    missing: list[str]


class ChartMeant(NamedTuple):
    """One chart with its tags."""

    title: str
    kind: str
    patterns: list[Meant]
    margins: list[MarginMeant]


class CategoryMeant(NamedTuple):
    """One category with its charts."""

    title: str
    closed: bool
    charts: list[ChartMeant]


class Layouts(NamedTuple):
    """All layouts as one, and (run, why) of those that could not be read."""

    layout: Layout | None
    unreadable: list[tuple[str, str]]


def read_layouts(provider: Provider) -> Layouts:
    """The last layout of each run, brought together by the names of the runs."""
    found, unreadable = [], []
    for run in sorted(run for run, tags in provider.tags_by_run(PLUGIN).items() if CONFIG_TAG in tags):
        try:
            values = provider.values(PLUGIN, run, CONFIG_TAG)
            if len(values):
                found.append(layout_of(provider.window(values.place(len(values) - 1))))
        except NotFound:
            continue  # gone since the list was made
        except LightboardError as error:
            unreadable.append((run, str(error)))
    return Layouts(merged(found), unreadable)


def resolve(provider: Provider, layout: Layout | None) -> list[CategoryMeant]:
    """The categories with the tags that their charts mean among the scalars of all runs."""
    tags = [info.tag for info in provider.tags("scalars")]
    known, work = set(tags), Work()
    return [
        CategoryMeant(
            category.title,
            category.closed,
            [
                ChartMeant(
                    chart.title,
                    chart.kind,
                    [_meant(pattern, tags, work) for pattern in chart.patterns],
                    [MarginMeant(margin, sorted(set(margin) - known)) for margin in chart.margins],
                )
                for chart in category.charts
            ],
        )
        for category in (layout.categories if layout else ())
    ]


def matching_tags(provider: Provider, run: str, pattern: str) -> list[str]:
    """The scalar tags of a run that a pattern means, in the order written. Raises BadPattern."""
    return matching(pattern, provider.tags_by_run("scalars").get(run, {}), Work())


def _meant(pattern: str, tags: list[str], work: Work) -> Meant:
    """An empty pattern, which would mean everything, means nothing, as in TensorBoard."""
    try:
        return Meant(pattern, matching(pattern, tags, work) if pattern else [], "")
    except BadPattern as error:
        return Meant(pattern, [], str(error))
