"""Where Lightboard answers otherwise than TensorBoard, and why: one row for each reason.

A row says which exchanges it is about and turns the recorded answer into the one Lightboard is to give, so that
everything is still compared. Rows apply in order, each to what the one before made of the answer.

Compared are status, type of content, Location, Allow and the whole body. Not compared: cache headers, from which size
on a body is gzipped, the pages themselves; these have tests of their own.
"""

import json
import math
import re
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple
from urllib.parse import parse_qs, urljoin, urlsplit

from lightboard import __version__
from support.tensorboard_oracle import ORACLE, Point, values, visible

Response = dict[str, Any]
Request = dict[str, Any]

PLAIN = {"content-type": "text/plain; charset=utf-8"}
TABS = {"audio": "audio", "events": "scalars", "graphs": "graphs", "histograms": "histograms", "images": "images"}
SAMPLES = 1000


class Difference(NamedTuple):
    """One reason. `ours(question, recorded)` is the answer we want; it may return its argument changed."""

    reason: str
    about: Callable[[Request, Response], bool]
    ours: Callable[[Request, Response], Response]


def route(question: Request) -> str:
    """The path without path prefix, experiment and slashes at the end."""
    parts = urlsplit(question["url"]).path.rstrip("/").removeprefix("/some/prefix")
    return "/" + parts.split("/", 3)[-1] if parts.startswith("/experiment/") else parts


def asked(question: Request) -> dict[str, str]:
    """Query parameters, the first of each."""
    return {name: found[0] for name, found in parse_qs(urlsplit(question["url"]).query).items()}


def text(status: int, words: str, **headers: str) -> Response:
    """An answer in one line of text."""
    return {"status": status, "headers": PLAIN | headers, "text": words}


# Series that TensorBoard's Python server shows otherwise


def row(point: Point) -> list[Any]:
    """A point as in /scalars."""
    return [point.wall, point.step, word(point.value)]


def item(point: Point) -> dict[str, Any]:
    """A point as in /timeSeries."""
    return {"wallTime": point.wall, "step": point.step, "value": word(point.value)}


def word(value: float) -> Any:
    """A number, or the word JSON has instead."""
    return value if math.isfinite(value) else str(value).replace("inf", "Infinity").replace("nan", "NaN")


def as_csv(points: list[Point]) -> str:
    """A series as a table."""
    lines = [f"{point.wall!r},{point.step!r},{point.value!r}" for point in points]
    return "\r\n".join(["Wall time,Step,Value", *lines, ""])


def one_series(question: Request) -> tuple[str, str] | None:
    """Run and tag of a question to /scalars that makes sense."""
    found = asked(question)
    key = found.get("run", ""), found.get("tag", "")
    if route(question) != "/data/plugin/scalars/scalars" or key[1] not in ORACLE.get(key[0], {}).get("series", {}):
        return None
    return key


def with_points(question: Request, points: list[Point]) -> Response:
    """The whole answer of /scalars."""
    if asked(question).get("format") == "csv":
        return {"status": 200, "headers": {"content-type": "text/csv; charset=utf-8"}, "text": as_csv(points)}
    return {"status": 200, "headers": {"content-type": "application/json"}, "json": [row(point) for point in points]}


def restarted(run: str, tag: str) -> bool:
    """Whether the Python server hides other points than EventAccumulator."""
    return "hidden_server" in ORACLE.get(run, {}).get("series", {}).get(tag, {})


def series_lists(question: Request, answer: Response) -> Iterator[tuple[str, str, dict[str, Any], Any]]:
    """(run, tag, the object that holds the run's points, form of a point) of multirun and time series answers."""
    body = answer.get("json")
    if route(question) == "/data/plugin/scalars/scalars_multirun" and isinstance(body, dict):
        tag = dict(question["form"])["tag"]
        yield from ((run, tag, body, row) for run in body)
    if route(question) == "/data/plugin/timeseries/timeSeries" and isinstance(body, list):
        for one in body:
            if one["plugin"] == "scalars":
                series = one.get("runToSeries", {})
                yield from ((run, one["tag"], series, item) for run in series)


def is_restarted(question: Request, answer: Response) -> bool:
    key = one_series(question)
    if key:
        return restarted(*key)
    return any(restarted(run, tag) for run, tag, _, _ in series_lists(question, answer))


def as_accumulator(question: Request, answer: Response) -> Response:
    key = one_series(question)
    if key:
        return with_points(question, visible(*key))
    for run, tag, place, form in list(series_lists(question, answer)):
        if restarted(run, tag):
            place[run] = [form(point) for point in visible(run, tag)]
    return answer


def is_unreadable(question: Request, _: Response) -> bool:
    key = one_series(question)
    return key is not None and "error" in ORACLE[key[0]]["series"][key[1]]


def as_written(question: Request, answer: Response) -> Response:
    key = one_series(question)
    assert key
    if values(*key) is None:
        run, tag = key
        return text(404, f"Not found: No scalar data for run={run!r}, tag={tag!r}")
    return with_points(question, visible(*key))


