"""Archives of source code as accounts might send them."""

import gzip
import io
import tarfile
import zlib
from collections.abc import Callable, Mapping

from lightboard.hub.db import source_code
from lightboard.hub.resources.source_code import SourceCode
from lightboard.hub.source_tar import contents_of
from support.hub_client import HubClient

FILES = {"train.py": b"print('trained')\n", "nets/vit.py": b"layers = 12\n"}


def member(name: str, size: int = 0, **fields: object) -> tarfile.TarInfo:
    """A member with some other fields."""
    made = tarfile.TarInfo(name)
    made.size = size
    for key, value in fields.items():
        setattr(made, key, value)
    return made


def tar_of(*members: tarfile.TarInfo) -> bytes:
    """A tar file; the files in it have zeros."""
    written = io.BytesIO()
    with tarfile.open(fileobj=written, mode="w") as archive:
        for each in members:
            archive.addfile(each, io.BytesIO(bytes(each.size)))
    return written.getvalue()


def archive_of(files: Mapping[str, bytes] | None = None, tar_format: int = tarfile.PAX_FORMAT) -> bytes:
    """A gzipped tar file with these files."""
    written = io.BytesIO()
    with tarfile.open(fileobj=written, mode="w", format=tar_format) as archive:
        for name, content in (FILES if files is None else files).items():
            archive.addfile(member(name, len(content)), io.BytesIO(content))
    return gzip.compress(written.getvalue(), mtime=0)


def store_source_code(hub: HubClient, project: str, content: str = "") -> str:
    """The digest of an archive that the editor has uploaded to a project (an id)."""
    with hub.hub.jobs.source_archives.new_upload("") as upload:
        upload.write_bytes(archive_of({**FILES, "more": content.encode()}))
        with upload.open("rb") as file:
            contents = contents_of(file)
        with hub.hub.jobs.source_archives.adding(upload, contents.digest) as size, hub.database.write() as session:
            source_code.put(
                session,
                SourceCode(
                    project=project,
                    digest=contents.digest,
                    owner=hub.personas.editor.account,
                    files=contents.files,
                    size_bytes=contents.size_bytes,
                    packed_bytes=size,
                    uploaded_at=hub.now,
                ),
            )
    return contents.digest


def hostile_archives() -> dict[str, Callable[[], bytes]]:
    """Archives that must be refused, by what is wrong with them."""

    def packed(*members: tarfile.TarInfo) -> Callable[[], bytes]:
        return lambda: gzip.compress(tar_of(*members))

    link = {"type": tarfile.SYMTYPE}
    return {
        "absolute path": packed(member("/etc/cron.d/job", 1)),
        "path that leads up": packed(member("../key", 1)),
        "path that leads up later": packed(member("a/../../key", 1)),
        "file below a link": packed(member("a", linkname="b", **link), member("a/file", 1)),
        "file below a file": packed(member("a", 1), member("a/file", 1)),
        "file in place of a folder": packed(member("a/file", 1), member("a", 1)),
        "file twice": packed(member("a", 1), member("a", 1)),
        "file without a name": packed(member(".", 1)),
        "link to an absolute path": packed(member("a", linkname="/etc/passwd", **link)),
        "link that leads up": packed(member("a/b", linkname="../../key", **link)),
        "link to nothing": packed(member("a", linkname="", **link)),
        "hard link": packed(member("a", 1), member("b", type=tarfile.LNKTYPE, linkname="a")),
        "device": packed(member("a", type=tarfile.CHRTYPE)),
        "pipe": packed(member("a", type=tarfile.FIFOTYPE)),
        "path that is too long": packed(member("/".join(["abcdefghi"] * 120), 1)),
        "name that is too long": packed(member("n" * 256, 1)),
        "name that is not UTF-8": lambda: gzip.compress(
            tar_of(member("AAAA", 1)).replace(b"AAAA", b"\xff\xfeAA").replace(*checksums("AAAA"))
        ),
        "link that leads up through another": packed(
            member("d", linkname=".", **link), member("a", linkname="d/../key", **link)
        ),
        "sparse file": packed(member("a", 1, pax_headers={"GNU.sparse.size": "1000000000000"})),
        "size that is larger than the file": packed(member("a", 1, pax_headers={"size": "1000000000000"})),
        "negative size": lambda: gzip.compress(extended(b"0", b"", b"-0000000512") + bytes(1024)),
        "header that is too long": packed(member("a", 1, pax_headers={"comment": "1" * 1_000_000})),
        "name that is too long for memory": lambda: gzip.compress(extended(b"L", b"n" * 20_000_000)),
        "headers without end": lambda: gzip.compress(extended(b"L", b"n") * 100_001, 1),
        "records without end": lambda: gzip.compress(extended(b"x", b"0 " * 4_000)),
        "record that is too long": lambda: gzip.compress(extended(b"x", b"999 path=a\n")),
        "record with a negative length": lambda: gzip.compress(extended(b"x", b"-9 path=a\n")),
        "padding without end": lambda: gzip.compress(tar_of(member("a", 1)) + bytes(30_000_000)),
        "another gzip file": lambda: archive_of() + gzip.compress(b""),
        "zeros after the gzip file": lambda: archive_of() + bytes(1000),
        "larger than without compression": lambda: padded_gzip(tar_of(member("a", 1))),
        "no files": packed(member("a", type=tarfile.DIRTYPE)),
        "nothing": lambda: gzip.compress(b""),
        "no gzip": lambda: tar_of(member("a", 1)),
        "no tar": lambda: gzip.compress(b"#!/bin/sh\n" * 200),
        "content after the end": lambda: gzip.compress(tar_of(member("a", 1)) + tar_of(member("b", 1))),
        "damaged header": lambda: gzip.compress(tar_of(member("a", 1), member("b", 1)).replace(b"b\0\0", b"c\0\0", 1)),
    }


def extended(kind: bytes, content: bytes, size: bytes = b"") -> bytes:
    """A member of a kind with its content; `size` stands in its header instead of that of the content."""
    header = bytearray(tar_of(member("a", 1))[:512])
    header[124:136] = (size or b"%011o" % len(content)) + b"\0"
    header[156:157] = kind
    header[148:156] = b" " * 8
    header[148:156] = b"%06o\0 " % sum(header)
    return bytes(header) + content + bytes(-len(content) % 512)


def padded_gzip(content: bytes) -> bytes:
    """A gzip file of which most parts contain nothing."""
    compressor = zlib.compressobj(wbits=31)
    first = compressor.compress(content)
    empty = b"".join(compressor.flush(zlib.Z_FULL_FLUSH) for _ in range(2))
    return first + empty + b"\0\0\0\xff\xff" * 100_000 + compressor.flush()


def checksums(name: str) -> tuple[bytes, bytes]:
    """The checksum in the header of `name`, and that of one that begins with bytes 255 and 254 instead."""
    header = tar_of(member(name, 1))[:512]
    before = header[148:154]
    return before, b"%06o" % (int(before, 8) - 2 * ord("A") + 255 + 254)
