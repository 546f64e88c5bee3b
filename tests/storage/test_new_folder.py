"""Folders and files are created below a root, whatever others put there meanwhile."""

import pathlib

import pytest

from lightboard.storage.new_folder import create_folder, create_public_way, new_file, new_folder


@pytest.fixture
def root(tmp_path: pathlib.Path) -> pathlib.Path:
    """An empty folder."""
    made = tmp_path / "root"
    made.mkdir()
    return made


def test_missing_folders_are_created(root: pathlib.Path) -> None:
    """Also those on the way."""
    create_folder(str(root), "jobs/one/model")

    assert (root / "jobs/one/model").is_dir()


def test_existing_folders_are_kept(root: pathlib.Path) -> None:
    """With what is in them."""
    (root / "jobs").mkdir()
    (root / "jobs/file").write_text("here")
    create_folder(str(root), "jobs/one")
    create_folder(str(root), "jobs/one")

    assert sorted(path.name for path in (root / "jobs").iterdir()) == ["file", "one"]


@pytest.mark.parametrize("path", ["jobs", "jobs/one", "jobs/one/model"])
def test_links_are_not_followed(root: pathlib.Path, tmp_path: pathlib.Path, path: str) -> None:
    """A link on the way would lead writes out of the root."""
    outside = tmp_path / "outside"
    outside.mkdir()
    (root / path).parent.mkdir(parents=True, exist_ok=True)
    (root / path).symlink_to(outside)

    with pytest.raises(OSError):
        create_folder(str(root), "jobs/one/model/best")
    assert list(outside.iterdir()) == []


def test_a_file_on_the_way_is_an_error(root: pathlib.Path) -> None:
    """And it is kept."""
    (root / "jobs").write_text("a file")

    with pytest.raises(NotADirectoryError):
        create_folder(str(root), "jobs/one")
    assert (root / "jobs").read_text() == "a file"


@pytest.mark.parametrize("there", ["nothing", "file", "link"])
def test_new_files_replace_what_is_there(root: pathlib.Path, tmp_path: pathlib.Path, there: str) -> None:
    """The target of a link is not written to."""
    outside = tmp_path / "outside"
    outside.write_text("kept")
    if there == "file":
        (root / "train.py").write_text("older")
    if there == "link":
        (root / "train.py").symlink_to(outside)
    with new_folder(str(root), "") as folder, new_file(folder, "train.py", 0o600) as file:
        file.write(b"new")

    written = root / "train.py"
    assert (written.read_text(), written.is_symlink(), outside.read_text()) == ("new", False, "kept")


def test_a_way_is_created_for_everybody_and_what_exists_keeps_its_mode(root: pathlib.Path) -> None:
    """Somebody may have closed it on purpose."""
    (root / "closed").mkdir(mode=0o700)
    create_public_way(str(root), "closed/new/last")
    create_public_way(str(root), "closed/new/last")

    assert [oct((root / path).stat().st_mode & 0o777) for path in ("closed", "closed/new")] == ["0o700", "0o711"]
    assert not (root / "closed/new/last").exists()
