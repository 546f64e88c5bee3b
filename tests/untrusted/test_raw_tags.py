"""Tags inside Markdown."""

import random
import re

import pytest

from lightboard.untrusted.raw_tags import DEPTH, RawTags, attributes

TAG = re.compile(r"<(/?)([a-z0-9]+)[^>]*>")


def written(text: str) -> str:
    """A whole document."""
    raw = RawTags()
    return raw.written(text) + raw.end()


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
def test_tags_are_closed_and_only_known_ones_are_tags(text: str, html: str) -> None:
    """The rest is as it was written."""
    assert written(text) == html


def test_tags_lie_only_so_deep() -> None:
    """What is deeper is text."""
    assert written("<em>" * 100) == "<em>" * DEPTH + "&lt;em>" * (100 - DEPTH) + "</em>" * DEPTH


def test_what_was_opened_inside_ends_inside() -> None:
    """A list of Markdown's own does not let tags out, and none of outside ends in it."""
    raw = RawTags()
    pieces = [raw.written("<em>")]
    raw.enter()
    pieces += [raw.written("</em><strong>"), raw.leave(), raw.end()]

    assert pieces == ["<em>", "<strong>", "</strong>", "</em>"]


def test_attributes_may_be_written_in_every_way() -> None:
    """Quoted or not; only those that the tag may have."""
    assert attributes("a", " HREF = x title='a \"b\"' id=y") == ' href="x" title="a &quot;b&quot;"'
    assert attributes("em", " href=x") == ""


@pytest.mark.parametrize("seed", range(200))
def test_what_comes_out_is_well_formed(seed: int) -> None:
    """Whatever goes in: each tag is closed in its order, none deeper than DEPTH, and little is added."""
    chance = random.Random(seed)
    parts = [
        "<em>",
        "</em>",
        "<p",
        ">",
        "<li>",
        "<td ",
        "</table>",
        "<table>",
        "a='",
        '"',
        "x",
        "<",
        "</",
        "<a href=",
        "<br>",
    ]
    text = "".join(chance.choices(parts, k=chance.randrange(1, 200)))

    html, stack = written(text), list[str]()
    for slash, name in TAG.findall(html):
        if slash:
            assert stack.pop() == name
        elif name not in ("br", "hr", "img"):
            stack.append(name)
            assert len(stack) <= DEPTH
    assert stack == []
    assert len(html) <= 8 * len(text) + 100
