"""Rendering untrusted Markdown."""

import pytest

from lightboard.untrusted.rendering import Budget


def text_html(text: str) -> str:
    """The HTML of a text, within the budget."""
    found = Budget().render(text)
    assert not found.plain
    return found.html


def json_html(text: str) -> str:
    return Budget().render_keeping_json(text).html


def test_markdown_becomes_html() -> None:
    """Emphasis and tables."""
    assert text_html("*low* is **good**") == "<p><em>low</em> is <strong>good</strong></p>"
    assert "<table>" in text_html("| a | b |\n|---|---|\n| 1 | 2 |")


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
def test_active_content_is_removed(text: str) -> None:
    """Scripts, frames, remote images, styles and unsafe links."""
    html = text_html(text)

    found = ["<script", "<img", 'href="javascript', 'href="data', "<iframe", "<style", "style=", "onclick=", "onerror="]
    assert [word for word in found if word in html] == []


def test_links_send_no_referrer() -> None:
    """The address of a board may be private."""
    assert 'rel="noopener noreferrer nofollow"' in text_html("[x](https://example.com)")


REL = 'rel="noopener noreferrer nofollow"'


def link(address: str, words: str) -> str:
    return f'<a href="{address}" {REL}>{words}</a>'


PIXELS = "data:image/png;base64,iVBORw0KGgo="


@pytest.mark.parametrize(
    ("text", "html"),
    [
        (f"![a]({PIXELS})", f'<p><img src="{PIXELS}" alt="a"></p>'),
        (f"<img src='{PIXELS}' onerror=alert(1) width=9999>", f'<img src="{PIXELS}">'),
        ("<img src=http://evil.example/p.png alt='a>b' title=t>", link("http://evil.example/p.png", "a&gt;b")),
        ("<img src=//evil.example/p.png>", link("//evil.example/p.png", "//evil.example/p.png")),
        ("<a href=https://x.example/><img src=p.png alt=p></a>", f"<p>{link('https://x.example/', 'p')}</p>"),
        ("<img src='java\tscript:alert(1)' alt=a>", f"<a {REL}>a</a>"),
        ("<img src='data:image/svg+xml;base64,PHN2Zy8+'>", ""),
        (f"<img srcset='{PIXELS}'>", ""),
        (f"<a href='{PIXELS}'>x</a>", '<p><a rel="noopener noreferrer nofollow">x</a></p>'),
        (
            "![two *words*](https://evil.example/p.png)",
            '<p><a href="https://evil.example/p.png" rel="noopener noreferrer nofollow">two words</a></p>',
        ),
    ],
)
def test_only_embedded_images_are_shown(text: str, html: str) -> None:
    """Remote ones become links."""
    assert text_html(text) == html


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("<think>hm</think> yes", "<p>&lt;think&gt;hm&lt;/think&gt; yes</p>"),
        ("a <|end|> b <s>c</s>", "<p>a &lt;|end|&gt; b &lt;s&gt;c&lt;/s&gt;</p>"),
        ("a <b onclick=x>c</b>", "<p>a &lt;b onclick=x&gt;c&lt;/b&gt;</p>"),
        ("<script>alert(1)</script>", "<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>"),
        ("<think>\n**hm**\n</think>", "<p>&lt;think&gt;\n<strong>hm</strong>\n&lt;/think&gt;</p>"),
        ("<p>\n<x>a</x>", "<p>\n&lt;x&gt;a&lt;/x&gt;</p>"),
        ("<!-- x --> y", "<p>&lt;!-- x --&gt; y</p>"),
        ("<table><tr><td onclick=x>1</td></tr></table>", "<table><tbody><tr><td>1</td></tr></tbody></table>"),
        ("a <strong>c</strong><br>d", "<p>a <strong>c</strong><br>d</p>"),
        ("~~old~~", "<p><s>old</s></p>"),
        ("a\0b", "<p>ab</p>"),
    ],
)
def test_disallowed_tags_are_shown_as_text(text: str, html: str) -> None:
    """Nothing that was logged is swallowed."""
    assert text_html(text) == html


def test_json_is_shown_as_code() -> None:
    """Trainers log their arguments as JSON."""
    assert json_html('{\n  "lr": "<b>"\n}\n') == '<pre><code>{\n  "lr": "&lt;b&gt;"\n}</code></pre>'
    assert json_html("[a](http://example.com)") == text_html("[a](http://example.com)")
    assert json_html("[" * 50) == text_html("[" * 50)


def test_lines_keep_their_indentation() -> None:
    """Also for JSON after a prefix. As in TensorBoard."""
    assert text_html('args: {\n  "lr": {\n    "x": 1\n  }\n}') == '<p>args: {\n  "lr": {\n    "x": 1\n  }\n}</p>'
