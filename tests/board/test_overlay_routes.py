"""/api/v1/overlay: what people add to runs."""

from typing import Any

import pytest
from asking import Asker
from starlette.types import ASGIApp, Receive, Scope, Send

from lightboard.board.board import READ_ONLY
from lightboard.errors import OverlayError
from lightboard.overlay.base import Edit
from lightboard.overlay.content import Content

URL = "/api/v1/overlay"
NOTHING = {"revision": 0, "writable": True, "path_hint": "", "runs": {}, "views": {}}


class Unwritable:
    """An overlay in a folder that takes nothing."""

    name = "runs-0123456789.json"
    writable = False

    def read(self) -> Content:
        return Content(slots={"train": 1})

    def change(self, edit: Edit) -> Content:
        raise OverlayError("cannot write runs-0123456789.json: Read-only file system", hint="name another folder")


class ReadOnly:
    """A door that knows who asks, and lets them look."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self.app({**scope, READ_ONLY: True}, receive, send)


def patch(asker: Asker, edit: Any, **arguments: Any) -> Any:
    return asker.ask("PATCH", URL, json=edit, **arguments).json()


def test_at_first_there_is_nothing() -> None:
    """The whole answer."""
    assert Asker().get(URL).json() == NOTHING


def test_an_edit_answers_with_everything() -> None:
    """And so does whoever asks later."""
    asker = Asker()
    edit = {
        "runs": {"eval/каша": {"display_name": "Porridge", "color": "#aabbcc", "tags": ["x"]}, "gone": {"color": 3}},
        "views": {"v": {"address": "timeseries?x", "saved": 5, "note": "n"}},
    }

    assert patch(asker, edit) == asker.get(URL).json() == NOTHING | {"revision": 1} | edit


def test_null_takes_away() -> None:
    """A field, or a whole entry."""
    asker = Asker()
    patch(asker, {"runs": {"a": {"note": "n", "hidden": True}, "b": {"archived": True}}})

    assert patch(asker, {"runs": {"a": {"hidden": None}, "b": None}})["runs"] == {"a": {"note": "n"}}


def test_wrong_values_are_named() -> None:
    """Field by field, with what would fit; nothing was kept."""
    asker = Asker()

    assert patch(asker, {"runs": {"a": {"note": "n"}, "b": {"color": 10}}}) == {
        "error": {
            "code": "bad_request",
            "message": "runs.'b'.color must be a slot from 0 to 9 or \"#rrggbb\"",
            "hint": "docs/overlay.md names every field and its limits",
        }
    }
    assert asker.get(URL).json() == NOTHING


@pytest.mark.parametrize("content_type", ["text/plain", "application/x-www-form-urlencoded", ""])
def test_a_form_of_another_site_changes_nothing(content_type: str) -> None:
    """Browsers send such bodies without asking; JSON they do not."""
    asker = Asker()

    answer = asker.ask("PATCH", URL, content=b'{"runs": {"a": {"note": "n"}}}', headers={"content-type": content_type})

    assert (answer.status_code, answer.json()["error"]["code"], asker.get(URL).json()) == (400, "bad_request", NOTHING)


def test_an_overlay_that_cannot_be_written_says_so() -> None:
    """Before, as a flag; and to whoever tries."""
    asker = Asker(overlay=Unwritable())

    assert asker.get(URL).json() == NOTHING | {"writable": False, "path_hint": "runs-0123456789.json"}
    answer = asker.ask("PATCH", URL, json={"runs": {"a": {"note": "n"}}})
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


def test_a_wrong_method_is_told_of_all_the_right_ones() -> None:
    """Two endpoints share the address."""
    answer = Asker().ask("DELETE", URL)

    assert (answer.headers["allow"], answer.json()["error"]["hint"]) == (
        "GET, HEAD, PATCH",
        "it takes GET, HEAD, PATCH",
    )


def test_who_may_only_look_adds_nothing() -> None:
    """The edit is refused, and the page is told before it offers one."""
    asker = Asker()
    asker.app = ReadOnly(asker.app)

    refused = asker.ask("PATCH", URL, json={"runs": {"train": {"note": "mine"}}})

    assert (refused.status_code, refused.json()["error"]) == (
        403,
        {
            "code": "permission_denied",
            "message": "this board may be looked at, not added to",
            "hint": "ask its owner for the right to edit",
        },
    )
    assert asker.get(URL).json() == NOTHING | {"writable": False}
