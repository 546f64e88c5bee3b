"""Tags over all runs: the tags of a kind, their runs, names and descriptions."""

from collections import Counter
from collections.abc import Sequence
from operator import itemgetter
from typing import NamedTuple

from lightboard import cancellation
from lightboard.events.mesh_tags import PLUGIN as MESH
from lightboard.events.mesh_tags import mesh_tag
from lightboard.events.wire import BYTES, MalformedError, fields
from lightboard.query import capture_files, graph_files
from lightboard.query.capture_files import Capture
from lightboard.query.graph_files import GraphFile
from lightboard.series.catalog import Catalog
from lightboard.series.natural_sort import natural_key
from lightboard.series.timeseries import Tag
from lightboard.storage.base import split

CHECKED_TAGS = 64
"""Tags listed between two checks for cancellation. A check takes as long as one tag."""

ASSET_KINDS = {"projector_config.pbtxt": "projector"}
"""Kinds of data by the name of an asset."""


class TagInfo(NamedTuple):
    """One tag of one kind. `descriptions` maps each Markdown text to its runs."""

    tag: str
    display_name: str
    descriptions: dict[str, list[str]]
    runs: list[int]


class TagText(NamedTuple):
    """Display name and description of a tag."""

    display_name: str
    description: str


NO_TEXT = TagText("", "")
NO_DESCRIPTIONS: dict[str, list[str]] = {}
"""Shared by all tags without a description. Must not be modified."""


def list_tags(catalog: Catalog, plugin: str) -> list[TagInfo]:
    """Tags of one kind in natural order; runs by slot."""
    infos: dict[str, TagInfo] = {}
    described: dict[str, dict[str, list[str]]] = {}
    for run in catalog.runs():
        for index, tag in enumerate(run.tag_list()):
            if index % CHECKED_TAGS == 0:
                cancellation.check()
            if tag.plugin != plugin:
                continue
            info = infos.get(tag.name)
            if info is None:
                info = infos[tag.name] = TagInfo(tag.name, text_of(tag).display_name or tag.name, NO_DESCRIPTIONS, [])
            info.runs.append(run.id)
            if tag.metadata and (description := text_of(tag).description):
                described.setdefault(tag.name, {}).setdefault(description, []).append(run.name)
    for name, descriptions in described.items():
        infos[name] = infos[name]._replace(descriptions=descriptions)
    keyed = []
    for index, info in enumerate(infos.values()):
        if index % CHECKED_TAGS == 0:
            cancellation.check()
        keyed.append((natural_key(info.tag), info))
    return [info for _, info in sorted(keyed, key=itemgetter(0))]


def count_tags(catalog: Catalog, models: Sequence[GraphFile], captures: Sequence[Capture]) -> dict[str, int]:
    """The number of distinct tags and assets of each kind, with the model files and captures among the assets.

    Tensors without metadata are counted under "".

    A mesh counts once, although it has several series.
    """
    seen = set()
    for run in catalog.runs():
        cancellation.check()
        for tag in run.tag_list():
            seen.add((tag.plugin, mesh_tag(tag.name, tag.metadata).name if tag.plugin == MESH else tag.name))
    counts = Counter(plugin for plugin, _ in seen)
    kinds = (ASSET_KINDS.get(split(asset.info.path)[1]) for asset in catalog.assets())
    counts.update(kind for kind in kinds if kind)
    if models:
        counts[graph_files.KIND] = len(models)
    if captures:
        counts[capture_files.KIND] = len(captures)
    return dict(sorted(counts.items()))


def text_of(tag: Tag) -> TagText:
    """Display name and description in the SummaryMetadata of a tag, "" if missing."""
    if not tag.metadata:  # common, and there may be a hundred thousand tags
        return NO_TEXT
    texts = {2: "", 3: ""}
    try:
        for number, wire_type, begin, end in fields(tag.metadata, 0, len(tag.metadata)):
            if number in texts and wire_type == BYTES:
                texts[number] = tag.metadata[begin:end].decode("utf-8", "replace")
    except MalformedError:
        pass  # keep what was parsed so far
    return TagText(texts[2], texts[3])


def tags_by_run(catalog: Catalog, plugin: str) -> dict[str, dict[str, TagText]]:
    """The lists of TensorBoard's routes: run name -> tag -> text, without runs that have no tags.

    The display name of a value without metadata is its tag, while tensors have only the given one.
    """
    listed = {}
    for run in catalog.runs():
        tags = {}
        for index, tag in enumerate(run.tag_list()):
            if index % CHECKED_TAGS == 0:
                cancellation.check()
            if tag.plugin == plugin:
                tags[tag.name] = text_of(tag) if tag.metadata else TagText(tag.name, "")
        if tags:
            listed[run.name] = tags
    return listed
