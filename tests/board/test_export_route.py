"""/api/v1/export: many series as a download."""

import asyncio
import io
import json
import zipfile
from typing import Any

import pytest

from lightboard.config import BoardSettings
from lightboard.query.export import LongSeries
from lightboard.query.provider import CatalogProvider
from lightboard.query.scalars import Points
from lightboard.testing.async_runner import run_async
from lightboard.testing.provider import memory_board
from support.board_client import RUNS, BoardClient

URL = "/api/v1/export"
EVERYTHING = {"series": [{"tag": "loss"}, {"tag": "lr"}, {"tag": "nothing"}]}
TABLE = (
    "run,tag,step,wall_time,value\r\n"
    "eval/каша,loss,0,90.0,3.0\r\neval/каша,loss,1,95.0,Infinity\r\n"
    "train,loss,0,100.0,2.0\r\ntrain,loss,1,101.5,0.10000000149011612\r\ntrain,loss,2,103.0,NaN\r\n"
    "train,lr,0,100.0,0.5\r\n"
)


def test_csv_export_of_everything() -> None:
    """Requested tags, runs by slot; unknown tags have no rows."""
    answer = BoardClient().post(URL, json=EVERYTHING)

    assert (answer.status_code, answer.headers["content-type"]) == (200, "text/csv; charset=utf-8")
    assert answer.text == TABLE


def test_exports_can_be_limited_to_runs() -> None:
    """By id."""
    answer = BoardClient().post(URL, json={"series": [{"tag": "loss", "runs": [0]}], "format": "json"})

    assert answer.headers["content-type"] == "application/json"
    assert answer.json() == {
        "series": [{"run": "eval/каша", "tag": "loss", "points": [[90.0, 0, 3.0], [95.0, 1, "Infinity"]]}]
    }


def test_zip_export() -> None:
    """A ZIP that any program reads."""
    question = {"series": [{"tag": "lr"}], "archive": True, "files": [{"name": "view.json", "text": "{}"}]}
    answer = BoardClient().post(URL, json=question)

    assert answer.headers["content-type"] == "application/zip"
    assert zipfile.ZipFile(io.BytesIO(answer.content)).namelist() == ["view.json", "scalars/lr/train.csv", "index.csv"]


def test_forms_are_accepted() -> None:
    """So that browsers can save the stream."""
    assert BoardClient().post(URL, data={"question": json.dumps(EVERYTHING)}).text == TABLE


@pytest.mark.parametrize(
    ("name", "header"),
    [
        ("runs", "attachment; filename=\"runs.csv\"; filename*=UTF-8''runs.csv"),
        ('a"/б\r\n', "attachment; filename=\"a___.csv\"; filename*=UTF-8''a_%D0%B1_.csv"),
    ],
)
def test_downloads_have_a_file_name(name: str, header: str) -> None:
    """In any script, sanitized."""
    answer = BoardClient().post(URL, json={"series": [], "name": name})

    assert answer.headers["content-disposition"] == header


class Counting(CatalogProvider):
    """Says which series were read, a long one each time."""

    def __init__(self) -> None:
        super().__init__(memory_board(RUNS).catalog, BoardSettings(logdir="x"))
        self.reads = 0

    def runs_having(self, tag: str, runs: frozenset[int] | None) -> list[str]:
        return [f"run_{number}" for number in range(1000)]

    def long_series(self, run: str, tag: str, orphans: bool = False) -> LongSeries:
        self.reads += 1
        return LongSeries(20_000, iter([Points(range(20_000), [0.5] * 20_000, [0.25] * 20_000, bytes(20_000))]))


def test_disconnects_cancel_exports() -> None:
    """Nobody reads a thousand runs for nobody."""
    provider = Counting()
    app = BoardClient(provider=provider).app
    body = json.dumps(EVERYTHING).encode()
    sent: list[Any] = []

    async def story() -> None:
        gone = asyncio.Event()
        messages = [{"type": "http.request", "body": body, "more_body": False}]

        async def receive() -> Any:
            if messages:
                return messages.pop()
            await gone.wait()
            return {"type": "http.disconnect"}

        async def send(message: Any) -> None:
            sent.append(message["type"])
            if len(sent) == 3:
                gone.set()
                await asyncio.Event().wait()  # the connection takes no more

        scope = {
            "type": "http",
            "method": "POST",
            "path": URL,
            "query_string": b"",
            "headers": [(b"host", b"localhost"), (b"content-type", b"application/json")],
        }
        async with asyncio.timeout(20):
            await app(scope, receive, send)

    run_async(story())

    assert sent == ["http.response.start", "http.response.body", "http.response.body"]
    assert provider.reads < 5
