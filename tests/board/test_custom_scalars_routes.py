"""Custom scalar routes, of the API and of TensorBoard."""

import pathlib

import pytest

from lightboard.testing.event_files import (
    STRING,
    bytes_field,
    scalar_record,
    summary_metadata,
    tensor,
    tensor_record,
    version_record,
)
from support.board_client import BoardClient, board_with_records

ROUTE = "/data/plugin/custom_scalars"
LOGS = pathlib.Path(__file__).parents[1] / "data" / "logs"
METADATA = summary_metadata("custom_scalars")
EMPTY = {"regex_valid": False, "tag_to_events": {}}


def words(field: int, *texts: str) -> bytes:
    return b"".join(bytes_field(field, text.encode()) for text in texts)


def chart(title: str, *patterns: str) -> bytes:
    return words(1, title) + bytes_field(2, words(1, *patterns))


def band(title: str, *tags: str) -> bytes:
    margin = b"".join(words(number, tag) for number, tag in enumerate(tags, 1))
    return words(1, title) + bytes_field(3, bytes_field(1, margin))


def layout(title: str, *charts: bytes) -> bytes:
    """A record with a layout of one category."""
    text = bytes_field(2, words(1, title) + b"".join(bytes_field(2, one) for one in charts))
    return tensor_record("custom_scalars__config__", 0, tensor(STRING, [text]), 1.0, METADATA)


def client_of(**layouts: bytes) -> BoardClient:
    points = b"".join(scalar_record(tag, 0, 0.5, 1.0) for tag in ("loss/a", "loss/b", "acc"))
    return board_with_records({run: points + record for run, record in layouts.items()})


def test_layouts_with_matching_tags() -> None:
    """Patterns for lines, names for bands; errors are included."""
    record = layout("c", chart("lines", "loss/.*", "b", "(", ""), band("band", "acc", "loss/a", "nothing"))

    assert client_of(r=record).get("/api/v1/custom_scalars").json()["categories"] == [
        {
            "title": "c",
            "closed": False,
            "charts": [
                {
                    "title": "lines",
                    "kind": "multiline",
                    "patterns": [
                        {"pattern": "loss/.*", "tags": ["loss/a", "loss/b"], "error": ""},
                        {"pattern": "b", "tags": [], "error": ""},
                        {
                            "pattern": "(",
                            "tags": [],
                            "error": "missing ), unterminated subpattern at position 0",
                        },
                        {"pattern": "", "tags": [], "error": ""},
                    ],
                    "margins": [],
                },
                {
                    "title": "band",
                    "kind": "margin",
                    "patterns": [],
                    "margins": [{"value": "acc", "lower": "loss/a", "upper": "nothing", "missing": ["nothing"]}],
                },
            ],
        }
    ]


def test_layouts_of_runs_are_merged() -> None:
    """The last of each run, in name order."""
    client = client_of(b=layout("c", chart("two", "x")), a=layout("old") + layout("c", chart("one", "x")))
    (category,) = client.get("/api/v1/custom_scalars").json()["categories"]

    assert [one["title"] for one in category["charts"]] == ["one", "two"]


def test_unreadable_layouts_are_reported() -> None:
    """Those of other runs are shown."""
    broken = tensor_record("custom_scalars__config__", 0, tensor(STRING, [b"\xff"]), 1.0, METADATA)
    answer = client_of(a=broken, b=layout("c")).get("/api/v1/custom_scalars").json()

    assert [one["title"] for one in answer["categories"]] == ["c"]
    assert [one["run"] for one in answer["unreadable"]] == ["a"]


def test_catastrophic_patterns_are_bounded() -> None:
    """Python's own engine would take years."""
    client = BoardClient({})
    record = layout("c", chart("x", "(a+)+$", "(a|a)*b"))
    points = scalar_record("a" * 60 + "!", 0, 0.5, 1.0)
    client.memory.storage.write("r/events.out.tfevents.1", version_record() + points + record)
    client.memory.refresh()
    (category,) = client.get("/api/v1/custom_scalars").json()["categories"]

    assert [(one["tags"], one["error"]) for one in category["charts"][0]["patterns"]] == [([], ""), ([], "")]


def test_no_layout() -> None:
    """Empty, also in TensorBoard's format."""
    client = client_of(r=b"")
    answer = client.get("/api/v1/custom_scalars").json()

    assert (answer["categories"], answer["unreadable"], client.get(f"{ROUTE}/layout").json()) == ([], [], {})


def test_layout_as_in_tensorboard() -> None:
    """In protobuf's JSON format."""
    record = layout("c", chart("lines", "a", "b"), band("band", "v", "l", "u"), words(1, "bare"))

    assert client_of(r=record).get(f"{ROUTE}/layout").json() == {
        "version": 0,
        "category": [
            {
                "title": "c",
                "chart": [
                    {"title": "lines", "multiline": {"tag": ["a", "b"]}},
                    {"title": "band", "margin": {"series": [{"value": "v", "lower": "l", "upper": "u"}]}},
                    {"title": "bare"},
                ],
                "closed": False,
            }
        ],
    }


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        (
            "run=r&tag=loss/.*",
            {"regex_valid": True, "tag_to_events": {"loss/a": [[1.0, 0, 0.5]], "loss/b": [[1.0, 0, 0.5]]}},
        ),
        ("run=r&tag=oss", {"regex_valid": True, "tag_to_events": {}}),
        ("run=nobody&tag=loss", {"regex_valid": True, "tag_to_events": {}}),
        ("tag=loss", {"regex_valid": True, "tag_to_events": {}}),
        ("run=r&tag=(", EMPTY),
        ("run=r&tag=", EMPTY),
        ("run=r", EMPTY),
    ],
)
def test_series_of_a_pattern_as_in_tensorboard(query: str, expected: object) -> None:
    """Anchored at the start; invalid patterns are no error."""
    assert client_of(r=b"").get(f"{ROUTE}/scalars?{query}").json() == expected


def test_series_can_be_downloaded() -> None:
    """Like those of the scalars plugin; run and tag are required."""
    client = client_of(r=b"")
    csv = client.get(f"{ROUTE}/download_data?run=r&tag=acc&format=csv")
    missing = client.get(f"{ROUTE}/download_data?run=r")

    assert (csv.text, csv.headers["content-type"]) == (
        "Wall time,Step,Value\r\n1.0,0,0.5\r\n",
        "text/csv; charset=utf-8",
    )
    assert client.get(f"{ROUTE}/download_data?run=r&tag=acc&format=json").json() == [[1.0, 0, 0.5]]
    assert (missing.status_code, missing.text) == (404, "Not found: No scalar data for run='r', tag=None")


def test_layouts_of_real_writers() -> None:
    """torch and tensorboardX write the same layout."""
    client = BoardClient({})
    for writer in ("torch", "tensorboardx"):
        (file,) = (LOGS / writer / "everything").glob("*tfevents*")
        client.memory.storage.write(f"{writer}/events.out.tfevents.1", file.read_bytes())
    client.memory.refresh()
    (category,) = client.get("/api/v1/custom_scalars").json()["categories"]

    assert (category["title"], [one["title"] for one in category["charts"]]) == ("all", ["losses"])
