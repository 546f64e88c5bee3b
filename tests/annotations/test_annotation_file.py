"""The file of annotations: readable, private, never half written, never lost."""

import errno
import json
import os
import pathlib

import pytest

from lightboard.annotations.annotations import Annotations, apply_edit
from lightboard.annotations.file_lock import file_lock
from lightboard.annotations.file_store import FileAnnotationStore
from lightboard.errors import AnnotationsError
from support.file_descriptors import no_descriptors_left

NAMED = Annotations(
    revision=3,
    runs={"a/каша": {"note": "see *this*", "color": "#12ab00"}},
    views={"v": {"address": "timeseries?x", "saved": 5.0}},
    slots={"a/каша": 0, "b": 7},
)


@pytest.fixture
def path(tmp_path: pathlib.Path) -> pathlib.Path:
    """Where the file will be; its folder is not there yet."""
    return tmp_path / "home" / "boards" / "x.json"


@pytest.fixture
def written(path: pathlib.Path) -> pathlib.Path:
    """The file with content."""
    FileAnnotationStore(str(path), "/logs", pytest.fail).change(lambda _: NAMED)
    return path


@pytest.fixture
def sealed(written: pathlib.Path) -> pathlib.Path:
    """The file in a folder that takes no other file, not even from root: its name is too long by then."""
    deep = written.parent / ("n" * 250 + ".json")
    os.rename(written, deep)
    return deep


def reopened(path: pathlib.Path, said: list[str] | None = None) -> FileAnnotationStore:
    return FileAnnotationStore(str(path), "/logs", pytest.fail if said is None else said.append)


def test_the_file_is_for_people_too(written: pathlib.Path) -> None:
    """JSON, names as they are, and of which logs."""
    assert json.loads(written.read_text(encoding="utf-8")) == {
        "version": 1,
        "logdir": "/logs",
        "revision": 3,
        "runs": {"a/каша": {"note": "see *this*", "color": "#12ab00"}},
        "views": {"v": {"address": "timeseries?x", "saved": 5.0}},
        "slots": {"a/каша": 0, "b": 7},
    }
    assert "каша" in written.read_text(encoding="utf-8")


def test_what_was_written_is_read_again(written: pathlib.Path) -> None:
    """By the next process."""
    assert reopened(written).read() == NAMED


def test_only_its_owner_can_read_it(written: pathlib.Path) -> None:
    """Notes are nobody else's business."""
    assert [oct(os.stat(one).st_mode & 0o777) for one in (written, written.parent)] == ["0o600", "0o700"]


def test_reading_makes_nothing(path: pathlib.Path) -> None:
    """A board that nobody edits leaves no trace."""
    assert (reopened(path).read(), reopened(path).writable, path.parent.exists()) == (Annotations(), True, False)


def test_nothing_is_left_beside_it(written: pathlib.Path) -> None:
    """But the lock."""
    assert sorted(os.listdir(written.parent)) == [".lock", "x.json"]


def test_two_boards_do_not_overwrite_each_other(written: pathlib.Path) -> None:
    """Each edit begins from what the other left."""
    one, two = reopened(written), reopened(written)
    one.read()
    two.read()

    one.change(lambda content: apply_edit(content, {"runs": {"b": {"hidden": True}}}, 0.0))
    two.change(lambda content: apply_edit(content, {"runs": {"c": {"hidden": True}}}, 0.0))

    assert one.read() == two.read()
    assert (one.read().revision, set(one.read().runs)) == (5, {"a/каша", "b", "c"})


def test_a_file_that_is_gone_is_forgotten(written: pathlib.Path) -> None:
    """Whoever removes it means it."""
    overlay = reopened(written)
    overlay.read()
    written.unlink()

    assert overlay.read() == Annotations()


@pytest.mark.parametrize("text", ["", "{", "[]", "\x00" * 100, '{"version": 0}'])
def test_a_damaged_file_is_kept_aside(written: pathlib.Path, text: str) -> None:
    """Said once; edits begin anew."""
    written.write_text(text)
    said: list[str] = []
    overlay = reopened(written, said)
    overlay.read()
    overlay.read()

    assert (written.with_name("x.json.damaged").read_text(), len(said)) == (text, 1)
    assert overlay.change(lambda content: apply_edit(content, {"runs": {"a": {"note": "n"}}}, 0.0)).revision == 1


def test_what_is_good_in_a_damaged_file_stays(written: pathlib.Path) -> None:
    """One slip of a person who edits it by hand does not cost the rest."""
    document = json.loads(written.read_text(encoding="utf-8"))
    document["runs"]["a/каша"]["color"] = "blue"
    document["slots"]["c"] = 7
    written.write_text(json.dumps(document))
    said: list[str] = []

    content = reopened(written, said).read()

    assert (content.runs, content.views, content.slots) == (
        {"a/каша": {"note": "see *this*"}},
        NAMED.views,
        NAMED.slots,
    )
    assert said == [f"note: {written} is damaged (runs.a/каша.color); it is kept as x.json.damaged"]
    assert reopened(written).read() == content


def test_older_damage_is_not_overwritten(written: pathlib.Path) -> None:
    """Each damaged file gets a name of its own."""
    for _ in range(3):
        written.write_text("{")
        reopened(written, []).read()

    assert sorted(name for name in os.listdir(written.parent) if "damaged" in name) == [
        "x.json.damaged",
        "x.json.damaged-2",
        "x.json.damaged-3",
    ]


