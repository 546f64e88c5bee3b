"""/data/plugin/graphs: which graphs there are, and graphs and the statistics of steps as text."""

from collections.abc import Generator, Iterable
from typing import Any

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from lightboard.asgi.query_string import first
from lightboard.asgi.scheduler import Pieces
from lightboard.asgi.streaming import stream
from lightboard.board.board import board_of
from lightboard.errors import BadRequest, Unshowable
from lightboard.events.messages import content_spans
from lightboard.events.wire import MalformedError
from lightboard.query.provider import DataProvider, ValueProvider

PLUGIN = "/data/plugin/graphs"

TEXT = "text/x-protobuf"

VERSION = b"1"
"""What the metadata of traces and Keras models says. TensorBoard ignores others."""

FLAGS = {
    "graph_run_metadata_graph": ("op_graph",),
    "graph_run_metadata": ("profile", "op_graph"),
    "graph_keras_model": ("conceptual_graph",),
    "graphs": (),
    "graph_tagged_run_metadata": ("profile",),
}
"""What the values of each kind are good for."""

LINES_AT_ONCE = 500
"""Lines sent together."""


async def info(request: Request) -> Response:
    """GET /info: run -> {run, run_graph, tags: {tag: {tag, conceptual_graph, op_graph, profile}}}."""
    board = board_of(request)
    return await board.responses.json(request, info_fields, board.provider)


def info_fields(provider: DataProvider) -> dict[str, Any]:
    """The graphs of each run."""
    runs: dict[str, dict[str, Any]] = {}
    for kind, flags in FLAGS.items():
        for run, tags in provider.tags_by_run(kind).items():
            for tag in tags:
                if kind.startswith(("graph_run", "graph_keras")) and version_of(provider, kind, run, tag) != VERSION:
                    continue
                row = runs.setdefault(run, {"run": run, "tags": {}, "run_graph": False})
                if kind == "graphs":
                    row["run_graph"] = True
                    continue
                nothing = {"tag": tag, "conceptual_graph": False, "op_graph": False, "profile": False}
                row["tags"].setdefault(tag, nothing).update(dict.fromkeys(flags, True))
    return runs


def version_of(provider: ValueProvider, kind: str, run: str, tag: str) -> bytes:
    """The content of the metadata of a tag."""
    metadata = provider.values(kind, run, tag).metadata
    return b"".join(metadata[begin:end] for begin, end in content_spans(metadata))


async def graph(request: Request) -> Response:
    """GET /graph?run[&tag][&conceptual=true][&limit_attr_size][&large_attrs_key]: a GraphDef as text."""
    board = board_of(request)
    run = first(request, "run")
    if run is None:
        return PlainTextResponse('query parameter "run" is required', 400)
    limit = first(request, "limit_attr_size")
    try:
        size = None if limit is None else int(limit)
    except ValueError:
        return PlainTextResponse("query parameter `limit_attr_size` must be an integer", 400)
    key = first(request, "large_attrs_key")
    if size is not None and (size <= 0 or key is None):
        raise BadRequest("limit_attr_size must be positive, and large_attrs_key be given")
    tag, conceptual = first(request, "tag"), first(request, "conceptual") == "true"
    pieces = graph_pieces(board.provider, run, tag, conceptual, None if size is None else (size, key or ""))
    return await stream(request, pieces, TEXT, pool=board.pool)


def graph_pieces(
    provider: ValueProvider, run: str, tag: str | None, conceptual: bool, limit: tuple[int, str] | None
) -> Pieces:
    """The text of a graph. Raises NotFound, Unshowable before the first bytes."""
    from lightboard.graphs.keras_model import read_keras_model  # these load NumPy
    from lightboard.graphs.keras_text import layers_text
    from lightboard.graphs.run_metadata import graph_spans
    from lightboard.graphs.text_format import Limit, graphs_text
    from lightboard.query.graphs import RUN_GRAPH

    form = "conceptual" if conceptual else "op"
    data = yield from content_steps(provider, run, RUN_GRAPH if tag is None else tag, form)
    if conceptual:
        yield from pieces_of(layers_text(read_keras_model(data, by_call=False)))
        return
    graphs = [(0, len(data))] if tag is None else graph_spans(data)[0]
    yield from pieces_of(graphs_text(data, graphs, None if limit is None else Limit(*limit)))


async def run_metadata(request: Request) -> Response:
    """GET /run_metadata?run&tag: the RunMetadata of a step as text."""
    board = board_of(request)
    run, tag = first(request, "run"), first(request, "tag")
    for name, value in (("tag", tag), ("run", run)):
        if value is None:
            return PlainTextResponse(f'query parameter "{name}" is required', 400)
    return await stream(request, metadata_pieces(board.provider, run or "", tag or ""), TEXT, pool=board.pool)


def metadata_pieces(provider: ValueProvider, run: str, tag: str) -> Pieces:
    """The text of a RunMetadata. Raises NotFound, Unshowable before the first bytes."""
    from lightboard.graphs.text_format import message_text

    data = yield from content_steps(provider, run, tag, "profile")
    yield from pieces_of(message_text(data, "RunMetadata"))


def content_steps(provider: ValueProvider, run: str, tag: str, form: str) -> Generator[int, None, bytes]:
    """The bytes of the last graph of a form, in steps. Raises NotFound, Unshowable."""
    from lightboard.query.graphs import last_content, read_content

    content = last_content(provider, run, tag, form)
    yield content.length
    return read_content(provider, content)


def pieces_of(lines: Iterable[str]) -> Pieces:
    """Lines in pieces. Raises Unshowable if they cannot be made."""
    waiting: list[str] = []
    try:
        for line in lines:
            waiting.append(line)
            if len(waiting) >= LINES_AT_ONCE:
                yield "".join(waiting).encode()
                waiting = []
    except MalformedError:
        raise Unshowable("the graph is cut off or malformed") from None
    yield "".join(waiting).encode()


ROUTES = (
    Route(f"{PLUGIN}/info", info),
    Route(f"{PLUGIN}/graph", graph),
    Route(f"{PLUGIN}/run_metadata", run_metadata),
)
