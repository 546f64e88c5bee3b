"""Folders of source code are packed for a hub."""

import gzip
import io
import os
import pathlib
import shutil
import subprocess
import tarfile

import pytest

from lightboard.client import source_folder
from lightboard.client.source_folder import PackedFolder, pack
from lightboard.errors import UsageError
from lightboard.hub.source_tar import contents_of

IGNORED = {
    ".gitignore": "\ufeff*.ckpt\n/data/\n!keep.ckpt\nlogs/*\n!logs/README\n# comment\n\\#odd\n",
    "nets/.gitignore": "*.py\n!vit.py\n*.md\n",
    "nets/deep/.gitignore": "!*.md\n",
}
"""Rules of several folders, of which nearer ones override farther ones."""
FILES = (
    *("train.py", "model.ckpt", "keep.ckpt", "data/x.bin", "nets/data/x.bin", "logs/README", "logs/run/events", "#odd"),
    *("nets/vit.py", "nets/old.py", "nets/a.md", "nets/deep/b.md", "nets/deep/c.py", "nets/deep/model.ckpt"),
)


@pytest.fixture
def folder(tmp_path: pathlib.Path) -> pathlib.Path:
    """With a program and a module."""
    made = tmp_path / "code"
    write(made, {"train.py": "print('trained')\n", "nets/vit.py": "layers = 12\n"})
    return made


def write(folder: pathlib.Path, files: dict[str, str]) -> None:
    """Writes files with the folders that they need."""
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(content)


def packed(folder: pathlib.Path) -> tuple[PackedFolder, bytes]:
    """What was packed, and the archive."""
    written = io.BytesIO()
    return pack(str(folder), written), written.getvalue()


def names_in(folder: pathlib.Path) -> list[str]:
    """The paths that an archive of the folder has."""
    return tarfile.open(fileobj=io.BytesIO(packed(folder)[1])).getnames()


def test_the_hub_finds_the_same_contents(folder: pathlib.Path) -> None:
    """Digest, files and size."""
    told, archive = packed(folder)

    assert (told.files, told.size_bytes) == (2, 29)
    assert vars(contents_of(io.BytesIO(archive))) == vars(told)


def test_equal_folders_give_equal_archives(folder: pathlib.Path, tmp_path: pathlib.Path) -> None:
    """Whatever their times, owners and permissions of others; a changed file, name or executable bit gives another."""
    copy = tmp_path / "copy"
    shutil.copytree(folder, copy)
    os.utime(copy / "train.py", (0, 0))
    (copy / "train.py").chmod(0o600)
    first, same = packed(folder)[0].digest, packed(copy)[0].digest
    (copy / "train.py").chmod(0o700)
    executable = packed(copy)[0].digest
    (copy / "train.py").write_text("print('trainee')\n")
    changed = packed(copy)[0].digest
    (copy / "train.py").rename(copy / "learn.py")
    renamed = packed(copy)[0].digest

    assert first == same
    assert len({first, executable, changed, renamed}) == 4


def test_links_and_programs_are_kept(folder: pathlib.Path) -> None:
    """Links inside the folder as links."""
    (folder / "best.py").symlink_to("nets/vit.py")
    (folder / "run.sh").write_text("#!/bin/sh\n")
    (folder / "run.sh").chmod(0o755)
    with tarfile.open(fileobj=io.BytesIO(packed(folder)[1])) as archive:
        found = {each.name: (each.type, each.mode, each.linkname) for each in archive}

    assert found == {
        "best.py": (tarfile.SYMTYPE, 0o644, "nets/vit.py"),
        "nets/vit.py": (tarfile.REGTYPE, 0o644, ""),
        "run.sh": (tarfile.REGTYPE, 0o755, ""),
        "train.py": (tarfile.REGTYPE, 0o644, ""),
    }


@pytest.mark.parametrize("target", ["/etc/passwd", "../outside", "nets/../../outside", "nets/../train.py"])
def test_links_that_lead_out_are_refused(folder: pathlib.Path, target: str) -> None:
    """The error names both ends."""
    (folder / "data").symlink_to(target)

    with pytest.raises(UsageError) as error:
        pack(str(folder), io.BytesIO())
    assert error.value.message == f"the link data leads out of the folder, to {target}"


def test_ignored_files_are_left_out(tmp_path: pathlib.Path) -> None:
    """By the rules of the folder and of those in it."""
    write(tmp_path, {**dict.fromkeys(FILES, "x"), **IGNORED})

    assert names_in(tmp_path) == [
        *(".gitignore", "keep.ckpt", "logs/README", "nets/.gitignore", "nets/data/x.bin", "nets/deep/.gitignore"),
        *("nets/deep/b.md", "nets/vit.py", "train.py"),
    ]


