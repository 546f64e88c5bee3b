"""Errors below /api are JSON; others are one line of text."""

from typing import Any

import pytest

from lightboard.board.api import every_endpoint
from lightboard.query.provider import CatalogProvider
from lightboard.schema.error import ErrorResponse
from lightboard.testing.provider import memory_provider
from support.board_client import BoardClient

CHART = "/api/v1/scalars/chart"
STATS = "/api/v1/scalars/stats"
SERIES = "/api/v1/scalars/series"

WAYS: list[tuple[int, str, str, str, dict[str, Any]]] = [
    (404, "not_found", "GET", "/api/v1/nothing", {}),
    (404, "not_found", "GET", "/api", {}),
    (404, "not_found", "POST", "/api/v2/status", {}),
    (405, "method_not_allowed", "POST", "/api/v1/status", {}),
    (405, "method_not_allowed", "GET", CHART, {}),
    (405, "method_not_allowed", "DELETE", "/api/v1/runs", {}),
    (400, "bad_request", "POST", CHART, {}),
    (400, "bad_request", "POST", CHART, {"content": b"not json"}),
    (400, "bad_request", "POST", CHART, {"content": b"\xff\xfe"}),
    (400, "bad_request", "POST", CHART, {"content": b'{"px": 100, "charts": [{"tag": "a", "x0": NaN}]}'}),
    (400, "bad_request", "POST", CHART, {"json": []}),
    (400, "bad_request", "POST", CHART, {"json": {"px": 7, "charts": []}}),
    (400, "bad_request", "POST", CHART, {"json": {"px": 4001, "charts": []}}),
    (400, "bad_request", "POST", CHART, {"json": {"px": 100, "axis": "time", "charts": []}}),
    (400, "bad_request", "POST", CHART, {"json": {"px": 100, "smoothing": 1, "charts": []}}),
    (400, "bad_request", "POST", CHART, {"json": {"px": 100, "charts": [{"runs": [1]}]}}),
    (400, "bad_request", "POST", CHART, {"json": {"px": 100, "charts": [{"tag": "a", "runs": [-1]}]}}),
    (400, "bad_request", "POST", CHART, {"json": {"px": 100, "charts": [], "typo": 1}}),
    (400, "bad_request", "POST", CHART, {"json": {"px": 100, "charts": [], "axis": "tag"}}),
    (400, "bad_request", "POST", CHART, {"json": {"px": 100, "charts": [], "x_tag": "lr"}}),
    (400, "bad_request", "POST", CHART, {"json": {"px": 100, "charts": [], "band": "wide"}}),
    (400, "bad_request", "POST", CHART, {"json": {"px": 100, "charts": [{"tag": "a", "groups": [{"id": 1}]}]}}),
    (400, "bad_request", "POST", CHART, {"content": b"[" * 100_000}),
    (400, "bad_request", "POST", STATS, {"json": {"tags": "loss"}}),
    (400, "bad_request", "GET", SERIES, {}),
    (400, "bad_request", "GET", SERIES + "?run=train&tag=loss&format=xml", {}),
    (400, "bad_request", "GET", SERIES + "?run=train&tag=loss&typo=1", {}),
    (400, "bad_request", "GET", "/api/v1/tags?plugins=scalars", {}),
    (404, "run_not_found", "GET", SERIES + "?run=nobody&tag=loss", {}),
    (404, "tag_not_found", "GET", SERIES + "?run=train&tag=nothing", {}),
    (413, "too_large", "POST", CHART, {"content": b" " * (4 * 2**20 + 1)}),
    (413, "too_large", "POST", "/api/v1/nothing", {"content": b" " * (4 * 2**20 + 1)}),
    (400, "bad_request", "POST", "/api/v1/export", {"json": {"series": [], "format": "xml"}}),
    (400, "bad_request", "POST", "/api/v1/export", {"data": {"question": "{"}}),
    (400, "bad_request", "POST", "/api/v1/export", {"data": {"other": "x"}}),
    (403, "forbidden_host", "GET", "/api/v1/status", {"headers": {"host": "evil.com"}}),
    (403, "forbidden_origin", "POST", CHART, {"headers": {"origin": "http://evil.com"}}),
    (403, "forbidden_origin", "PATCH", "/api/v1/overlay", {"json": {}, "headers": {"origin": "http://evil.com"}}),
    (403, "forbidden_origin", "PATCH", "/api/v1/overlay", {"json": {}, "headers": {"sec-fetch-site": "cross-site"}}),
    (403, "forbidden_host", "PATCH", "/api/v1/overlay", {"json": {}, "headers": {"host": "evil.com"}}),
    (400, "bad_request", "PATCH", "/api/v1/overlay", {"json": {"runs": {"a": {"typo": 1}}}}),
]


@pytest.mark.parametrize(("status", "code", "method", "url", "arguments"), WAYS)
def test_api_errors_have_one_shape(status: int, code: str, method: str, url: str, arguments: dict[str, Any]) -> None:
    """Code, message and hint."""
    answer = BoardClient().request(method, url, **arguments)

    assert (answer.status_code, answer.headers["content-type"]) == (status, "application/json")
    assert list(answer.json()) == ["error"]
    assert sorted(answer.json()["error"]) == ["code", "hint", "message"]
    assert answer.json()["error"]["code"] == code
    assert ErrorResponse.model_validate(answer.json()).error.message


class Broken(CatalogProvider):
    """A provider with a defect."""

    def run_table(self) -> Any:
        raise RuntimeError("a secret of the inside")


def test_internal_errors_hide_details() -> None:
    """500 in the same shape; the terminal shows more."""
    inner = memory_provider({})
    answer = BoardClient(provider=Broken(inner.catalog, inner.settings)).get("/api/v1/runs")

    assert (answer.status_code, answer.json()["error"]["code"]) == (500, "internal")
    assert "secret" not in answer.text


def test_the_first_invalid_field_is_named() -> None:
    """With its path in the body."""
    answer = BoardClient().post(CHART, json={"px": 100, "charts": [{"tag": "a"}, {"tag": 5}]})

    assert answer.json()["error"]["message"] == "charts.1.tag: Input should be a valid string"


def test_wrong_methods_list_allowed_ones() -> None:
    """In header and hint."""
    answer = BoardClient().get(CHART)

    assert (answer.headers["allow"], answer.json()["error"]["hint"]) == ("POST", "it takes POST")


@pytest.mark.parametrize("endpoint", every_endpoint(), ids=lambda endpoint: endpoint.path)
def test_endpoints_refuse_undeclared_methods(endpoint: Any) -> None:
    """All routes and methods."""
    declared = {one.method for one in every_endpoint() if one.path == endpoint.path}
    others = {"GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"} - declared

    answers = {method: BoardClient({}).request(method, endpoint.path).status_code for method in others}

    assert set(answers.values()) == {405}


@pytest.mark.parametrize(
    ("method", "url", "status", "text"),
    [
        ("GET", "/nothing", 404, "Not found"),
        ("POST", "/data/runs", 405, "Method Not Allowed"),
        ("GET", "/data/plugin/scalars/scalars?run=x&tag=y", 404, "Not found: No scalar data for run='x', tag='y'"),
    ],
)
def test_other_errors_are_one_line_of_text(method: str, url: str, status: int, text: str) -> None:
    """As in TensorBoard."""
    answer = BoardClient().request(method, url)

    assert (answer.status_code, answer.headers["content-type"], answer.text) == (
        status,
        "text/plain; charset=utf-8",
        text,
    )
