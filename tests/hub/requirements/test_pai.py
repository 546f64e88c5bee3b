"""Requirements of the PAI SDK document: D1 to D4, D10 and D11."""

import json
import pathlib
from concurrent.futures import ThreadPoolExecutor

import pytest

from lightboard import TensorBoard
from lightboard.client.session import Session
from lightboard.errors import PermissionDenied, TensorboardLimitExceeded
from lightboard.testing.event_files import scalar_record, scalar_records, write_events
from support.hub_cli import LOGS, PROJECT, HubCli, fetch_json
from support.hub_process import HubProcess
from support.swift_server import KEY, SECRET, SwiftServer, folder_with_attributes

pytestmark = pytest.mark.databases("sqlite")  # the SQL is tested in tests/hub/db

COMPAT = pathlib.Path(__file__).parents[3] / "compat" / "pai" / "src"
LIMIT = 5


def test_d1_logs_are_shown_during_and_after_training(hub: HubProcess, session: Session, tmp_path: pathlib.Path) -> None:
    """New points appear while somebody watches."""
    file = tmp_path / "job" / "events.out.tfevents.1"
    file.parent.mkdir()
    write_events(file, scalar_records("train/loss", [(1, 1.0, 0.5)]))
    board = TensorBoard.create(str(tmp_path), session=session)
    series = "data/plugin/scalars/scalars?run=job&tag=train/loss"
    before = fetch_json(hub, board, series)

    with file.open("ab") as writer:
        writer.write(scalar_record("train/loss", 2, 0.25, 2.0))

    assert (before, fetch_json(hub, board, series)) == ([[1.0, 1, 0.5]], [[1.0, 1, 0.5], [2.0, 2, 0.25]])


@pytest.mark.databases("sqlite", "postgres")
def test_d2_an_account_has_at_most_five_boards(session: Session, tmp_path: pathlib.Path) -> None:
    """The error of the sixth lists the five and the remedies."""
    boards = [TensorBoard.create(str(tmp_path), wait=False, session=session) for number in range(LIMIT)]

    with pytest.raises(TensorboardLimitExceeded) as caught:
        TensorBoard.create(str(tmp_path), session=session)

    details = caught.value.details
    assert (details["limit"], {each["id"] for each in details["active"]}, details["remedies"]) == (
        LIMIT,
        {board.id for board in boards},
        ["stop", "delete"],
    )


@pytest.mark.databases("sqlite", "postgres")
def test_d2_d_t5_five_of_twenty_concurrent_creates_succeed(session: Session, tmp_path: pathlib.Path) -> None:
    """The limit is checked when rows are inserted."""

    def create(_number: int) -> str:
        try:
            return TensorBoard.create(str(tmp_path), wait=False, session=session).id
        except TensorboardLimitExceeded:
            return ""

    with ThreadPoolExecutor(20) as threads:
        made = [found for found in threads.map(create, range(20)) if found]

    histories = [TensorBoard(id, session).info()["transitions"] for id in made]
    assert (len(made), len(set(made))) == (LIMIT, LIMIT), histories


@pytest.mark.parametrize("how", ["stop", "delete"])
def test_d3_stopping_or_deleting_makes_room(how: str, session: Session, tmp_path: pathlib.Path) -> None:
    """Programs recognize the code TensorboardLimitExceeded."""
    boards = [TensorBoard.create(str(tmp_path), wait=False, session=session) for _ in range(LIMIT)]
    with pytest.raises(TensorboardLimitExceeded) as caught:
        TensorBoard.create(str(tmp_path), session=session)
    assert caught.value.code == "TensorboardLimitExceeded"

    if how == "stop":
        boards[0].stop(wait=True)
    else:
        boards[0].delete()

    assert TensorBoard.create(str(tmp_path), wait=False, session=session).id not in {board.id for board in boards}


@pytest.mark.databases("sqlite", "postgres")
def test_d3_d_t5_restarts_count_towards_the_limit(session: Session, tmp_path: pathlib.Path) -> None:
    """Or the limit would be none."""
    stopped = TensorBoard.create(str(tmp_path), session=session).stop(wait=True)
    for _ in range(LIMIT):
        TensorBoard.create(str(tmp_path), wait=False, session=session)

    with pytest.raises(TensorboardLimitExceeded):
        stopped.start()


def test_d4_errors_name_the_missing_right(hub: HubProcess, session: Session, tmp_path: pathlib.Path) -> None:
    """Viewers may look but not create."""
    token = hub.create_account("dora", "viewer", PROJECT)

    with Session(hub.url, token, PROJECT) as viewer, pytest.raises(PermissionDenied, match=r"tensorboards\.create"):
        TensorBoard.create(str(tmp_path), session=viewer)