def has_large_integers(question: Request, answer: Response) -> bool:
    rows = answer.get("json") if one_series(question) else None
    return any(isinstance(one[2], int) and abs(one[2]) > 2**53 for one in rows or [])


def as_doubles(_: Request, answer: Response) -> Response:
    return answer | {"json": [[wall, step, float(value)] for wall, step, value in answer["json"]]}


# The rest


def set_json(answer: Response, **fields: Any) -> Response:
    return answer | {"json": answer["json"] | fields}


def projector_at_once(_: Request, answer: Response) -> Response:
    loading = {"type": "IFRAME", "module_path": "/data/plugin/projector/index.js"}
    return set_json(answer, projector=answer["json"]["projector"] | {"enabled": True, "loading_mechanism": loading})


def with_checkpoints(_: Request, answer: Response) -> Response:
    by_start = ["torch_kinds/embedding", "tensorboardx_kinds/embedding", "tensorboardx/everything", "torch/everything"]
    if sorted(by_start) != sorted(answer["json"]):
        return answer
    return answer | {"json": [*by_start, "keras_kinds/adam", "keras_kinds/sgd", "tensorflow_kinds/embedding"]}


def to_the_tab(question: Request, _: Response) -> Response:
    old = route(question).strip("/")
    home = question["url"].rstrip("/").removesuffix(old)
    return {"status": 302, "headers": {"location": urljoin(home, f"#{TABS[old]}")}, "text": ""}


def without_page(_: Request, answer: Response) -> Response:
    return {"status": answer["status"], "headers": {"location": answer["headers"]["location"]}, "text": ""}


def refused(question: Request, answer: Response) -> Response:
    allowed = answer["headers"].get("allow", "GET, HEAD")
    return text(405, "" if question["method"] == "HEAD" else "Method Not Allowed", allow=allowed)


def name_as_written(_: Request, answer: Response) -> Response:
    answer["json"]["torch/new_style"]["mixed"]["displayName"] = ""
    return answer


# Values other than scalars

VALUE_LISTS = {
    *("/data/plugin/text/text", "/data/plugin/audio/audio", "/data/plugin/images/images"),
    *("/data/plugin/histograms/histograms", "/data/plugin/distributions/distributions"),
}


def listed_series(question: Request) -> tuple[str, str]:
    """Run and tag of a list of values; "" where it is none, or of more than one series."""
    found = asked(question)
    if route(question) == "/data/plugin/timeseries/timeSeries" and "requests" in found:
        requests = json.loads(found["requests"])
        found = requests[0] if len(requests) == 1 and requests[0]["plugin"] != "scalars" else {}
    elif route(question) not in VALUE_LISTS:
        found = {}
    return found.get("run", ""), found.get("tag", "")


def lists_restarted(question: Request, answer: Response) -> bool:
    """Whether a list of values holds some that a restart made void."""
    return isinstance(answer.get("json"), list) and restarted(*listed_series(question))


def without_void(question: Request, answer: Response) -> Response:
    run, tag = listed_series(question)
    series = ORACLE[run]["series"][tag]
    void = {(series["walls"][at], series["steps"][at]) for at in series["hidden"]}
    rows = answer["json"]
    if rows and "runToSeries" in rows[0]:
        rows[0]["runToSeries"][run] = [row for row in rows[0]["runToSeries"][run] if when(row) not in void]
    else:
        rows = [row for row in rows if when(row) not in void]
    return answer | {"json": rows}


def when(row: Any) -> tuple[float, int]:
    """Wall time and step of an item of any list."""
    if isinstance(row, list):
        return row[0], row[1]
    return row["wallTime"] if "wallTime" in row else row["wall_time"], row["step"]


def is_void(question: Request) -> bool:
    """Whether a question about the bytes of a value is about one that a restart made void: our lists do not name it."""
    if "entry" not in question:
        return False
    listing, place = question["entry"]
    run, tag = listed_series({"url": listing})
    series = ORACLE.get(run, {}).get("series", {}).get(tag, {})
    return "hidden_server" in series and place in series["hidden"]


# Texts and sounds


PILES = (
    r"<p><strong>Warning:</strong>[^<]*dimensionality 3,[^<]*</p>",
    "<p><strong>3 dimensions:</strong> the first table is shown.</p>",
)
TEXT_FORMS = (
    # Links tell nobody where they came from; a link that would run a program is none.
    (r'<a href="([^"]*)">', r'<a href="\1" rel="noopener noreferrer nofollow">'),
    (r"<a>x</a>", "[x](javascript:alert(1))"),
    # A picture that lies elsewhere is a link to it.
    (r'<img alt="(.*?)" src="(.*?)">', r'<a href="\2" rel="noopener noreferrer nofollow">\1</a>'),
    # No word about bytes without meaning.
    (r"<!-- WARNING: .*? -->\n", ""),
    # A foreign tag at the beginning of a line does not end the paragraph.
    (r"(&lt;script&gt;.*?&lt;/script&gt;)\n<p>(ok)</p>", r"<p>\1 \2</p>"),
    (r"(&lt;script&gt;.*?&lt;/script&gt;)\n<p>(.*?)</p>", r"<p>\1\2</p>"),
)


