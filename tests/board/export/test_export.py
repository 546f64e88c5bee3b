"""Exports of many series, exact to the last bit."""

import csv
import io
import json
import math
import struct
import zipfile
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lightboard.board.export.export import Read, SeriesId, TextFile, archive, document, join_small_pieces, table
from lightboard.errors import TagNotFound
from lightboard.query.export import LongSeries
from lightboard.query.scalars import Points

Series = dict[tuple[str, str], Points]

ODD_RUN = 'a,"b"\nc/../каша'
SOME: Series = {
    ("r", "loss"): Points([0, 1, 2], [100.0, 100.5, 1e-7], [0.1, math.nan, math.inf], [0, 1, 0]),
    (ODD_RUN, "loss"): Points([-(2**63), 2**63 - 1], [1.7e9, 0.0], [-math.inf, 5e-324], [0, 0]),
}


def read_from(series: Series) -> Read:
    """Reads as a provider does; superseded points only if asked for."""

    def read(run: str, tag: str, orphans: bool) -> LongSeries:
        if (run, tag) not in series:
            raise TagNotFound(tag)
        points = series[run, tag]
        kept = [index for index, mark in enumerate(points.superseded) if orphans or not mark]
        one_by_one = (Points(*([column[index]] for column in points)) for index in kept)
        return LongSeries(len(points.steps), one_by_one)

    return read


def chosen(series: Series) -> list[SeriesId]:
    return [SeriesId(run, tag) for run, tag in series]


def bits(number: float) -> bytes:
    """Tells every double from every other; all NaN are one."""
    return struct.pack("<d", math.nan if math.isnan(number) else number)


def test_a_table_has_a_row_for_each_point() -> None:
    """Under one header, with quoted names."""
    text = b"".join(table(read_from(SOME), chosen(SOME), orphans=True)).decode()

    assert list(csv.reader(io.StringIO(text, newline=""))) == [
        ["run", "tag", "step", "wall_time", "value", "superseded"],
        ["r", "loss", "0", "100.0", "0.1", "0"],
        ["r", "loss", "1", "100.5", "NaN", "1"],
        ["r", "loss", "2", "1e-7", "Infinity", "0"],
        [ODD_RUN, "loss", "-9223372036854775808", "1700000000.0", "-Infinity", "0"],
        [ODD_RUN, "loss", "9223372036854775807", "0.0", "5e-324", "0"],
    ]


def test_superseded_points_are_optional() -> None:
    """And their column."""
    text = b"".join(table(read_from(SOME), [SeriesId("r", "loss")], orphans=False)).decode()

    assert text == "run,tag,step,wall_time,value\r\nr,loss,0,100.0,0.1\r\nr,loss,2,1e-7,Infinity\r\n"


def test_json_has_an_entry_for_each_series() -> None:
    """Like a single series, with strings for values that JSON lacks."""
    text = b"".join(document(read_from(SOME), chosen(SOME), orphans=False))

    assert json.loads(text) == {
        "series": [
            {"run": "r", "tag": "loss", "points": [[100.0, 0, 0.1], [1e-7, 2, "Infinity"]]},
            {
                "run": ODD_RUN,
                "tag": "loss",
                "points": [[1.7e9, -(2**63), "-Infinity"], [0.0, 2**63 - 1, 5e-324]],
            },
        ]
    }


@pytest.mark.parametrize(
    ("form", "nothing"), [(table, b"run,tag,step,wall_time,value\r\n"), (document, b'{"series":[]}')]
)
def test_an_empty_export_has_a_header(form: Any, nothing: bytes) -> None:
    """With its head."""
    assert b"".join(form(read_from({}), [], orphans=False)) == nothing


@given(st.lists(st.tuples(st.integers(-(2**63), 2**63 - 1), st.floats(), st.floats())))
def test_numbers_round_trip(rows: list[tuple[int, float, float]]) -> None:
    """From CSV and JSON."""
    steps, walls, values = ([row[index] for row in rows] for index in range(3))
    series = {("r", "t"): Points(steps, walls, values, [0] * len(rows))}
    text = b"".join(table(read_from(series), chosen(series), orphans=False)).decode()
    (entry,) = json.loads(b"".join(document(read_from(series), chosen(series), orphans=False)))["series"]

    from_csv = [
        (int(step), bits(float(wall)), bits(float(value)))
        for _, _, step, wall, value in csv.reader(text.splitlines()[1:])
    ]
    from_json = [(step, bits(float(wall)), bits(float(value))) for wall, step, value in entry["points"]]
    assert from_csv == from_json == [(step, bits(wall), bits(value)) for step, wall, value in rows]


def test_archives_have_a_file_per_series_and_an_index() -> None:
    """File names are sanitized, the index has stored names; given files are added."""
    texts = [TextFile("charts/loss.svg", "<svg/>"), TextFile("../view.json", "{}"), TextFile("index.csv", "mine")]
    data = b"".join(archive(read_from(SOME), chosen(SOME), texts, format="csv", orphans=False))
    files = zipfile.ZipFile(io.BytesIO(data))

    assert {name: files.read(name).decode() for name in files.namelist()} == {
        "charts/loss.svg": "<svg/>",
        "_/view.json": "{}",
        "index-2.csv": "mine",
        "scalars/loss/r.csv": "step,wall_time,value\r\n0,100.0,0.1\r\n2,1e-7,Infinity\r\n",
        "scalars/loss/a,_b_c_.._каша.csv": "step,wall_time,value\r\n-9223372036854775808,1700000000.0,-Infinity\r\n"
        "9223372036854775807,0.0,5e-324\r\n",
        "index.csv": "file,run,tag,points\r\nscalars/loss/r.csv,r,loss,2\r\n"
        '"scalars/loss/a,_b_c_.._каша.csv","a,""b""\nc/../каша",loss,2\r\n',
    }


def test_json_archives() -> None:
    """Entries equal responses of single series."""
    data = b"".join(archive(read_from(SOME), [SeriesId("r", "loss")], [], format="json", orphans=True))

    assert json.loads(zipfile.ZipFile(io.BytesIO(data)).read("scalars/loss/r.json")) == {
        "run": "r",
        "tag": "loss",
        "points": [[100.0, 0, 0.1, 0], [100.5, 1, "NaN", 1], [1e-7, 2, "Infinity", 0]],
    }


def test_deleted_series_are_omitted() -> None:
    """Runs may disappear during an export."""
    asked = [SeriesId("gone", "loss"), SeriesId("r", "loss"), SeriesId("r", "loss")]

    assert b"".join(table(read_from(SOME), asked, orphans=False)).count(b"\r\n") == 1 + 2


def test_series_are_read_lazily() -> None:
    """The second one after the first was sent."""
    asked: list[str] = []

    def wanted() -> Iterator[SeriesId]:
        yield SeriesId("a", "t")
        asked.append("too early")
        yield SeriesId("b", "t")

    def read(run: str, tag: str, orphans: bool) -> LongSeries:
        asked.append(run)
        return LongSeries(1, iter([Points([1], [1.0], [1.0], [0])]))

    pieces: Iterator[bytes] = table(read, wanted(), orphans=False)
    next(pieces)
    next(pieces)

    assert asked == ["a"]


def test_small_chunks_are_merged() -> None:
    """Same bytes, fewer sends."""
    assert list(join_small_pieces([b"a"] * 7, 3)) == [b"aaa", b"aaa", b"a"]
