"""Text routes, of the API and of TensorBoard."""

from typing import Any

import pytest

from lightboard.testing.event_files import STRING, summary_metadata, tensor, tensor_record, version_record
from support.board_client import BoardClient

META = summary_metadata("text")
HOSTILE = "a <script>alert(1)</script> [x](javascript:alert(1)) ![p](http://evil.example/p.png) <svg onload=alert(1)>"


def texts(*values: tuple[str, int, list[str], list[int]]) -> BoardClient:
    """A board with one run; each value is tag, step, strings and shape."""
    client = BoardClient({})
    records = [
        tensor_record(tag, step, tensor(STRING, [s.encode() for s in strings], shape=shape), 10.0 + step, META)
        for tag, step, strings, shape in values
    ]
    client.memory.storage.write("run/events.out.tfevents.1", b"".join([version_record(), *records]))
    client.memory.refresh()
    return client


def value(client: BoardClient, tag: str, **more: Any) -> Any:
    """The first value of a tag."""
    key = client.post("/api/v1/values", json={"plugin": "text", "tags": [tag]}).json()["series"][0]["keys"][0]
    return client.get("/api/v1/text/value", params={"run": "run", "tag": tag, "at": key, **more}).json()


def test_raw_text_is_exact() -> None:
    """Raw, to the letter."""
    client = texts(("note", 0, ["**bold** <b>"], []))

    assert value(client, "note") == {
        "shape": [],
        "slice": 0,
        "slices": 1,
        "rows": 1,
        "columns": 1,
        "cells": ["**bold** <b>"],
        "size": 12,
        "cut": False,
        "plain": False,
    }


def test_markdown_is_rendered_per_cell() -> None:
    """Sanitized on the server."""
    client = texts(("note", 0, ["**bold**", "a | b"], [1, 2]))

    assert value(client, "note", form="markdown")["cells"] == ["<p><strong>bold</strong></p>", "<p>a | b</p>"]


def test_hostile_text_is_inert() -> None:
    """No scripts, no requests."""
    client = texts(("note", 0, [HOSTILE], []))

    (html,) = value(client, "note", form="markdown")["cells"]
    link = '<a href="http://evil.example/p.png" rel="noopener noreferrer nofollow">p</a>'
    assert html == (
        f"<p>a &lt;script&gt;alert(1)&lt;/script&gt; [x](javascript:alert(1)) {link} &lt;svg onload=alert(1)&gt;</p>"
    )


def test_images_in_text_must_be_embedded() -> None:
    """As data URLs, without SVG."""
    pixels = "data:image/png;base64,iVBORw0KGgo="
    client = texts(("note", 0, [f"![a]({pixels}) ![b](data:image/svg+xml;base64,PHN2Zy8+) [c]({pixels})"], []))

    (html,) = value(client, "note", form="markdown")["cells"]
    link = '<a rel="noopener noreferrer nofollow">c</a>'
    assert html == f'<p><img src="{pixels}" alt="a"> ![b](data:image/svg+xml;base64,PHN2Zy8+) {link}</p>'


