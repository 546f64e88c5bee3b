"""Nobody sees a byte from outside of the folders that a project may show, whatever they do to their own."""

import os
import pathlib
from collections.abc import Iterator
from urllib.parse import quote

import httpx
import pytest
from attacker import Attacker, write_run

from running_hub import RunningHub, until

CONFIG = 'embeddings { tensor_name: "t" tensor_path: "t.tsv" metadata_path: "key" }'
ATTEMPTS = 5
"""A list of tensors is good for a second, in which the folder must be swapped: a busy machine may need more."""


def swap(folder: pathlib.Path, target: pathlib.Path) -> None:
    """A link takes the place of a folder."""
    folder.rename(folder.with_name(f"{folder.name}.old"))
    folder.symlink_to(target)


def swap_back(folder: pathlib.Path) -> None:
    """The folder takes its place again."""
    folder.unlink()
    folder.with_name(f"{folder.name}.old").rename(folder)


def test_a_link_below_a_source_leads_nowhere(attacker: Attacker) -> None:
    """Neither to a folder outside nor to one file of it; what lies beside the links is shown."""
    write_run(attacker.outside, "secret")
    write_run(attacker.folder, "own")
    (attacker.folder / "link").symlink_to(attacker.outside)
    (attacker.folder / "file").mkdir()
    (attacker.folder / "file" / "events.out.tfevents.2").symlink_to(
        attacker.outside / "secret" / "events.out.tfevents.1"
    )

    board = attacker.board(attacker.folder)
    assert attacker.settled(board, "own") == {"own"}
    assert attacker.get(board, "api/v1/status").json()["skipped_links"] == 2


def test_a_folder_swapped_after_the_start_leads_nowhere(attacker: Attacker) -> None:
    """The top of a source, and one below it."""
    write_run(attacker.outside, "secret")
    write_run(attacker.outside, "a/secret")
    write_run(attacker.folder / "top", "a/own")
    board = attacker.board(attacker.folder / "top")
    attacker.settled(board, "a/own")

    swap(attacker.folder / "top" / "a", attacker.outside)
    below = attacker.runs(board)
    swap_back(attacker.folder / "top" / "a")
    swap(attacker.folder / "top", attacker.outside)

    assert (below - {"a/own", "a.old/own"}, attacker.runs(board) - {"a/own", "a.old/own"}) == (set(), set())


def test_a_projector_config_reads_no_key(attacker: Attacker) -> None:
    """With its folder swapped for the hub's own between two requests."""
    key = attacker.home / "key"
    if not key.exists():
        key.write_text("with PostgreSQL it is in the database; any file of the hub stands for it")
    secret = key.read_bytes()
    run = attacker.folder / "run"
    write_run(attacker.folder, "run")
    (run / "t.tsv").write_text("1\t2\n3\t4\n")
    (run / "projector_config.pbtxt").write_text(CONFIG)
    board = attacker.board(attacker.folder)
    attacker.settled(board, "run")

    taken = []
    for _ in range(ATTEMPTS):
        attacker.settled(board, "run")
        until(lambda: attacker.get(board, "data/plugin/projector/runs").json(), bool, "the tensors")
        swap(run, attacker.home)
        answer = attacker.get(board, "data/plugin/projector/metadata?run=run&name=t")
        swap_back(run)
        taken.append((answer.status_code, answer.content == secret))

    assert set(taken) == {(400, False)}


@pytest.fixture(scope="module")
def exposed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningHub]:
    """A hub whose administrator put its SQLite database, and the secret of the outside login, among the logs."""
    top = tmp_path_factory.mktemp("exposed")
    logs = top / "logs"
    logs.mkdir()
    (logs / "client.secret").write_text("the secret of the outside login")
    words = ["--oidc-issuer", "https://login.example", "--oidc-client-id", "hub"]
    words += ["--oidc-client-secret-file", str(logs / "client.secret")]
    database = f"sqlite:///{logs / 'kept.sqlite3'}"
    with RunningHub(top / "home", *words, roots=[logs], database=database) as hub:
        yield hub


@pytest.mark.parametrize("way", ["itself", "hard", "soft"])
@pytest.mark.parametrize("name", ["kept.sqlite3", "kept.sqlite3-wal", "kept.sqlite3-shm", "client.secret"])
def test_the_hubs_files_among_the_logs_are_read_by_no_board(exposed: RunningHub, name: str, way: str) -> None:
    """Neither under their names nor by links; what lies beside them is."""
    logs = exposed.home.parent / "logs"
    secret = logs / name
    asked = logs / f"{name}.{way}" if way != "itself" else secret
    if way == "hard" and not asked.exists():
        os.link(secret, asked)
    if way == "soft" and not asked.exists():
        asked.symlink_to(name)
    write_run(logs, ".")
    (logs / "t.tsv").write_text("1\t2\n3\t4\n")
    (logs / "beside").write_text("a\nb\n")

    answers = [metadata(exposed, logs, each.name) for each in (logs / "beside", asked)]

    assert [answer.status_code for answer in answers] == [200, 400]
    assert secret.read_bytes()[:16] not in answers[1].content


def metadata(hub: RunningHub, logs: pathlib.Path, name: str) -> httpx.Response:
    """What a new board reads as the metadata that a projector config names."""
    config = 'embeddings { tensor_name: "t" tensor_path: "t.tsv" metadata_path: "%s" }' % name  # noqa: UP031  # braces
    (logs / "projector_config.pbtxt").write_text(config)
    board = hub.board(logs)
    (run,) = until(lambda: hub.ask("GET", f"/tb/{board['id']}/data/plugin/projector/runs").json(), bool, "the tensors")
    answer = hub.ask("GET", f"/tb/{board['id']}/data/plugin/projector/metadata?run={quote(run)}&name=t")
    hub.json("DELETE", f"/api/v1/tensorboards/{board['id']}")
    return answer


def test_an_empty_board_tells_nothing_of_the_folders_around(attacker: Attacker) -> None:
    """As one at home does, which says where runs are to be found."""
    write_run(attacker.folder / "private", "secret")
    (attacker.folder / "empty").mkdir()
    write_run(attacker.outside, "secret")

    board = attacker.board(attacker.folder / "empty")
    attacker.runs(board)
    assert attacker.get(board, "api/v1/status").json()["nearest"] == []


def test_a_pipe_and_a_link_in_a_circle_hold_nobody_up(attacker: Attacker) -> None:
    """They are passed over."""
    write_run(attacker.folder, "own")
    os.mkfifo(attacker.folder / "own" / "events.out.tfevents.9")
    (attacker.folder / "a").symlink_to("b")
    (attacker.folder / "b").symlink_to("a")
    (attacker.folder / "own" / "up").symlink_to("..")

    board = attacker.board(attacker.folder)
    assert attacker.settled(board, "own") == {"own"}
