"""The hub's own directory: nobody else looks into it, and one hub uses it unless replicas share a database."""

import os
import pathlib
import stat
import subprocess
from collections.abc import Iterator

import pytest

from databases import Postgres
from lightboard.errors import UsageError
from lightboard.hub import data_directory
from lightboard.testing.event_files import scalar_record, write_events
from running_hub import RunningHub


@pytest.fixture
def careless() -> Iterator[None]:
    """Processes are started by somebody whose files are open to all."""
    before = os.umask(0)
    yield
    os.umask(before)


@pytest.fixture
def directory(tmp_path: pathlib.Path) -> pathlib.Path:
    """One with every kind of file in it, all of them private."""
    made = data_directory.create(str(tmp_path))
    before = os.umask(data_directory.OTHERS)
    for name in ("hub.sqlite3-wal", "key", "credentials/team.toml", "overlays/p-1/x.json", "workers/0/worker.log"):
        (made / name).parent.mkdir(exist_ok=True)
        (made / name).touch()
    os.umask(before)
    return made


@pytest.mark.usefixtures("careless")
def test_nothing_is_open_to_others_whoever_started_the_hub(tmp_path: pathlib.Path, server: object) -> None:
    """Not what the hub makes, nor the database with its log, nor what workers say or keep."""
    write_events(tmp_path / "logs" / "train" / "events.out.tfevents.1", [scalar_record("loss", 0, 1.5)])
    database = server.ready() if isinstance(server, Postgres) else ""
    with RunningHub(tmp_path / "home", roots=[tmp_path / "logs"], database=database) as hub:
        board = hub.board(tmp_path / "logs")
        hub.json("PATCH", f"/tb/{board['id']}/api/v1/overlay", {"runs": {"train": {"note": "mine"}}})
        found = [(path, path.stat()) for path in [hub.home / "hub", *(hub.home / "hub").rglob("*")]]

    modes = {(stat.S_ISDIR(status.st_mode), f"{stat.S_IMODE(status.st_mode):o}") for _, status in found}
    files = {str(path.relative_to(tmp_path / "home")) for path, status in found if stat.S_ISREG(status.st_mode)}
    assert modes == {(True, "700"), (False, "600")}
    assert {"hub/workers/0/worker.log", *([] if database else ["hub/key", "hub/hub.sqlite3-wal"])} <= files
    assert any(name.startswith("hub/overlays/") for name in files)


@pytest.mark.parametrize(
    "name",
    [".", "storage", "key", "hub.sqlite3-wal", "credentials", "credentials/team.toml", "overlays/p-1",
     "overlays/p-1/x.json", "workers/0/worker.log"],
)  # fmt: skip
@pytest.mark.parametrize("permission", [0o001, 0o002, 0o004, 0o010, 0o020, 0o040])
def test_what_is_open_to_others_is_refused_until_the_hint_is_followed(
    directory: pathlib.Path, name: str, permission: int
) -> None:
    """The message names the file; the hint is a command that a shell takes, and after it the hub starts."""
    loose = directory / name
    loose.chmod(stat.S_IMODE(loose.stat().st_mode) | permission)

    with pytest.raises(UsageError) as refused, data_directory.opened(directory, ""):
        pass
    assert refused.value.message.startswith(f"{loose} (mode ")
    subprocess.run(refused.value.hint, shell=True, check=True)

    with data_directory.opened(directory, ""):
        pass
    assert stat.S_IMODE(loose.stat().st_mode) & data_directory.OTHERS == 0


def test_a_database_elsewhere_is_looked_at_as_well(directory: pathlib.Path, tmp_path: pathlib.Path) -> None:
    """With the files that SQLite lays beside it; a name may have spaces."""
    database = tmp_path / "else where.sqlite3"
    for suffix in data_directory.SQLITE_SUFFIXES:
        pathlib.Path(f"{database}{suffix}").touch(mode=0o666)

    with pytest.raises(UsageError, match="is open to other users, and 3 more") as refused:
        data_directory.check_private(directory, str(database))
    subprocess.run(refused.value.hint, shell=True, check=True)

    data_directory.check_private(directory, str(database))


def test_logs_in_the_storage_of_projects_are_as_their_writers_want(directory: pathlib.Path) -> None:
    """Training jobs write them; only the directory that holds all of them is the hub's."""
    (directory / "storage" / "vision").mkdir(mode=0o777)
    (directory / "storage" / "vision" / "events.out.tfevents.1").touch(mode=0o666)

    data_directory.check_private(directory)


def test_a_second_hub_over_sqlite_is_refused(tmp_path: pathlib.Path) -> None:
    """It says who is there and ends; the first one goes on."""
    with RunningHub(tmp_path / "home") as first:
        with pytest.raises(RuntimeError, match=rf"another hub \(process {first.process.pid} on .*\) uses .*/home/hub"):
            RunningHub(tmp_path / "home")

        assert first.ask("GET", "/readyz").text == "ready\n"


def test_one_database_is_not_for_two_directories(tmp_path: pathlib.Path) -> None:
    """Two hubs with homes of their own are refused the same file."""
    database = f"sqlite:///{tmp_path / 'hub.sqlite3'}"
    with (
        RunningHub(tmp_path / "one", database=database),
        pytest.raises(RuntimeError, match=r"another hub \(process \d+ on .*\) uses "),
    ):
        RunningHub(tmp_path / "two", database=database)


def test_a_killed_hub_leaves_no_lock(tmp_path: pathlib.Path) -> None:
    """Though its workers may live a moment longer."""
    with RunningHub(tmp_path / "home") as hub:
        hub.kill()
        hub.restart()

        assert hub.ask("GET", "/readyz").text == "ready\n"


def test_replicas_share_the_directory_and_keep_others_out(tmp_path: pathlib.Path, postgres: Postgres) -> None:
    """Hubs over one PostgreSQL have one home; one over SQLite does not get it as long as they are there."""
    database = postgres.ready()
    with RunningHub(tmp_path / "home", database=database), RunningHub(tmp_path / "home", database=database) as second:
        assert second.ask("GET", "/readyz").text == "ready\n"
        with pytest.raises(RuntimeError, match="another hub uses"):
            RunningHub(tmp_path / "home")
    postgres.drop(database)
