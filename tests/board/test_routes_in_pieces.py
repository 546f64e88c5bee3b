"""Every long route is cancelled on disconnect, yields to others, and is streamed.

Work is counted in calls of functions, Python and native, in the threads of the lanes. Nothing is timed.
"""

import asyncio
import gc
import gzip
import json
import struct
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from types import FrameType
from typing import Any, NamedTuple
from urllib.parse import urlencode

import pytest
from starlette.types import Message

from lightboard import cancellation
from lightboard.asgi import scheduler
from lightboard.asgi.response_cache import ResponseCache
from lightboard.asgi.scheduler import Lane, ScheduledRequest, Scheduler
from lightboard.board.app import Shared, create_api
from lightboard.board.lanes import LANES
from lightboard.board.lazy_api import LazyApi
from lightboard.cancellation import CancelToken
from lightboard.config import BoardSettings
from lightboard.query.capture_reading import ReadingToken
from lightboard.query.graphs import RUN_GRAPH
from lightboard.query.provider import CatalogProvider
from lightboard.testing.async_runner import run_async
from lightboard.testing.event_files import (
    FLOAT,
    STRING,
    UINT8,
    bytes_field,
    graph_record,
    histogram_value,
    hparams_start_record,
    image_value,
    scalar_record,
    summary_metadata,
    summary_record,
    tensor,
    tensor_record,
    varint_field,
    version_record,
)
from lightboard.testing.fakes import MemoryBoard
from support.board_client import BoardClient, start_threads
from support.graph_logs import transformer_graph
from support.profiles import SESSION, slice_event, trace
from support.slow_captures import end_readings

RUNS, TAGS, VALUES, POINTS = 120, 3_000, 250, 60_000
ALL = dict.fromkeys(("scalars", "histograms", "distributions", "images", "audio", "text", "pr_curves", "mesh"), 0)
"""So many values TensorBoard's addresses tell of: every one."""

FRAMES = 400_000
WAV = (
    b"RIFF" + struct.pack("<I", 36 + 2 * FRAMES) + b"WAVEfmt \x10\0\0\0"
    + struct.pack("<HHIIHH", 1, 1, 8000, 16000, 2, 16) + b"data" + struct.pack("<I", 2 * FRAMES) + bytes(2 * FRAMES)
)  # fmt: skip
IMAGES = [b"1", b"1", *[b"\x89PNG\r\n\x1a\n" + bytes(20)] * 4]
CELLS = [f"**{at}** some words" for at in range(400)]
CURVE = [float(at % 7) for at in range(6 * 40)]
EDGES = [float(at) for at in range(60)]
VERTICES = 60_000
LAYERS, SLICES = 60, 16_000
CAPTURES = ("single", "values")


def values_of(step: int, tags: int = 1) -> bytes:
    """One value of each kind, of so many tags."""
    records = b""
    for number in range(tags):
        values = [
            histogram_value(f"histogram {number}", EDGES, [1.0 + step] * len(EDGES)),
            image_value(f"old image {number}", IMAGES[-1]),
        ]
        records += summary_record(values, step=step, wall_time=100.0 + step)
        for kind, dtype, numbers, shape in (
            ("images", STRING, IMAGES, [len(IMAGES)]),
            ("audio", STRING, [b"RIFF....WAVE"] * 4, [4]),
            ("text", STRING, [b"a *text*", b"another"], [2]),
            ("pr_curves", FLOAT, CURVE, [6, 40]),
        ):
            proto = tensor(dtype, numbers, shape=shape, content=dtype == FLOAT)
            records += tensor_record(f"{kind} {number}", step, proto, 100.0 + step, summary_metadata(kind))
        records += mesh_part(step, f"mesh {number}", 1, [0.0, 1.0, 2.0] * 2)
    return records


