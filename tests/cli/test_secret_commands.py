"""`lightboard secret ...`, and variables of jobs that name a secret."""

import os
import pathlib
import pty
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from lightboard import Project, Secret, Session
from lightboard.cli.secrets import value_of
from lightboard.cli.variables import environment_of
from lightboard.client.notebooks import Notebook
from lightboard.client.training_jobs import TrainingJob
from lightboard.client.volumes import parse_volume
from lightboard.errors import Invalid, NotFound, PermissionDenied, UsageError
from support.fork_server import run_lightboard
from support.hub_cli import PROJECT, HubCli
from support.hub_process import HubProcess

VALUE = "s3cret-value"
DIGEST = 'printf %s "$HF_TOKEN"'


@pytest.fixture
def session(session: Session) -> Iterator[Session]:
    """The administrator's, without jobs and secrets afterwards."""
    yield session
    for secret in Project(PROJECT, session).secrets():
        Project(PROJECT, session).delete_secret(secret["name"])


def add(cli: HubCli, *words: str, given: str = "") -> "subprocess.CompletedProcess[str]":
    """The command that adds a secret, with something in stdin."""
    return run_lightboard(["secret", "add", *words], 120, env=cli.env, cwd=cli.folder, typed=given)


def names(session: Session) -> list[str]:
    """Those of all secrets."""
    return [secret["name"] for secret in Project(PROJECT, session).secrets()]


def test_a_job_gets_what_was_typed(cli: HubCli, session: Session) -> None:
    """From a pipe, without the line break that echo adds."""
    added = add(cli, "hf", given=f"{VALUE}\n")
    printed = cli("run", "-e", "HF_TOKEN=secret:hf", "", f"{DIGEST} | wc -c")

    assert (added.returncode, added.stdout, added.stderr) == (0, "", "hf added\n")
    assert str(len(VALUE)) in printed.split()


def test_a_file_is_taken_whole(cli: HubCli, session: Session) -> None:
    """Its last line break may be needed, as that of a key. Adding again replaces."""
    (cli.folder / "key.pem").write_text("-----BEGIN\nabc\n-----END\n")
    first, second = (add(cli, "key", "@key.pem") for _ in range(2))

    assert (first.stderr, second.stderr) == (
        "key added\n",
        "key replaced; jobs get the new value when they start\n",
    )
    job = TrainingJob.create('printf %s "$KEY" | wc -l', environment={"KEY": Secret("key")}, session=session)
    assert list(job.wait(show_logs=False).logs()) == ["3"]


def test_a_value_is_asked_for_on_a_terminal(cli: HubCli, session: Session) -> None:
    """Without showing it."""
    terminal, other = pty.openpty()
    command = [sys.executable, "-m", "lightboard", "secret", "add", "hf"]
    streams = {"stdin": other, "stdout": other, "stderr": other}
    # In a session of its own, it does not ask at the terminal from which the tests run.
    with subprocess.Popen(command, env=cli.env, cwd=cli.folder, start_new_session=True, **streams) as process:
        os.close(other)
        seen = b""
        while b"Value: " not in seen:
            seen += os.read(terminal, 1000)
        os.write(terminal, f"{VALUE}\n".encode())
        while b"added" not in seen:
            seen += os.read(terminal, 1000)
        code = process.wait(60)
    os.close(terminal)

    assert (code, VALUE.encode() in seen, names(session)) == (0, False, ["hf"])


def test_a_value_on_the_command_line_is_refused(cli: HubCli, session: Session) -> None:
    """As Neu.ro takes it: shells store it, and `ps` shows it. The message does not repeat it."""
    done = add(cli, "hf", VALUE)

    assert (done.returncode, done.stderr) == (
        2,
        "lightboard: a value on the command line stays in the history of the shell\n"
        "hint: lightboard secret add NAME < FILE, or NAME @FILE, or NAME alone to be asked for it\n",
    )
    assert names(session) == []


@pytest.mark.parametrize(
    ("argument", "message"),
    [("@missing", "missing cannot be read: No such file or directory"), ("@raw", "raw is not UTF-8")],
)
def test_files_that_cannot_be_taken_are_told(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch, argument: str, message: str
) -> None:
    """With their name."""
    monkeypatch.chdir(tmp_path)
    pathlib.Path("raw").write_bytes(b"\xff\xfe")

    with pytest.raises(UsageError) as caught:
        value_of(argument)
    assert caught.value.message == message


