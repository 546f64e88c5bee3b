"""The cost of rendering Markdown grows linearly with the length of a text.

Cost is counted in function calls, not in time. The size of the output limits what a single call can hide.
"""

import random
import sys
from collections.abc import Callable
from typing import Any

import pytest

from lightboard.untrusted.markdown import Meter, TooMuchWork, markdown_html, work_limit
from lightboard.untrusted.rendering import render_html

CALLS_PER_CHAR, CALLS_AT_LEAST = 200, 60_000
"""Without a limit, `![` took 400 calls per character, and a table of a thousand characters three million."""

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

PATTERNS: dict[str, Callable[[int], str]] = {
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


def count_calls(function: Callable[[], object]) -> int:
    """Function calls, of Python and C, while it runs."""
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


def assert_linear(text: str) -> None:
    """Calls and output are limited by the length of the text."""
    rendered: list[str] = []
    calls = count_calls(lambda: rendered.append(render_html(text, 10**9).html))

    assert calls <= CALLS_AT_LEAST + CALLS_PER_CHAR * len(text), text[:100]
    assert len(rendered[0]) <= HTML_AT_LEAST + HTML_PER_CHAR * len(text), text[:100]


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("joint", ["", "\n"])
def test_repeated_syntax_takes_linear_time(unit: str, joint: str) -> None:
    """Each unit, repeated on one line and on many."""
    for size in (500, 1_000, 2_000):
        assert_linear((unit + joint) * (size // len(unit + joint)))


@pytest.mark.parametrize("name", PATTERNS)
def test_known_slow_patterns_take_linear_time(name: str) -> None:
    """Twice the text, at most twice the work."""
    for size in (1_000, 2_000, 4_000):
        assert_linear(PATTERNS[name](size))


def test_mixed_syntax_takes_linear_time() -> None:
    """Random patterns of these units, as an attacker would search for them."""
    for seed in range(100):
        rng = random.Random(seed)
        pattern = "".join(rng.choice(UNITS) + rng.choice(JOINTS) for _ in range(rng.randrange(1, 8)))
        tail = "".join(rng.choice(UNITS) for _ in range(rng.randrange(4)))
        for size in (500, 1_000, 2_000):
            assert_linear(pattern * (size // len(pattern)) + tail * (size // 4 // max(1, len(tail))))


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
def test_usual_texts_stay_far_below_the_limit(text: str) -> None:
    """At most half of it."""
    meter = Meter(work_limit(text))
    markdown_html(text, meter)

    assert 2 * meter.spent < meter.most


def test_rendering_stops_at_the_limit() -> None:
    """At once, not at the end."""
    text = "![" * 4_000
    meter = Meter(500)

    with pytest.raises(TooMuchWork):
        markdown_html(text, meter)
    assert meter.spent == 501