def read_otherwise(question: Request, answer: Response) -> Response:
    """Every text in our form; those that are not read as Markdown differ only in the word above a pile of tables."""
    forms = (PILES,) if asked(question).get("markdown") == "false" else (PILES, *TEXT_FORMS)
    for row in answer["json"]:
        for pattern, written in forms:
            row["text"] = re.sub(pattern, written, row["text"])
    return answer


DIFFERENCES = [
    Difference(
        "images of a value are counted from its first one: there is none below",
        lambda q, a: route(q) == "/data/plugin/images/images" and asked(q).get("sample") == "-1" and a["status"] == 200,
        lambda *_: text(400, "Invalid argument: sample must be a number: '-1'"),
    ),
    Difference(
        "a refusal says first what it is",
        lambda q, a: route(q) == "/data/plugin/images/individualImage" and a["status"] == 400,
        lambda _, a: text(400, f"Invalid argument: {a['text']}"),
    ),
    Difference(
        "values that a restart made void are hidden as points are",
        lists_restarted,
        without_void,
    ),
    Difference(
        "texts are read as CommonMark, and their HTML asks nobody for anything",
        lambda q, a: route(q) == "/data/plugin/text/text" and isinstance(a.get("json"), list),
        read_otherwise,
    ),
    Difference(
        "a sample below zero is none; TensorBoard takes the last",
        lambda q, _: route(q) == "/data/plugin/audio/audio" and asked(q).get("sample") == "-1",
        lambda *_: text(400, "Invalid argument: sample must be a number: '-1'"),
    ),
    Difference(
        "a request for a sound that names none is told in text like every other error; TensorBoard sends a page",
        lambda q, a: route(q) == "/data/plugin/audio/individualAudio" and "html" in a,
        lambda *_: text(400, "Invalid argument: Both blob_key and content_type must be specified"),
    ),
    Difference(
        "it is another program, and tells nobody its flags",
        lambda q, _: route(q) == "/data/environment",
        lambda _, a: set_json(a, version=__version__, debug={"data_provider": "lightboard", "flags": {}}),
    ),
    Difference(
        "the projector is enabled from the first look on, not the second; its address is the same for every experiment",
        lambda q, _: route(q) == "/data/plugins_listing",
        projector_at_once,
    ),
    Difference(
        "runs with embeddings come in the order of all runs, and checkpoints and weights are read without TensorFlow",
        lambda q, _: route(q) == "/data/plugin/projector/runs",
        with_checkpoints,
    ),
    Difference(
        "the projector's page is ours: nothing is to be loaded into a frame",
        lambda q, _: route(q) == "/data/plugin_entry.html" and asked(q).get("name") == "projector",
        lambda *_: text(404, "Not found: projector"),
    ),
    Difference(
        "old addresses lead to the tab they name, as they once did, and stay under the path prefix",
        lambda q, a: route(q).strip("/") in TABS and a["status"] == 302,
        to_the_tab,
    ),
    Difference(
        "a redirection needs no page that says so",
        lambda q, a: a["status"] in (301, 302) and "html" in a,
        without_page,
    ),
    Difference(
        "what only reads takes GET and HEAD and says so; TensorBoard does not look at the method",
        lambda q, a: (
            q["method"] in ("POST", "PUT", "DELETE", "OPTIONS")
            and a["status"] == 200
            and route(q).rsplit("/")[-1] in ("runs", "scalars", "tags")
        ),
        refused,
    ),
    Difference(
        "a refused method is told in text like every other error; TensorBoard sends a page",
        lambda _, a: a["status"] == 405,
        refused,
    ),
    Difference(
        "a request for an image that names none is told in text like every other error; TensorBoard sends a page",
        lambda q, _: route(q) == "/data/plugin/timeseries/imageData" and "entry" not in q,
        lambda *_: text(400, "Invalid argument: Missing 'imageId' field"),
    ),
    Difference(
        "a tag that began as simple values and went on with metadata of its own shows that metadata's (empty) name",
        lambda q, _: route(q) == "/data/plugin/scalars/tags",
        name_as_written,
    ),
    Difference(
        "after a restart the points EventAccumulator hides are hidden; the Python server ignores a run's first START "
        "(tests/data/README.md)",
        is_restarted,
        as_accumulator,
    ),
    Difference(
        "scalar tensors that TensorBoard fails on are read; what is no number is not a scalar",
        is_unreadable,
        as_written,
    ),
    Difference(
        "values are doubles, integers too: beyond 2^53 they are rounded",
        has_large_integers,
        as_doubles,
    ),
]


def ours(question: Request, recorded: Response) -> tuple[Response, list[str]]:
    """The answer Lightboard is to give, and the reasons for which it is not the recorded one."""
    answer, reasons = json.loads(json.dumps(recorded)), []
    for difference in DIFFERENCES:
        if difference.about(question, answer):
            before = json.dumps(answer)
            answer = difference.ours(question, answer)
            if json.dumps(answer) != before:
                reasons.append(difference.reason)
    return answer, reasons
