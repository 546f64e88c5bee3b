"""No byte from outside a project's folders is shown, whatever its members do to their own folders."""

import os
import pathlib
from collections.abc import Iterator
from urllib.parse import quote

import httpx
import pytest

from support.attacker import Attacker, write_run
from support.hub_process import HubProcess, wait_for

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


def test_symlinks_below_a_source_are_not_followed(attacker: Attacker) -> None:
    """Neither to folders nor to files outside; their neighbours are shown."""
    write_run(attacker.outside, "secret")
    write_run(attacker.folder, "own")
    (attacker.folder / "link").symlink_to(attacker.outside)
    (attacker.folder / "file").mkdir()
    (attacker.folder / "file" / "events.out.tfevents.2").symlink_to(
        attacker.outside / "secret" / "events.out.tfevents.1"
    )

    board = attacker.create_board(attacker.folder)
    assert attacker.wait_for_runs(board, "own") == {"own"}
    assert attacker.get(board, "api/v1/status").json()["skipped_links"] == 2


def test_a_folder_replaced_by_a_link_is_not_followed(attacker: Attacker) -> None:
    """At the top of a source and below it."""
    write_run(attacker.outside, "secret")
    write_run(attacker.outside, "a/secret")
    write_run(attacker.folder / "top", "a/own")
    board = attacker.create_board(attacker.folder / "top")
    attacker.wait_for_runs(board, "a/own")

    swap(attacker.folder / "top" / "a", attacker.outside)
    below = attacker.runs(board)
    swap_back(attacker.folder / "top" / "a")
    swap(attacker.folder / "top", attacker.outside)

    assert (below - {"a/own", "a.old/own"}, attacker.runs(board) - {"a/own", "a.old/own"}) == (set(), set())


def test_a_projector_config_cannot_read_keys(attacker: Attacker) -> None:
    """Even if its folder is swapped for the data directory between two requests."""
    key = attacker.home / "key"
    if not key.exists():
        key.write_text("with PostgreSQL it is in the database; any file of the hub stands for it")
    secret = key.read_bytes()
    run = attacker.folder / "run"
    write_run(attacker.folder, "run")
    (run / "t.tsv").write_text("1\t2\n3\t4\n")
    (run / "projector_config.pbtxt").write_text(CONFIG)
    board = attacker.create_board(attacker.folder)
    attacker.wait_for_runs(board, "run")

    taken = []
    for _ in range(ATTEMPTS):
        attacker.wait_for_runs(board, "run")
        wait_for(lambda: attacker.get(board, "data/plugin/projector/runs").json(), bool, "the tensors")
        swap(run, attacker.home)
        answer = attacker.get(board, "data/plugin/projector/metadata?run=run&name=t")
        swap_back(run)
        taken.append((answer.status_code, answer.content == secret))

    assert set(taken) == {(400, False)}


@pytest.fixture(scope="module")
def exposed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HubProcess]:
    """A hub whose administrator put its SQLite database, and the secret of the outside login, among the logs."""
    top = tmp_path_factory.mktemp("exposed")
    logs = top / "logs"
    logs.mkdir()
    (logs / "client.secret").write_text("the secret of the outside login")
    words = ["--oidc-issuer", "https://login.example", "--oidc-client-id", "hub"]
    words += ["--oidc-client-secret-file", str(logs / "client.secret")]
    database = f"sqlite:///{logs / 'kept.sqlite3'}"
    with HubProcess(top / "home", *words, roots=[logs], database=database) as hub:
        yield hub


@pytest.mark.parametrize("way", ["itself", "hard", "soft"])
@pytest.mark.parametrize("name", ["kept.sqlite3", "kept.sqlite3-wal", "kept.sqlite3-shm", "client.secret"])
def test_files_of_the_hub_below_a_source_are_not_read(exposed: HubProcess, name: str, way: str) -> None:
    """Neither by name nor through links; their neighbours are shown."""
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


def metadata(hub: HubProcess, logs: pathlib.Path, name: str) -> httpx.Response:
    """What a new board reads as the metadata that a projector config names."""
    config = 'embeddings { tensor_name: "t" tensor_path: "t.tsv" metadata_path: "%s" }' % name  # noqa: UP031  # braces
    (logs / "projector_config.pbtxt").write_text(config)
    board = hub.create_board(logs)
    (run,) = wait_for(
        lambda: hub.request("GET", f"/tb/{board['id']}/data/plugin/projector/runs").json(), bool, "the tensors"
    )
    answer = hub.request("GET", f"/tb/{board['id']}/data/plugin/projector/metadata?run={quote(run)}&name=t")
    hub.json("DELETE", f"/api/v1/tensorboards/{board['id']}")
    return answer


def test_an_empty_board_does_not_suggest_folders(attacker: Attacker) -> None:
    """Unlike a local board, which suggests where runs are."""
    write_run(attacker.folder / "private", "secret")
    (attacker.folder / "empty").mkdir()
    write_run(attacker.outside, "secret")

    board = attacker.create_board(attacker.folder / "empty")
    attacker.runs(board)
    assert attacker.get(board, "api/v1/status").json()["nearest"] == []


def test_pipes_and_link_cycles_are_skipped(attacker: Attacker) -> None:
    """They block nothing."""
    write_run(attacker.folder, "own")
    os.mkfifo(attacker.folder / "own" / "events.out.tfevents.9")
    (attacker.folder / "a").symlink_to("b")
    (attacker.folder / "b").symlink_to("a")
    (attacker.folder / "own" / "up").symlink_to("..")

    board = attacker.create_board(attacker.folder)
    assert attacker.wait_for_runs(board, "own") == {"own"}
