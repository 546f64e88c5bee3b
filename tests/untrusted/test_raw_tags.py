"""HTML tags in Markdown."""

import random
import re

import pytest

from lightboard.untrusted.raw_tags import DEPTH, RawTags, attributes

TAG = re.compile(r"<(/?)([a-z0-9]+)[^>]*>")


def escape_document(text: str) -> str:
    """A whole document, with its closing tags."""
    raw = RawTags()
    return raw.escape_tags(text) + raw.end()


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("<em>a", "<em>a</em>"),
        ("a</em>", "a"),
        ("<em><strong>a</em>b", "<em><strong>a</strong></em>b"),
        ("<ul><li>a<li>b</ul>", "<ul><li>a</li><li>b</li></ul>"),
        ("<table><tr><td>1<td>2<tr><td>3</table>", "<table><tr><td>1</td><td>2</td></tr><tr><td>3</td></tr></table>"),
        ("<p>a<p>b", "<p>a</p><p>b</p>"),
        ("<BR/>x<hr>", "<br>x<hr>"),
        ("<b>a</b>", "&lt;b>a&lt;/b>"),
        ("<script>x</script>", "&lt;script>x&lt;/script>"),
        ("<!-- <em> -->", "&lt;!-- <em> --></em>"),
        ("a < b &amp; c", "a &lt; b &amp; c"),
        ("<em", "&lt;em"),
        ("<p onclick=x align=left>y</p>", "<p>y</p>"),
        ("<td align='right' style=x>y</td>", '<td align="right">y</td>'),
        ('<a href="a&quot;b" TITLE=t>x</a>', '<a href="a&quot;b" title="t">x</a>'),
    ],
)
def test_known_tags_are_closed(text: str, html: str) -> None:
    """Everything else is escaped."""
    assert escape_document(text) == html


def test_the_depth_of_tags_is_limited() -> None:
    """Deeper tags are escaped."""
    assert escape_document("<em>" * 100) == "<em>" * DEPTH + "&lt;em>" * (100 - DEPTH) + "</em>" * DEPTH


def test_tags_do_not_cross_markdown_elements() -> None:
    """They are closed with the element, and end tags inside do not close outer ones."""
    raw = RawTags()
    pieces = [raw.escape_tags("<em>")]
    raw.enter()
    pieces += [raw.escape_tags("</em><strong>"), raw.leave(), raw.end()]

    assert pieces == ["<em>", "<strong>", "</strong>", "</em>"]


def test_attributes_are_normalised() -> None:
    """Quoted or not. Only those allowed for the tag are kept."""
    assert attributes("a", " HREF = x title='a \"b\"' id=y") == ' href="x" title="a &quot;b&quot;"'
    assert attributes("em", " href=x") == ""


PARTS = [
    *("<em>", "</em>", "<p", ">", "<li>", "<td ", "</table>", "<table>"),
    *("a='", '"', "x", "<", "</", "<a href=", "<br>"),
]


def test_output_is_well_formed() -> None:
    """For any input: properly nested, at most DEPTH deep, and not much longer."""
    for seed in range(200):
        rng = random.Random(seed)
        text = "".join(rng.choices(PARTS, k=rng.randrange(1, 200)))

        html, stack = escape_document(text), list[str]()
        for slash, name in TAG.findall(html):
            if slash:
                assert stack.pop() == name, text
            elif name not in ("br", "hr", "img"):
                stack.append(name)
                assert len(stack) <= DEPTH, text
        assert (stack, text) == ([], text)
        assert len(html) <= 8 * len(text) + 100, text
