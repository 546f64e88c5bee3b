"""Metadata of points: columns, their kinds, and missing or extra lines."""

import math

import numpy as np
import pytest

from lightboard.errors import BadRequest, Unshowable
from lightboard.query.projector import metadata, search
from lightboard.query.projector.metadata import Metadata, column_of, parse_metadata
from lightboard.query.projector.search import Matches


def cells(metadata: Metadata) -> dict[str, list[str]]:
    return {one.name: [one.labels[code] for code in one.codes] for one in metadata.columns}


@pytest.mark.parametrize(
    ("text", "columns"),
    [
        ("a\nb\nc", {"label": ["a", "b", "c"]}),
        ("a\nb\nc\n", {"label": ["a", "b", "c"]}),
        ("a\n\nc\n", {"label": ["a", "", "c"]}),
        ("a\n\nb\n\nc\n", {"label": ["a", "b", "c"]}),
        ("a\r\nb\r\nc\r\n", {"label": ["a", "b", "c"]}),
        ("x\ty\n1\t2\n3\n4\t5\t6\n", {"x": ["1", "3", "4"], "y": ["2", "", "5"]}),
        ("x\tx\t\n1\t2\t3\n", {"x": ["1", "", ""], "x (2)": ["2", "", ""], "column 3": ["3", "", ""]}),
        ("каша\n<b>\n🙂\n", {"label": ["каша", "<b>", "🙂"]}),
        ("a\nb\nc\nd\n", {"label": ["a", "b", "c"]}),
        ("", {"label": ["", "", ""]}),
    ],
)
def test_metadata_columns_are_read(text: str, columns: dict[str, list[str]]) -> None:
    """The first line is a header if it has a tab. Missing cells are empty."""
    assert cells(parse_metadata(text.encode(), 3)) == columns


@pytest.mark.parametrize(
    ("text", "lines"),
    [("a\nb\nc", 3), ("a\nb\nc\n", 3), ("a\n\n\nb\n\n\n", 2), ("x\ty\n1\t2\n", 1), ("a\n" * 9, 9), ("", 0)],
)
def test_metadata_lines_are_counted(text: str, lines: int) -> None:
    """People see whether they match the points."""
    assert parse_metadata(text.encode(), 3).lines == lines


def test_metadata_with_too_many_cells_loses_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    """But no points."""
    monkeypatch.setattr(metadata, "MAX_CELLS", 6)
    assert cells(parse_metadata(b"x\ty\tz\n1\t2\t3\n4\t5\t6\n", 3)) == {"x": ["1", "4", ""], "y": ["2", "5", ""]}


def test_metadata_that_is_not_utf8_is_shown() -> None:
    """With replacement characters."""
    assert cells(parse_metadata(b"a\xff\nb\n", 2)) == {"label": ["a\ufffd", "b"]}


@pytest.mark.parametrize(
    ("labels", "kind"),
    [
        (["1", "2.5", "-3e4", ""], "number"),
        (["nan", "inf", "1"], "number"),
        (["1_000", "2"], "category"),
        (["", "", ""], "category"),
        (["a", "b", "a"], "category"),
        (["a", "b"], "category"),
        (["a", "b", "c"], "text"),
        ([str(n // 2) + "x" for n in range(100)], "category"),
        ([str(n * 2 // 3) + "x" for n in range(100)], "text"),
    ],
)
def test_the_kind_of_a_column_is_inferred(labels: list[str], kind: str) -> None:
    """Numbers, a few repeated texts, or texts that are mostly different."""
    assert column_of("x", labels, len(labels)).kind == kind


def test_number_columns_have_numbers() -> None:
    """NaN for empty cells."""
    column = column_of("x", ["1", "", "2.5", "1"], 4)
    assert column.numbers is not None
    assert [str(one) for one in column.numbers[column.codes].tolist()] == ["1.0", "nan", "2.5", "1.0"]
    assert math.isnan(column.numbers[1])


LABELS = ["Cat", "dog", "catalog", "", "c+t", "dog"]


@pytest.mark.parametrize(
    ("query", "regex", "rows"),
    [
        ("cat", False, [0, 2]),
        ("C+T", False, [4]),
        ("^(cat|dog)$", True, [0, 1, 5]),
        ("", False, [0, 1, 2, 3, 4, 5]),
        ("^$", True, [3]),
        ("bird", False, []),
    ],
)
def test_points_are_searched(query: str, regex: bool, rows: list[int]) -> None:
    """By a case-insensitive text, or a regular expression."""
    assert search.search(column_of("x", LABELS, 6), query, regex=regex) == Matches(rows, len(rows))


def test_search_results_are_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    """The total is not."""
    monkeypatch.setattr(search, "MAX_ROWS", 2)
    assert search.search(column_of("x", LABELS, 6), "", regex=False) == Matches([0, 1], 6)


def test_invalid_point_patterns_are_refused() -> None:
    """With the reason."""
    with pytest.raises(BadRequest, match="unterminated character set"):
        search.search(column_of("x", LABELS, 6), "[a", regex=True)


def test_slow_point_patterns_time_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise they would block the server."""
    monkeypatch.setattr(search, "PATTERN_SECS", 0.5)
    with pytest.raises(Unshowable, match="this pattern takes too long"):
        search.search(column_of("x", ["a" * 60 + "b"], 1), "^(a+)+$", regex=True)


def test_a_hundred_thousand_labels_are_read() -> None:
    """Each point keeps its own."""
    found = parse_metadata("".join(f"w{n}\n" for n in range(100_000)).encode(), 100_000)
    assert np.array_equal(found.columns[0].codes, np.arange(100_000))
