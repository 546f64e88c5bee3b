"""Tables fit the terminal; what is piped is whole."""

import pytest

from lightboard.cli.remote import fitting, show_list, size_text


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
def test_columns_that_do_not_fit_are_left_out_from_the_last(
    widths: list[int], room: int | None, shown: list[int]
) -> None:
    """The four that people need stay."""
    assert fitting(widths, room) == shown


def test_a_piped_table_is_not_cut(capsys: pytest.CaptureFixture[str]) -> None:
    """Whatever its width: programs read it by lines."""
    show_list([{"a": "x" * 300, "b": "y"}], (("A", lambda i: i["a"]), ("B", lambda i: i["b"])), False, "none")

    assert [line.split() for line in capsys.readouterr().out.splitlines()] == [["A", "B"], ["x" * 300, "y"]]


def test_names_of_strangers_give_a_terminal_no_orders(capsys: pytest.CaptureFixture[str]) -> None:
    """Neither escape codes nor markup."""
    show_list([{"a": "\x1b[31mred[bold]"}], (("A", lambda i: i["a"]),), False, "none")

    assert capsys.readouterr().out.splitlines()[1].rstrip() == "\\x1b[31mred[bold]"


def test_an_empty_list_says_what_to_do(capsys: pytest.CaptureFixture[str]) -> None:
    """On stderr: there is no data."""
    show_list([], (("A", str),), False, "nothing here")

    assert capsys.readouterr() == ("", "nothing here\n")


def test_an_empty_list_is_json_too(capsys: pytest.CaptureFixture[str]) -> None:
    """A program need not know better."""
    show_list([], (("A", str),), True, "nothing here")

    assert capsys.readouterr() == ("[]\n", "")


@pytest.mark.parametrize(
    ("size", "text"), [(None, "-"), (0, "0 B"), (999, "999 B"), (1_500, "1.5 kB"), (2_000_000_000, "2.0 GB")]
)
def test_sizes_are_said_in_powers_of_ten(size: int | None, text: str) -> None:
    """As disks are sold and files are listed."""
    assert size_text(size) == text
