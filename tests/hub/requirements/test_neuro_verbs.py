"""Requirements of the Neu.ro document about the commands that `run` names: C3, C15, C16, for TensorBoards and jobs."""

import json
import shlex
import signal
from collections.abc import Iterator

import pytest

from lightboard import __version__
from lightboard.client.session import Session
from lightboard.client.tensorboards import TensorBoard
from lightboard.client.training_jobs import TrainingJob
from support.board_process import TIMEOUT_SECS
from support.hub_cli import LOGS, PROJECT, HubCli, delete_all
from support.hub_process import HubProcess, wait_for

RUN_BOARD = ("run", "--detach", "--name", "watched", "--tag", "kind:project")
RUN_JOB = ("run", "--detach", "--name", "watched", "--tag", "kind:project", "--life-span", "1h", "-e", "A=1")
BOARD_WORDS = (*RUN_BOARD, "--volume", f"{LOGS}/torch:/logs:ro", "", "tensorboard --logdir=/logs")
JOB_WORDS = (*RUN_JOB, "", "echo on $A; sleep 600")
BOTH = pytest.mark.parametrize("words", [BOARD_WORDS, JOB_WORDS], ids=["tensorboard", "job"])


@pytest.fixture
def hub(jobs_hub: HubProcess) -> HubProcess:
    """A hub that runs jobs."""
    return jobs_hub


@pytest.fixture
def session(hub: HubProcess) -> Iterator[Session]:
    """The administrator's, with nothing in use before and after."""
    with Session(hub.url, hub.token, PROJECT) as opened:
        yield opened
        delete_all(opened)


def only(session: Session) -> TensorBoard | TrainingJob:
    """The only TensorBoard or job, once it runs."""
    (instance,) = [*TensorBoard.list(session), *TrainingJob.list(session)]
    wait_for(lambda: instance.status, lambda status: status == "Running", "it to run")
    return instance


def test_c16_a_job_prints_the_lines_of_the_document(cli: HubCli, session: Session) -> None:
    """Without an address; then what it prints."""
    with cli.start("run", "--name", "train", "", "echo trained") as process:
        out, _ = process.communicate(timeout=TIMEOUT_SECS)
    (job,) = TrainingJob.list(session)

    lines = out.splitlines()
    assert lines[:8] == [
        f"Job ID: {job.id} Status: pending",
        "Name: train",
        "Shortcuts:",
        "  lightboard status train     # check job status",
        "  lightboard logs train       # monitor job stdout",
        "  lightboard top train        # display real-time job telemetry",
        "  lightboard exec train bash  # execute bash shell to the job",
        "  lightboard kill train       # kill job",
    ]
    assert [line for line in lines if line.startswith("Status: pending")] == [
        "Status: pending Creating",
        "Status: pending Scheduling",
        "Status: pending ContainerCreating",
    ]
    assert (process.returncode, "trained" in lines, lines[-1]) == (0, True, "Status: succeeded")


def test_c9_flags_of_a_job(cli: HubCli, session: Session) -> None:
    """As those of `job submit`."""
    (*flags, image, command) = JOB_WORDS
    cli(*flags, "--priority", "high", "--description", "A job", image, command)

    info = only(session).info()
    wanted = {
        "name": "watched",
        "display_name": "A job",
        "command": ["sh", "-c", "echo on $A; sleep 600"],
        "environment": {"A": "1"},
        "tags": ["kind:project"],
        "labels": {"kind": "project"},
        "priority": 7,
        "life_span_secs": 3_600,
    }
    assert {key: info[key] for key in wanted} == wanted


def test_c10_a_preset_that_the_hub_does_not_have(cli: HubCli, session: Session) -> None:
    """The one of the document works for a job as well, on a hub that has been given none."""
    said = cli.command("run", "--preset", "cpu-small", "", "true").stderr
    (job,) = TrainingJob.list(session)

    assert said.splitlines()[0] == "the hub has no presets, so cpu-small has no effect"
    assert (job.status, job.info()["preset"]) == ("Succeeded", "")


@BOTH
def test_c3_kill_stops_by_name(cli: HubCli, session: Session, words: tuple[str, ...]) -> None:
    """With one command; logs and outputs are kept."""
    cli(*words)
    instance = only(session)

    cli("kill", "watched")

    info = wait_for(instance.info, lambda info: info["status"] == "Stopped", "its end")
    assert (info["neuro_status"], info["reason"]) == ("cancelled", "UserRequested")


