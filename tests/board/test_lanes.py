"""Lanes, budgets and abandoned requests of a whole board. Work is counted, not timed."""

import asyncio
import json
import math
import threading
from collections.abc import Callable, Generator, Sequence
from typing import Any

import pytest
from starlette.types import Message

from lightboard import cancellation
from lightboard.board.api import every_endpoint
from lightboard.board.lanes import CHARTS, EXPORTS, LISTS, OF_API, PAGE, VALUES, lane_of
from lightboard.config import BoardSettings
from lightboard.query import chart_budget
from lightboard.query.columns import ColumnRequest
from lightboard.query.provider import CatalogProvider
from lightboard.query.scalars import ChartRequest, ChartStyle
from lightboard.query.tags import TagInfo
from lightboard.testing.async_runner import run_async
from lightboard.testing.provider import Runs, memory_board
from support.board_client import BoardClient

TIMEOUT_SECS = 60
RUNS: Runs = {f"run {i}": {"loss": [(step, float(step), 1.0 * i) for step in range(50)]} for i in range(40)}
CHART = {"px": 100, "charts": [{"tag": "loss"}]}
SCALARS = "/api/v1/scalars/chart"


class Gated(CatalogProvider):
    """Counts the pieces of charts that are made, and makes one more for each time `one_more` is released."""

    def __init__(self, runs: Runs = RUNS) -> None:
        super().__init__(memory_board(runs).catalog, BoardSettings(logdir="memory"))
        self.pieces = 0
        self.begun = threading.Event()
        self.ended = threading.Event()
        self.one_more = threading.Semaphore(0)

    def charts(self, style: ChartStyle, requests: Sequence[ChartRequest]) -> Generator[bytes | int | None, None, None]:
        try:
            for piece in super().charts(style, requests):
                self.pieces += 1
                self.begun.set()
                assert self.one_more.acquire(timeout=TIMEOUT_SECS)
                yield piece
        finally:
            self.ended.set()


class Browser:
    """One request to an application in process, by a client that can leave."""

    def __init__(self, client: BoardClient, method: str, path: str, body: Any = None) -> None:
        self.gone = asyncio.Event()
        self.status = 0
        self._sent = False
        self._body = b"" if body is None else json.dumps(body).encode()
        scope = {
            "type": "http",
            "method": method,
            "path": path.partition("?")[0],
            "query_string": path.partition("?")[2].encode(),
            "headers": [(b"host", b"localhost")],
            "client": ("127.0.0.1", 1),
        }
        self.answer = asyncio.ensure_future(client.app(scope, self._receive, self._send))

    async def _receive(self) -> Message:
        if not self._sent:
            self._sent = True
            return {"type": "http.request", "body": self._body, "more_body": False}
        await self.gone.wait()
        return {"type": "http.disconnect"}

    async def _send(self, message: Message) -> None:
        self.status = message.get("status", self.status)


async def until(condition: Callable[[float], bool]) -> None:
    """Wait for a thread without holding up the loop."""
    assert await asyncio.to_thread(condition, TIMEOUT_SECS)


def test_drawing_ends_on_disconnect() -> None:
    """Of forty requests one is being drawn; no further chunk is computed."""

    async def story() -> tuple[int, bool]:
        provider = Gated()
        client = BoardClient(provider=provider)
        browsers = [Browser(client, "POST", SCALARS, CHART) for _ in range(40)]
        await until(provider.begun.wait)
        for browser in browsers:
            browser.gone.set()
        await asyncio.gather(*(browser.answer for browser in browsers))
        before = provider.pieces
        provider.one_more.release(1_000)
        await until(provider.ended.wait)
        client.board.pool.close(wait=True)
        return provider.pieces - before, any(browser.status for browser in browsers)

    # Either of the two threads of the lane may have begun with its request at the moment when the client left.
    more, answered = run_async(story())
    assert more <= 1
    assert not answered


