"""Tables fit the terminal; piped output is complete."""

import pytest

from lightboard.cli.tables import fitting_columns, show_list


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
    show_list([{"a": "x" * 300, "b": "y"}], (("A", lambda i: i["a"]), ("B", lambda i: i["b"])), False, "none")

    assert [line.split() for line in capsys.readouterr().out.splitlines()] == [["A", "B"], ["x" * 300, "y"]]


def test_table_cells_are_escaped(capsys: pytest.CaptureFixture[str]) -> None:
    """Escape codes and markup."""
    show_list([{"a": "\x1b[31mred[bold]"}], (("A", lambda i: i["a"]),), False, "none")

    assert capsys.readouterr().out.splitlines()[1].rstrip() == "\\x1b[31mred[bold]"


def test_marks_that_reorder_or_hide_text_are_escaped(capsys: pytest.CaptureFixture[str]) -> None:
    """The joiners of emojis and of Persian words stay."""
    show_list(
        [{"a": "evil \u202egnp.exe\u202c\u200b \u2066x\ufeff 👩\u200d💻"}], (("A", lambda i: i["a"]),), False, "none"
    )

    shown = capsys.readouterr().out.splitlines()[1].rstrip()
    assert shown == "evil \\u202egnp.exe\\u202c\\u200b \\u2066x\\ufeff 👩\u200d💻"


def test_empty_lists_print_a_hint(capsys: pytest.CaptureFixture[str]) -> None:
    """On stderr."""
    show_list([], (("A", str),), False, "nothing here")

    assert capsys.readouterr() == ("", "nothing here\n")


def test_empty_lists_are_valid_json(capsys: pytest.CaptureFixture[str]) -> None:
    """A program need not know better."""
    show_list([], (("A", str),), True, "nothing here")

    assert capsys.readouterr() == ("[]\n", "")
