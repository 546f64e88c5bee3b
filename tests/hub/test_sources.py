"""Parsing of sources."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lightboard.errors import Invalid
from lightboard.hub.resources.sources import Source, SourceKind, parse_uri, source_key, volume_target

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
def test_valid_sources(text: str, meant: tuple[SourceKind, str, str]) -> None:
    """In their shortest form."""
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
def test_invalid_sources(text: str) -> None:
    """Are refused with a hint."""
    with pytest.raises(Invalid) as raised:
        parse_uri(text)
    assert raised.value.hint


@given(st.text(max_size=200))
def test_sources_never_traverse_upwards(text: str) -> None:
    """They are refused, or parsed to a path without `..` that round-trips."""
    try:
        kind, ref, path = parse_uri(text)
    except Invalid:
        return
    assert ".." not in path.split("/")
    if kind in (URI, PATH):
        assert parse_uri(path) == (kind, ref, path)


@pytest.mark.parametrize(
    ("text", "target"),
    [
        ("storage:image/results:/project/results:ro", "/project/results"),
        ("dataset:mnist/logs://data", "//data"),
        ("storage:image/results:ro", ""),
        ("storage:image/results", ""),
        ("/data:/logs", ""),
        ("s3://bucket/path", ""),
    ],
)
def test_a_volume_has_a_target(text: str, target: str) -> None:
    """A folder or a URL has none: a colon is a part of it."""
    assert volume_target(text) == target


def place(path: str, **fields: str) -> Source:
    """A folder."""
    return Source(id=f"src-{path}", kind=PATH, path=path, **fields)


def test_equal_sources_have_equal_keys() -> None:
    """In any order and with any id."""
    one, two = place("/a"), place("/b")

    assert source_key([one, two], "p") == source_key([two, Source(id="other", kind=PATH, path="/a")], "p")


@pytest.mark.parametrize("field", ["alias", "include", "exclude"])
def test_patterns_change_the_key(field: str) -> None:
    """Annotations and get-or-create use it."""
    assert source_key([place("/a")], "p") != source_key([place("/a", **{field: "x"})], "p")


def test_storage_keys_depend_on_the_project() -> None:
    """Folder keys do not."""
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
def test_sources_round_trip(source: Source, text: str) -> None:
    """And can be written so again."""
    assert source.text == text
    assert parse_uri(text) == (source.kind, source.ref, source.path)
