"""Promises about where logs lie, as people say it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lightboard.errors import Invalid
from lightboard.hub.resources.sources import Source, SourceKind, parse_uri, source_key

DATASET, STORAGE, URI, PATH = SourceKind.DATASET, SourceKind.STORAGE, SourceKind.URI, SourceKind.PATH


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("/data/runs", (PATH, "", "/data/runs")),
        ("//project/results/", (PATH, "", "/project/results")),
        ("/a/../b/./c", (PATH, "", "/b/c")),
        ("/with:colon", (PATH, "", "/with:colon")),
        ("file:///data/x%20y", (PATH, "", "/data/x y")),
        ("file://localhost/data", (PATH, "", "/data")),
        ("file:/data", (PATH, "", "/data")),
        ("storage:image/results", (STORAGE, "", "image/results")),
        ("storage:image/results:/project/results:ro", (STORAGE, "", "image/results")),
        ("storage:/a//b/:rw", (STORAGE, "", "a/b")),
        ("storage:", (STORAGE, "", "")),
        ("dataset:imagenet/logs/", (DATASET, "imagenet", "logs")),
        ("dataset:imagenet", (DATASET, "imagenet", "")),
        ("dataset://imagenet/logs:/mnt:ro", (DATASET, "imagenet", "logs")),
        ("s3://bucket/a/b/", (URI, "", "s3://bucket/a/b")),
        ("oss://bucket.oss-cn-hangzhou.aliyuncs.com/logs", (URI, "", "oss://bucket.oss-cn-hangzhou.aliyuncs.com/logs")),
        ("gs://b", (URI, "", "gs://b")),
        (" /data/日志 ", (PATH, "", "/data/日志")),
    ],
)
def test_what_people_write(text: str, meant: tuple[SourceKind, str, str]) -> None:
    """Each way is understood, in its shortest form."""
    assert parse_uri(text) == meant


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   ",
        "relative/path",
        "http://example.org/logs",
        "storage:../other",
        "storage:a/../../b",
        "storage:a:b:ro",
        "storage:a:/t:/u:ro",
        "storage:a\\..\\b",
        "dataset:",
        "dataset:name/../../x",
        "s3:bucket/a",
        "s3://",
        "s3://key:secret@bucket/a",
        "s3://bucket/a?X-Amz-Signature=1",
        "s3://bucket/../other",
        "file://another-machine/data",
        "file://relative",
        "file:///a%00b",
        "/nul\0byte",
        "/" + "x" * 5_000,
    ],
)
def test_what_is_no_place(text: str) -> None:
    """Is refused with a hint."""
    with pytest.raises(Invalid) as raised:
        parse_uri(text)
    assert raised.value.hint


@given(st.text(max_size=200))
def test_whatever_is_written_climbs_nowhere(text: str) -> None:
    """It is refused, or what comes of it has no way up, and says the same again."""
    try:
        kind, ref, path = parse_uri(text)
    except Invalid:
        return
    assert ".." not in path.split("/")
    if kind in (URI, PATH):
        assert parse_uri(path) == (kind, ref, path)


def place(path: str, **fields: str) -> Source:
    """A folder."""
    return Source(id=f"src-{path}", kind=PATH, path=path, **fields)


def test_the_same_places_have_the_same_key() -> None:
    """In any order, under any id."""
    one, two = place("/a"), place("/b")

    assert source_key([one, two], "p") == source_key([two, Source(id="other", kind=PATH, path="/a")], "p")


@pytest.mark.parametrize("field", ["alias", "include", "exclude"])
def test_what_shows_other_runs_has_another_key(field: str) -> None:
    """Notes and get-or-create go by it."""
    assert source_key([place("/a")], "p") != source_key([place("/a", **{field: "x"})], "p")


def test_storage_is_another_place_in_another_project() -> None:
    """A folder of the machine is the same everywhere."""
    storage = Source(id="s", kind=STORAGE, path="a")

    assert source_key([storage], "p") != source_key([storage], "q")
    assert source_key([place("/a")], "p") == source_key([place("/a")], "q")


@pytest.mark.parametrize(
    ("source", "text"),
    [
        (Source(id="s", kind=DATASET, ref="ds-1", path="logs"), "dataset:ds-1/logs"),
        (Source(id="s", kind=DATASET, ref="ds-1"), "dataset:ds-1"),
        (Source(id="s", kind=STORAGE, path="a/b"), "storage:a/b"),
        (Source(id="s", kind=URI, path="s3://b/p"), "s3://b/p"),
        (place("/data"), "/data"),
    ],
)
def test_a_source_is_shown_as_it_is_written(source: Source, text: str) -> None:
    """And can be written so again."""
    assert source.text == text
    assert parse_uri(text) == (source.kind, source.ref, source.path)