def mesh_part(step: int, name: str, kind: int, numbers: list[float]) -> bytes:
    """One part of a mesh."""
    shape = (1, len(numbers) // 3, 3)
    content = bytes_field(2, name.encode()) + varint_field(3, kind)
    metadata = summary_metadata("mesh", content + b"".join(varint_field(6, size) for size in shape))
    proto = tensor(UINT8 if kind == 3 else FLOAT, numbers, shape=shape, content=True)
    return tensor_record(f"{name} part {kind}", step, proto, 100.0 + step, metadata)


def heavy_board() -> MemoryBoard:
    """Many runs, one of many tags, one of many values, one of many points, and single values that are long."""
    start = hparams_start_record
    files = {
        f"run {at:03}": start({f"p{key}": float(at) for key in range(20)})
        + b"".join(scalar_record(f"loss {tag}", step, 1.0, 100.0) for tag in range(4) for step in range(3))
        + values_of(0, 2)
        for at in range(RUNS)
    }
    described = summary_metadata("scalars", description="*words*")
    files["tags"] = b"".join(scalar_record(f"tag {at}", 0, 1.0, 100.0, described) for at in range(TAGS))
    files["values"] = b"".join(values_of(step) for step in range(VALUES))
    files["points"] = b"".join(scalar_record("long", step, step / 7, 100.0 + step) for step in range(POINTS))
    files["single"] = (
        tensor_record("audio", 0, tensor(STRING, [WAV], shape=[1]), 100.0, summary_metadata("audio"))
        + tensor_record(
            "clips", 0, tensor(STRING, [b"RIFF....WAVE"] * 900, shape=[900]), 100.0, summary_metadata("audio")
        )
        + tensor_record(
            "text", 0, tensor(STRING, [cell.encode() for cell in CELLS], shape=[400]), 100.0, summary_metadata("text")
        )
        + mesh_part(0, "large", 1, [float(at) for at in range(3 * VERTICES)])
        + mesh_part(0, "large", 3, [7] * (3 * VERTICES))
    )
    files |= {f"graph {layers}": graph_record(transformer_graph(layers)) for layers in (LAYERS, LAYERS + 1)}
    logs = {f"{run}/events.out.tfevents.1": version_record() + data for run, data in files.items()}
    captures = {f"{run}/{SESSION}/host.trace.json.gz": gzip.compress(capture_of(run)) for run in CAPTURES}
    return MemoryBoard(logs | captures)


def capture_of(run: str) -> bytes:
    """A trace of many steps, each of calls of operators in each other, with names of their own in each run."""
    events = [{"ph": "M", "pid": 1, "name": "process_name", "args": {"name": "/device:GPU:0"}}]
    for step in range(SLICES // 4):
        begin = 100.0 * step
        events.append(slice_event(f"step {step}", begin, 90.0, tid=1, args={"step_num": step}))
        for depth in range(3):
            name = f"{run} operator {step % 400} {depth}"
            events.append(slice_event(name, begin + depth, 80.0 - 2 * depth, args={"at": step}))
    return trace(*events)


@pytest.fixture(autouse=True)
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is worked on in one go is smaller, as is all that is asked for here."""
    monkeypatch.setattr("lightboard.board.points.BATCH", 500)
    monkeypatch.setattr("lightboard.board.points.TEXT_BATCH", 500)
    monkeypatch.setattr("lightboard.board.json_pieces.BATCH", 50)
    monkeypatch.setattr("lightboard.board.routes.runs.RUNS_AT_ONCE", 10)
    monkeypatch.setattr("lightboard.board.routes.tags.TAGS_AT_ONCE", 50)
    monkeypatch.setattr("lightboard.events.wav.CHUNK_BYTES", 8192)
    monkeypatch.setattr("lightboard.profiles.export.PIECE_ROWS", 500)


@pytest.fixture(scope="module")
def heavy() -> Iterator[MemoryBoard]:
    """Read once for all tests; the garbage collector, which looks before each request, leaves it out."""
    made = heavy_board()
    gc.collect()
    gc.freeze()
    yield made
    gc.unfreeze()


class Ask(NamedTuple):
    """One request; `name` is what its test is called."""

    name: str
    path: str
    query: dict[str, Any] = {}  # noqa: RUF012  # never changed
    body: Any = None
    form: Any = None

    @property
    def method(self) -> str:
        """By what it sends."""
        return "GET" if self.body is None and self.form is None else "POST"


def key_of(plugin: str, tag: str) -> Callable[[CatalogProvider], str]:
    """The key of the only value of a tag of the run of single values."""
    return lambda provider: provider.values(plugin, "single", tag).key(0)


RUN, TAG = "run 000", "loss 0"
COLUMNS = [{"tag": f"tag {at}", "stat": "last"} for at in range(50)]
EVERY_TAG = [f"loss {tag}" for tag in range(4)]
TB = "/data/plugin"
GROUPS = {"allowedStatuses": ["STATUS_UNKNOWN", "STATUS_SUCCESS"], "sliceSize": 10_000}
MAP = {"columns": 50, "rows": 16, "range": "robust", "shared": False}

LISTS = (
    Ask("runs", "/api/v1/runs"),
    Ask("runs filtered", "/api/v1/runs", {"filter": "r"}),
    Ask("tags", "/api/v1/tags", {"plugin": "scalars"}),
    Ask("tags filtered", "/api/v1/tags", {"plugin": "scalars", "filter": "t"}),
    Ask("hparams", "/api/v1/hparams"),
    Ask("tensorboard scalar tags", f"{TB}/scalars/tags"),
    Ask("tensorboard image tags", f"{TB}/images/tags"),
    Ask("tensorboard audio tags", f"{TB}/audio/tags"),
    Ask("tensorboard curve tags", f"{TB}/pr_curves/tags"),
    Ask("tensorboard mesh tags", f"{TB}/mesh/tags"),
    Ask("tensorboard time series tags", f"{TB}/timeseries/tags"),
)

VALUES_LANE = (
    Ask("stats", "/api/v1/scalars/stats", body={"tags": EVERY_TAG}),
    Ask("range", "/api/v1/scalars/range", body={"tags": EVERY_TAG, "first": 0, "last": 9}),
    Ask("columns", "/api/v1/runs/columns", body={"columns": COLUMNS}),
    Ask("values", "/api/v1/values", body={"plugin": "images"}),
    Ask("steps", "/api/v1/values/steps", body={"plugin": "images"}),
    Ask("images", "/api/v1/images", body={"tag": "images 0", "values": "*", "first": 0, "most": 16}),
    Ask("clips", "/api/v1/audio/clips", {"run": "single", "tag": "clips", "at": key_of("audio", "clips")}),
    Ask("peaks", "/api/v1/audio/peaks", {"run": "single", "tag": "audio", "at": key_of("audio", "audio"), "px": 500}),
    Ask("text", "/api/v1/text/value",
        {"run": "single", "tag": "text", "at": key_of("text", "text"), "form": "markdown"}),
    Ask("map", "/api/v1/histograms/map", body={"tag": "histogram 0", **MAP}),
    Ask("histograms", "/api/v1/histograms/series", {"run": "values", "tag": "histogram 0"}),
    Ask("histograms as csv", "/api/v1/histograms/series", {"run": "values", "tag": "histogram 0", "format": "csv"}),
    Ask("curves", "/api/v1/pr_curves", body={"tag": "pr_curves 0"}),
    Ask("progress of curves", "/api/v1/pr_curves/progress", body={"tag": "pr_curves 0"}),
    Ask("meshes", "/api/v1/meshes", body={}),
    Ask("tensorboard scalars", f"{TB}/scalars/scalars", {"run": "points", "tag": "long"}),
    Ask("tensorboard scalars as csv", f"{TB}/scalars/scalars", {"run": "points", "tag": "long", "format": "csv"}),
    Ask("tensorboard scalars of runs", f"{TB}/scalars/scalars_multirun",
        form={"tag": TAG, "runs": [f"run {at:03}" for at in range(RUNS)]}),
    Ask("tensorboard custom scalars", f"{TB}/custom_scalars/scalars", {"run": "tags", "tag": "tag 1.*"}),
    Ask("tensorboard histograms", f"{TB}/histograms/histograms", {"run": "values", "tag": "histogram 0"}),
    Ask("tensorboard distributions", f"{TB}/distributions/distributions", {"run": "values", "tag": "histogram 0"}),
    Ask("tensorboard images", f"{TB}/images/images", {"run": "values", "tag": "images 0"}),
    Ask("tensorboard audio", f"{TB}/audio/audio", {"run": "values", "tag": "audio 0"}),
    Ask("tensorboard text", f"{TB}/text/text", {"run": "values", "tag": "text 0"}),
    Ask("tensorboard curves", f"{TB}/pr_curves/pr_curves", {"run": "values", "tag": "pr_curves 0"}),
    Ask("tensorboard meshes", f"{TB}/mesh/meshes", {"run": "values", "tag": "mesh 0"}),
    Ask("tensorboard time series", f"{TB}/timeseries/timeSeries",
        form={"requests": json.dumps([{"plugin": "scalars", "tag": tag} for tag in EVERY_TAG])}),
    Ask("tensorboard experiment", f"{TB}/hparams/experiment", body={}),
    Ask("tensorboard session groups", f"{TB}/hparams/session_groups", body=GROUPS),
    Ask("tensorboard table of sessions", f"{TB}/hparams/download_data",
        {"format": "csv", "columnsVisibility": json.dumps([True] * 24)}, body=GROUPS),
)  # fmt: skip

CHART = {"tag": TAG, "groups": [{"id": at, "runs": list(range(RUNS))} for at in range(60)]}

LONG_OTHERS = (
    Ask("charts", "/api/v1/scalars/chart", body={"px": 100, "charts": [{"tag": tag} for tag in EVERY_TAG * 60]}),
    Ask("groups", "/api/v1/scalars/chart", body={"px": 100, "charts": [CHART] * 3}),
    Ask("series", "/api/v1/scalars/series", {"run": "points", "tag": "long"}),
    Ask("series as csv", "/api/v1/scalars/series", {"run": "points", "tag": "long", "format": "csv"}),
    Ask("export", "/api/v1/export", body={"format": "csv", "series": [{"tag": tag} for tag in EVERY_TAG]}),
    Ask("export as json", "/api/v1/export", body={"format": "json", "series": [{"tag": tag} for tag in EVERY_TAG]}),
    Ask("export as an archive", "/api/v1/export",
        body={"format": "csv", "archive": True, "series": [{"tag": tag} for tag in EVERY_TAG]}),
    Ask("search", "/api/v1/text/search", body={"pattern": "nowhere"}),
    Ask("search by expression", "/api/v1/text/search", body={"pattern": "no[w]here", "regex": True}),
)  # fmt: skip
"""Of the lanes of charts and downloads."""

SHORT_OTHERS = (
    Ask("layout", "/api/v1/custom_scalars"),
    Ask("problems", "/api/v1/problems"),
    Ask("status", "/api/v1/status"),
    Ask("plugins", "/api/v1/tags"),
    Ask("restarts", "/api/v1/runs/restarts", {"run": "values"}),
    Ask("files", "/api/v1/runs/files", {"run": "values"}),
    Ask("one histogram", "/api/v1/histograms/one", {"run": "values", "tag": "histogram 0"}),
    Ask("preview", "/api/v1/values/preview",
        {"run": "single", "plugin": "text", "tag": "text", "at": key_of("text", "text")}),
    Ask("tensorboard runs", "/data/runs"),
    Ask("tensorboard plugins", "/data/plugins_listing"),
    Ask("tensorboard layout", f"{TB}/custom_scalars/layout"),
    Ask("tensorboard text tags", f"{TB}/text/tags"),
    Ask("tensorboard histogram tags", f"{TB}/histograms/tags"),
)  # fmt: skip
"""That hardly take long."""

GRAPH = {"run": f"graph {LAYERS}", "tag": RUN_GRAPH}
OTHER_GRAPH = {f"base_{name}": value for name, value in (GRAPH | {"run": f"graph {LAYERS + 1}"}).items()}
PATHS = [f"encoder/layer_{at}/attention/none" for at in range(3_000)]

GRAPH_LISTS = (
    Ask("graphs", "/api/v1/graphs", body={}),
    Ask("captures", "/api/v1/profiles"),
    Ask("tensorboard graphs", f"{TB}/graphs/info"),
)

GRAPHS = (
    Ask("scope of a graph", "/api/v1/graphs/scope", {**GRAPH, "path": "encoder"}),
    Ask("members of a stack", "/api/v1/graphs/members", {**GRAPH, "path": "encoder/layer_0"}),
    Ask("node of a graph", "/api/v1/graphs/node", {**GRAPH, "path": "encoder"}),
    Ask("nodes by words", "/api/v1/graphs/search", {**GRAPH, "text": "layer", "limit": 1000}),
    Ask("nodes by attributes", "/api/v1/graphs/search", {**GRAPH, "text": "dtype=float", "limit": 1000}),
    Ask("summary of a graph", "/api/v1/graphs/summary", GRAPH),
    Ask("totals of a graph", "/api/v1/graphs/totals", {**GRAPH, "limit": 1000}),
    Ask("two graphs", "/api/v1/graphs/diff", GRAPH | OTHER_GRAPH),
    Ask("paths of a graph", "/api/v1/graphs/paths", body={**GRAPH, "paths": PATHS}),
    Ask("graph as dot", "/api/v1/graphs/export", {**GRAPH, "format": "dot"}),
    Ask("graph for model explorer", "/api/v1/graphs/export", {**GRAPH, "format": "model-explorer"}),
    Ask("tensorboard graph", f"{TB}/graphs/graph", {"run": GRAPH["run"]}),
)

CAPTURE, OTHER_CAPTURE = ({"capture": f"{run}/{SESSION.name}"} for run in CAPTURES)
WINDOW = {"begin_us": 0, "end_us": 100 * SLICES}

PROFILES = (
    Ask("overview of a capture", "/api/v1/profiles/overview", CAPTURE),
    Ask("steps of a capture", "/api/v1/profiles/steps", {**CAPTURE, "limit": 10_000}),
    Ask("two captures", "/api/v1/profiles/diff", {**CAPTURE, "base": OTHER_CAPTURE["capture"], "limit": 5000}),
    Ask("capture for perfetto", "/api/v1/profiles/export", {**CAPTURE, "format": "perfetto"}),
    Ask("capture for speedscope", "/api/v1/profiles/export", {**CAPTURE, "format": "speedscope"}),
    Ask("calls of a capture", "/api/v1/profiles/tree", {**CAPTURE, "depth": 20, "limit": 5000}),
    Ask("time line", "/api/v1/profiles/timeline", {**CAPTURE, "width": 16_384}),
    Ask("range of a time line", "/api/v1/profiles/range", {**CAPTURE, **WINDOW}),
)

ABOUT_PROGRAMS = (*GRAPHS, *PROFILES)
"""Graphs and captures."""

ONE_TABLE = (
    Ask("breakdown of a capture", "/api/v1/profiles/breakdown", CAPTURE),
    Ask("skew of a capture", "/api/v1/profiles/skew", CAPTURE),
    Ask("operators of a capture", "/api/v1/profiles/operators", {**CAPTURE, "limit": 5000}),
    Ask("operators by shape", "/api/v1/profiles/operators", {**CAPTURE, "by": "shape", "limit": 5000}),
    Ask("slices by words", "/api/v1/profiles/find", {**CAPTURE, "search": "operator"}),
)
"""Of a capture: mostly reading it and making one table, once for all requests, in threads of their own."""

IN_FEW_CALLS = (
    Ask("mesh", "/api/v1/meshes/data",
        {"run": "single", "name": "large", "at": key_of("mesh", "large part 1"), "most": 60_000}),
    Ask("mesh as a file", "/api/v1/meshes/file",
        {"run": "single", "name": "large", "at": key_of("mesh", "large part 1")}),
    Ask("tensorboard mesh", f"{TB}/mesh/data",
        {"run": "single", "tag": "large", "content_type": "VERTEX", "sample": 0, "step": 0}),
)  # fmt: skip
"""Numbers that are worked on as a whole: few calls, but not all bytes at once."""

FEW = 2_000
"""Calls."""

ASKS = [
    pytest.param(ask, id=ask.name)
    for ask in (*LISTS, *VALUES_LANE, *LONG_OTHERS, *SHORT_OTHERS, *ABOUT_PROGRAMS, *GRAPH_LISTS, *ONE_TABLE)
]
LONG = [pytest.param(ask, id=ask.name) for ask in (*VALUES_LANE, *LONG_OTHERS, *ABOUT_PROGRAMS)]
KEPT = ("runs", "tags", "tensorboard scalar tags")
"""Answers that are kept compressed: `test_response_cache.py` has how they are sent."""

SHORT = ("peaks",)

STREAMED = [
    pytest.param(ask, id=ask.name) for ask in (*LISTS, *VALUES_LANE, *IN_FEW_CALLS) if ask.name not in (*KEPT, *SHORT)
]


class Client:
    """One request in process. `pieces` is what was sent of the body."""

    def __init__(self, shared: Shared, heavy: MemoryBoard, ask: Ask, *, lists_known: bool = False) -> None:
        settings = {"logdir": "memory", "samples": ALL}
        provider = CatalogProvider(heavy.catalog, BoardSettings(**settings))
        for kind in provider.plugin_counts() if lists_known else ():
            provider.tags(kind)
            provider.runs()
        self.app = BoardClient({}, provider=provider, shared=shared, **settings).app
        self.pieces: list[bytes] = []
        self.status = 0
        query = {name: value(provider) if callable(value) else value for name, value in ask.query.items()}
        body, content_type = b"", b"application/json"
        if ask.form is not None:
            body, content_type = urlencode(ask.form, doseq=True).encode(), b"application/x-www-form-urlencoded"
        elif ask.body is not None:
            body = json.dumps(told(ask.body, provider)).encode()
        self._messages = [{"type": "http.request", "body": body, "more_body": False}]
        self._scope = {
            "type": "http",
            "method": ask.method,
            "path": ask.path,
            "query_string": urlencode(query).encode(),
            "headers": [(b"host", b"localhost"), (b"content-type", content_type)],
            "client": ("127.0.0.1", 1),
        }

    async def request(self) -> None:
        """Returns when the answer is there, or broke off because the request was cancelled."""
        with suppress(cancellation.Cancelled):
            await self.app(self._scope, self._receive, self._send)

    async def _receive(self) -> Message:
        if self._messages:
            return self._messages.pop()
        return await asyncio.Event().wait()  # type: ignore[return-value]  # never

    async def _send(self, message: Message) -> None:
        self.status = message.get("status", self.status)
        if message.get("body"):
            self.pieces.append(message["body"])


def told(body: Any, provider: CatalogProvider) -> Any:
    """The body, with every value of the run of many values where that is meant."""
    if body.get("values") != "*":
        return body
    found = provider.values("images", "values", body["tag"])
    return {**body, "values": [{"run": "values", "at": found.key(at)} for at in range(len(found))]}


READER = "lightboard-capture"
"""The name of threads that read captures."""

WAITING = frozenset({"threading", "lightboard.query.capture_reading", "lightboard.query.capture_store"})
"""Modules in which requests wait for such threads, more or less often."""


class Counter:
    """Counts calls in the threads of lanes, and in those that read captures for them, while it is `on`.

    `parts` has one number for each stretch between two looks at the queue of a lane, where others may have their turn.
    """

    def __init__(self) -> None:
        self.on = False
        self.parts = [0]
        self.leave_after = 0
        self.left_at = 0
        self.token: CancelToken | None = None

    @property
    def calls(self) -> int:
        return sum(self.parts)

    def begin(self, leave_after: int = 0) -> None:
        """From now on; after so many calls the client leaves, 0 = never."""
        self.parts, self.leave_after, self.left_at, self.token, self.on = [0], leave_after, 0, None, True

    def watch(self, _frame: FrameType, _event: str, _argument: object) -> None:
        """The first event of a thread: only those that work for requests are counted."""
        sys.setprofile(self.count if threading.current_thread().name.startswith(("answer-", READER)) else None)

    def count(self, frame: FrameType, event: str, _argument: object) -> None:
        """Every later event of such a thread."""
        if not self.on or "return" in event or frame.f_globals.get("__name__") in WAITING:
            return
        token = cancellation.current.get()
        if not isinstance(token, ReadingToken):
            self.token = token or self.token
        if event == "call" and frame.f_code is scheduler._Queue._next.__code__:
            self.parts.append(0)
        self.parts[-1] += 1
        if self.leave_after and not self.left_at and self.calls >= self.leave_after:
            if self.token is not None:
                self.token.cancel()
                self.left_at = self.calls
            while isinstance(token, ReadingToken) and self.left_at and not token.cancelled:
                time.sleep(0)  # the request finds out, and leaves the reading


@pytest.fixture(scope="module")
def counter() -> Iterator[Counter]:
    """Set up before there is any thread."""
    counter = Counter()
    threading.setprofile(counter.watch)
    yield counter
    threading.setprofile(None)  # type: ignore[arg-type]  # typeshed says no


@pytest.fixture(scope="module")
def shared(counter: Counter) -> Iterator[Shared]:
    """For all tests: one thread for each lane, so that whoever waits for it waits for all that came before."""
    pool = Scheduler({name: Lane(1, lane.secs) for name, lane in LANES.items()})
    start_threads(pool)
    yield Shared(pool, ResponseCache(pool), LazyApi(pool, lambda: create_api(pool)))
    pool.close(wait=True)


async def until_idle(shared: Shared) -> None:
    """All that was begun has ended."""
    end_readings()
    for lane in LANES:
        scheduler.current.set(ScheduledRequest(lane, ("", "", "test")))
        await shared.pool.call(int)


def counted(
    counter: Counter,
    shared: Shared,
    heavy: MemoryBoard,
    ask: Ask,
    leave_after: int = 0,
    *,
    lists_known: bool = False,
) -> int:
    """The calls for one request, or those after the client left; without those for lists, which are kept."""

    async def story() -> int:
        client = Client(shared, heavy, ask, lists_known=lists_known)
        counter.begin(leave_after)
        await client.request()
        assert leave_after or client.status == 200, b"".join(client.pieces)
        await until_idle(shared)
        counter.on = False
        assert not leave_after or counter.left_at
        return counter.calls - counter.left_at

    gc.collect()
    gc.disable()  # calls of finalizers are no part of the request
    try:
        return run_async(story())
    finally:
        gc.enable()


@pytest.fixture(scope="module")
def load(counter: Counter, shared: Shared, heavy: MemoryBoard) -> Callable[[Ask], None]:
    """Makes the first request of its kind: what that loads is no part of later ones."""
    loaded = set()

    def load(ask: Ask) -> None:
        if ask.name not in loaded:
            counted(counter, shared, heavy, ask)
            loaded.add(ask.name)

    return load


@pytest.mark.parametrize("ask", ASKS)
def test_work_ends_soon_after_a_disconnect(
    ask: Ask, load: Callable[[Ask], None], counter: Counter, shared: Shared, heavy: MemoryBoard
) -> None:
    """At any moment: only a small part of the work follows."""
    load(ask)
    whole = counted(counter, shared, heavy, ask)

    rests = [counted(counter, shared, heavy, ask, leave_after=whole * part // 10) for part in (1, 3, 5)]

    assert [rest * 100 // whole for rest in rests if rest > max(FEW, whole // 8)] == []


@pytest.mark.parametrize("ask", LONG)
def test_work_yields_repeatedly(
    ask: Ask,
    load: Callable[[Ask], None],
    counter: Counter,
    shared: Shared,
    heavy: MemoryBoard,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Even if one list or value is most of the work."""
    monkeypatch.setattr(scheduler, "QUANTUM_SECS", 0.0)
    load(ask)
    whole = counted(counter, shared, heavy, ask, lists_known=True)

    assert max(counter.parts) <= max(FEW, whole // 2)


@pytest.mark.parametrize("ask", STREAMED)
def test_responses_are_streamed(ask: Ask, shared: Shared, heavy: MemoryBoard, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each chunk is a small part of the whole."""
    monkeypatch.setattr(scheduler, "PIECE_BYTES", 64)

    async def story() -> list[int]:
        client = Client(shared, heavy, ask)
        await client.request()
        assert client.status == 200, b"".join(client.pieces)
        return [len(piece) for piece in client.pieces]

    sizes = run_async(story())

    assert max(sizes) * 100 // sum(sizes) <= 34
