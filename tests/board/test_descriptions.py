"""Hostile tag descriptions cost no more than others."""

import sys
from collections.abc import Iterable
from typing import Any

import pytest

from lightboard.board.descriptions import MAX_CHARS, Descriptions
from lightboard.testing.event_files import summary_metadata, tensor, tensor_record, version_record
from support.board_client import BoardClient

PICTURES = "![" * 32_768
"""64 KiB that took a listing seconds."""


def board(*descriptions: str) -> BoardClient:
    """One tag for each description."""
    client = BoardClient({})
    records = [
        tensor_record(
            f"tag{number}", 0, tensor(1, [1.0]), 1.0, summary_metadata("scalars", description=text, data_class=1)
        )
        for number, text in enumerate(descriptions)
    ]
    client.memory.storage.write("run/events.out.tfevents.1", version_record() + b"".join(records))
    client.memory.refresh()
    return client


def steps_of(answer: Descriptions, numbers: Iterable[int]) -> int:
    """Calls of functions that it takes to write so many hostile ones in one answer."""
    calls = 0

    def count(_frame: Any, event: str, _arg: Any) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        for number in numbers:
            answer.one(f"{number}{PICTURES}")
    finally:
        sys.setprofile(before)
    return calls


def test_hostile_descriptions_have_a_budget() -> None:
    """A hundred cost no more than allowed; many more cost little more."""
    answer = Descriptions()
    hundred, more = steps_of(answer, range(100)), steps_of(answer, range(100, 1000))

    assert hundred < 8_000_000
    assert more < 1000 * 200


@pytest.mark.parametrize(
    "url", ["/api/v1/tags?plugin=scalars", "/data/plugin/scalars/tags", "/data/plugin/timeseries/tags"]
)
def test_listings_with_hostile_descriptions_are_bounded(url: str) -> None:
    """In size as well."""
    answer = board(*(f"{number}{PICTURES}" for number in range(30)), "*good*").get(url)

    assert answer.status_code == 200
    assert len(answer.content) < 31 * 70_000
    assert "![![" in answer.text


def test_omitted_descriptions_are_reported() -> None:
    """Long, expensive, and over-budget ones."""
    long, costly = "word " * 10_000, "![" * 5_000
    answer = Descriptions()

    assert answer.one("*a*") == "<p><em>a</em></p>"
    assert answer.one(long).startswith(f"<p><em>The beginning of {len(long)} characters.</em></p>\n<p>word word")
    assert len(answer.one(long)) < MAX_CHARS + 100
    assert answer.one(costly) == f"<p><em>Shown as plain text.</em></p>\n<pre><code>{costly}</code></pre>"
    for number in range(20):
        last = answer.one(f"{number}{costly}")
    assert last.startswith(f"<p><em>Not rendered, the beginning of {len(costly) + 2} characters.</em></p>\n<pre>")
    assert len(last) < 500


def test_differing_descriptions_are_not_all_rendered() -> None:
    """A thousand texts are not put together to show the first of them."""
    html = Descriptions().html({f"{number} {'word ' * 1_000}": ["run"] for number in range(1_000)})

    assert html.startswith("<p><em>The beginning of ")
    assert len(html) < 2 * MAX_CHARS
