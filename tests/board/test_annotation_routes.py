"""/api/v1/overlay: annotations of runs."""

from typing import Any

import pytest
from starlette.types import ASGIApp, Receive, Scope, Send

from lightboard.annotations.annotations import Annotations
from lightboard.annotations.store import Edit
from lightboard.board.board import READ_ONLY
from lightboard.errors import AnnotationsError
from support.board_client import BoardClient

URL = "/api/v1/overlay"
NOTHING = {"revision": 0, "writable": True, "path_hint": "", "runs": {}, "views": {}}


class Unwritable:
    """An overlay in a folder that takes nothing."""

    name = "runs-0123456789.json"
    writable = False

    def read(self) -> Annotations:
        return Annotations(slots={"train": 1})

    def change(self, edit: Edit) -> Annotations:
        raise AnnotationsError("cannot write runs-0123456789.json: Read-only file system", hint="name another folder")


class ReadOnly:
    """A door that knows who asks, and lets them look."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self.app({**scope, READ_ONLY: True}, receive, send)


def patch(client: BoardClient, edit: Any, **arguments: Any) -> Any:
    return client.request("PATCH", URL, json=edit, **arguments).json()


def test_annotations_start_empty() -> None:
    """The whole answer."""
    assert BoardClient().get(URL).json() == NOTHING


def test_edits_return_all_annotations() -> None:
    """As later requests do."""
    client = BoardClient()
    edit = {
        "runs": {"eval/каша": {"display_name": "Porridge", "color": "#aabbcc", "tags": ["x"]}, "gone": {"color": 3}},
        "views": {"v": {"address": "timeseries?x", "saved": 5, "note": "n"}},
    }

    assert patch(client, edit) == client.get(URL).json() == NOTHING | {"revision": 1} | edit


def test_null_deletes() -> None:
    """A field or an entry."""
    client = BoardClient()
    patch(client, {"runs": {"a": {"note": "n", "hidden": True}, "b": {"archived": True}}})

    assert patch(client, {"runs": {"a": {"hidden": None}, "b": None}})["runs"] == {"a": {"note": "n"}}


def test_invalid_values_are_named() -> None:
    """Each field with what is allowed; nothing is stored."""
    client = BoardClient()

    assert patch(client, {"runs": {"a": {"note": "n"}, "b": {"color": 10}}}) == {
        "error": {
            "code": "bad_request",
            "message": "runs.'b'.color must be a slot from 0 to 9 or \"#rrggbb\"",
            "hint": "docs/overlay.md lists all fields and their limits",
        }
    }
    assert client.get(URL).json() == NOTHING


@pytest.mark.parametrize("content_type", ["text/plain", "application/x-www-form-urlencoded", ""])
def test_cross_site_forms_are_refused(content_type: str) -> None:
    """JSON needs a preflight."""
    client = BoardClient()

    answer = client.request(
        "PATCH", URL, content=b'{"runs": {"a": {"note": "n"}}}', headers={"content-type": content_type}
    )

    assert (answer.status_code, answer.json()["error"]["code"], client.get(URL).json()) == (400, "bad_request", NOTHING)


def test_read_only_annotations_are_reported() -> None:
    """As a flag, and as an error of edits."""
    client = BoardClient(overlay=Unwritable())

    assert client.get(URL).json() == NOTHING | {"writable": False, "path_hint": "runs-0123456789.json"}
    answer = client.request("PATCH", URL, json={"runs": {"a": {"note": "n"}}})
    assert (answer.status_code, answer.json()) == (
        500,
        {
            "error": {
                "code": "overlay_unwritable",
                "message": "cannot write runs-0123456789.json: Read-only file system",
                "hint": "name another folder",
            }
        },
    )


def test_wrong_methods_list_all_allowed_ones() -> None:
    """Two endpoints share the path."""
    answer = BoardClient().request("DELETE", URL)

    assert (answer.headers["allow"], answer.json()["error"]["hint"]) == (
        "GET, HEAD, PATCH",
        "it takes GET, HEAD, PATCH",
    )


def test_readers_cannot_edit() -> None:
    """The page learns it before it offers editing."""
    client = BoardClient()
    client.app = ReadOnly(client.app)

    refused = client.request("PATCH", URL, json={"runs": {"train": {"note": "mine"}}})

    assert (refused.status_code, refused.json()["error"]) == (
        403,
        {
            "code": "permission_denied",
            "message": "you may view this board, but not edit it",
            "hint": "ask its owner for permission to edit",
        },
    )
    assert client.get(URL).json() == NOTHING | {"writable": False}
