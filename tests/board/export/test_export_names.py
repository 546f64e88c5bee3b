"""File names derived from untrusted names."""

import pathlib
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lightboard.board.export.names import Names, fit, parts_of, split_ending


@pytest.mark.parametrize(
    ("name", "file"),
    [
        ("train/loss", "train_loss"),
        ("каша сегодня", "каша сегодня"),
        ("👩‍🔬 لوس", "👩‍🔬 لوس"),
        ("../../etc/passwd", "_.._etc_passwd"),
        ("..", "_"),
        (".", "root"),
        ("", "_"),
        ("C:\\x\x00y", "C_x_y"),
        ("CON", "_CON"),
        ("aux.txt", "_aux.txt"),
        ("lpt1 .csv", "_lpt1 .csv"),
        ("console", "console"),
        ("ends. . ", "ends"),
        ("\u202egvs.x", "_gvs.x"),
        ("e\u0301", "é"),
        ("x" * 200 + "/lr-0.1", "x" * 49 + "~" + "x" * 23 + "_lr-0.1"),
    ],
)
def test_names_become_one_path_segment(name: str, file: str) -> None:
    """Readable, and safe on every system."""
    assert fit(name) == file


@given(st.text())
def test_no_name_traverses(name: str) -> None:
    """Nothing that a system could take for something else than a file name."""
    made = fit(name)

    assert re.search(r'[<>:"/\\|?*\x00-\x1f]', made) is None
    assert made.strip(" .") == made != ""
    assert len(made) <= 81
    assert len(made.encode()) <= 181


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["a", "A", "a/b", "a/x.csv", "//", "a/x.csv/b", "ä", "a\u0308"]),
            st.sampled_from(["x", "X", "x-2"]),
        )
    )
)
def test_paths_are_unique(pairs: list[tuple[str, str]]) -> None:
    """Case-insensitively."""
    names = Names()
    paths = [names.unique_path(*parts_of(tag), run, ending=".csv") for tag, run in pairs]
    small = {path.casefold() for path in paths}

    assert len(small) == len(pairs)
    assert small.isdisjoint(folder.as_posix() for path in small for folder in pathlib.PurePosixPath(path).parents)


def test_duplicates_are_numbered() -> None:
    """Before the extension, from 2."""
    names = Names("scalars")

    assert [
        names.unique_path("a/b", ending=".csv"),
        names.unique_path("a_b", ending=".csv"),
        names.unique_path("Scalars", ending=""),
    ] == [
        "a_b.csv",
        "a_b-2.csv",
        "Scalars-2",
    ]


def test_slashes_create_folders() -> None:
    """They never collide with files."""
    names = Names()
    tags = ("loss//train", "loss/train/a.csv", "../..", "loss/train/a.csv/b", "/")
    paths = [names.unique_path(*parts_of(tag), "a", ending=".csv") for tag in tags]

    assert paths == [
        "loss/train/a.csv",
        "loss/train/a.csv-2/a.csv",
        "_/_/a.csv",
        "loss/train/a.csv-2/b/a.csv",
        "_/a.csv",
    ]


@pytest.mark.parametrize(
    ("name", "split"),
    [("a.svg", ("a", ".svg")), ("a.b.json", ("a.b", ".json")), (".svg", (".svg", "")), ("a.<b>", ("a.<b>", ""))],
)
def test_extensions_are_kept(name: str, split: tuple[str, str]) -> None:
    """Where it is one."""
    assert split_ending(name) == split


class Counting(set[str]):
    """Counts how often somebody looks for a name."""

    looks = 0

    def __contains__(self, name: object) -> bool:
        self.looks += 1
        return super().__contains__(name)


def test_numbering_truncated_names_is_fast() -> None:
    """It continues after the last number."""
    names = Names()
    names._files = files = Counting()
    given = [names.unique_path("scalars", f"{'a' * 60}{number:04}{'b' * 60}", ending=".csv") for number in range(1000)]

    assert (len(set(given)), files.looks) == (1000, 2999)
