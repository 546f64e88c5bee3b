"""Tables of numbers in all supported formats, and errors of invalid ones."""

import numpy as np
import pytest

from lightboard.errors import Unshowable
from lightboard.query.projector import matrix
from support.projector_files import CONFIG, config, npy, npz, rows_of, service_of, service_with, tsv

ROWS = np.array([[1.5, -2.0, 3e-7], [4.0, 5.25, -6.0]], np.float32)
SHAPE = "tensor_shape: 2 tensor_shape: 3"


@pytest.mark.parametrize(
    ("data", "path", "fields"),
    [
        (tsv(ROWS), "t.tsv", ""),
        (tsv(ROWS).replace(b"\n", b"\r\n") + b"\n\n", "t.tsv", ""),
        (b"\n" + tsv(ROWS).rstrip(), "t.tsv", ""),
        (ROWS.tobytes(), "t.bytes", SHAPE),
        (npy(ROWS), "t.npy", ""),
        (npy(np.asfortranarray(ROWS)), "t", ""),
        (npy(ROWS.astype(">f8")), "t.npy", ""),
        (npz(words=np.arange(3), x=ROWS), "t.npz", ""),
    ],
)
def test_tables_of_all_formats_are_read(data: bytes, path: str, fields: str) -> None:
    """The same float32 rows from each."""
    service = service_with(data, path=path, fields=fields)
    assert (rows_of(service), service.size(service.entry(".", "x"))) == (ROWS.tolist(), (2, 3))


def test_nonfinite_numbers_of_tables_are_read() -> None:
    """NaN and infinities, in any spelling."""
    assert repr(rows_of(service_with(b"1\tnan\n-inf\tInfinity\n"))) == "[[1.0, nan], [-inf, inf]]"


def test_tables_longer_than_a_chunk_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """Chunks end at line ends."""
    many = np.arange(30_000, dtype=np.float32).reshape(-1, 3) / 7
    found = service_with(b"".join(b"%.9g\t%.9g\t%.9g\n" % tuple(row) for row in many.tolist()) * 8)
    entry = found.entry(".", "x")
    assert found.size(entry) == (80_000, 3)
    assert np.array_equal(found.tables.rows(entry), np.tile(many, (8, 1)))


@pytest.mark.parametrize(
    ("data", "path", "fields", "why"),
    [
        (b"", "t", "", "x has 0 rows of 0 numbers"),
        (b"1\t2\n3\n", "t", "", "the number of columns changed from 2 to 1 at row 2"),
        (b"1\t2\n3\t4,5\n", "t", "", "could not convert string '4,5'"),
        (b"hello\tworld\n", "t", "", "the config gives no tensor_shape"),
        (b"\0" * 23, "t", SHAPE, "t has 23 bytes; 2 x 3 float32 would take 24"),
        (
            b"\0" * 24,
            "t",
            "tensor_shape: 4000000000 tensor_shape: 4000000000",
            "float32 would take 64000000000000000000",
        ),
        (b"\0" * 24, "t", "tensor_shape: 6", "gives no tensor_shape of two numbers"),
        (b"\0" * 24, "t", "tensor_shape: 0 tensor_shape: 0", "0 x 0 float32 would take 0"),
        (npy(ROWS)[:-1], "t", "", "t ends before its numbers do"),
        (npy(np.arange(3)), "t", "", "has the shape"),
        (npy(np.array([["a", "b"]])), "t", "", "holds <U1 instead of numbers"),
        (npy(ROWS).replace(b"(2, 3)", b"(9**99, 3)"[:6]), "t", "", "damaged"),
        (b"\x93NUMPY\x01\x00\xff\xff{", "t", "", "the header of t is damaged"),
        (b"\x93NUMPY\x02\x00\xff\xff\xff\xff" + npy(ROWS)[10:], "t", "", "the header of t is damaged"),
        (b"PK\x03\x04 nothing", "t.npz", "", "t.npz is damaged"),
        (npz(), "t.npz", "", "t.npz holds no table"),
        (npz(x=ROWS)[:-30], "t.npz", "", "t.npz is damaged"),
    ],
)
def test_invalid_tables_are_unshowable(data: bytes, path: str, fields: str, why: str) -> None:
    """Damaged, of another shape, or with a wrong size."""
    with pytest.raises(Unshowable, match=why.replace("(", r"\(")):
        rows_of(service_with(data, path=path, fields=fields))


def test_pickles_are_refused() -> None:
    """They could run any code."""
    with pytest.raises(Unshowable, match=r"holds object|holds \|O"):
        rows_of(service_with(npy(np.array([[{}, {}]], dtype=object)), path="t.npy"))


def test_oversized_tables_give_their_first_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    """In every format. The size counts all rows."""
    monkeypatch.setattr(matrix, "MAX_NUMBERS", 6)
    rows = np.arange(12, dtype=np.float32).reshape(4, 3)
    forms = [(tsv(rows), "t", ""), (npy(rows), "t", ""), (rows.tobytes(), "t", "tensor_shape: 4 tensor_shape: 3")]
    for data, path, fields in forms:
        service = service_with(data, path=path, fields=fields)
        assert (rows_of(service), service.size(service.entry(".", "x"))) == (rows[:2].tolist(), (4, 3))


def test_changed_tables_are_read_again() -> None:
    """The cache notices."""
    from lightboard.query.projector.tables import Tables

    service = service_with(tsv(ROWS))
    entry = service.entry(".", "x")
    before = service.tables.rows(entry).tolist()
    entry.folder.storage.write("t", tsv(ROWS + 1))  # type: ignore[attr-defined]
    assert isinstance(service.tables, Tables)
    assert (before, service.tables.rows(entry).tolist()) == (ROWS.tolist(), (ROWS + 1).tolist())


def test_tensor_names_come_from_the_config() -> None:
    """torch appends the step. Nameless tensors use the file name, and of two equal names the first counts."""
    files = {
        CONFIG: config(
            'tensor_name: "words:00007" tensor_path: "a"',
            'tensor_path: "deep/b.tsv"',
            'tensor_name: "words:00007" tensor_path: "deep/b.tsv"',
        ),
        "a": tsv(ROWS),
        "deep/b.tsv": tsv(ROWS),
    }
    found = service_of(files).found()
    assert [(one.name, one.tensor, one.step, one.embedding.tensor_path) for one in found.entries] == [
        ("words:00007", "words", 7, "a"),
        ("b.tsv", "b.tsv", None, "deep/b.tsv"),
    ]