RULES = {
    "nearer rules": IGNORED,
    "allowed files only": {".gitignore": "*\n!*/\n!*.py\n"},
    "allowed folder": {".gitignore": "*.bin\n", "nets/.gitignore": "!data/\n"},
    "folder that is allowed again": {".gitignore": "nets/*\n!nets/deep\n"},
    "contents of a folder": {".gitignore": "nets/**\n!nets/vit.py\n!nets/deep\n!nets/deep/c.py\nlogs/**/events\n"},
    "odd lines": {".gitignore": "!\n\\\ntrain.py\\\n[z-a]*\n \n\r\n*.md \nold.py\r\n**/deep/c.py\n/nets/**/x.bin\n"},
    "no rules": {},
}


@pytest.mark.skipif(shutil.which("git") is None, reason="compares with git")
@pytest.mark.parametrize("inside", ["", "nets", "nets/deep"])
@pytest.mark.parametrize("rules", RULES)
def test_git_leaves_out_the_same(tmp_path: pathlib.Path, rules: str, inside: str) -> None:
    """Also for a folder inside a working tree, where the rules of the folders above apply."""
    write(tmp_path, {**dict.fromkeys(FILES, "x"), **RULES[rules]})
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard"], cwd=tmp_path / inside, check=True, capture_output=True
    )

    assert names_in(tmp_path / inside) == sorted(listed.stdout.decode().splitlines())


def test_a_folder_that_git_ignores_can_be_chosen(folder: pathlib.Path) -> None:
    """Rules of higher folders then do not apply."""
    (folder / ".git").mkdir()
    (folder / ".gitignore").write_text("nets/\n")

    assert names_in(folder / "nets") == ["vit.py"]


def test_the_repository_and_compiled_files_are_left_out(folder: pathlib.Path) -> None:
    """Without any rule."""
    write(folder, {".git/config": "", "nets/__pycache__/vit.cpython-311.pyc": ""})

    assert names_in(folder) == ["nets/vit.py", "train.py"]


def test_a_large_folder_is_refused(folder: pathlib.Path) -> None:
    """The error names what is largest. Sparse files take no space here."""
    for name, size in (("data/train.bin", 300 << 20), ("data/test.bin", 1 << 20), ("weights", 2 << 20)):
        (folder / name).parent.mkdir(exist_ok=True)
        with (folder / name).open("wb") as file:
            file.truncate(size)

    with pytest.raises(UsageError) as error:
        pack(str(folder), io.BytesIO())
    assert error.value.message == (
        f"the source code in {folder} has 317.7 MB, more than 250.0 MB: "
        "data/ (315.6 MB), weights (2.1 MB), train.py (17 B)"
    )
    assert error.value.hint == "add to .gitignore what the job does not need, or give it its data as inputs"


def test_a_whole_disk_is_refused_soon(folder: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not all of its files are looked at."""
    monkeypatch.setattr(source_folder, "MAX_FILES", 2)
    monkeypatch.setattr(source_folder, "MAX_LISTED", 3)
    write(folder, {f"images/{number}.png": "" for number in range(9)})

    with pytest.raises(UsageError, match="has at least 3 files, more than 2: "):
        pack(str(folder), io.BytesIO())


def test_many_files_are_refused(folder: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The error names where most of them are."""
    monkeypatch.setattr(source_folder, "MAX_FILES", 4)
    write(folder, {f"images/{number}.png": "" for number in range(3)})

    with pytest.raises(UsageError, match=r"has 5 files, more than 4: images/ \(3 files\), "):
        pack(str(folder), io.BytesIO())


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ("missing", "{folder} is not a folder"),
        ("unset", " is not a folder"),
        ("file", "{folder} is not a folder"),
        ("empty", "{folder} has no files that git does not ignore"),
        ("name", "the name of 'a\\udcff' is not UTF-8"),
    ],
)
def test_what_cannot_be_packed_is_told(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch, wrong: str, message: str
) -> None:
    """In one sentence."""
    folder = tmp_path / "code"
    if wrong == "file":
        folder.touch()
    elif wrong != "missing":
        folder.mkdir()
        monkeypatch.chdir(folder)
    if wrong == "name":
        (folder / os.fsdecode(b"a\xff")).touch()

    with pytest.raises(UsageError) as error:
        pack("" if wrong == "unset" else str(folder), io.BytesIO())
    assert error.value.message == message.format(folder=folder)


def test_a_file_that_shrinks_meanwhile_is_told(folder: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Instead of an archive with something else in its place."""
    check_size = source_folder.check_size

    def check_and_shrink(name: str, found: list[source_folder.SourceFile]) -> None:
        check_size(name, found)
        (folder / "train.py").write_text("")

    monkeypatch.setattr(source_folder, "check_size", check_and_shrink)
    with pytest.raises(UsageError) as error:
        pack(str(folder), io.BytesIO())
    assert error.value.message == f"{folder} cannot be packed: unexpected end of data"
    assert error.value.hint == "make all files readable, and change none meanwhile"


def test_files_have_a_time_that_archives_know(folder: pathlib.Path) -> None:
    """Zip files, into which some programs pack them again, have none before 1980."""
    tar = gzip.decompress(packed(folder)[1])
    with tarfile.open(fileobj=io.BytesIO(tar)) as archive:
        times = {each.mtime for each in archive}

    assert times == {315_619_200}
