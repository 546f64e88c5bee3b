"""Which folders programs on the search path need."""

import os
from pathlib import Path

import pytest

from lightboard.hub.runners.program_folders import program_folders


def folder(path: Path, *files: str) -> Path:
    """A new folder with empty files in it."""
    path.mkdir(parents=True)
    for name in files:
        (path / name).parent.mkdir(parents=True, exist_ok=True)
        (path / name).touch()
    return path


def found(tmp_path: Path, *search_path: Path) -> list[str]:
    """The folders that are needed, relative to the test's; the home folder is `home`."""
    paths = program_folders(":".join(map(str, search_path)), str(tmp_path / "home" / "me"))
    return [os.path.relpath(path, tmp_path) for path in paths if path.startswith(str(tmp_path))]


def test_a_folder_of_programs_is_needed_itself(tmp_path: Path) -> None:
    """Nothing beside it."""
    folder(tmp_path / "tools" / "bin", "tool")
    folder(tmp_path / "tools" / "secrets")

    assert found(tmp_path, tmp_path / "tools" / "bin") == ["tools/bin"]


def test_a_virtual_environment_needs_its_installation(tmp_path: Path) -> None:
    """Found by the link of its interpreter."""
    base = folder(tmp_path / "python", "bin/python3.11", "lib/python3.11/os.py")
    venv = folder(tmp_path / "venv", "pyvenv.cfg", "bin/pip")
    (venv / "bin" / "python").symlink_to(base / "bin" / "python3.11")

    assert found(tmp_path, venv / "bin") == ["venv/bin", "venv", "python"]


@pytest.mark.parametrize(("name", "mark"), [("bin", "conda-meta/history"), ("shims", "versions/3.11/file")])
def test_installations_of_conda_and_pyenv_are_needed_as_a_whole(tmp_path: Path, name: str, mark: str) -> None:
    """By what is beside their programs."""
    base = folder(tmp_path / "base", f"{name}/python", mark)

    assert found(tmp_path, base / name) == [f"base/{name}", "base"]


def test_a_link_to_an_installation_does_not_open_what_is_beside_it(tmp_path: Path) -> None:
    """`~/.local/share` has the data of many programs, and `~/.local/bin` often a link to a Python."""
    base = folder(tmp_path / "home" / "me" / "uv" / "python", "bin/python3.12", "lib/python3.12/os.py")
    local = folder(tmp_path / "home" / "me" / ".local", "share/keys", "bin/tool")
    (local / "bin" / "python3").symlink_to(base / "bin" / "python3.12")

    assert found(tmp_path, local / "bin") == ["home/me/.local/bin", "home/me/uv/python"]


@pytest.mark.parametrize("where", ["home/me", "home", "missing", "."])
def test_the_home_folder_and_those_above_it_are_never_needed(tmp_path: Path, where: str) -> None:
    """Nor folders that do not exist, or depend on where the hub was started."""
    folder(tmp_path / "home" / "me", "pyvenv.cfg")

    assert program_folders(f"{tmp_path / where}:.", str(tmp_path / "home" / "me")) == []