def test_d10_d_t4_links_open_and_deletes_remove_running_boards(hub: HubProcess, session: Session) -> None:
    """As in the document: print app_uri, then delete without stopping."""
    board = TensorBoard.create(str(LOGS / "torch"), session=session)
    link = board.app_uri
    assert (link, board.status) == (f"{hub.url}/tb/{board.id}/", "Running")

    board.delete()

    assert (TensorBoard.list(session), (LOGS / "torch").is_dir()) == ([], True)


PROGRAM = """
from pai.tensorboard import TensorBoard

tb = TensorBoard.create(
    uri="{uri}",
)

print(tb.app_uri)
"""


def test_d11_the_sample_program_runs_unchanged(cli: HubCli, session: Session) -> None:
    """Over existing logs, without a job; only the URL differs."""
    (cli.folder / "program.py").write_text(PROGRAM.format(uri=LOGS / "torch"), encoding="utf-8")

    said = cli.run("program.py", PYTHONPATH=str(COMPAT)).stdout

    assert [said.strip()] == [board.app_uri for board in TensorBoard.list(session)]


def test_d11_the_sample_program_shows_logs_in_oss(tmp_path: pathlib.Path) -> None:
    """With the keys of the hub. A server with OSS's S3 interface is its HTTP proxy, which has OSS's address for it."""
    file = tmp_path / "events.out.tfevents.1"
    write_events(file, scalar_records("loss", [(1, 1.0, 0.5)]))
    place = folder_with_attributes(tmp_path, pathlib.Path("/var/tmp"))
    with SwiftServer(place, "cn-hangzhou", "oss-cn-hangzhou.aliyuncs.com") as swift:
        swift.make_bucket("bucketname")
        swift.put("bucketname", "path/to/tensorboard/log/dir/run/events.out.tfevents.1", file.read_bytes())
        env = {
            "OSS_ACCESS_KEY_ID": KEY, "OSS_ACCESS_KEY_SECRET": SECRET,
            "OSS_ENDPOINT": "http://oss-cn-hangzhou.aliyuncs.com",
            "HTTP_PROXY": swift.endpoint, "NO_PROXY": "127.0.0.1",
        }  # fmt: skip
        with HubProcess(tmp_path / "home", "--object-stores", "environment", env=env) as hub:
            cli = HubCli(hub, tmp_path)
            uri = "oss://bucketname/path/to/tensorboard/log/dir/"
            (tmp_path / "program.py").write_text(PROGRAM.format(uri=uri), encoding="utf-8")

            said = cli.run("program.py", PYTHONPATH=str(COMPAT)).stdout

            with Session(hub.url, hub.token, PROJECT) as session:
                (board,) = TensorBoard.list(session)
                assert said.strip() == board.app_uri
                assert fetch_json(hub, board, "data/plugin/scalars/scalars?run=run&tag=loss") == [[1.0, 1, 0.5]]


def test_d11_logs_in_a_bucket_are_shown(hub: HubProcess, session: Session, tmp_path: pathlib.Path) -> None:
    """Through a dataset with a credential, whose key stays hidden."""
    file = tmp_path / "events.out.tfevents.1"
    write_events(file, scalar_records("loss", [(1, 1.0, 0.5)]))
    place = folder_with_attributes(tmp_path, pathlib.Path("/var/tmp"))
    with SwiftServer(place) as swift:
        swift.make_bucket("d11")
        swift.put("d11", "path/run/events.out.tfevents.1", file.read_bytes())
        keys = {"kind": "s3", "access_key_id": KEY, "secret_access_key": SECRET, "endpoint": swift.endpoint}
        laid = hub.home / "hub" / "credentials" / "swift.toml"
        laid.parent.mkdir(parents=True, exist_ok=True)
        laid.write_text("".join(f"{key} = {json.dumps(value)}\n" for key, value in keys.items()))
        wanted = {"name": "bucket", "kind": "s3", "uri": "s3://d11/path", "credential": "swift", "project": PROJECT}
        session.ask("POST", "/api/v1/datasets", body=wanted)

        board = TensorBoard.create("dataset:bucket", session=session)

        assert fetch_json(hub, board, "data/plugin/scalars/scalars?run=run&tag=loss") == [[1.0, 1, 0.5]]
        assert SECRET not in json.dumps([board.info(), list(board.logs()), session.get("/api/v1/datasets")])
        board.delete()