@pytest.mark.parametrize("unit", ["> ", "[", "<div>", "<b>", "- ", "*a_", "![", "<ul><li>", "&", "<"])
def test_deep_markdown_is_bounded(unit: str) -> None:
    """What is nested without end is read as far as it may be, and answered."""
    client = texts(("note", 0, [unit * (1_000_000 // len(unit))], []))

    answer = value(client, "note", form="markdown", most=4_000_000)
    assert [len(answer["cells"]), answer["cut"]] == [1, True]


def test_long_raw_text_can_be_requested() -> None:
    """Up to four megabytes."""
    client = texts(("note", 0, ["x" * 200_000], []))

    assert [len(value(client, "note", most=most)["cells"][0]) for most in (10, 65_536, 1_000_000)] == [
        10,
        65_536,
        200_000,
    ]


def test_strings_of_any_length_can_be_downloaded() -> None:
    """As a stream of plain text."""
    client = texts(("note", 0, ["a", "<b>" * 100_000], [2]))
    key = client.post("/api/v1/values", json={"plugin": "text"}).json()["series"][0]["keys"][0]

    answers = [
        client.get("/api/v1/text/data", params={"run": "run", "tag": "note", "at": key, "cell": cell, "save": True})
        for cell in (1, 2)
    ]
    assert [answer.status_code for answer in answers] == [200, 404]
    assert [answers[0].text, answers[0].headers["content-type"]] == ["<b>" * 100_000, "text/plain; charset=utf-8"]
    assert answers[0].headers["content-disposition"] == 'attachment; filename="run-note-1.txt"'


def test_text_can_be_searched() -> None:
    """With the first match of each value."""
    client = texts(("note", 3, ["a fox"], []), ("note", 4, ["a dog"], []))

    answer = client.post("/api/v1/text/search", json={"pattern": "FOX"}).json()
    hits = [{**hit, "at": ""} for hit in answer.pop("hits")]
    assert answer == {"searched": 2, "total": 2, "last": None, "pattern_given_up": False}
    assert hits == [
        {
            "tag": "note",
            "run": 0,
            "at": "",
            "step": 3,
            "cell": 0,
            "matches": 1,
            "before": "a ",
            "match": "fox",
            "after": "",
        }
    ]


def test_invalid_patterns_are_refused() -> None:
    """With the reason."""
    answer = texts(("note", 3, ["a fox"], [])).post("/api/v1/text/search", json={"pattern": "(", "regex": True})

    assert [answer.status_code, answer.json()["error"]["code"]] == [400, "bad_request"]


def plugin(client: BoardClient, tag: str, **more: str) -> list[str]:
    """The texts that TensorBoard's address gives."""
    rows = client.get("/data/plugin/text/text", params={"run": "run", "tag": tag, **more}).json()
    return [row["text"] for row in rows]


def test_tensorboard_text_tags() -> None:
    """With stored names."""
    client = texts(("a/text_summary", 0, ["x"], []), ("b", 0, ["x"], []))

    assert client.get("/data/plugin/text/tags").json() == {"run": ["a/text_summary", "b"]}


def test_tensorboard_texts() -> None:
    """HTML; lists and tables become tables; of more dimensions, the first ones with a note."""
    client = texts(
        ("one", 0, ["*x* & <y>"], []),
        ("list", 0, ["*x*"], [1]),
        ("table", 0, ["a", "b", "c", "d"], [2, 2]),
        ("pile", 0, ["a", "b", "c", "d"], [2, 1, 2]),
    )

    row = "<tr>\n<td><p>a</p></td>\n<td><p>b</p></td>\n</tr>"
    assert plugin(client, "one") == ["<p><em>x</em> &amp; &lt;y&gt;</p>"]
    assert plugin(client, "one", markdown="false") == ["*x* &amp; &lt;y&gt;"]
    assert plugin(client, "list") == ["<table>\n<tbody>\n<tr>\n<td><p><em>x</em></p></td>\n</tr>\n</tbody>\n</table>"]
    assert plugin(client, "table") == [
        f"<table>\n<tbody>\n{row}\n" + row.replace("a<", "c<").replace("b<", "d<") + "\n</tbody>\n</table>"
    ]
    assert plugin(client, "pile") == [
        f"<p><strong>3 dimensions:</strong> the first table is shown.</p><table>\n<tbody>\n{row}\n</tbody>\n</table>"
    ]
    assert plugin(client, "none") == []


def test_samples_per_plugin_limits_texts() -> None:
    """100 by default, with the last."""
    client = texts(*[("note", step, [str(step)], []) for step in range(150)])

    rows = client.get("/data/plugin/text/text", params={"run": "run", "tag": "note"}).json()
    assert [len(rows), rows[-1]] == [100, {"wall_time": 159.0, "step": 149, "text": "<p>149</p>"}]


def test_steps_of_a_kind_are_merged() -> None:
    """Sorted, over tags and runs, for one slider."""
    client = texts(*[(tag, step, ["x"], []) for tag, step in [("a", 5), ("b", 2), ("b", 5), ("a", 3)]])

    told = [
        client.post("/api/v1/values/steps", json={"plugin": "text", **more}).json()["steps"]
        for more in ({}, {"tags": ["b"]}, {"runs": []})
    ]
    assert told == [[2, 3, 5], [2, 5], []]


# What TensorBoard's address sends


def sent(client: BoardClient, **more: str) -> list[str]:
    """The HTML of each value of `note`, the oldest first."""
    answer = client.get("/data/plugin/text/text", params={"run": "run", "tag": "note", **more})
    return [row["text"] for row in answer.json()]


def test_tensorboard_sends_long_texts() -> None:
    """As TensorBoard sends it."""
    text = "Some words of it.\n\n" * 10_000

    (html,) = sent(texts(("note", 0, [text], [])))

    assert html.count("<p>Some words of it.</p>") == 10_000


def test_plain_text_is_preserved() -> None:
    """Whitespace and allowed tags stay; other tags are escaped."""
    text = '  {\n    "lr": <em>1</em>,\n    "x": <b>2</b> & **3**\n  }\n' + " " * 70_000

    (html,) = sent(texts(("note", 0, [text], [])), markdown="false")

    assert html == '  {\n    "lr": <em>1</em>,\n    "x": &lt;b&gt;2&lt;/b&gt; &amp; **3**\n  }\n' + " " * 70_000


def test_strings_without_a_shape_are_scalars() -> None:
    """As in protocol buffers."""
    client = BoardClient({})
    record = tensor_record("note", 0, tensor(STRING, [b"*a*"], shape=None), 10.0, META)
    client.memory.storage.write("run/events.out.tfevents.1", version_record() + record)
    client.memory.refresh()

    assert sent(client) == ["<p><em>a</em></p>"]


def test_newest_texts_are_rendered_first() -> None:
    """Beyond the budget texts are plain, and the response says so."""
    costly = "a\n\n" * 10_000
    html = sent(texts(*(("note", step, [f"*{step}*\n\n{costly}"], []) for step in range(8))))

    plain = ["Shown as plain text." in one for one in html]
    assert plain == sorted(plain, reverse=True)
    assert (plain[0], plain[-1]) == (True, False)
    assert html[0].startswith("<p><em>Shown as plain text.</em></p><pre><code>*0*\n\na\n\n")
    assert html[-1].startswith("<p><em>7</em></p>\n<p>a</p>")
