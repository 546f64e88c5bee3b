"""Graphs of runs, in event files and model files: which there are, and each read once, however many requests it is for.

Not here: formats and scopes (`graphs`), JSON.
"""

import hashlib
import threading
from collections.abc import Generator, Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from itertools import chain
from typing import Literal, NamedTuple
from weakref import WeakKeyDictionary

from lightboard.errors import NotFound, RunNotFound, TagNotFound, Unshowable, ValueNotFound
from lightboard.events.byte_reader import ReadRange
from lightboard.events.kinds import RUN_GRAPH_TAG
from lightboard.events.payloads import read_strings, too_large_message
from lightboard.graphs.attributes import ShownAttribute, matches, read_attributes, shown_text
from lightboard.graphs.graph import Graph
from lightboard.graphs.graph_def import read_graph_def
from lightboard.graphs.graph_export import write_dot, write_model_explorer
from lightboard.graphs.graph_file import bytes_read, read_graph_file, read_hlo_part
from lightboard.graphs.keras_model import read_keras_model
from lightboard.graphs.onnx_attributes import read_onnx_attributes
from lightboard.graphs.run_metadata import add_stats, read_traced_graph
from lightboard.graphs.scoped_graph import Place, ScopedGraph
from lightboard.graphs.search import Hits, search
from lightboard.graphs.torch_modules import place_modules
from lightboard.lru_cache import LruCache
from lightboard.query.buffered_range import BufferedRange
from lightboard.query.graph_files import TOP, GraphFile, OpenGraphFile, key_of
from lightboard.query.program_locations import is_located
from lightboard.query.provider import DataProvider, ValueProvider
from lightboard.query.values import ValueLocation, Values
from lightboard.query.xla_programs import find_program, programs_in
from lightboard.series.natural_sort import natural_key
from lightboard.types import WallTime

RUN_GRAPH = RUN_GRAPH_TAG.decode()

ExportForm = Literal["dot", "model-explorer"]
"""The programs that graphs are written for: Graphviz, Model Explorer."""

FORMS = {
    "graphs": ("op",),
    "graph_run_metadata_graph": ("op",),
    "graph_run_metadata": ("op", "profile"),
    "graph_keras_model": ("conceptual",),
    "graph_tagged_run_metadata": ("profile",),
}
"""The forms of the graphs that a value of each kind has."""

EVENTS_FORMAT = "events"
"""The format of graphs that are not in a file of their own."""

FILE_FORM = "op"
"""The form of the graphs of model files."""

EVENTS = ("graphs", "graph_tagged_run_metadata")
PROFILED_TRACE = "graph_run_metadata"
EMPTY_TRACE = (
    "a trace was recorded, but no folder was given for its profile, so it has neither a profile nor a graph: pass the "
    "folder to tf.summary.trace_on as profiler_outdir"
)
"""TensorFlow ignores the folder at the end, in `trace_export`, as older programs give it."""
"""Kinds whose values are events of their own. The others are tensors."""

MAX_GRAPH_BYTES = 512 << 20
"""Larger graphs are not read."""

MAX_CACHED_BYTES = 256 << 20
"""Limit of the graphs in memory, of all boards of the process. The last one is kept in any case."""

HELD_BYTES_PER_BYTE = 6
"""Estimated bytes held per byte of a graph while it is read."""


class GraphLocation(NamedTuple):
    """A graph by its run id: the last one of a form in a series of values, or that in a model file.

    `run` is None for files that belong to the logdir, if that is no run. `format` is "events" for the former, of which
    `plugin` is the kind of the values and `values` their number. `size` is in bytes, `wall` in seconds: when it was
    written. `located` is false for a program that does not say which scopes its operations come from.
    """

    run: int | None
    tag: str
    form: str
    format: str
    plugin: str
    values: int
    key: str
    step: int
    wall: WallTime
    size: int
    located: bool = True


class Content(NamedTuple):
    """Bytes of a value that was written at `wall`: from `offset` on, `length` bytes."""

    location: ValueLocation
    wall: WallTime
    offset: int
    length: int


@dataclass(frozen=True)
class LoadedGraph:
    """A graph in its scopes. `read` reads the bytes that nodes are in; `format` is that of its `GraphLocation`."""

    scopes: ScopedGraph
    read: ReadRange
    format: str = EVENTS_FORMAT

    @property
    def problems(self) -> list[str]:
        """What could not be read, in sentences."""
        return self.scopes.graph.problems


_graphs: LruCache[ScopedGraph] = LruCache(MAX_CACHED_BYTES, lambda graph: graph.size_bytes)

_digests: "WeakKeyDictionary[ValueProvider, dict[Content, bytes]]" = WeakKeyDictionary()
"""Digests of contents that were read, so that a graph in memory is found without reading its file again."""

_digests_lock = threading.Lock()


