"""One tag of one run, merged over the run's event files.

A time series has no columns: it is a list of parts, one per event file in name order, which the functions of
`events.decode` read.
"""

import sys
from collections.abc import Sequence
from typing import NamedTuple

from lightboard.events.decode import Decoder, Part, SeriesInfo


class Tag(NamedTuple):
    """A time series.

    `form` is "scalar" (columns) or "reference" (positions in a file). `metadata` is the serialized SummaryMetadata of
    the first file that has one, b"" if none has. `parts` has every file of the run, with -1 if it lacks the series,
    because its restarts still count.
    """

    name: str
    plugin: str
    form: str
    metadata: bytes
    parts: list[Part]
    data_class: int


class TagTable(NamedTuple):
    """All time series of a run. `primary` has one per name; `all` also the second one of a name that has two forms."""

    primary: dict[str, Tag]
    all: list[Tag]


class _Draft:
    """A series during the merge."""

    __slots__ = ("info", "parts")

    def __init__(self, info: SeriesInfo, parts: list[Part]) -> None:
        self.info = info
        self.parts = parts


def merge(decoders: Sequence[Decoder]) -> TagTable:
    """The tag table of a run from its decoders in file order.

    A series is (tag, form). Its plugin and metadata are those of the first file that has them. If a tag has both forms,
    the one whose metadata came first is primary, as in TensorBoard.
    """
    if len(decoders) == 1:
        return _merge_one(decoders[0])
    drafts: dict[tuple[str, str], _Draft] = {}
    rank: dict[tuple[str, str], int] = {}
    missing: list[Part] = [(decoder, -1) for decoder in decoders]
    for position, decoder in enumerate(decoders):
        for index in range(decoder.series_count()):
            info = decoder.describe(index)
            key = (info.tag, info.form)
            draft = drafts.get(key)
            if draft is None:
                draft = drafts[key] = _Draft(info, missing.copy())
            elif not draft.info.plugin and info.plugin:
                draft.info = info
            if info.plugin and key not in rank:
                rank[key] = len(rank)
            draft.parts[position] = (decoder, index)
    return _table(drafts, rank)


def _merge_one(decoder: Decoder) -> TagTable:
    """The same for a single file, the most common case, which must be fast for a thousand runs."""
    primary: dict[str, Tag] = {}
    everything: list[Tag] = []
    for index in range(decoder.series_count()):
        name, plugin, form, metadata, data_class = decoder.describe(index)
        tag = Tag(sys.intern(name), sys.intern(plugin), form, metadata, [(decoder, index)], data_class)
        everything.append(tag)
        rival = primary.setdefault(tag.name, tag)
        if plugin and not rival.plugin:
            primary[tag.name] = tag
    return TagTable(primary, everything)


def _table(drafts: dict[tuple[str, str], _Draft], rank: dict[tuple[str, str], int]) -> TagTable:
    primary: dict[str, Tag] = {}
    everything: list[Tag] = []
    for (name, form), draft in drafts.items():
        info = draft.info
        tag = Tag(sys.intern(name), sys.intern(info.plugin), form, info.metadata, draft.parts, info.data_class)
        everything.append(tag)
        rival = primary.get(name)
        if rival is None or rank.get((name, form), sys.maxsize) < rank.get((name, rival.form), sys.maxsize):
            primary[tag.name] = tag
    return TagTable(primary, everything)
