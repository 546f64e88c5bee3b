"""Boards in process end with the test or the file that makes them."""

from collections.abc import Iterator

import pytest

from support.board_client import closing_boards


@pytest.fixture(scope="module", autouse=True)
def boards_of_the_file_end() -> Iterator[None]:
    """Those of fixtures for a whole file."""
    with closing_boards():
        yield


@pytest.fixture(autouse=True)
def boards_of_the_test_end() -> Iterator[None]:
    """Those of the test, and of fixtures for one test."""
    with closing_boards():
        yield
