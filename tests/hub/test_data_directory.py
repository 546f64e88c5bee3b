"""The data directory: private to its user, and used by one hub unless replicas share a database."""

import os
import pathlib
import stat
import subprocess
from collections.abc import Iterator

import pytest

from lightboard.errors import UsageError
from lightboard.hub import data_directory
from lightboard.testing.event_files import scalar_record, write_events
from support.databases import Postgres
from support.hub_process import HubProcess


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
def test_files_are_private_whatever_the_umask(tmp_path: pathlib.Path, server: object) -> None:
    """Files of the hub, the database with its journal, worker logs."""
    write_events(tmp_path / "logs" / "train" / "events.out.tfevents.1", [scalar_record("loss", 0, 1.5)])
    database = server.ready() if isinstance(server, Postgres) else ""
    with HubProcess(tmp_path / "home", roots=[tmp_path / "logs"], database=database) as hub:
        board = hub.create_board(tmp_path / "logs")
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
def test_loose_modes_are_refused_with_a_fix(directory: pathlib.Path, name: str, permission: int) -> None:
    """The message names the file, and the hint is a shell command that fixes it."""
    if permission == data_directory.PASS and name in (".", "storage"):
        pytest.skip("the group of jobs may pass these")
    loose = directory / name
    loose.chmod(stat.S_IMODE(loose.stat().st_mode) | permission)

    with pytest.raises(UsageError) as refused, data_directory.opened(directory, ""):
        pass
    assert refused.value.message.startswith(f"{loose} (mode ")
    subprocess.run(refused.value.hint, shell=True, check=True)

    with data_directory.opened(directory, ""):
        pass
    assert stat.S_IMODE(loose.stat().st_mode) & data_directory.OTHERS == 0


def test_jobs_may_pass_the_directories_above_theirs(directory: pathlib.Path) -> None:
    """Those that run as users of their own."""
    for name in (".", "storage", "jobs", "environments"):
        (directory / name).chmod(0o710)
    with data_directory.opened(directory, ""):
        pass


def test_a_database_outside_is_checked_too(directory: pathlib.Path, tmp_path: pathlib.Path) -> None:
    """With SQLite's files beside it; names may contain spaces."""
    database = tmp_path / "else where.sqlite3"
    for suffix in data_directory.SQLITE_SUFFIXES:
        pathlib.Path(f"{database}{suffix}").touch(mode=0o666)

    with pytest.raises(UsageError, match="is open to other users, and 3 more") as refused:
        data_directory.check_private(directory, str(database))
    subprocess.run(refused.value.hint, shell=True, check=True)

    data_directory.check_private(directory, str(database))


def test_modes_of_project_storage_are_not_checked(directory: pathlib.Path) -> None:
    """Training jobs write there; only the top directory belongs to the hub."""
    (directory / "storage" / "vision").mkdir(mode=0o777)
    (directory / "storage" / "vision" / "events.out.tfevents.1").touch(mode=0o666)

    data_directory.check_private(directory)


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HubProcess]:
    """A hub that runs, with a database file outside its home."""
    folder = tmp_path_factory.mktemp("first")
    with HubProcess(folder / "home", database=f"sqlite:///{folder / 'hub.sqlite3'}") as hub:
        yield hub


def test_a_second_hub_over_sqlite_is_refused(first: HubProcess) -> None:
    """It names the first one, which continues."""
    with pytest.raises(RuntimeError, match=rf"another hub \(process {first.process.pid} on .*\) uses .*/home/hub"):
        HubProcess(first.home)

    assert first.request("GET", "/readyz").text.startswith("ready\n")


def test_a_database_file_serves_one_directory(first: HubProcess, tmp_path: pathlib.Path) -> None:
    """A second hub with another home is refused."""
    with pytest.raises(RuntimeError, match=r"another hub \(process \d+ on .*\) uses "):
        HubProcess(tmp_path / "two", database=first.database)


def test_a_killed_hub_leaves_no_lock(tmp_path: pathlib.Path) -> None:
    """Though its workers may live a little longer."""
    with HubProcess(tmp_path / "home") as hub:
        hub.kill()
        hub.restart()

        assert hub.request("GET", "/readyz").text.startswith("ready\n")


def test_replicas_share_the_directory(tmp_path: pathlib.Path, postgres: Postgres) -> None:
    """Hubs over one PostgreSQL; a hub over SQLite is refused meanwhile."""
    database = postgres.ready()
    with HubProcess(tmp_path / "home", database=database), HubProcess(tmp_path / "home", database=database) as second:
        assert second.request("GET", "/readyz").text.startswith("ready\n")
        with pytest.raises(RuntimeError, match="another hub uses"):
            HubProcess(tmp_path / "home")
    postgres.drop(database)
