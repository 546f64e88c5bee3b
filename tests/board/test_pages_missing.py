"""The page shown while the web pages are not built."""

from lightboard.board.pages import BUILD_COMMAND, pages_missing
from lightboard.config import BoardSettings


def test_the_page_names_the_build_command() -> None:
    """And where the data is."""
    page = pages_missing(BoardSettings(logdir="runs"))

    assert BUILD_COMMAND in page
    assert 'href="api/v1/status"' in page


def test_folder_names_are_escaped() -> None:
    """A logdir is text, not HTML."""
    page = pages_missing(BoardSettings(logdir="<script>alert(1)</script>", window_title="<b>"))

    assert "<script>" not in page
    assert "<b>" not in page
