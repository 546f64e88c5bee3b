"""TensorBoard's graph routes answer what TensorBoard answered about the corpus, to the byte."""

import gzip
import json
import pathlib
from collections.abc import Iterator
from typing import Any

import pytest

from lightboard.config import BoardSettings
from lightboard.ingest.loader import Loader, LoaderOptions
from lightboard.ingest.logdir import sources
from lightboard.query.provider import CatalogProvider
from lightboard.series.catalog import Catalog
from support.board_client import BoardClient, closing_boards

DATA = pathlib.Path(__file__).parents[1] / "data"
ANSWERS: dict[str, dict[str, Any]] = json.loads(gzip.decompress((DATA / "graph_answers.json.gz").read_bytes()))
TEXTS = [
    pytest.param(folder, each, id=f"{folder}-{each['route']}-{each['query'].get('tag', '')}")
    for folder, answers in ANSWERS.items()
    for each in answers["texts"]
]


@pytest.fixture(autouse=True)
def closed_boards() -> Iterator[None]:
    """No board is left behind."""
    with closing_boards():
        yield


def board_over(folder: str) -> BoardClient:
    """A board over one folder of the corpus."""
    catalog, logdir = Catalog(), str(DATA / "logs" / folder)
    Loader(catalog, sources(logdir), LoaderOptions(threads=0)).load()
    return BoardClient({}, provider=CatalogProvider(catalog, BoardSettings(logdir=logdir)))


@pytest.mark.parametrize("folder", ANSWERS)
def test_runs_have_the_same_graphs(folder: str) -> None:
    assert board_over(folder).get("/data/plugin/graphs/info").json() == ANSWERS[folder]["info"]


@pytest.mark.parametrize(("folder", "asked"), TEXTS)
def test_a_graph_is_the_same_text(folder: str, asked: dict[str, Any]) -> None:
    answer = board_over(folder).get(f"/data/plugin/graphs/{asked['route']}", params=asked["query"])

    assert (answer.status_code, answer.headers["content-type"]) == (200, "text/x-protobuf; charset=utf-8")
    assert answer.text == asked["text"]


@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("graph", 'query parameter "run" is required'),
        ("graph?run=.&limit_attr_size=x", "query parameter `limit_attr_size` must be an integer"),
        ("run_metadata?run=.", 'query parameter "tag" is required'),
        ("run_metadata?tag=x", 'query parameter "run" is required'),
    ],
)
def test_a_request_without_a_parameter_is_refused_in_the_same_words(url: str, message: str) -> None:
    answer = BoardClient({}).get(f"/data/plugin/graphs/{url}")

    assert (answer.status_code, answer.text) == (400, message)
