"""The memory of captures over HTTP."""

import json
import pickle

import pytest

from lightboard.cli.main import main
from support.board_client import BoardClient, board_with_files
from support.capture_board import TRACE, answer, ask, corpus_client
from support.profiles import PROFILES

SNAPSHOT = "torch_snapshot/memory_snapshot.pickle"


@pytest.fixture(scope="module")
def corpus() -> BoardClient:
    """The captures of tests/data."""
    return corpus_client()


@pytest.mark.parametrize("capture", [SNAPSHOT, "jax_gpu/memory.prof", "torch_gpu", "torch"])
def test_memory_is_that_of_the_command_line(
    corpus: BoardClient, capsys: pytest.CaptureFixture[str], capture: str
) -> None:
    main(["profile", "memory", str(PROFILES), "--capture", capture, "--json"])

    assert answer(corpus, "memory", capture, limit=1000) == json.loads(capsys.readouterr().out)


def test_rows_are_limited(corpus: BoardClient) -> None:
    whole, part = answer(corpus, "memory", SNAPSHOT)["devices"][0], answer(corpus, "memory", SNAPSHOT, limit=2)

    assert part["devices"][0]["holders"] == whole["holders"][:2]
    assert part["devices"][0]["blocks"] == whole["blocks"][:2]


def test_a_capture_without_allocations_has_no_devices(corpus: BoardClient) -> None:
    assert answer(corpus, "memory", "torch_ranks") == {"name": "torch_ranks", "devices": [], "problems": []}


@pytest.mark.parametrize("route", ["overview", "steps", "operators", "timeline"])
def test_what_has_only_memory_is_no_capture_of_time(corpus: BoardClient, route: str) -> None:
    response = ask(corpus, route, SNAPSHOT)

    assert (response.status_code, response.json()["error"]["message"]) == (
        422,
        "memory_snapshot.pickle: it has no slices",
    )


def test_a_pickle_of_code_is_refused() -> None:
    client = board_with_files({"a/memory_snapshot.pickle": pickle.dumps(print), "a/host.trace.json": TRACE})
    response = ask(client, "memory", "a/memory_snapshot.pickle")

    assert (response.status_code, response.json()["error"]["message"]) == (
        422,
        "memory_snapshot.pickle: the pickle imports code, which is never run",
    )


def test_a_snapshot_that_is_written_again_is_read_again() -> None:
    segment = {"device": 0, "total_size": 1024, "blocks": [{"address": 0, "size": 512, "state": "active_allocated"}]}
    path = "a/memory_snapshot.pickle"
    client = board_with_files({path: pickle.dumps({"segments": [segment]})})
    before = answer(client, "memory", path)["devices"][0]["live_bytes"]

    client.memory.storage.write(path, pickle.dumps({"segments": [segment | {"address": 1}, segment | {"blocks": []}]}))
    client.memory.refresh()
    after = answer(client, "memory", path)["devices"][0]["reserved_bytes"]

    assert (before, after) == (512, 2048)