@BOTH
def test_c15_attach_comes_back(cli: HubCli, session: Session, words: tuple[str, ...]) -> None:
    """After `--detach`, or an interruption; another one detaches again."""
    cli(*words)
    instance = only(session)

    with cli.start("attach", "watched") as process:
        assert process.stdout
        lines = [process.stdout.readline().rstrip() for _ in range(5)]
        process.send_signal(signal.SIGINT)
        rest, _ = process.communicate(timeout=TIMEOUT_SECS)

    assert (process.returncode, instance.status, lines[0]) == (130, "Running", "Status: running")
    assert lines[1] == "Terminal is attached to the remote job, so you receive the job's output."
    assert lines[4] in ("on 1", f"TensorBoard {__version__} at {instance.info().get('app_uri')} (Press CTRL+C to quit)")
    assert rest.splitlines()[-3:] == [
        "detached; watched continues",
        "follow it: lightboard attach watched",
        "stop it: lightboard kill watched",
    ]


@BOTH
def test_c16_status_shows_it(cli: HubCli, session: Session, words: tuple[str, ...]) -> None:
    """As a table or as JSON."""
    cli(*words)
    instance = only(session)

    table = dict(line.split("  ", 1) for line in cli("status", "watched").splitlines())
    told = json.loads(cli("status", "-o", "json", instance.id))

    assert (table["id"].strip(), table["status"].strip(), told["name"]) == (instance.id, "running", "watched")


@BOTH
def test_c16_logs_are_printed(cli: HubCli, session: Session, words: tuple[str, ...]) -> None:
    """By either command alike."""
    cli(*words)
    instance = only(session)
    wait_for(lambda: list(instance.logs()), bool, "its log")
    group = "tb" if isinstance(instance, TensorBoard) else "job"

    assert cli("logs", "watched").splitlines()[0] == cli(group, "logs", "watched").splitlines()[0]


@BOTH
def test_c16_top_shows_what_it_uses(cli: HubCli, session: Session, words: tuple[str, ...]) -> None:
    """Of one, or of all that run."""
    cli(*words)
    instance = only(session)
    wait_for(instance.top, lambda usage: usage.get("replicas") != [], "its usage to be measured")

    one, everything = cli("top", "watched"), cli("top")

    assert [line.split()[0] for line in one.splitlines()] == ["NAME", "watched"]
    assert "memory" in one
    # As wide as the longest figure, which differs from one measurement to the next.
    assert everything.splitlines()[0].split() == one.splitlines()[0].split()


@BOTH
def test_generate_run_command_makes_it_again(cli: HubCli, session: Session, words: tuple[str, ...]) -> None:
    """With the same settings, after it has been deleted."""
    cli(*words)
    first = only(session)
    kept = ("name", "display_name", "tags", "labels", "life_span_secs", "idle_timeout_secs", "http_auth", "command",
            "environment", "priority", "image")  # fmt: skip
    before = first.info()
    program, verb, *rest = shlex.split(cli("generate-run-command", "watched"))
    first.delete()

    cli(verb, "--detach", *rest)

    after = only(session).info()
    assert program == "lightboard"
    assert {key: after.get(key) for key in kept} == {key: before.get(key) for key in kept}
    assert [each["text"] for each in after.get("sources", [])] == [each["text"] for each in before.get("sources", [])]


def test_browse_opens_a_stopped_tensorboard(cli: HubCli, session: Session) -> None:
    """Which is started first."""
    cli(*BOARD_WORDS)
    board = only(session)
    board.stop(wait=True)

    said = cli("browse", "watched", BROWSER="true %s")

    assert (said, board.status) == (f"{board.info()['app_uri']}\n", "Running")


def test_browse_opens_the_tensorboard_of_a_job(cli: HubCli, session: Session) -> None:
    """Which has the name of the job, and then stands for it no more than before."""
    cli(*JOB_WORDS)
    job = only(session)

    link = cli("browse", "watched", BROWSER="true %s")

    (board,) = TensorBoard.list(session)
    assert (link, board.info()["name"]) == (f"{board.app_uri}\n", "watched")
    assert json.loads(cli("status", "watched", "--json"))["id"] == job.id


