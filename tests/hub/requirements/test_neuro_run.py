"""Requirements of the Neu.ro document about `run`: C9 to C17, with its command line as printed."""

import pathlib
import shlex
import shutil
import signal
import subprocess

import httpx
import pytest

from lightboard import __version__
from lightboard.client.session import Session
from lightboard.client.tensorboards import TensorBoard
from lightboard.client.training_jobs import TrainingJob
from support.board_process import TIMEOUT_SECS
from support.hub_cli import LOGS, PROJECT, HubCli, fetch_json
from support.hub_process import HubProcess, wait_for
from support.neuro_project import DOCUMENT
from support.sandboxes import working_sandbox

WORDS = shlex.split(DOCUMENT.replace("\\\n", ""))[1:]
NAME = "tensorboard-image"
TAGS = ["target:tensorboard", "kind:project", "project:image", "project-id:neuro-project-d2c1fffe"]
BROWSER = "true %s"
"""A browser that shows nothing."""


@pytest.fixture(scope="module")
def hub(jobs_hub: HubProcess) -> HubProcess:
    """A hub whose default project has the results of a training in its storage."""
    shutil.copytree(LOGS / "torch", results_of(jobs_hub), dirs_exist_ok=True)
    return jobs_hub


def results_of(hub: HubProcess) -> pathlib.Path:
    """The folder of the document on the disk of a hub."""
    return hub.home / "hub" / "storage" / PROJECT / "image" / "results"


def read_until(process: "subprocess.Popen[str]", beginning: str) -> list[str]:
    """What a process prints up to the first line that begins so."""
    assert process.stdout
    lines = list[str]()
    for line in process.stdout:
        lines.append(line.rstrip("\n"))
        if line.startswith(beginning):
            return lines
    raise AssertionError(f"no {beginning!r} in:\n" + "\n".join(lines))


def interrupted(process: "subprocess.Popen[str]") -> tuple[int, list[str]]:
    """The exit code of a process after Ctrl-C, and the last lines it prints."""
    process.send_signal(signal.SIGINT)
    rest, _ = process.communicate(timeout=TIMEOUT_SECS)
    return process.returncode, rest.splitlines()


def test_c16_c17_the_command_of_the_document_prints_its_lines(cli: HubCli, session: Session) -> None:
    """All of them, with the address of the link and our id, version and name of the program."""
    with cli.start(*WORDS, BROWSER=BROWSER) as process:
        lines = read_until(process, "TensorBoard ")
        interrupted(process)
    (board,) = TensorBoard.list(session)

    assert lines == [
        f"Job ID: {board.id} Status: pending",
        f"Name: {NAME}",
        f"Http URL: {board.app_uri}",
        "Shortcuts:",
        f"  lightboard status {NAME}     # check job status",
        f"  lightboard logs {NAME}       # monitor job stdout",
        f"  lightboard top {NAME}        # display real-time job telemetry",
        f"  lightboard exec {NAME} bash  # execute bash shell to the job",
        f"  lightboard kill {NAME}       # kill job",
        "Status: pending Creating",
        "Status: pending Scheduling",
        "Status: pending ContainerCreating",
        "Status: running",
        "Terminal is attached to the remote job, so you receive the job's output.",
        "Use 'Ctrl-C' to detach (it will NOT terminate the job), or restart the",
        "job with `--detach` option.",
        f"TensorBoard {__version__} at {board.app_uri} (Press CTRL+C to quit)",
    ]


def test_c15_an_interrupt_detaches_and_says_so(cli: HubCli, session: Session) -> None:
    """The TensorBoard continues; the lines say how to come back."""
    with cli.start(*WORDS, BROWSER=BROWSER) as process:
        read_until(process, "TensorBoard ")
        code, lines = interrupted(process)
    (board,) = TensorBoard.list(session)

    assert (code, board.status) == (130, "Running")
    assert lines[-3:] == [
        f"detached; {NAME} continues",
        f"follow it: lightboard attach {NAME}",
        f"stop it: lightboard kill {NAME}",
    ]


def test_c15_detach_returns_at_once(cli: HubCli, session: Session) -> None:
    """With the lines about what was made, and no others."""
    words = [word for word in WORDS if word != "--browse"]
    said = cli(words[0], "--detach", *words[1:])

    (board,) = TensorBoard.list(session)
    assert [said.splitlines()[0], len(said.splitlines())] == [f"Job ID: {board.id} Status: pending", 9]


def test_c9_to_c11_c_t4_c_t5_all_flags_have_their_effect(cli: HubCli, hub: HubProcess, session: Session) -> None:
    """The board shows what the volume has, whose path has two slashes; the hub needs no such image."""
    cli("run", "--detach", *WORDS[1:], BROWSER=BROWSER)

    (board,) = TensorBoard.list(session)
    info = board.wait().info()
    wanted = {
        "name": NAME,
        "tags": TAGS,
        "labels": dict(tag.split(":") for tag in TAGS),
        "http_auth": True,
        "life_span_secs": 86_400,
        "idle_timeout_secs": 86_400,
        "origin": "cli",
    }
    assert {key: info[key] for key in wanted} == wanted
    assert [(source["text"], source["target"]) for source in info["sources"]] == [
        ("storage:image/results", "/project/results")
    ]
    assert "plain" in fetch_json(hub, board, "data/runs")