def list_graphs(provider: DataProvider, runs: AbstractSet[int] | None = None) -> list[GraphLocation]:
    """The graphs of the runs with these ids (None: all), by run, then by tag in natural order, then by form."""
    rows = {row.id: (at, row.name) for at, row in enumerate(provider.runs())}
    found = []
    for plugin, forms in FORMS.items():
        for info in provider.tags(plugin):
            for run in info.runs:
                if run not in rows or (runs is not None and run not in runs):
                    continue
                try:
                    values = provider.values(plugin, rows[run][1], info.tag)
                except NotFound:
                    continue  # removed since the tags were listed, or of another kind
                if len(values):
                    found += [value_location(run, info.tag, plugin, form, values) for form in forms]
    taken = {(graph.run, graph.tag) for graph in found if graph.form == FILE_FORM}
    ids = {name: run for run, (_, name) in rows.items()}
    listed = provider.graph_files()
    programs = (program for xplane in listed.xplanes for program in programs_in(xplane))
    for file in chain(listed.files, programs):
        owner = ids.get(file.run)
        if owner is None and file.run != TOP:
            continue  # a run may have been added or removed since
        if runs is None or owner in runs:
            found.append(file_location(owner, file, is_taken=(owner, file.name) in taken))
    order: dict[int | None, int] = {run: at for run, (at, _) in rows.items()}
    return sorted(found, key=lambda graph: (order.get(graph.run, -1), natural_key(graph.tag), graph.form))


def value_location(run: int, tag: str, plugin: str, form: str, values: Values) -> GraphLocation:
    """The last graph of a series of values."""
    last = len(values) - 1
    key, step, wall, size = values.key(last), values.steps[last], values.walls[last], values.lengths[last]
    return GraphLocation(run, tag, form, EVENTS_FORMAT, plugin, len(values), key, step, wall, size)


def file_location(run: int | None, file: GraphFile, *, is_taken: bool) -> GraphLocation:
    """The graph in a file, by its name; by `./name` if a series of values is called so."""
    info = file.asset.info
    name = f"./{file.name}" if is_taken else file.name
    begin, end = file.part or (0, info.size)
    key, wall = key_of(file, info), info.mtime_ns / 1e9
    return GraphLocation(run, name, FILE_FORM, file.format, "", 1, key, 0, wall, end - begin, is_located(file))


def graph_steps(
    provider: DataProvider, run: str, tag: str, form: str, at: str | None = None
) -> Generator[int | None, None, LoadedGraph]:
    """The graph of a run, read if it is not in memory. Yields an estimate of the bytes held before it reads.

    Without `at`, it is that of the last value. Raises NotFound, Unshowable.
    """
    try:
        plugin, values = graph_values(provider, run, tag, form)
    except (RunNotFound, TagNotFound):
        file = find_file(provider, run, tag, form)
        if file is None:
            raise
        return (yield from file_steps(file, at))
    content = content_of(provider, plugin, values, len(values) - 1 if at is None else values.find(at))
    contents = [content]
    if plugin == "graph_tagged_run_metadata":
        contents += run_graph(provider, run)
    yield from read_steps(provider, contents)
    digest = b"".join([plugin.encode(), form.encode(), *(digest_of(provider, each) for each in contents)])

    def build() -> ScopedGraph:
        return ScopedGraph(parse(plugin, form, *(read_content(provider, each) for each in contents)))

    def read(offset: int, length: int) -> bytes:
        return provider.read(contents[-1].location, contents[-1].offset + offset, length)

    return LoadedGraph(_graphs.get(digest, build), read)


def find_file(provider: DataProvider, run: str, tag: str, form: str) -> GraphFile | None:
    """The model file of a run, or the program in one of its captures, by its tag and form."""
    if form != FILE_FORM:
        return None
    name, listed = tag.removeprefix("./"), provider.graph_files()
    return listed.find(run, name) or find_program(listed.xplanes, run, name)


def file_steps(file: GraphFile, at: str | None) -> Generator[int | None, None, LoadedGraph]:
    """The graph in a file, like `graph_steps`. Raises Unshowable, and ValueNotFound if its key is not `at`."""
    opened = OpenGraphFile(file)
    if at is not None and at != opened.key:
        raise ValueNotFound(f"{file.name} was replaced", hint="reload")
    begin, end = file.part or (0, opened.info.size)
    yield HELD_BYTES_PER_BYTE * bytes_read(file.format, end - begin)

    def build() -> ScopedGraph:
        if file.part is not None:
            return ScopedGraph(read_hlo_part(opened.read, opened.info.size, begin, end))
        return ScopedGraph(read_graph_file(opened.base_name, opened.read, opened.info.size))

    scopes = _graphs.get(opened.identity, build)
    data = scopes.graph.data
    read = opened.read if data is None else lambda offset, length: data[offset : offset + length]
    return LoadedGraph(scopes, read, file.format)


def last_content(provider: ValueProvider, run: str, tag: str, form: str) -> Content:
    """Where the last graph of a form is. Raises NotFound, Unshowable."""
    plugin, values = graph_values(provider, run, tag, form)
    return content_of(provider, plugin, values, len(values) - 1)