def test_charts_do_not_block_lists_and_status() -> None:
    """They have threads of their own."""

    async def story() -> list[int]:
        provider = Gated()
        client = BoardClient(provider=provider)
        greedy = [Browser(client, "POST", SCALARS, CHART) for _ in range(64)]
        await until(provider.begun.wait)
        asked = [
            Browser(client, "GET", path)
            for path in ("/", "/api/v1/status", "/api/v1/runs", "/api/v1/tags", "/data/runs", "/api/v1/overlay")
        ] + [Browser(client, "POST", "/api/v1/scalars/stats", {"tags": ["loss"]})]
        await asyncio.gather(*(browser.answer for browser in asked))
        assert not any(browser.answer.done() for browser in greedy)
        provider.one_more.release(100_000)
        await asyncio.gather(*(browser.answer for browser in greedy))
        client.board.pool.close(wait=True)
        return [browser.status for browser in [*asked, *greedy]]

    assert set(run_async(story())) == {200}


class Slow(CatalogProvider):
    """Lists tags when it is told to; `asked` counts how often it was."""

    def __init__(self) -> None:
        super().__init__(memory_board(RUNS).catalog, BoardSettings(logdir="memory"))
        self.begun = threading.Event()
        self.open = threading.Event()
        self.asked = 0

    def tags(self, plugin: str) -> list[TagInfo]:
        self.asked += 1
        self.begun.set()
        assert self.open.wait(TIMEOUT_SECS)
        cancellation.check()
        return super().tags(plugin)


def test_shared_work_survives_a_disconnect() -> None:
    """The second client gets the list that the first had requested."""

    async def story() -> tuple[int, int, int]:
        provider = Slow()
        client = BoardClient(provider=provider)
        first = Browser(client, "GET", "/api/v1/tags?plugin=scalars")
        await until(provider.begun.wait)
        second = Browser(client, "GET", "/api/v1/tags?plugin=scalars")
        first.gone.set()
        await first.answer
        provider.open.set()
        await second.answer
        client.board.pool.close(wait=True)
        return first.status, second.status, provider.asked

    assert run_async(story()) == (0, 200, 1)


def test_chunked_responses_are_identical() -> None:
    """For every batch size."""
    client = BoardClient(RUNS)
    whole = client.post(SCALARS, json=CHART).content

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("lightboard.query.scalars.BATCH_ROWS", 1)
        patch.setattr("lightboard.asgi.scheduler.PIECE_BYTES", 1)
        answer = client.post(SCALARS, json=CHART)

    assert answer.content == whole
    assert "content-length" not in answer.headers