def test_c11_c16_the_shortcut_exec_shows_the_logs_and_cannot_write_to_them(
    cli: HubCli, hub: HubProcess, session: Session
) -> None:
    """They are at the path of the document, in what it calls the viewer's environment. Nothing is left of that."""
    working_sandbox(cli.folder / "sandbox")
    cli("run", "--detach", *WORDS[1:], BROWSER=BROWSER)
    (board,) = TensorBoard.list(session)
    board.wait()
    before = sorted(path.name for path in results_of(hub).iterdir())

    said = cli.command("exec", NAME, "ls /project/results; touch //project/results/new || exit 7", code=7)

    assert said.stdout.split() == before
    assert said.stderr.splitlines()[-1] == "touch: cannot touch '//project/results/new': Read-only file system"
    assert (sorted(path.name for path in results_of(hub).iterdir()), TrainingJob.list(session)) == (before, [])


def test_logs_at_a_path_that_programs_need_are_elsewhere(cli: HubCli, session: Session) -> None:
    """Which is told."""
    working_sandbox(cli.folder / "sandbox")
    cli("run", "--detach", "--volume", "storage:image/results:/usr/logs", "", "tensorboard --logdir /usr/logs/plain")
    (board,) = TensorBoard.list(session)
    name = board.wait().info()["name"]

    said = cli.command("exec", name, "ls /logs")

    assert [line.partition(".")[0] for line in said.stdout.split()] == ["events"]
    assert "a volume at /usr/logs/plain would hide what programs need: the logs are at /logs" in said.stderr


def test_a_tensorboard_that_does_not_run_has_no_shell(cli: HubCli, session: Session) -> None:
    """As a job that has ended has none."""
    cli("run", "--detach", *WORDS[1:], BROWSER=BROWSER)
    (board,) = TensorBoard.list(session)
    board.wait().stop(wait=True)

    assert cli.command("exec", NAME, "bash", code=1).stderr.splitlines() == [
        f"lightboard: {NAME} is cancelled UserRequested",
        f"hint: lightboard tb start {NAME}",
    ]


@pytest.mark.parametrize("spelling", ["--http=6006", "--http-port=6006"])
def test_c9_c_t3_both_spellings_of_the_port_are_accepted(cli: HubCli, session: Session, spelling: str) -> None:
    """The second is the newer one."""
    volume = "storage:image/results:/logs"
    cli("run", "--detach", "--name", "short", spelling, "-v", volume, "", "tensorboard --logdir /logs/plain")

    (board,) = TensorBoard.list(session)
    assert (board.info()["name"], board.summary_uri) == ("short", "storage:image/results/plain")


@pytest.mark.parametrize(("flag", "status"), [("--http-auth", 401), ("--no-http-auth", 200)])
def test_c12_http_auth_asks_for_a_login(cli: HubCli, session: Session, flag: str, status: int) -> None:
    """Or anybody who has the link is admitted."""
    words = [flag if word == "--http-auth" else word for word in WORDS if word != "--browse"]
    cli("run", "--detach", *words[1:])

    (board,) = TensorBoard.list(session)
    with httpx.Client(trust_env=False, timeout=TIMEOUT_SECS) as anybody:
        assert anybody.get(board.wait().app_uri + "data/runs").status_code == status


@pytest.mark.parametrize("detach", [[], ["--detach"]])
def test_c13_run_opens_the_browser(cli: HubCli, session: Session, detach: list[str]) -> None:
    """When the TensorBoard runs."""
    opened = cli.folder / "opened"
    browser = cli.folder / "browser"
    browser.write_text(f'#!/bin/sh\nprintf %s "$1" > {opened}\n')
    browser.chmod(0o755)

    with cli.start("run", *detach, *WORDS[1:], BROWSER=f"{browser} %s") as process:
        wait_for(opened.exists, bool, "the browser to be opened")
        link = wait_for(opened.read_text, bool, "its address")
        interrupted(process)

    (board,) = TensorBoard.list(session)
    assert (link, board.status) == (board.app_uri, "Running")


def test_c14_the_end_of_the_life_span_is_told(cli: HubCli, session: Session) -> None:
    """As the last line; that is no failure."""
    words = ["--life-span=1s" if word == "--life-span=1d" else word for word in WORDS]
    with cli.start(*words, BROWSER=BROWSER) as process:
        out, _ = process.communicate(timeout=TIMEOUT_SECS)

    assert (process.returncode, out.splitlines()[-1]) == (0, "Status: cancelled LifeSpanEnded")


def test_a_running_tensorboard_keeps_its_name(cli: HubCli, session: Session) -> None:
    """As on Neu.ro; the hint says what can be done."""
    cli("run", "--detach", *WORDS[1:], BROWSER=BROWSER)

    said = cli.command(*WORDS, code=1)

    assert said.stderr.splitlines() == [
        f"lightboard: the TensorBoard {NAME} is running",
        f"hint: lightboard attach {NAME}, or lightboard kill {NAME} first",
    ]


def test_a_stopped_tensorboard_is_started_with_the_new_settings(cli: HubCli, session: Session) -> None:
    """With its link and notes: the same command works every day."""
    cli("run", "--detach", *WORDS[1:], BROWSER=BROWSER)
    (first,) = TensorBoard.list(session)
    first.wait().stop(wait=True)

    with cli.start(
        "run", "--tag", "again", *WORDS[1:-1], "--logdir=/project/results/plain", BROWSER=BROWSER
    ) as process:
        lines = read_until(process, "Status: running")
        interrupted(process)

    (again,) = TensorBoard.list(session)
    info = again.info()
    assert (again.id, info["tags"], again.summary_uri) == (first.id, ["again", *TAGS], "storage:image/results/plain")
    assert lines[-3:] == ["Status: pending Scheduling", "Status: pending ContainerCreating", "Status: running"]
