"""A board that requires a token, as in a notebook of a hub."""

import pytest

from support.board_client import BoardClient

SETTINGS = {"token": "hush", "path_prefix": "/lb"}


@pytest.mark.parametrize(
    ("authorization", "status"),
    [
        ("token hush", 200), ("Token  hush", 200), ("Bearer hush", 200), ("Basic hush", 401), ("hush", 401),
        ("token hus", 401), ("token hush2", 401), ("token", 401), ("token h\xfcsh", 401), ("", 401), (None, 401),
    ],
)  # fmt: skip
def test_only_requests_with_the_token_are_answered(authorization: str | None, status: int) -> None:
    """In a header that proxies of notebooks send."""
    headers = {} if authorization is None else {b"Authorization": authorization.encode("latin-1")}

    assert BoardClient(**SETTINGS).request("GET", "/lb/data/runs", headers=headers).status_code == status


@pytest.mark.parametrize("path", ["/", "/lb", "/lb/", "/lb/api/v1/status", "/nothing", "/lb/nothing"])
def test_without_the_token_nothing_is_told_apart(path: str) -> None:
    """Neither what exists, nor below which path."""
    answer = BoardClient(**SETTINGS).request("GET", path)

    assert answer.status_code == 401
    assert "this server requires a token" in answer.text