def test_a_file_of_a_newer_version_is_left_alone(written: pathlib.Path) -> None:
    """The board works without it."""
    written.write_text('{"version": 2, "runs": 5}')
    overlay = reopened(written)

    assert (overlay.read(), overlay.writable) == (Annotations(), False)
    with pytest.raises(AnnotationsError, match="written by a newer Lightboard"):
        overlay.change(lambda _: NAMED)
    assert written.read_text() == '{"version": 2, "runs": 5}'


def test_a_folder_that_cannot_be_made_is_one_clear_error(tmp_path: pathlib.Path) -> None:
    """The board works; it says beforehand that edits will not be kept."""
    (tmp_path / "home").write_text("a file in the way")
    overlay = reopened(tmp_path / "home" / "boards" / "x.json")

    assert (overlay.read(), overlay.writable) == (Annotations(), False)
    with pytest.raises(AnnotationsError) as refused:
        overlay.change(lambda _: NAMED)
    assert refused.value.message == "cannot write x.json: Not a directory"
    assert "LIGHTBOARD_HOME" in refused.value.hint


def test_a_write_that_fails_leaves_the_old_file(sealed: pathlib.Path) -> None:
    """And the old content."""
    before = sealed.read_bytes()
    overlay = reopened(sealed)

    with pytest.raises(AnnotationsError):
        overlay.change(lambda _: Annotations(revision=9))
    assert (sealed.read_bytes(), overlay.read()) == (before, NAMED)


def test_a_link_is_written_through(written: pathlib.Path, tmp_path: pathlib.Path) -> None:
    """As people have it who keep such files elsewhere."""
    elsewhere = tmp_path / "mine.json"
    os.rename(written, elsewhere)
    written.symlink_to(elsewhere)

    reopened(written).change(lambda _: Annotations(revision=9))

    assert (written.is_symlink(), json.loads(elsewhere.read_text())["revision"]) == (True, 9)


def test_a_holder_that_hangs_is_not_waited_for(tmp_path: pathlib.Path) -> None:
    """Whoever is killed gives the lock back; whoever hangs does not."""
    lock = str(tmp_path / ".lock")

    with (
        file_lock(lock),
        pytest.raises(TimeoutError, match="another process"),
        file_lock(lock, timeout_secs=0),
    ):
        pass
    with file_lock(lock, timeout_secs=0):
        pass


def test_a_file_that_cannot_be_opened_for_a_moment_costs_nothing(written: pathlib.Path) -> None:
    """What was read last is shown, nothing is written over what was not seen, and the next look reads again."""
    overlay = reopened(written)
    overlay.read()
    reopened(written).change(lambda content: apply_edit(content, {"runs": {"c": {"hidden": True}}}, 0.0))

    with no_descriptors_left():
        shown, writable = overlay.read(), overlay.writable
        with pytest.raises(AnnotationsError):
            overlay.change(lambda _: Annotations())

    assert (shown, writable) == (NAMED, False)
    assert (set(overlay.read().runs), overlay.writable) == ({"a/каша", "c"}, True)


def test_a_file_that_could_not_be_opened_at_first_is_read_later(written: pathlib.Path) -> None:
    """Nothing of it changes meanwhile."""
    overlay = reopened(written)
    with no_descriptors_left():
        assert overlay.read() == Annotations()
    assert overlay.read() == NAMED


def test_damage_is_repaired_only_under_the_lock(written: pathlib.Path) -> None:
    """Who holds the lock may be repairing it: its work is not put aside."""
    good = written.read_bytes()
    said: list[str] = []
    overlay = reopened(written, said)
    with file_lock(str(written.parent / ".lock")):
        written.write_text("{")
        assert (overlay.read(), overlay.writable, written.read_text()) == (Annotations(), False, "{")
        written.write_bytes(good)
    assert (overlay.read(), overlay.writable, said) == (NAMED, True, [])
    assert sorted(os.listdir(written.parent)) == [".lock", "x.json"]


def test_damage_is_repaired_in_the_middle_of_an_edit(written: pathlib.Path) -> None:
    """The edit holds the lock already."""
    written.write_text("{")
    said: list[str] = []
    after = reopened(written, said).change(lambda content: apply_edit(content, {"runs": {"a": {"note": "n"}}}, 0.0))
    assert (after.runs, len(said), reopened(written).read()) == ({"a": {"note": "n"}}, 1, after)


def test_a_damaged_file_stays_where_the_good_part_cannot_be_written(
    written: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a full disk what was good is still shown, look for look, and kept once there is room."""
    document = json.loads(written.read_text(encoding="utf-8"))
    document["runs"]["a/каша"]["color"] = "blue"
    damaged = json.dumps(document)
    written.write_text(damaged)
    overlay, good = reopened(written, []), {"a/каша": {"note": "see *this*"}}

    def full(_fd: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        shown = [overlay.read().runs, overlay.read().runs]
        assert (shown, overlay.writable, written.read_text()) == ([good, good], False, damaged)

    assert (overlay.read().runs, overlay.writable, reopened(written).read().runs) == (good, True, good)
    assert written.with_name("x.json.damaged").read_text() == damaged
