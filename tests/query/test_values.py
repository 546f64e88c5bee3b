"""Values in files: positions, keys, and exact bytes."""

import pytest

from lightboard.config import BoardSettings
from lightboard.errors import TagNotFound, ValueNotFound
from lightboard.events.payloads import read_strings
from lightboard.query.provider import CatalogProvider
from lightboard.testing.event_files import (
    STRING,
    start_record,
    summary_metadata,
    tensor,
    tensor_record,
    version_record,
)
from lightboard.testing.fakes import MemoryBoard


def text_file(*points: tuple[int, str]) -> bytes:
    """An event file with a tag `note` of texts."""
    return version_record() + b"".join(text_record(step, text) for step, text in points)


def text_record(step: int, text: str) -> bytes:
    return tensor_record("note", step, tensor(STRING, [text.encode()]), 100.0 + step, summary_metadata("text"))


def provider_of(files: dict[str, bytes]) -> tuple[MemoryBoard, CatalogProvider]:
    board = MemoryBoard(files)
    return board, CatalogProvider(board.catalog, BoardSettings(logdir="memory"))


def texts_of(provider: CatalogProvider) -> list[str]:
    """Every text of `note`, read from its file."""
    values = provider.values("text", "run", "note")
    found = []
    for at in range(len(values)):
        reader = provider.window(values.location(at))
        found += [reader.slice(*span).decode() for span in read_strings(reader).spans]
    return found


def test_values_are_read_from_their_file() -> None:
    """In a run of two files."""
    first, second = text_file((0, "a"), (1, "b")), text_file((2, "c"))
    _, provider = provider_of({"run/events.out.tfevents.1": first, "run/events.out.tfevents.2": second})
    values = provider.values("text", "run", "note")
    assert [list(values.steps), list(values.walls)] == [[0, 1, 2], [100.0, 101.0, 102.0]]
    assert texts_of(provider) == ["a", "b", "c"]


def test_keys_are_stable() -> None:
    """They contain file and offset."""
    board, provider = provider_of({"run/events.out.tfevents.2": text_file((0, "a"), (1, "b"))})
    key = provider.values("text", "run", "note").key(1)
    board.storage.write("run/events.out.tfevents.1", text_file((7, "older")))
    board.storage.append("run/events.out.tfevents.2", text_record(2, "c"))
    board.refresh()
    values = provider.values("text", "run", "note")
    assert [values.steps[values.find(key)], values.find(key)] == [1, 2]


@pytest.mark.parametrize("key", ["", "nonsense", "00000000.0", "zz.zz"])
def test_invalid_keys_are_refused(key: str) -> None:
    """They cannot address other bytes."""
    _, provider = provider_of({"run/events.out.tfevents.1": text_file((0, "a"))})
    with pytest.raises(ValueNotFound):
        provider.values("text", "run", "note").find(key)


def test_superseded_values_are_optional() -> None:
    """Hidden by default, as points are."""
    session = (
        version_record() + text_record(0, "a") + text_record(5, "void") + start_record(step=3) + text_record(3, "b")
    )
    _, provider = provider_of({"run/events.out.tfevents.1": session})
    shown, everything = (list(provider.values("text", "run", "note", orphans).steps) for orphans in (False, True))
    assert [shown, everything] == [[0, 3], [0, 5, 3]]


def test_tags_belong_to_one_kind() -> None:
    """Other kinds do not find them."""
    _, provider = provider_of({"run/events.out.tfevents.1": text_file((0, "a"))})
    with pytest.raises(TagNotFound):
        provider.values("images", "run", "note")


def test_values_of_deleted_files_are_not_found() -> None:
    """Others are not affected."""
    board, provider = provider_of({"run/events.out.tfevents.1": text_file((0, "a"))})
    location = provider.values("text", "run", "note").location(0)
    board.storage.remove("run/events.out.tfevents.1")
    with pytest.raises(ValueNotFound):
        provider.read(location, 0, 10)