def test_secrets_are_listed_and_deleted(cli: HubCli, session: Session) -> None:
    """By name, without values."""
    empty = cli.command("secret", "ls").stderr
    add(cli, "b", given=VALUE)
    add(cli, "a", given=VALUE)
    listed, as_json = cli("secret", "ls"), cli("secret", "ls", "--json")
    deleted = cli.command("secret", "rm", "a", "--yes").stderr
    missing = cli.command("secret", "rm", "a", "--yes", code=1).stderr

    assert empty == "no secrets; add one with lightboard secret add NAME\n"
    assert [line.split()[:2] for line in listed.splitlines()] == [["NAME", "OWNER"], ["a", "admin"], ["b", "admin"]]
    assert VALUE not in listed + as_json
    assert (deleted, missing) == ("a deleted\n", "lightboard: default has no secret a\n")
    assert names(session) == ["b"]


def test_without_a_project_it_is_the_first(hub: HubProcess, cli: HubCli, session: Session) -> None:
    """That the account has joined."""
    add(HubCli(hub, cli.folder), "hf", given=VALUE)
    with Session(hub.url, hub.token, "") as opened:
        found = Project.default(opened)

    assert (found.name_or_id, names(session)) == (PROJECT, ["hf"])


def test_the_command_that_makes_it_again_has_the_name(cli: HubCli, session: Session) -> None:
    """And not the value; so does the description of a job."""
    add(cli, "hf", given=VALUE)
    cli("run", "--detach", "--name", "fit", "-e", "HF_TOKEN=secret:hf", "-e", "A=1", "", "echo on")
    command = cli("generate-run-command", "fit")
    shown = cli("job", "get", "fit")

    assert "--env HF_TOKEN=secret:hf" in command
    assert "A, HF_TOKEN=secret:hf\n" in shown
    assert VALUE not in command + shown


def test_variables_name_secrets_in_flags_and_files(tmp_path: pathlib.Path) -> None:
    """A value that the caller has is taken as it is, so that any can be given."""
    file = tmp_path / "variables"
    file.write_text("A=secret:a.b-c_D\nB\n")

    assert environment_of(["C=secret:hf", "D=1", "E="], str(file), {"B": "secret:plain"}) == {
        "A": Secret("a.b-c_D"),
        "B": "secret:plain",
        "C": Secret("hf"),
        "D": "1",
        "E": "",
    }


@pytest.mark.parametrize("value", ["secret:", "secret:1a", "secret://cluster/hf", "secret:a b", "secret:a/b"])
def test_what_names_no_secret_is_refused(value: str) -> None:
    """Neu.ro's addresses of other projects too."""
    with pytest.raises(UsageError) as caught:
        environment_of([f"A={value}"], None, {})

    assert (caught.value.message, caught.value.hint) == (
        f"A={value} does not name a secret of the project",
        "use A=secret:NAME; for a value that begins so, export it and use --env A",
    )


def test_secrets_are_no_volumes() -> None:
    """Which Neu.ro has."""
    with pytest.raises(UsageError) as caught:
        parse_volume("secret:hf:/var/secrets/hf")

    assert caught.value.message == "'secret:hf:/var/secrets/hf': a secret cannot be mounted as a file"


def test_the_sdk_sends_references(session: Session) -> None:
    """For jobs, those that are run again, and notebooks; errors are those of the hub."""
    project = Project(PROJECT, session)
    made = project.add_secret("hf", VALUE)
    variables: dict[str, Any] = {"HF_TOKEN": Secret("hf"), "A": "1"}
    job = TrainingJob.create("true", environment=variables, session=session)
    again = job.run_again(environment={"A": Secret("hf")})
    notebook = Notebook.create(environment=variables, session=session, wait=False)
    told = [each.info()["environment"] for each in (job, again, notebook)]
    notebook.delete()

    reference = {"secret": "hf"}
    assert (made["name"], made["version"]) == ("hf", 1)
    assert told == [
        {"A": "1", "HF_TOKEN": reference},
        {"A": reference, "HF_TOKEN": reference},
        {"A": "1", "HF_TOKEN": reference},
    ]
    with pytest.raises(NotFound, match="the variable X: there is no secret gone in this project"):
        TrainingJob.create("true", environment={"X": Secret("gone")}, session=session)
    with pytest.raises(Invalid, match="'1' cannot be the name of a secret"):
        project.add_secret("1", VALUE)
    with pytest.raises(NotFound, match="default has no secret gone"):
        project.delete_secret("gone")


def test_viewers_see_no_names(hub: HubProcess) -> None:
    """Since they run no jobs."""
    refused = pytest.raises(PermissionDenied, match=r"this needs secrets\.list")
    with Session(hub.url, hub.create_account("watcher", "viewer"), PROJECT) as opened, refused:
        Project(PROJECT, opened).secrets()
