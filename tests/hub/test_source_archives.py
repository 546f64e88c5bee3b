"""Stored source code: unpacked for jobs, deleted when no job uses it."""

import os
import pathlib

import pytest

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
    with made.new_upload() as upload:
        upload.write_bytes(archive_of())
        with made.adding(upload, "one"):
            pass
    return made


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


@pytest.mark.parametrize("damage", ["missing", "damaged"])
def test_a_lost_archive_is_an_error(
    archives: SourceArchives, folder: pathlib.Path, root: pathlib.Path, damage: str
) -> None:
    """That names it."""
    if damage == "missing":
        (folder / "one.tar.gz").unlink()
    else:
        (folder / "one.tar.gz").write_bytes(archive_of()[:-20])

    with pytest.raises(OSError) as error:
        archives.unpack("one", str(root), "code")
    assert error.value.filename == str(folder / "one.tar.gz")


def test_unused_archives_are_deleted(archives: SourceArchives, folder: pathlib.Path) -> None:
    """And uploads that a killed hub has left; not what is in use or new."""
    for name, at in (("one.tar.gz", OLD), ("used.tar.gz", OLD), ("upload-x", OLD), ("upload-y", NEW)):
        (folder / name).touch()
        os.utime(folder / name, (at, at))
    archives.remove_unused(lambda: {"used"}, NOW)

    assert sorted(path.name for path in folder.iterdir()) == ["upload-y", "used.tar.gz"]


def test_an_upload_that_is_not_added_is_deleted(archives: SourceArchives, folder: pathlib.Path) -> None:
    """As after an archive that was refused."""
    with archives.new_upload() as upload:
        upload.write_bytes(b"half")

    assert [path.name for path in folder.iterdir()] == ["one.tar.gz"]
