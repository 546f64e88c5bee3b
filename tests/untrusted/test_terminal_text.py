"""Text of others is harmless on a terminal."""

import pytest

from lightboard.untrusted.terminal_text import styled


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("epoch 3\tloss 0.1", "epoch 3\tloss 0.1"),
        ("\x1b[1;38;5;9mfar\x1b[m", "\x1b[1;38;5;9mfar\x1b[m"),
        ("\x1b]8;;https://example.org\x1b\\link\x1b]8;;\x07!", "link!"),
        ("\x1b]0;a title without end", ""),
        ("\x1b\x1b]0;title\x07after", "after"),
        ("\x1b[?1049h\x1bctext\x1b", "text"),
        ("训练 ✓ 🎉", "训练 ✓ 🎉"),
    ],
)
def test_other_sequences_are_left_out(line: str, text: str) -> None:
    """As on the page of a job."""
    assert styled(line) == text


def test_no_control_character_gets_through() -> None:
    """But that of a colour, and the tabulator."""
    controls = [chr(code) for code in (*range(0x20), *range(0x7F, 0xA0))]

    passed = {each for each in controls if each in styled(f"{each}[31m{each}")}

    assert passed == {"\t", "\x1b"}
