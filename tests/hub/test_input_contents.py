"""What is in the inputs of jobs, by names, sizes and times of files."""

import pathlib
from collections.abc import Iterator
from itertools import count

import pytest

from lightboard.hub.input_contents import ContentsLimits, ContentsReader, contents_of, digest_of
from lightboard.hub.launchers.base import SourceSpec
from lightboard.hub.resources.attempts import Contents, ContentsProblem, has_changed
from lightboard.storage.base import ObjectInfo
from lightboard.storage.memory import MemoryStorage

KNOWN = Contents(files=3, size_bytes=5, digest="a")


def read(storage: MemoryStorage, limits: ContentsLimits | None = None) -> Contents:
    """The contents of a storage."""
    found = ContentsReader(storage, limits or ContentsLimits()).read()
    assert found is not None
    return found


def test_an_object_store_is_listed_like_a_folder() -> None:
    """No file is read."""
    storage = MemoryStorage({"b/2": b"12", "a": b"123"}, remote=True)
    before = read(storage)
    storage.append("a", b"4")

    assert (before.files, before.size_bytes, storage.reads) == (2, 5, [])
    assert has_changed(before, read(storage)) is True


def test_the_order_of_a_listing_does_not_matter() -> None:
    """Storages order folders and files in different ways."""
    files = [ObjectInfo(path, 1, 2, "") for path in ("a-b", "a", "a/b", "\udcff")]

    assert digest_of(files) == digest_of(files[::-1])


@pytest.mark.parametrize(("files", "problem"), [(5, None), (6, ContentsProblem.TOO_MANY_FILES)])
def test_more_files_than_the_limit_are_not_recorded(files: int, problem: ContentsProblem | None) -> None:
    """What is told is the limit."""
    found = read(MemoryStorage({f"{name}": b"" for name in range(files)}), ContentsLimits(files=5))

    assert (found.files, found.problem) == (5, problem)


def test_many_folders_are_not_listed(tmp_path: pathlib.Path) -> None:
    """They need no file."""
    for name in range(6):
        (tmp_path / str(name)).mkdir()
    found = contents_of(SourceSpec(url=str(tmp_path)), ContentsLimits(files=5))

    assert found == Contents(problem=ContentsProblem.TOO_MANY_FILES, files=5)


def test_listing_ends_after_some_time() -> None:
    """As of folders on a slow disk."""
    ticks: Iterator[int] = count()
    storage = MemoryStorage({f"{name}/1": b"" for name in range(20)})
    found = ContentsReader(storage, ContentsLimits(secs=10), clock=lambda: float(next(ticks))).read()

    assert found == Contents(problem=ContentsProblem.TOO_SLOW)


def test_listing_can_be_cancelled() -> None:
    """Then nothing is recorded."""
    assert ContentsReader(MemoryStorage({"a": b""}), is_cancelled=lambda: True).read() is None


def test_what_cannot_be_read_is_not_recorded() -> None:
    """A digest of the rest would be taken for one of everything."""
    storage = MemoryStorage({"a": b"", "b/c": b""})
    storage.deny("b")

    assert read(storage) == Contents(problem=ContentsProblem.UNREADABLE)


def test_names_that_are_no_text_are_recorded(tmp_path: pathlib.Path) -> None:
    """Files of other systems have such names."""
    path = bytes(tmp_path) + b"/\xff.png"
    with open(path, "wb") as file:
        file.write(b"1")

    found = contents_of(SourceSpec(url=str(tmp_path)))
    assert found is not None
    assert (found.files, found.problem) == (1, None)


def test_a_link_in_a_circle_ends(tmp_path: pathlib.Path) -> None:
    """It is not followed into its own folder."""
    (tmp_path / "a").mkdir()
    (tmp_path / "a/file").write_bytes(b"1")
    (tmp_path / "a/self").symlink_to(".")

    found = contents_of(SourceSpec(url=str(tmp_path)))
    assert found is not None
    assert found.files == 1


def test_a_refused_folder_is_not_listed(tmp_path: pathlib.Path) -> None:
    """As those with files of the hub, which jobs do not see."""
    for name in ("open", "hub"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "file").write_bytes(b"1")

    found = contents_of(SourceSpec(url=str(tmp_path), refused=(str(tmp_path / "hub"),)))
    assert found is not None
    assert found.files == 1


@pytest.mark.parametrize(
    ("before", "now", "changed"),
    [
        (KNOWN, KNOWN, False),
        (KNOWN, Contents(files=3, size_bytes=5, digest="b"), True),
        (KNOWN, Contents(files=3, size_bytes=5, digest="a", links_skipped=1), True),
        (KNOWN, Contents(problem=ContentsProblem.MISSING), True),
        (KNOWN, Contents(problem=ContentsProblem.TOO_MANY_FILES, files=3), True),
        (KNOWN, Contents(problem=ContentsProblem.TOO_MANY_FILES, files=2), None),
        (KNOWN, Contents(problem=ContentsProblem.TOO_SLOW), None),
        (KNOWN, Contents(problem=ContentsProblem.UNREADABLE), None),
        (KNOWN, None, None),
        (None, KNOWN, None),
        (Contents(problem=ContentsProblem.TOO_MANY_FILES, files=3), KNOWN, None),
        (Contents(problem=ContentsProblem.MISSING), Contents(problem=ContentsProblem.MISSING), None),
    ],
)
def test_contents_are_compared_as_far_as_they_are_known(
    before: Contents | None, now: Contents | None, changed: bool | None
) -> None:
    """Of more than the limit it is known that there were fewer before, if the limit is the same."""
    assert has_changed(before, now) is changed
