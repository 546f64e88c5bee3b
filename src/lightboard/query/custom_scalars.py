"""The merged custom layout of scalars of all runs, and the tags of its charts.

Not here: points, which are requested as for any scalar.
"""

from typing import NamedTuple

from lightboard.errors import LightboardError, NotFound
from lightboard.events.layouts import CONFIG_TAG, PLUGIN, Layout, Margin, merge_layouts, read_layout
from lightboard.query.provider import DataProvider, IndexProvider
from lightboard.untrusted.patterns import BadPattern, MatchBudget, match_tags


class ResolvedPattern(NamedTuple):
    """The scalar tags that match a pattern, in natural order. `error` says why it could not be matched, or ""."""

    pattern: str
    tags: list[str]
    error: str


class ResolvedMargin(NamedTuple):
    """A band, and which of its three tags do not exist."""

    margin: Margin
    missing: list[str]


class ResolvedChart(NamedTuple):
    """One chart with its tags."""

    title: str
    kind: str
    patterns: list[ResolvedPattern]
    margins: list[ResolvedMargin]


class ResolvedCategory(NamedTuple):
    """One category with its charts."""

    title: str
    closed: bool
    charts: list[ResolvedChart]


class Layouts(NamedTuple):
    """The merged layout, and (run, reason) of those that could not be read."""

    layout: Layout | None
    unreadable: list[tuple[str, str]]


def read_layouts(provider: DataProvider) -> Layouts:
    """The last layout of each run, merged in order of run names."""
    layouts, unreadable = [], []
    for run in sorted(run for run, tags in provider.tags_by_run(PLUGIN).items() if CONFIG_TAG in tags):
        try:
            values = provider.values(PLUGIN, run, CONFIG_TAG)
            if len(values):
                layouts.append(read_layout(provider.window(values.location(len(values) - 1))))
        except NotFound:
            continue  # removed meanwhile
        except LightboardError as error:
            unreadable.append((run, str(error)))
    return Layouts(merge_layouts(layouts), unreadable)


def resolve(provider: IndexProvider, layout: Layout | None) -> list[ResolvedCategory]:
    """The categories, with the tags of their charts among the scalars of all runs."""
    tags = [info.tag for info in provider.tags("scalars")]
    known, budget = set(tags), MatchBudget()
    return [
        ResolvedCategory(
            category.title,
            category.closed,
            [
                ResolvedChart(
                    chart.title,
                    chart.kind,
                    [_resolve_pattern(pattern, tags, budget) for pattern in chart.patterns],
                    [ResolvedMargin(margin, sorted(set(margin) - known)) for margin in chart.margins],
                )
                for chart in category.charts
            ],
        )
        for category in (layout.categories if layout else ())
    ]


def matching_tags(provider: IndexProvider, run: str, pattern: str) -> list[str]:
    """The scalar tags of a run that match a pattern, in the order written. Raises BadPattern."""
    return match_tags(pattern, provider.tags_by_run("scalars").get(run, {}), MatchBudget())


def _resolve_pattern(pattern: str, tags: list[str], budget: MatchBudget) -> ResolvedPattern:
    """The tags that match a pattern. As in TensorBoard, the empty pattern matches none instead of all."""
    try:
        return ResolvedPattern(pattern, match_tags(pattern, tags, budget) if pattern else [], "")
    except BadPattern as error:
        return ResolvedPattern(pattern, [], str(error))