def run_graph(provider: ValueProvider, run: str) -> list[Content]:
    """The graph of a run, which the times and memory of a step are about; none if it has none."""
    try:
        return [last_content(provider, run, RUN_GRAPH, "op")]
    except TagNotFound:
        return []


def read_steps(provider: ValueProvider, contents: list[Content]) -> Generator[int, None, None]:
    """Yields an estimate of the bytes held while contents are read, unless they were read before."""
    with _digests_lock:
        known = _digests.get(provider, {})
        unread = sum(content.length for content in contents if content not in known)
    if unread:
        yield HELD_BYTES_PER_BYTE * unread


def digest_of(provider: ValueProvider, content: Content) -> bytes:
    """The digest of a content, which is read once. Raises ValueNotFound."""
    with _digests_lock:
        digest = _digests.get(provider, {}).get(content)
    if digest is None:
        digest = hashlib.blake2b(read_content(provider, content), digest_size=16).digest()
        with _digests_lock:
            _digests.setdefault(provider, {})[content] = digest
    return digest


def read_content(provider: ValueProvider, content: Content) -> bytes:
    """The bytes of a graph. Raises ValueNotFound."""
    return provider.read(content.location, content.offset, content.length)


def graph_values(provider: ValueProvider, run: str, tag: str, form: str) -> tuple[str, Values]:
    """The kind of the graphs of a form, and their values. Raises RunNotFound, TagNotFound."""
    for plugin, forms in FORMS.items():
        if form in forms:
            try:
                values = provider.values(plugin, run, tag, orphans=True)
            except TagNotFound:
                continue
            if len(values):
                return plugin, values
    raise TagNotFound(f"run {run!r} has no {form} graph {tag!r}")


def content_of(provider: ValueProvider, plugin: str, values: Values, index: int) -> Content:
    """Where the graph of a value is. Raises Unshowable."""
    location = values.location(index)
    offset, end = 0, location.length
    if plugin not in EVENTS:
        spans = read_strings(provider.window(location)).spans
        if not spans:
            raise Unshowable("the value holds no graph")
        offset, end = spans[0]
    if end - offset > MAX_GRAPH_BYTES:
        raise Unshowable(too_large_message(end - offset), hint="download the value instead")
    return Content(location, values.walls[index], offset, end - offset)


def parse(plugin: str, form: str, data: bytes, run_graph: bytes | None = None) -> Graph:
    """The graph in the bytes of a value, and of the graph of its run. Raises Unshowable."""
    if form == "conceptual":
        return read_keras_model(data)
    if form == "profile":
        graph = read_traced_graph(data) if run_graph is None else read_graph_def(run_graph)
        graph = add_stats(graph, data)
    else:
        graph = read_graph_def(data) if plugin == "graphs" else read_traced_graph(data)
    if not len(graph) and graph.problems:
        raise Unshowable("the value holds no graph that can be read", hint="its writer may have been interrupted")
    if not len(graph) and plugin == PROFILED_TRACE:
        raise Unshowable(EMPTY_TRACE, hint="tf.summary.trace_on(profiler=True, profiler_outdir=LOGDIR)")
    place_modules(graph)
    return graph


def search_graph(loaded: LoadedGraph, text: str, limit: int) -> Generator[None, None, Hits]:
    """The nodes and scopes that match `text`. Yields to other work. Raises ValueNotFound."""

    buffered = replace(loaded, read=BufferedRange(loaded.read).read)
    known: dict[bytes, ShownAttribute] = {}

    def has_attribute(place: Place, name: str, value: str) -> bool:
        return matches(attributes_of(buffered, place, known), name, value)

    return (yield from search(loaded.scopes, text, limit, has_attribute))


def export_graph(loaded: LoadedGraph, form: ExportForm) -> Iterator[str]:
    """A graph and its functions for another program, piece by piece. Raises ValueNotFound."""
    if form == "dot":
        return write_dot(loaded.scopes)
    buffered = replace(loaded, read=BufferedRange(loaded.read).read)
    known: dict[bytes, ShownAttribute] = {}

    def attributes(place: Place) -> list[tuple[str, str]]:
        return [(each.name, each.value) for each in attributes_of(buffered, place, known)]

    return write_model_explorer(loaded.scopes, attributes)


def attributes_of(
    loaded: LoadedGraph, place: Place, known: dict[bytes, ShownAttribute] | None = None
) -> list[ShownAttribute]:
    """The attributes of a node as written, none of a scope. `known` are those that were read. Raises ValueNotFound."""
    graph = place.tree.graph
    if graph.attributes is not None:
        return [shown_text(*pair) for pair in graph.attributes.get(place.node, ())]
    begin, end = graph.spans[place.node].tolist() if place.node >= 0 else (0, 0)
    if begin == end:
        return []
    if loaded.format == "onnx":
        return read_onnx_attributes(loaded.read, begin, end, graph.op(place.node))
    return read_attributes(loaded.read(begin, end - begin), known)
