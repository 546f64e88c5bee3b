"""What every overlay promises, kept in a file or in memory."""

import pathlib
import threading
from collections.abc import Callable
from dataclasses import replace

import pytest

from lightboard.errors import BadRequest
from lightboard.overlay.base import Overlay
from lightboard.overlay.content import Content
from lightboard.overlay.file import FileOverlay
from lightboard.overlay.memory import MemoryOverlay


@pytest.fixture(params=["file", "memory"])
def overlay(request: pytest.FixtureRequest, tmp_path: pathlib.Path) -> Overlay:
    """A new one of either kind."""
    if request.param == "memory":
        return MemoryOverlay()
    return FileOverlay(str(tmp_path / "home" / "boards" / "x.json"), "/logs", pytest.fail)


def naming(name: str) -> Callable[[Content], Content]:
    return lambda content: replace(content, revision=content.revision + 1, runs={**content.runs, name: {"note": "n"}})


def test_a_new_one_is_empty_and_takes_edits(overlay: Overlay) -> None:
    """Nothing needs to be made first."""
    assert (overlay.read(), overlay.writable) == (Content(), True)


def test_what_was_changed_is_read(overlay: Overlay) -> None:
    """The change answers what is kept from then on."""
    changed = overlay.change(naming("a"))

    assert (changed, overlay.read()) == (Content(revision=1, runs={"a": {"note": "n"}}),) * 2


def test_an_edit_that_fails_changes_nothing(overlay: Overlay) -> None:
    """Its error reaches who asked."""
    overlay.change(naming("a"))

    def refuse(content: Content) -> Content:
        raise BadRequest("no")

    with pytest.raises(BadRequest):
        overlay.change(refuse)
    assert overlay.read().revision == 1


def test_no_edit_is_lost_between_threads(overlay: Overlay) -> None:
    """Each sees what the one before it left."""
    threads = [threading.Thread(target=overlay.change, args=(naming(str(number)),)) for number in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert (overlay.read().revision, sorted(overlay.read().runs)) == (12, sorted(str(number) for number in range(12)))
