"""What Markdown costs: work grows with the length of a text, whatever the text is made of.

Work is counted in calls of functions, not in time, and the size of what comes out bounds what is not seen so.
"""

import random
import sys
from collections.abc import Callable
from typing import Any

import pytest

from lightboard.untrusted.markdown import Meter, TooMuchWork, markdown_html, most_work
from lightboard.untrusted.rendering import rendered

CALLS_PER_CHAR, CALLS_AT_LEAST = 200, 60_000
"""Before there was a limit `![` took 400 calls for each letter, and a table of a thousand letters three million."""

HTML_PER_CHAR, HTML_AT_LEAST = 40, 20_000

UNITS = [
    '![', '[', '](', '[]', '[a](', '[a](b)', '[[', '](b)', '![a](b)', '*', '*a', '_a', 'a_', '**a',
    '*_', 'a*b_', '~~a', '`', '``', '```', '~~~', '<', '<a', '<a>', '<em>', '</em>', '<!--', '-->',
    '<?', '<![CDATA[', '<!A', '<a:b>', '<http://a>', '&', '&#', '&#x', '&amp;', '&am;', '\\', '#', '##', '=',
    '-', '--', '---', '+', '1.', '10)', '>', '>>', '|', '|a', '|-', '|:-:', 'a|', '(',
    ')', '"', "'", ':', '!', 'a', '[a]:', '[^a]', '{}', '$', '@', 'www.', '<table>', '<tr>',
    '<td>', '<li>', '<p>', '<pre>', '</p>', '<blockquote>', '<br>', '<img', '<img/src=x>', 'каша', '\u200b', '\x00',
]  # fmt: skip
JOINTS = ("", "", " ", "\n", "\n\n", "\n  ", "\n    ", "\n> ", "\n- ", "\t", "a")

REPEATED: dict[str, Callable[[int], str]] = {
    "nested pictures": lambda n: "![" * (n // 8) + "a" + "](b)" * (n // 8),
    "nested links": lambda n: "[" * (n // 8) + "a" + "](b)" * (n // 8),
    "brackets": lambda n: "[" * (n // 2) + "]" * (n // 2),
    "columns": lambda n: "|a" * (n // 4) + "\n" + "|-" * (n // 4) + "\n" + "a\n" * (n // 8),
    "backticks": lambda n: "".join("`" * at + "a" for at in range(1, int((2 * n) ** 0.5))),
    "a long reference": lambda n: "[a]: <" + "x" * (n // 2) + ">\n\n" + "[a]" * (n // 6),
    "a long title": lambda n: "[a]: / '" + "x" * (n // 2) + "'\n\n" + "[a]\n\n" * (n // 10),
    "a long picture": lambda n: "[a]: /" + "x" * (n // 2) + "\n\n" + "![a] " * (n // 10),
    "references": lambda n: "".join(f"[{at}]: /u\n" for at in range(n // 10)),
    "deep quotes": lambda n: "\n".join("> " * at + "a" for at in range(int(n**0.5))),
    "deep lists": lambda n: "\n".join("  " * at + "- a" for at in range(int(n**0.5))),
    "lazy lines": lambda n: "> a\n" + "a\n" * (n // 2),
    "an underline at the end": lambda n: "a\n" * (n // 2) + "=",
    "formatting left open": lambda n: (
        "<p>" + "".join(f"<em x={at}>" for at in range(n // 40)) + "</p>" + "<p>x" * (n // 8)
    ),
    "formatting before paragraphs": lambda n: "<strong>" * (n // 16) + "\n\n" + "x\n\n" * (n // 6),
    "quotes in tags": lambda n: "<p>\n" + '<a "' * (n // 4),
    "blanks": lambda n: ("a" + " " * 99) * (n // 100),
}


def calls_of(function: Callable[[], object]) -> int:
    """Calls of functions, Python's and C's, while it runs."""
    calls = 0

    def count(_frame: Any, event: str, _arg: Any) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        function()
    finally:
        sys.setprofile(before)
    return calls


def check(text: str) -> None:
    """Calls and answer are bounded by the length."""
    shown: list[str] = []
    calls = calls_of(lambda: shown.append(rendered(text, 10**9).html))

    assert calls <= CALLS_AT_LEAST + CALLS_PER_CHAR * len(text)
    assert len(shown[0]) <= HTML_AT_LEAST + HTML_PER_CHAR * len(text)


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("joint", ["", "\n"])
def test_one_thing_again_and_again(unit: str, joint: str) -> None:
    """As it is, and line by line."""
    for size in (500, 1_000, 2_000):
        check((unit + joint) * (size // len(unit + joint)))


@pytest.mark.parametrize("name", REPEATED)
def test_known_ways_to_take_long(name: str) -> None:
    """Twice the text, twice the work."""
    for size in (1_000, 2_000, 4_000):
        check(REPEATED[name](size))


@pytest.mark.parametrize("seed", range(100))
def test_any_mixture(seed: int) -> None:
    """A few of these things in a pattern that comes again, as an attacker finds them by trying."""
    chance = random.Random(seed)
    pattern = "".join(chance.choice(UNITS) + chance.choice(JOINTS) for _ in range(chance.randrange(1, 8)))
    tail = "".join(chance.choice(UNITS) for _ in range(chance.randrange(4)))
    for size in (500, 1_000, 2_000):
        check(pattern * (size // len(pattern)) + tail * (size // 4 // max(1, len(tail))))


@pytest.mark.parametrize(
    "text",
    [
        "The *quick* brown [fox](https://example.com) jumps over `the` **lazy** dog.\n" * 400,
        "# Title\n\nSome words about it, and some more.\n\n- one\n- two\n- three\n\n" * 200,
        "| a | b |\n|---|---|\n" + "| 1.234 | 2.345 |\n" * 500,
        "0.123\n" * 2_000,
        "```python\nfor x in y:\n    print(x)\n```\n\n" * 300,
    ],
)
def test_what_people_write_is_far_below_the_limit(text: str) -> None:
    """Half of it at most."""
    meter = Meter(most_work(text))
    markdown_html(text, meter)

    assert 2 * meter.spent < meter.most


def test_the_limit_stops_the_work() -> None:
    """At once, not at the end."""
    text = "![" * 4_000
    meter = Meter(500)

    with pytest.raises(TooMuchWork):
        markdown_html(text, meter)
    assert meter.spent == 501
