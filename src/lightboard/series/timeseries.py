"""One tag of one run, merged over the run's event files.

A time series has no columns of its own: it is a list of parts, one per event file in name order, and the functions of
`events.decode` read through them. Not here: which files a run has, or what the points say.
"""

import sys
from collections.abc import Sequence
from typing import NamedTuple

from lightboard.events.decode import Decoder, Part, SeriesInfo


class Tag(NamedTuple):
    """A time series and what is known of it.

    `form` is "scalar" (columns) or "reference" (a place in a file); `metadata` is the serialized SummaryMetadata of the
    first file that has one, b"" if none has; `parts` names every file of the run, with -1 where it lacks the series:
    what that file says of restarts still counts.
    """

    name: str
    plugin: str
    form: str
    metadata: bytes
    parts: list[Part]
    data_class: int


class TagTable(NamedTuple):
    """All time series of a run. `primary` has one per name; `all` has a second one where a name came in two forms."""

    primary: dict[str, Tag]
    all: list[Tag]


class _Draft:
    """A series while its files are being gone through."""

    __slots__ = ("info", "parts")

    def __init__(self, info: SeriesInfo, parts: list[Part]) -> None:
        self.info = info
        self.parts = parts


def merge(decoders: Sequence[Decoder]) -> TagTable:
    """The tag table of a run from its decoders in file order.

    A series is (tag, form). Its plugin and metadata are those of the first file that knows them. Where a tag came in
    both forms, the one whose metadata came first is the tag, as in TensorBoard; the other is kept beside it.
    """
    if len(decoders) == 1:
        return _of_one(decoders[0])
    drafts: dict[tuple[str, str], _Draft] = {}
    rank: dict[tuple[str, str], int] = {}
    absent: list[Part] = [(decoder, -1) for decoder in decoders]
    for place, decoder in enumerate(decoders):
        for index in range(decoder.series_count()):
            info = decoder.describe(index)
            key = (info.tag, info.form)
            draft = drafts.get(key)
            if draft is None:
                draft = drafts[key] = _Draft(info, absent.copy())
            elif not draft.info.plugin and info.plugin:
                draft.info = info
            if info.plugin and key not in rank:
                rank[key] = len(rank)
            draft.parts[place] = (decoder, index)
    return _table(drafts, rank)


def _of_one(decoder: Decoder) -> TagTable:
    """The same for the usual run, which has one file: a thousand of them should not keep anybody waiting."""
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
