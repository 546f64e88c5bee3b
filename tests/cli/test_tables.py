"""Tables fit the terminal; piped output is complete."""

import pytest

from lightboard.cli.tables import TABLE, Format, fitting_columns, show_list, show_one


@pytest.mark.parametrize(
    ("widths", "room", "shown"),
    [
        ([10, 10, 10, 10, 10], None, [0, 1, 2, 3, 4]),
        ([10, 10, 10, 10, 10], 58, [0, 1, 2, 3, 4]),
        ([10, 10, 10, 10, 10], 57, [0, 1, 2, 3]),
        ([10, 10, 10, 10, 10], 5, [0, 1, 2, 3]),
        ([10, 10], 5, [0, 1]),
    ],
)
def test_columns_are_dropped_from_the_right(widths: list[int], room: int | None, shown: list[int]) -> None:
    """The first four stay."""
    assert fitting_columns(widths, room) == shown


def test_piped_tables_are_not_truncated(capsys: pytest.CaptureFixture[str]) -> None:
    """Programs read them by lines."""
    show_list([{"a": "x" * 300, "b": "y"}], (("A", lambda i: i["a"]), ("B", lambda i: i["b"])), TABLE, "none")

    assert [line.split() for line in capsys.readouterr().out.splitlines()] == [["A", "B"], ["x" * 300, "y"]]


def test_table_cells_are_escaped(capsys: pytest.CaptureFixture[str]) -> None:
    """Escape codes and markup."""
    show_list([{"a": "\x1b[31mred[bold]"}], (("A", lambda i: i["a"]),), TABLE, "none")

    assert capsys.readouterr().out.splitlines()[1].rstrip() == "\\x1b[31mred[bold]"


def test_marks_that_reorder_or_hide_text_are_escaped(capsys: pytest.CaptureFixture[str]) -> None:
    """The joiners of emojis and of Persian words stay."""
    show_list(
        [{"a": "evil \u202egnp.exe\u202c\u200b \u2066x\ufeff 👩\u200d💻"}], (("A", lambda i: i["a"]),), TABLE, "none"
    )

    shown = capsys.readouterr().out.splitlines()[1].rstrip()
    assert shown == "evil \\u202egnp.exe\\u202c\\u200b \\u2066x\\ufeff 👩\u200d💻"


def test_empty_lists_print_a_hint(capsys: pytest.CaptureFixture[str]) -> None:
    """On stderr."""
    show_list([], (("A", str),), TABLE, "nothing here")

    assert capsys.readouterr() == ("", "nothing here\n")


def test_empty_lists_are_valid_json(capsys: pytest.CaptureFixture[str]) -> None:
    """A program need not know better."""
    show_list([], (("A", str),), Format.JSON, "nothing here")

    assert capsys.readouterr() == ("[]\n", "")


def test_data_is_printed_in_either_format(capsys: pytest.CaptureFixture[str]) -> None:
    """Whole, whatever the columns are."""
    for output in (Format.JSON, Format.YAML):
        show_one({"a": "x", "b": [1]}, (("A", lambda i: i["a"]),), output)

    assert capsys.readouterr().out == '{\n  "a": "x",\n  "b": [\n    1\n  ]\n}\na: x\nb:\n  - 1\n'
