"""Markdown of strangers."""

import pytest

from lightboard.asgi.markdown import safe_html


def test_markdown_becomes_html() -> None:
    """Emphasis, lists and tables."""
    assert safe_html("*low* is **good**") == "<p><em>low</em> is <strong>good</strong></p>"
    assert "<table>" in safe_html("| a | b |\n|---|---|\n| 1 | 2 |")


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "![x](http://evil.com/pixel.png)",
        "[x](javascript:alert(1))",
        "<a href='data:text/html,x' onclick=alert(1)>x</a>",
        "<iframe src=http://evil.com></iframe>",
        "<style>body{display:none}</style>",
        "<p style='position:fixed'>x</p>",
    ],
)
def test_nothing_that_acts_survives(text: str) -> None:
    """No scripts, frames, pictures, styles or odd links."""
    html = safe_html(text)

    found = ["<script", "<img", 'href="javascript', 'href="data', "<iframe", "<style", "style=", "onclick=", "onerror="]
    assert [word for word in found if word in html] == []


def test_links_tell_nobody_where_they_came_from() -> None:
    """Logs may be private."""
    assert 'rel="noopener noreferrer nofollow"' in safe_html("[x](https://example.com)")
