"""Calls of captures as a tree over HTTP."""

import json

import pytest

from lightboard.cli.main import main
from support.board_client import board_with_files
from support.capture_board import TRACE, answer, ask, corpus_client
from support.profiles import PROFILES


def test_a_tree_is_opened_node_by_node() -> None:
    client = board_with_files({"a/host.trace.json": TRACE})

    first = answer(client, "tree")
    (thread,) = first["nodes"]
    below = answer(client, "tree", path=thread["path"])
    assert (first["whole_us"], first["left_out"], first["calls_left_out"]) == (60, 0, 0)
    assert (thread["name"], thread["type"], thread["children"], thread["count"]) == ("2", "thread", 2, 3)
    assert below["nodes"][0] == {
        "parent": None,
        "path": f"{thread['path']},{below['nodes'][0]['path'].split(',')[1]}",
        "name": "matmul",
        "type": "slice",
        "category": "host",
        "count": 2,
        "total_us": 40,
        "self_us": 40,
        "children": 0,
        "longest": {"host": 0, "slice": 1, "start_us": 10, "duration_us": 30},
        "is_found": False,
    }


def test_a_flame_graph_is_one_request_for_what_is_wide_enough() -> None:
    client = board_with_files({"a/host.trace.json": TRACE})
    found = answer(client, "tree", depth=100, least_share=0.5, search="mat")

    assert [(node["name"], node["parent"], node["is_found"]) for node in found["nodes"]] == [
        ("2", None, False),
        ("matmul", 0, True),
    ]


def test_from_below_the_tree_begins_with_calls() -> None:
    client = board_with_files({"a/host.trace.json": TRACE})

    assert [(node["name"], node["self_us"]) for node in answer(client, "tree", direction="up")["nodes"]] == [
        ("matmul", 40),
        ("add", 20),
    ]


def test_a_path_that_is_none_is_refused() -> None:
    client = board_with_files({"a/host.trace.json": TRACE})

    assert ask(client, "tree", path="1,x").status_code == 400
    assert answer(client, "tree", path="99")["nodes"] == []


@pytest.mark.parametrize("direction", ["down", "up"])
def test_the_tree_is_that_of_the_command_line(capsys: pytest.CaptureFixture[str], direction: str) -> None:
    flags = ["--bottom-up"] if direction == "up" else []
    main(["profile", "tree", str(PROFILES), "--capture", "torch", "--json", *flags])
    told = json.loads(capsys.readouterr().out)

    query = {"depth": 200, "limit": 5000, "least_share": 0.005, "direction": direction}
    assert answer(corpus_client(), "tree", "torch", **query)["nodes"] == told
