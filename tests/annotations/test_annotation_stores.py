"""What every overlay promises, kept in a file or in memory."""

import pathlib
import threading
from collections.abc import Callable
from dataclasses import replace

import pytest

from lightboard.annotations.annotations import Annotations
from lightboard.annotations.file_store import FileAnnotationStore
from lightboard.annotations.memory_store import MemoryAnnotationStore
from lightboard.annotations.store import AnnotationStore
from lightboard.errors import BadRequest


@pytest.fixture(params=["file", "memory"])
def overlay(request: pytest.FixtureRequest, tmp_path: pathlib.Path) -> AnnotationStore:
    """A new one of either kind."""
    if request.param == "memory":
        return MemoryAnnotationStore()
    return FileAnnotationStore(str(tmp_path / "home" / "boards" / "x.json"), "/logs", pytest.fail)


def naming(name: str) -> Callable[[Annotations], Annotations]:
    return lambda content: replace(content, revision=content.revision + 1, runs={**content.runs, name: {"note": "n"}})


def test_a_new_one_is_empty_and_takes_edits(overlay: AnnotationStore) -> None:
    """Nothing needs to be made first."""
    assert (overlay.read(), overlay.writable) == (Annotations(), True)


def test_what_was_changed_is_read(overlay: AnnotationStore) -> None:
    """The change answers what is kept from then on."""
    changed = overlay.change(naming("a"))

    assert (changed, overlay.read()) == (Annotations(revision=1, runs={"a": {"note": "n"}}),) * 2


def test_an_edit_that_fails_changes_nothing(overlay: AnnotationStore) -> None:
    """Its error reaches who asked."""
    overlay.change(naming("a"))

    def refuse(content: Annotations) -> Annotations:
        raise BadRequest("no")

    with pytest.raises(BadRequest):
        overlay.change(refuse)
    assert overlay.read().revision == 1


def test_no_edit_is_lost_between_threads(overlay: AnnotationStore) -> None:
    """Each sees what the one before it left."""
    threads = [threading.Thread(target=overlay.change, args=(naming(str(number)),)) for number in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert (overlay.read().revision, sorted(overlay.read().runs)) == (12, sorted(str(number) for number in range(12)))
