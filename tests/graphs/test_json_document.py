"""JSON of models with texts that are none."""

import json
from typing import Any

import pytest

from lightboard.graphs.json_document import load_json
from lightboard.graphs.keras_model import read_keras_model


@pytest.mark.parametrize(
    ("data", "value"),
    [
        (rb'["\ud800", "a\uDFFFb", "\ud83d\ude00", "\\ud800", "\ude00\ud83d"]', ["�", "a�b", "😀", "\\ud800", "��"]),
        (rb'{"\udc00": [1.5, null, true, 1e999]}', {"�": [1.5, None, True, float("inf")]}),
        (b'["\xed\xa0\x80", "\xff\xd0\xb6"]', ["���", "�ж"]),
        (b'\xef\xbb\xbf"a"', "a"),
    ],
)
def test_what_is_no_character_is_a_replacement(data: bytes, value: Any) -> None:
    assert load_json(data) == value


@pytest.mark.parametrize("data", [b"", b"{", b"\xff", "[1]".encode("utf-16")])
def test_what_is_no_json_is_an_error(data: bytes) -> None:
    with pytest.raises(ValueError, match=r".+"):
        load_json(data)


def test_names_of_layers_can_be_told() -> None:
    layer = {"class_name": "De\ud800nse", "config": {"name": "a\udfff"}, "name": "a\udfff", "inbound_nodes": []}
    model = {"class_name": "Functional", "config": {"layers": [layer]}}

    graph = read_keras_model(json.dumps(model).encode())

    assert (list(graph.names), list(graph.ops)) == (["Functional/a\ufffd"], ["De\ufffdnse"])