@BOTH
def test_bump_life_span_extends_it(cli: HubCli, session: Session, words: tuple[str, ...]) -> None:
    """While it runs, and says until when that is."""
    cli(*words)
    instance = only(session)
    before = instance.info()
    said = cli.command("bump-life-span", "watched", "2h").stderr
    after = instance.info()

    assert after["life_span_secs"] - before["life_span_secs"] == 7_200
    assert said.startswith(f"{instance.id} runs until ")


def test_c14_a_job_ends_after_its_life_span(cli: HubCli, session: Session) -> None:
    """With that reason, as a TensorBoard does."""
    cli("run", "--detach", "--name", "short", "--life-span", "1s", "", "sleep 600")
    (job,) = TrainingJob.list(session)

    info = wait_for(job.info, lambda info: info["status"] == "Stopped", "its end")

    assert (info["reason"], info["message"]) == ("LifeSpanEnded", "the life span is 1 second")


def test_ps_lists_what_waits_or_runs(cli: HubCli, session: Session) -> None:
    """Of both kinds; with --all or --status also what has ended, and only with all tags."""
    cli(*BOARD_WORDS)
    cli("run", "--name", "done", "", "true")
    cli("run", "--detach", "--name", "asleep", "--tag", "t", "", "sleep 600")

    def names(*flags: str) -> list[str]:
        return sorted(item["name"] for item in json.loads(cli("ps", "--json", *flags)))

    heads = cli("ps").splitlines()[0].split()
    assert heads == ["NAME", "KIND", "STATUS", "CREATED", "WHAT", "TAGS", "OWNER", "ID"]
    assert names() == ["asleep", "watched"]
    assert names("--all") == ["asleep", "done", "watched"]
    assert names("--status", "succeeded") == ["done"]
    assert names("-a", "--tag", "t") == ["asleep"]
    assert names("--owner", "admin", "-o", "json") == ["asleep", "watched"]


def test_ps_lists_paused_jobs(cli: HubCli, session: Session) -> None:
    """With those that wait or run, as Neu.ro does, since they have not ended; or alone."""
    cli(*JOB_WORDS)
    job = only(session)
    assert isinstance(job, TrainingJob)
    job.pause()
    wait_for(lambda: job.status, lambda status: status == "Paused", "it to be paused")

    def statuses(*flags: str) -> list[str]:
        return [item["neuro_status"] for item in json.loads(cli("ps", "--json", *flags))]

    assert [statuses(), statuses("--all"), statuses("--status", "suspended")] == [["suspended"]] * 3
    assert statuses("--status", "running", "--status", "pending") == []


def test_tensorboards_are_found_by_tags_with_commas(cli: HubCli, session: Session) -> None:
    """At the terminal and in Python; all of the tags must be there."""
    board = TensorBoard.create(str(LOGS / "torch"), wait=False, tags=["a, b", "c"], name="tagged", session=session)

    assert [item["id"] for item in json.loads(cli("tb", "ls", "--tag", "a, b", "--tag", "c", "--json"))] == [board.id]
    assert [found.id for found in TensorBoard.list(session, tag=["a, b"])] == [board.id]
    assert [*TensorBoard.list(session, tag=["a, b", "d"]), *TensorBoard.list(session, tag="a, b")] == []


def test_a_name_of_both_kinds_is_refused(cli: HubCli, session: Session) -> None:
    """With the ids, which work."""
    cli(*BOARD_WORDS)
    board = only(session)
    cli(*JOB_WORDS)
    (job,) = TrainingJob.list(session)

    said = cli.command("kill", job.id, "watched", code=1).stderr

    assert said.splitlines() == [
        f"lightboard: watched is the name of the TensorBoard {board.id} and of the job {job.id}",
        "hint: give the id",
    ]
    assert job.status in ("Queued", "Starting", "Running")


@pytest.mark.parametrize("verb", ["status", "logs", "top", "kill", "attach", "browse", "generate-run-command"])
def test_a_name_of_nothing_is_told(cli: HubCli, verb: str) -> None:
    """By all commands alike."""
    assert cli.command(verb, "nothing", code=1).stderr.splitlines() == [
        "lightboard: there is no TensorBoard or job nothing",
        "hint: lightboard ps --all lists yours",
    ]
