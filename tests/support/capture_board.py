"""Boards over captures of profilers, and what their routes answer."""

from typing import Any

import httpx

from lightboard.cancellation import finish
from lightboard.config import BoardSettings
from lightboard.ingest.loader import Loader, LoaderOptions
from lightboard.ingest.logdir import sources
from lightboard.query import capture_store
from lightboard.query.loaded_capture import LoadedCapture
from lightboard.query.provider import CatalogProvider
from lightboard.series.catalog import Catalog
from support.board_client import BoardClient, start_threads
from support.profiles import PROFILES, slice_event, trace

TRACE = trace(
    slice_event("train", 0, 100, args={"step_num": 7}),
    slice_event("matmul", 10, 30, args={"M": 4, "text": "ü"}),
    slice_event("add", 50, 20),
    slice_event("matmul", 80, 10),
)
"""One step, and in it three slices."""


def ask(client: BoardClient, route: str, capture: str = "a", **query: Any) -> httpx.Response:
    """One route below /api/v1/profiles."""
    return client.get(f"/api/v1/profiles/{route}", params={"capture": capture, **query})


def answer(client: BoardClient, route: str, capture: str = "a", **query: Any) -> dict[str, Any]:
    """What it says."""
    response = ask(client, route, capture, **query)
    assert response.status_code == 200, response.text
    found: dict[str, Any] = response.json()
    return found


def corpus_client() -> BoardClient:
    """A board over the captures of tests/data."""
    catalog = Catalog()
    Loader(catalog, sources(str(PROFILES)), LoaderOptions(threads=0)).load()
    client = BoardClient(provider=CatalogProvider(catalog, BoardSettings(logdir=str(PROFILES))))
    start_threads(client.shared.pool)
    return client


def load(store: capture_store.CaptureStore, name: str) -> LoadedCapture:
    """A capture of a store, without a scheduler."""
    return finish(store.load(store.find(name)))
