"""Volumes as Neu.ro writes them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lightboard.client.volumes import Volume, parse_volume, parse_volumes, source_at
from lightboard.errors import UsageError

NAMES = st.text(st.characters(exclude_characters="/:", exclude_categories=("Cs", "Cc")), min_size=1, max_size=8)
FOLDERS = st.lists(NAMES.filter(lambda name: name not in (".", "..")), min_size=1, max_size=4).map("/".join)
SOURCES = st.one_of(
    FOLDERS.map("storage:{}".format), FOLDERS.map("dataset:{}".format), FOLDERS.map("/{}".format),
    FOLDERS.map("s3://{}".format),
)  # fmt: skip


@pytest.mark.parametrize(
    ("text", "volume"),
    [
        ("storage:image/results://project/results:ro", ("storage:image/results", "/project/results", "ro")),
        ("storage:image/results:/project/results", ("storage:image/results", "/project/results", "")),
        ("storage:results:/results:rw", ("storage:results", "/results", "rw")),
        ("storage::/all/:ro", ("storage:", "/all", "ro")),
        ("storage:/a:/b", ("storage:/a", "/b", "")),
        ("s3://bucket/a:/b:ro", ("s3://bucket/a", "/b", "ro")),
        ("/data/runs:/b", ("/data/runs", "/b", "")),
        ("dataset:mnist/train:///b///c:ro", ("dataset:mnist/train", "/b/c", "ro")),
    ],
)
def test_volumes_are_parsed(text: str, volume: tuple[str, str, str]) -> None:
    """Slashes of the target are collapsed: shells of Windows rewrite paths that begin with one."""
    source, target, mode = volume
    assert parse_volume(text) == Volume(source=source, target=target, mode=mode)


@given(SOURCES, FOLDERS, st.sampled_from(("ro", "rw", "")))
def test_what_is_written_is_parsed(source: str, target: str, mode: str) -> None:
    """Whatever the names are."""
    volume = Volume(source=source, target=f"/{target}", mode=mode)
    assert parse_volume(str(volume)) == volume


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "'' is not a volume"),
        ("storage:image", "'storage:image' is not a volume"),
        ("storage:image:results", "'storage:image:results' is not a volume"),
        ("storage:/image", "'storage:/image' is not a volume"),
        ("s3://bucket/a", "'s3://bucket/a' is not a volume"),
        ("storage:a:/b:wo", "'storage:a:/b:wo' has the mode 'wo', which is neither ro nor rw"),
        ("storage:a:/b:", "'storage:a:/b:' has the mode '', which is neither ro nor rw"),
        ("storage:a:/b/../c:ro", "'/b/../c' is not an absolute path"),
    ],
)
def test_what_is_no_volume_is_refused(text: str, message: str) -> None:
    """With an example."""
    with pytest.raises(UsageError) as caught:
        parse_volume(text)

    assert caught.value.message == message


def test_two_volumes_at_one_path_are_refused() -> None:
    """One would hide the other."""
    with pytest.raises(UsageError, match="two volumes are at /logs"):
        parse_volumes(["storage:a:/logs", "storage:b://logs:ro"])


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("/logs", "storage:a"),
        ("/logs/x/y", "storage:a/x/y"),
        ("/logs/b", "s3://bucket"),
        ("/logs/b/c", "s3://bucket/c"),
        ("/all/z", "storage:z"),
        ("/logsx", None),
        ("/", None),
    ],
)
def test_the_innermost_volume_has_a_path(path: str, source: str | None) -> None:
    """As with mounts."""
    assert source_at(path, parse_volumes(["storage:a:/logs", "s3://bucket:/logs/b", "storage::/all"])) == source