@pytest.mark.parametrize(
    ("limit", "most", "question"),
    [
        ("MAX_SERIES", 79, {"px": 100, "charts": [{"tag": "loss"}, {"tag": "loss"}]}),
        ("MAX_POINTS", 3_999, {"px": 100, "charts": [{"tag": "loss"}, {"tag": "loss"}]}),
        ("MAX_CHART_POINTS", 1_999, CHART),
        ("MAX_GROUP_ROWS", 1_999, {"px": 100, "charts": [{"tag": "x", "groups": []}, {"tag": "loss", "runs": []}]}),
        ("MAX_GROUP_WORK", 3_999, {"px": 100, "charts": [{"tag": "x", "groups": []}, {"tag": "loss", "runs": []}]}),
    ],
)
def test_requests_over_the_budget_are_refused(
    limit: str, most: int, question: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before drawing; one unit less is accepted."""
    if "groups" in question["charts"][0]:
        question["charts"][1]["groups"] = [{"id": 0, "runs": list(range(40))}]
    client = BoardClient(RUNS)
    drawn: list[int] = []
    monkeypatch.setattr("lightboard.query.scalars.draw_batches", lambda *_: iter([drawn.append(1) or b""]))
    monkeypatch.setattr(chart_budget, limit, most + 1)
    fits = client.post(SCALARS, json=question).status_code
    drawn.clear()
    monkeypatch.setattr(chart_budget, limit, most)

    answer = client.post(SCALARS, json=question)

    assert (fits, answer.status_code, answer.json()["error"]["code"], drawn) == (200, 422, "over_budget", [])
    assert answer.json()["error"]["hint"]


def test_a_thousand_runs_of_twenty_tags_fit_the_budget() -> None:
    """At screen width, smoothed, for any length."""
    budget = chart_budget.ChartBudget(300, smoothed=True)
    for _ in range(20):
        budget.add_lines([500_000] * 1_000)


def test_five_thousand_groups_of_all_runs_are_refused() -> None:
    """Each is within its limits, all together are not."""
    groups = [{"id": i, "runs": list(range(40))} for i in range(5_000)]

    answer = BoardClient(RUNS).post(
        SCALARS, json={"px": 4000, "charts": [{"tag": "loss", "runs": [], "groups": groups}]}
    )

    assert (answer.status_code, answer.json()["error"]["code"]) == (422, "over_budget")


def test_every_route_has_a_lane() -> None:
    """Each endpoint is listed, so that new ones are considered."""
    for endpoint in every_endpoint():
        below = endpoint.path.removeprefix("/api/v1/")
        assert below.split("/")[0] in OF_API or "/".join(below.split("/")[:2]) in OF_API, endpoint.path


@pytest.mark.parametrize(
    ("path", "lane"),
    [
        ("/", PAGE),
        ("/assets/index.js", PAGE),
        ("/api/v1/status", PAGE),
        ("/api/v1/runs", LISTS),
        ("/api/v1/runs/restarts", LISTS),
        ("/api/v1/runs/columns", VALUES),
        ("/api/v1/scalars/chart", CHARTS),
        ("/api/v1/scalars/series", EXPORTS),
        ("/api/v1/export", EXPORTS),
        ("/api/v1/projector/layouts/x/positions", EXPORTS),
        ("/api/v1/nothing/here", PAGE),
        ("/data/runs", LISTS),
        ("/data/plugin/scalars/tags", LISTS),
        ("/data/plugin/scalars/scalars", VALUES),
        ("/data/plugin/projector/tensor", EXPORTS),
    ],
)
def test_lanes_match_the_longest_prefix(path: str, lane: str) -> None:
    """Of the path without prefix and experiment."""
    assert lane_of(path) == lane


@pytest.mark.parametrize(
    "ask",
    [
        lambda provider: list(provider.stats(["loss"], None)),
        lambda provider: list(provider.ranges(["loss"], None, 0, 9)),
        lambda provider: provider.columns([ColumnRequest("loss", "last")]),
        lambda provider: provider.series("run 1", "loss"),
        lambda provider: list(provider.long_series("run 1", "loss").pieces),
        lambda provider: provider.samples("run 1", "loss", 10),
    ],
)
def test_loops_check_for_cancellation(ask: Callable[[CatalogProvider], object]) -> None:
    """For each series."""
    provider, token = Gated(), cancellation.CancelToken()
    held = cancellation.current.set(token)
    try:
        assert ask(provider)
        token.cancel()
        with pytest.raises(cancellation.Cancelled):
            ask(provider)
    finally:
        cancellation.current.reset(held)


def test_long_series_are_compressed_as_streams() -> None:
    """One gzip member; the plain bytes are the same."""
    points = [(step, float(step), step / 4) for step in range(60_000)]
    client, address = BoardClient({"long": {"loss": points}}), "/api/v1/scalars/series?run=long&tag=loss"
    squeezed = client.get(address, headers={"accept-encoding": "gzip"})
    plain = client.get(address, headers={"accept-encoding": "identity"})

    assert (squeezed.headers["content-encoding"], "content-length" in squeezed.headers) == ("gzip", False)
    assert squeezed.json() == plain.json()
    assert plain.json()["points"][-1] == [59_999.0, 59_999, 59_999 / 4]


def test_cancellation_stops_between_series() -> None:
    """In the native core and the Python implementation."""
    provider = Gated()
    token = cancellation.CancelToken()
    token.cancel()
    style = ChartStyle(axis=0, px=100, smoothing=0.0, aux=False, orphans=False)
    provider.one_more.release(10)
    held = cancellation.current.set(token)
    try:
        with pytest.raises(cancellation.Cancelled):
            list(provider.charts(style, [ChartRequest("loss", None, -math.inf, math.inf)]))
    finally:
        cancellation.current.reset(held)
