"""What is different since an earlier look."""

from typing import NamedTuple


class ChangeInfo(NamedTuple):
    """`runs` are ids with news since then; `structure` = runs or tags came or went."""

    generation: int
    runs: tuple[int, ...]
    structure: bool
    loading: bool
