"""Points as text."""

import json
import math
from array import array

from lightboard.board.points import BATCH, csv_pieces, json_object_pieces, json_row_pieces, python_csv_pieces
from lightboard.query.scalars import Points


def points_of(values: list[float]) -> Points:
    count = len(values)
    return Points(array("q", range(count)), array("d", map(float, range(count))), array("d", values), bytes(count))


def json_rows(points: Points) -> bytes:
    return b"".join(json_row_pieces([points]))


def csv_of(points: Points, *, with_superseded: bool = False) -> bytes:
    return b"".join(python_csv_pieces([points], with_superseded=with_superseded))


def csv_quickly(points: Points, *, with_superseded: bool = False) -> bytes:
    return b"".join(csv_pieces(points, with_superseded=with_superseded))


def test_batches_form_one_list() -> None:
    """Without gaps or duplicates."""
    values = [i / 7 for i in range(2 * BATCH + 1)]

    rows = json.loads(json_rows(points_of(values)))

    assert rows == [[float(i), i, value] for i, value in enumerate(values)]


def test_doubles_round_trip() -> None:
    """Tiny, huge, and inexact decimals."""
    values = [5e-324, 1.7976931348623157e308, 0.1, 1 / 3, -0.0, 2.0**53 + 2]

    in_json = [row["value"] for row in json.loads(b"".join(json_object_pieces([points_of(values)])))]
    in_csv = [float(line.split(",")[2]) for line in csv_of(points_of(values)).decode().split("\r\n")[1:-1]]

    assert [value.hex() for value in in_json] == [value.hex() for value in values]
    assert [value.hex() for value in in_csv] == [value.hex() for value in values]


def test_nonfinite_numbers_are_words() -> None:
    """Strings in JSON, Python's in CSV."""
    points = points_of([math.nan, math.inf, -math.inf])

    assert [row[2] for row in json.loads(json_rows(points))] == ["NaN", "Infinity", "-Infinity"]
    assert csv_of(points).decode().split("\r\n")[1:-1] == ["0.0,0,nan", "1.0,1,inf", "2.0,2,-inf"]


def test_an_empty_series_is_an_empty_list() -> None:
    """And a CSV with a header only."""
    assert (json_rows(points_of([])), csv_of(points_of([]))) == (b"[]", b"Wall time,Step,Value\r\n")


def test_the_fast_writer_gives_the_same_table() -> None:
    """For tiny, huge, missing and superseded points."""
    points = points_of([5e-324, 1e-5, 1e16, 1e22, 0.1, math.nan, math.inf, -math.inf, -0.0])

    for with_superseded in (False, True):
        slow, quick = (make(points, with_superseded=with_superseded).decode() for make in (csv_of, csv_quickly))
        assert quick.split("\r\n")[0] == slow.split("\r\n")[0]
        rows = [
            [[float(cell).hex() for cell in row.split(",")] for row in text.split("\r\n")[1:-1]]
            for text in (slow, quick)
        ]
        assert rows[0] == rows[1]
    assert csv_quickly(points_of([])) == csv_of(points_of([]))
