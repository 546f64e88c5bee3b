"""Stored source code: unpacked for jobs, deleted when no job uses it."""

import os
import pathlib
import random

import pytest

from lightboard.errors import LightboardError
from lightboard.hub.source_archives import SourceArchives
from support.source_archives import FILES, archive_of

NOW = 1_000_000.0
OLD, NEW = NOW - 10, NOW + 10


@pytest.fixture
def folder(tmp_path: pathlib.Path) -> pathlib.Path:
    """Where archives are stored."""
    made = tmp_path / "archives"
    made.mkdir()
    return made


@pytest.fixture
def archives(folder: pathlib.Path) -> SourceArchives:
    """With one archive, `one`."""
    made = SourceArchives(folder)
    add(made, "one", archive_of())
    return made


def add(archives: SourceArchives, digest: str, archive: bytes) -> int:
    """Stores an archive; the size of the file that is stored then."""
    with archives.new_upload("ann") as upload:
        upload.write_bytes(archive)
        with archives.adding(upload, digest) as size:
            return size


@pytest.fixture
def root(tmp_path: pathlib.Path) -> pathlib.Path:
    """Where they are unpacked."""
    made = tmp_path / "root"
    made.mkdir()
    return made


def files_in(folder: pathlib.Path) -> dict[str, bytes]:
    """All files below a folder, links not followed."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_source_code_is_unpacked(archives: SourceArchives, root: pathlib.Path) -> None:
    """Into a folder that is created; only the hub's user can read it."""
    archives.unpack("one", str(root), "job/code")

    assert files_in(root / "job/code") == FILES
    assert oct((root / "job/code/train.py").stat().st_mode & 0o777) == "0o600"


def test_unpacking_again_restores_the_files(archives: SourceArchives, root: pathlib.Path) -> None:
    """What the job has written beside them is kept."""
    archives.unpack("one", str(root), "code")
    (root / "code/train.py").write_text("changed by the job")
    (root / "code/checkpoint").write_text("7")
    archives.unpack("one", str(root), "code")

    assert files_in(root / "code") == {**FILES, "checkpoint": b"7"}


@pytest.mark.parametrize("path", ["code", "code/nets", "code/nets/vit.py"])
def test_links_that_a_job_has_left_are_not_followed(
    archives: SourceArchives, root: pathlib.Path, tmp_path: pathlib.Path, path: str
) -> None:
    """Folders are an error, a file is replaced; nothing outside changes."""
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "vit.py").write_text("kept")
    (root / path).parent.mkdir(parents=True, exist_ok=True)
    (root / path).symlink_to(outside / "vit.py" if path.endswith(".py") else outside)
    if path.endswith(".py"):
        archives.unpack("one", str(root), "code")
        assert files_in(root / "code") == FILES
    else:
        with pytest.raises(OSError):
            archives.unpack("one", str(root), "code")

    assert files_in(outside) == {"vit.py": b"kept"}


def test_a_missing_archive_is_told(archives: SourceArchives, root: pathlib.Path) -> None:
    """As after an incomplete backup."""
    with pytest.raises(LightboardError, match="the archive two is missing"):
        archives.unpack("two", str(root), "code")


@pytest.mark.parametrize("part", [0, 0.3, 0.5, 0.9, 0.999])
@pytest.mark.parametrize("damage", ["cut", "flipped"])
def test_a_damaged_archive_is_removed(
    archives: SourceArchives, folder: pathlib.Path, root: pathlib.Path, part: float, damage: str
) -> None:
    """So that its next upload is stored; the error is told, wherever the damage is."""
    whole = archive_of({**FILES, "weights": random.Random(1).randbytes(100_000)})
    at = int(part * len(whole))
    rest = bytes([whole[at] ^ 255]) + whole[at + 1 :]
    add(archives, "two", whole[:at] + (b"" if damage == "cut" else rest))

    with pytest.raises(LightboardError, match="the archive two is damaged"):
        archives.unpack("two", str(root), "code")
    assert [path.name for path in folder.iterdir()] == ["one.tar.gz"]


def test_a_stored_archive_is_kept(archives: SourceArchives, folder: pathlib.Path) -> None:
    """Another compression of the same tar file does not take its place; accounts are charged for what is stored."""
    size = add(archives, "one", archive_of() + bytes(1_000))

    assert (size, (folder / "one.tar.gz").read_bytes()) == (len(archive_of()), archive_of())


def test_what_a_job_has_put_in_place_of_a_file_is_kept(archives: SourceArchives, root: pathlib.Path) -> None:
    """A folder is not deleted, and the error names it."""
    (root / "code/train.py/kept").mkdir(parents=True)

    with pytest.raises(IsADirectoryError, match=r"train\.py"):
        archives.unpack("one", str(root), "code")
    assert (root / "code/train.py/kept").is_dir()


def test_unused_archives_are_deleted(archives: SourceArchives, folder: pathlib.Path) -> None:
    """And uploads that a killed hub has left; not what is in use or new. What cannot be deleted is skipped."""
    for name, at in (("one.tar.gz", OLD), ("used.tar.gz", OLD), ("upload-x", OLD), ("upload-y", NEW)):
        (folder / name).touch()
        os.utime(folder / name, (at, at))
    (folder / "lost+found").mkdir()
    os.utime(folder / "lost+found", (OLD, OLD))
    archives.remove_unused(lambda: {"used"}, NOW)

    assert sorted(path.name for path in folder.iterdir()) == ["lost+found", "upload-y", "used.tar.gz"]


def test_an_upload_that_is_not_added_is_deleted(archives: SourceArchives, folder: pathlib.Path) -> None:
    """As after an archive that was refused."""
    with archives.new_upload("ann") as upload:
        upload.write_bytes(b"half")

    assert [path.name for path in folder.iterdir()] == ["one.tar.gz"]
