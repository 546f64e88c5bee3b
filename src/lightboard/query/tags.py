"""Tags over all runs: which there are of a kind, who has them, and what their writers said of them."""

from collections import Counter
from operator import itemgetter
from typing import NamedTuple

from lightboard import cancellation
from lightboard.events.meshtags import PLUGIN as MESH
from lightboard.events.meshtags import mesh_tag
from lightboard.events.wire import BYTES, MalformedError, fields
from lightboard.series.catalog import Catalog
from lightboard.series.natural import natural_key
from lightboard.series.timeseries import Tag
from lightboard.storage.base import split

CHECKED_TAGS = 64
"""So many tags are listed between two looks at whether anybody still waits: a look takes as long as one of them."""

ASSET_KINDS = {"projector_config.pbtxt": "projector"}
"""Which kind of data a file beside events tells of, by its name."""


class TagInfo(NamedTuple):
    """One tag of one kind. `descriptions` maps each Markdown text to the runs that gave it."""

    tag: str
    display_name: str
    descriptions: dict[str, list[str]]
    runs: list[int]


class Words(NamedTuple):
    """What a writer said of a tag."""

    display_name: str
    description: str


NO_WORDS = Words("", "")
NO_DESCRIPTIONS: dict[str, list[str]] = {}
"""Shared by all tags without one. Never changed."""


def list_tags(catalog: Catalog, plugin: str) -> list[TagInfo]:
    """Tags of one kind in natural order; runs by slot."""
    found: dict[str, TagInfo] = {}
    described: dict[str, dict[str, list[str]]] = {}
    for run in catalog.runs():
        for at, tag in enumerate(run.tag_list()):
            if at % CHECKED_TAGS == 0:
                cancellation.check()
            if tag.plugin != plugin:
                continue
            info = found.get(tag.name)
            if info is None:
                info = found[tag.name] = TagInfo(tag.name, words_of(tag).display_name or tag.name, NO_DESCRIPTIONS, [])
            info.runs.append(run.id)
            if tag.metadata and (description := words_of(tag).description):
                described.setdefault(tag.name, {}).setdefault(description, []).append(run.name)
    for name, descriptions in described.items():
        found[name] = found[name]._replace(descriptions=descriptions)
    in_order = []
    for at, info in enumerate(found.values()):
        if at % CHECKED_TAGS == 0:
            cancellation.check()
        in_order.append((natural_key(info.tag), info))
    return [info for _, info in sorted(in_order, key=itemgetter(0))]


def count_tags(catalog: Catalog) -> dict[str, int]:
    """Distinct tags of each kind, and files that tell of kinds without events. Undescribed tensors count under "".

    A mesh is one, however many series it has.
    """
    seen = set()
    for run in catalog.runs():
        cancellation.check()
        for tag in run.tag_list():
            seen.add((tag.plugin, mesh_tag(tag.name, tag.metadata).name if tag.plugin == MESH else tag.name))
    counts = Counter(plugin for plugin, _ in seen)
    counts.update(ASSET_KINDS[split(asset.info.path)[1]] for asset in catalog.assets())
    return dict(sorted(counts.items()))


def words_of(tag: Tag) -> Words:
    """Display name and description out of the tag's SummaryMetadata, "" where it has none."""
    if not tag.metadata:  # as in most logs, for a hundred thousand tags
        return NO_WORDS
    words = {2: "", 3: ""}
    try:
        for number, wire_type, begin, end in fields(tag.metadata, 0, len(tag.metadata)):
            if number in words and wire_type == BYTES:
                words[number] = tag.metadata[begin:end].decode("utf-8", "replace")
    except MalformedError:
        pass  # what was read so far counts
    return Words(words[2], words[3])


def tags_by_run(catalog: Catalog, plugin: str) -> dict[str, dict[str, Words]]:
    """What TensorBoard's routes list: run name -> tag -> words, runs that have none left out.

    A value written without metadata carries its tag as display name there; a tensor shows only what it was given.
    """
    listed = {}
    for run in catalog.runs():
        tags = {}
        for at, tag in enumerate(run.tag_list()):
            if at % CHECKED_TAGS == 0:
                cancellation.check()
            if tag.plugin == plugin:
                tags[tag.name] = words_of(tag) if tag.metadata else Words(tag.name, "")
        if tags:
            listed[run.name] = tags
    return listed
