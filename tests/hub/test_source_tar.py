"""Archives of source code are checked when they arrive."""

import gzip
import hashlib
import io
import pathlib
import subprocess
import tarfile

import pytest

from lightboard.errors import Invalid
from lightboard.hub import source_tar
from lightboard.hub.source_tar import Contents, TarStream, contents_of, entries
from support.source_archives import FILES, archive_of, hostile_archives, member, tar_of

HOSTILE = hostile_archives()


def test_contents_are_counted() -> None:
    """The digest is that of the tar file, whatever compressed it."""
    archive = archive_of()
    tar = gzip.decompress(archive)

    expected = Contents(digest=hashlib.sha256(tar).hexdigest(), files=2, size_bytes=29)
    assert contents_of(io.BytesIO(archive)) == expected
    assert contents_of(io.BytesIO(gzip.compress(tar, 1))) == expected


def test_entries_have_what_a_job_needs() -> None:
    """Content, whether it is a program, and the target of links; folders are left out."""
    tar = tar_of(
        member("./", type=tarfile.DIRTYPE),
        member("./run.sh", 3, mode=0o755),
        member("nets/vit.py", 2, mode=0o644),
        member("nets/best.py", type=tarfile.SYMTYPE, linkname="../nets/vit.py"),
    )
    found = [
        (entry.path, entry.size_bytes, entry.is_executable, entry.target, b"".join(entry.data))
        for entry in entries(TarStream(io.BytesIO(gzip.compress(tar))))
    ]

    assert found == [
        ("run.sh", 3, True, "", bytes(3)),
        ("nets/vit.py", 2, False, "", bytes(2)),
        ("nets/best.py", 0, False, "../nets/vit.py", b""),
    ]


@pytest.mark.parametrize("wrong", HOSTILE)
def test_hostile_archives_are_refused(wrong: str) -> None:
    """With one error that says what is wrong."""
    with pytest.raises(Invalid):
        contents_of(io.BytesIO(HOSTILE[wrong]()))


def test_an_archive_that_was_cut_off_is_refused() -> None:
    """Wherever that was: in the compressed file, or in the tar file before it was compressed."""
    archive = archive_of()
    tar = gzip.decompress(archive)
    content_end = len(tar.rstrip(b"\0"))
    cut = [archive[:end] for end in range(len(archive))]
    cut += [gzip.compress(tar[:end], 1) for end in range(0, content_end, 17)]

    for each in cut:
        with pytest.raises(Invalid):
            contents_of(io.BytesIO(each))


@pytest.mark.parametrize("limit", ["MAX_BYTES", "MAX_TAR_BYTES"])
def test_large_archives_are_refused(monkeypatch: pytest.MonkeyPatch, limit: str) -> None:
    """By what they contain, not by what they have shrunk to."""
    monkeypatch.setattr(source_tar, limit, 900_000)
    bomb = gzip.compress(tar_of(member("zeros", 1_000_000)))

    with pytest.raises(Invalid, match="the source code has more than"):
        contents_of(io.BytesIO(bomb))


@pytest.mark.parametrize(
    ("limit", "kind"), [("MAX_FILES", "files"), ("MAX_FOLDERS", "folders"), ("MAX_HEADERS", "headers")]
)
def test_archives_with_many_paths_are_refused(monkeypatch: pytest.MonkeyPatch, limit: str, kind: str) -> None:
    """They fill memory and folders."""
    monkeypatch.setattr(source_tar, limit, 3)
    archive = archive_of({f"folder{number}/file": b"" for number in range(4)})

    with pytest.raises(Invalid, match=f"more than 3 {kind}"):
        contents_of(io.BytesIO(archive))


def test_the_error_names_the_path() -> None:
    """So that its sender knows what to leave out."""
    with pytest.raises(Invalid, match=r"the link a/b leads out of the source code, to \.\./\.\./key"):
        contents_of(io.BytesIO(HOSTILE["link that leads up"]()))


def test_the_files_of_the_example_are_read() -> None:
    """As they were packed."""
    found = entries(TarStream(io.BytesIO(archive_of())))

    assert {entry.path: b"".join(entry.data) for entry in found} == FILES


LONG = "/".join(["a-folder-with-a-long-name"] * 12)
NAMED = {
    f"{LONG}/train.py": b"long",
    "训练/модель.py": b"names",
    "empty": b"",
    "block": bytes(512),
    "more": bytes(70_000),
}
"""What the formats of tar files store in different ways."""


@pytest.mark.parametrize("tar_format", [tarfile.USTAR_FORMAT, tarfile.GNU_FORMAT, tarfile.PAX_FORMAT])
def test_tar_files_of_all_formats_are_read(tar_format: int) -> None:
    """As Python writes them; ustar has no names as long as these."""
    files = {name: content for name, content in NAMED.items() if tar_format != tarfile.USTAR_FORMAT or LONG not in name}
    found = entries(TarStream(io.BytesIO(archive_of(files, tar_format))))

    assert {entry.path: b"".join(entry.data) for entry in found} == files


@pytest.mark.parametrize("tar_format", ["v7", "ustar", "oldgnu", "gnu", "posix"])
def test_tar_files_of_the_system_are_read(tmp_path: pathlib.Path, tar_format: str) -> None:
    """With all that GNU tar stores besides, such as owners and times; v7 has the shortest names."""
    short = {name: content for name, content in NAMED.items() if LONG not in name}
    files = NAMED if tar_format in ("oldgnu", "gnu", "posix") else short
    for name, content in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(content)
    (tmp_path / "link").symlink_to("empty")
    packed = subprocess.run(
        ["tar", "-C", str(tmp_path), f"--format={tar_format}", "-cz", "."], check=True, capture_output=True
    )
    found = entries(TarStream(io.BytesIO(packed.stdout)))

    assert {entry.path: (entry.target, b"".join(entry.data)) for entry in found} == {
        **{name: ("", content) for name, content in files.items()},
        "link": ("empty", b""),
    }
