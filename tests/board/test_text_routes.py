"""Texts over HTTP: our own addresses and TensorBoard's."""

from typing import Any

import pytest
from asking import Asker

from lightboard.testing.event_files import STRING, summary_metadata, tensor, tensor_record, version_record

META = summary_metadata("text")
HOSTILE = "a <script>alert(1)</script> [x](javascript:alert(1)) ![p](http://evil.example/p.png) <svg onload=alert(1)>"


def texts(*values: tuple[str, int, list[str], list[int]]) -> Asker:
    """A board with one run; each value is tag, step, strings and shape."""
    asker = Asker({})
    records = [
        tensor_record(tag, step, tensor(STRING, [s.encode() for s in strings], shape=shape), 10.0 + step, META)
        for tag, step, strings, shape in values
    ]
    asker.memory.storage.write("run/events.out.tfevents.1", b"".join([version_record(), *records]))
    asker.memory.look()
    return asker


def value(asker: Asker, tag: str, **more: Any) -> Any:
    """The first value of a tag."""
    key = asker.post("/api/v1/values", json={"plugin": "text", "tags": [tag]}).json()["series"][0]["keys"][0]
    return asker.get("/api/v1/text/value", params={"run": "run", "tag": tag, "at": key, **more}).json()


def test_a_text_comes_as_it_is() -> None:
    """Raw, to the letter."""
    asker = texts(("note", 0, ["**bold** <b>"], []))

    assert value(asker, "note") == {
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


def test_markdown_comes_as_html_cell_by_cell() -> None:
    """Sanitised on the server and nowhere else."""
    asker = texts(("note", 0, ["**bold**", "a | b"], [1, 2]))

    assert value(asker, "note", form="markdown")["cells"] == ["<p><strong>bold</strong></p>", "<p>a | b</p>"]


def test_hostile_text_is_inert() -> None:
    """Nothing runs, nobody is asked."""
    asker = texts(("note", 0, [HOSTILE], []))

    (html,) = value(asker, "note", form="markdown")["cells"]
    link = '<a href="http://evil.example/p.png" rel="noopener noreferrer nofollow">p</a>'
    assert html == (
        f"<p>a &lt;script&gt;alert(1)&lt;/script&gt; [x](javascript:alert(1)) {link} &lt;svg onload=alert(1)&gt;</p>"
    )


def test_a_picture_comes_only_with_its_pixels() -> None:
    """In the text itself; an SVG may do more than lie there."""
    pixels = "data:image/png;base64,iVBORw0KGgo="
    asker = texts(("note", 0, [f"![a]({pixels}) ![b](data:image/svg+xml;base64,PHN2Zy8+) [c]({pixels})"], []))

    (html,) = value(asker, "note", form="markdown")["cells"]
    link = '<a rel="noopener noreferrer nofollow">c</a>'
    assert html == f'<p><img src="{pixels}" alt="a"> ![b](data:image/svg+xml;base64,PHN2Zy8+) {link}</p>'


@pytest.mark.parametrize("unit", ["> ", "[", "<div>", "<b>", "- ", "*a_", "![", "<ul><li>", "&", "<"])
def test_deep_markdown_comes_to_an_end(unit: str) -> None:
    """What is nested without end is read as far as it may be, and answered."""
    asker = texts(("note", 0, [unit * (1_000_000 // len(unit))], []))

    answer = value(asker, "note", form="markdown", most=4_000_000)
    assert [len(answer["cells"]), answer["cut"]] == [1, True]


def test_more_of_a_long_text_can_be_asked_for() -> None:
    """Raw as far as four megabytes."""
    asker = texts(("note", 0, ["x" * 200_000], []))

    assert [len(value(asker, "note", most=most)["cells"][0]) for most in (10, 65_536, 1_000_000)] == [
        10,
        65_536,
        200_000,
    ]


def test_a_string_of_any_length_can_be_had() -> None:
    """Streamed from the file, as plain text that no browser takes for a page."""
    asker = texts(("note", 0, ["a", "<b>" * 100_000], [2]))
    key = asker.post("/api/v1/values", json={"plugin": "text"}).json()["series"][0]["keys"][0]

    answers = [
        asker.get("/api/v1/text/data", params={"run": "run", "tag": "note", "at": key, "cell": cell, "save": True})
        for cell in (1, 2)
    ]
    assert [answer.status_code for answer in answers] == [200, 404]
    assert [answers[0].text, answers[0].headers["content-type"]] == ["<b>" * 100_000, "text/plain; charset=utf-8"]
    assert answers[0].headers["content-disposition"] == 'attachment; filename="run-note-1.txt"'


def test_a_search_is_answered() -> None:
    """With the first match of each value."""
    asker = texts(("note", 3, ["a fox"], []), ("note", 4, ["a dog"], []))

    answer = asker.post("/api/v1/text/search", json={"pattern": "FOX"}).json()
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


def test_a_wrong_pattern_is_a_wrong_question() -> None:
    """With the reason."""
    answer = texts(("note", 3, ["a fox"], [])).post("/api/v1/text/search", json={"pattern": "(", "regex": True})

    assert [answer.status_code, answer.json()["error"]["code"]] == [400, "bad_request"]


def plugin(asker: Asker, tag: str, **more: str) -> list[str]:
    """The texts that TensorBoard's address gives."""
    rows = asker.get("/data/plugin/text/text", params={"run": "run", "tag": tag, **more}).json()
    return [row["text"] for row in rows]


def test_tensorboards_tags() -> None:
    """Names as they are in the file."""
    asker = texts(("a/text_summary", 0, ["x"], []), ("b", 0, ["x"], []))

    assert asker.get("/data/plugin/text/tags").json() == {"run": ["a/text_summary", "b"]}


def test_tensorboards_texts() -> None:
    """A text is HTML; a list and a table are tables; of more dimensions the first is shown, with a word above it."""
    asker = texts(
        ("one", 0, ["*x* & <y>"], []),
        ("list", 0, ["*x*"], [1]),
        ("table", 0, ["a", "b", "c", "d"], [2, 2]),
        ("pile", 0, ["a", "b", "c", "d"], [2, 1, 2]),
    )

    row = "<tr>\n<td><p>a</p></td>\n<td><p>b</p></td>\n</tr>"
    assert plugin(asker, "one") == ["<p><em>x</em> &amp; &lt;y&gt;</p>"]
    assert plugin(asker, "one", markdown="false") == ["*x* &amp; &lt;y&gt;"]
    assert plugin(asker, "list") == ["<table>\n<tbody>\n<tr>\n<td><p><em>x</em></p></td>\n</tr>\n</tbody>\n</table>"]
    assert plugin(asker, "table") == [
        f"<table>\n<tbody>\n{row}\n" + row.replace("a<", "c<").replace("b<", "d<") + "\n</tbody>\n</table>"
    ]
    assert plugin(asker, "pile") == [
        f"<p><strong>3 dimensions:</strong> the first table is shown.</p><table>\n<tbody>\n{row}\n</tbody>\n</table>"
    ]
    assert plugin(asker, "none") == []


def test_tensorboards_texts_are_as_many_as_asked_for() -> None:
    """A hundred of each series, the last among them."""
    asker = texts(*[("note", step, [str(step)], []) for step in range(150)])

    rows = asker.get("/data/plugin/text/text", params={"run": "run", "tag": "note"}).json()
    assert [len(rows), rows[-1]] == [100, {"wall_time": 159.0, "step": 149, "text": "<p>149</p>"}]


def test_all_steps_of_a_kind_are_told_once() -> None:
    """Over tags and runs, ascending: what one slider for all of them needs."""
    asker = texts(*[(tag, step, ["x"], []) for tag, step in [("a", 5), ("b", 2), ("b", 5), ("a", 3)]])

    told = [
        asker.post("/api/v1/values/steps", json={"plugin": "text", **more}).json()["steps"]
        for more in ({}, {"tags": ["b"]}, {"runs": []})
    ]
    assert told == [[2, 3, 5], [2, 5], []]


# What TensorBoard's address sends


def sent(asker: Asker, **more: str) -> list[str]:
    """The HTML of each value of `note`, the oldest first."""
    answer = asker.get("/data/plugin/text/text", params={"run": "run", "tag": "note", **more})
    return [row["text"] for row in answer.json()]


def test_a_long_text_is_sent_whole() -> None:
    """As TensorBoard sends it."""
    text = "Some words of it.\n\n" * 10_000

    (html,) = sent(texts(("note", 0, [text], [])))

    assert html.count("<p>Some words of it.</p>") == 10_000


def test_what_is_no_markdown_has_no_words_of_ours() -> None:
    """Spaces, lines and the tags that TensorBoard lets through stay; the others are shown."""
    text = '  {\n    "lr": <em>1</em>,\n    "x": <b>2</b> & **3**\n  }\n' + " " * 70_000

    (html,) = sent(texts(("note", 0, [text], [])), markdown="false")

    assert html == '  {\n    "lr": <em>1</em>,\n    "x": &lt;b&gt;2&lt;/b&gt; &amp; **3**\n  }\n' + " " * 70_000


def test_a_string_without_a_shape_is_no_table() -> None:
    """As for protocol buffers, where nothing said is a single value."""
    asker = Asker({})
    record = tensor_record("note", 0, tensor(STRING, [b"*a*"], shape=None), 10.0, META)
    asker.memory.storage.write("run/events.out.tfevents.1", version_record() + record)
    asker.memory.look()

    assert sent(asker) == ["<p><em>a</em></p>"]


def test_the_newest_texts_are_rendered_first() -> None:
    """An answer does only so much work; what is over it comes as plain text, and says so."""
    costly = "a\n\n" * 10_000
    html = sent(texts(*(("note", step, [f"*{step}*\n\n{costly}"], []) for step in range(8))))

    plain = ["Shown as plain text." in one for one in html]
    assert plain == sorted(plain, reverse=True)
    assert (plain[0], plain[-1]) == (True, False)
    assert html[0].startswith("<p><em>Shown as plain text.</em></p><pre><code>*0*\n\na\n\n")
    assert html[-1].startswith("<p><em>7</em></p>\n<p>a</p>")
