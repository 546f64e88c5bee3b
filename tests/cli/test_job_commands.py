"""`lightboard job ...`."""

import json
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tarfile
from collections.abc import Callable

import pytest

from lightboard.cli.hyperparameters import hyperparameters_of, typed_value
from lightboard.cli.jobs import exit_code, follow_to_end, line_or_words
from lightboard.cli.main import main
from lightboard.cli.variables import environment_of
from lightboard.client.session import Session
from lightboard.client.training_jobs import TrainingJob
from lightboard.errors import HubUnreachable, UsageError
from lightboard.hub.installed_packages import environment_folder, read_environment
from lightboard.memory_sizes import memory_bytes, memory_text
from support.board_process import TIMEOUT_SECS
from support.fork_server import LightboardPopen
from support.hub_cli import HubCli
from support.hub_process import HubProcess, wait_for

REFUSED = "admin has 0 TensorBoards in use, and 0 is the limit"
NOWHERE = "http://127.0.0.1:1"
TOO_MANY = "64"
"""More replicas than there are slots: such a job waits until it is stopped."""
Typed = Callable[..., tuple[int, str, str]]


@pytest.fixture
def typed(cli: HubCli, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Typed:
    """Runs `lightboard job` in this process; its exit code, stdout and stderr."""
    for name in ("LIGHTBOARD_URL", "LIGHTBOARD_TOKEN", "LIGHTBOARD_HOME"):
        monkeypatch.setenv(name, cli.env[name])

    def run(*words: str) -> tuple[int, str, str]:
        capsys.readouterr()
        code = main(["job", *words])
        return code, *capsys.readouterr()

    return run


# What is typed


@pytest.mark.parametrize(
    ("text", "value"),
    [
        *[("1", 1), ("-2", -2), ("0.1", 0.1), ("1e-3", 0.001), ("true", True), ("false", False)],
        *[(text, text) for text in ("adam", "", "True", "007", "1_000", "nan", "inf", "1e999", "٣", "0x10", " 1")],
        ("1234567890123456", "1234567890123456"),
    ],
)
def test_hyperparameters_have_types(text: str, value: bool | int | float | str) -> None:
    """Those of JSON; what could change its meaning stays text."""
    assert (typed_value(text), type(typed_value(text))) == (value, type(value))


def test_values_of_hyperparameters_may_contain_equals_signs() -> None:
    """The first one separates."""
    assert hyperparameters_of(["rule=a=b", "empty="]) == {"rule": "a=b", "empty": ""}


@pytest.mark.parametrize(
    ("text", "size"), [("512M", 512 << 20), ("4G", 4 << 30), ("1.5g", 3 << 29), ("1T", 1 << 40), ("1024T", 1 << 50)]
)
def test_memory_sizes_are_parsed(text: str, size: int) -> None:
    """In powers of 1024."""
    assert memory_bytes(text) == size


@pytest.mark.parametrize("text", ["", "4", "4GB", "G", "-1G", "0M", "0.5M", "1025T", "٣G", "1 G"])
def test_invalid_memory_sizes_are_refused(text: str) -> None:
    """Guessing a unit could end a job."""
    with pytest.raises(UsageError, match="not a size of memory"):
        memory_bytes(text)


@pytest.mark.parametrize(
    ("size", "text"), [(None, "-"), (512 << 20, "512M"), (1 << 30, "1G"), (3 << 29, "1.5G"), (1 << 50, "1024T")]
)
def test_memory_sizes_are_formatted(size: int | None, text: str) -> None:
    """As they are typed."""
    assert memory_text(size) == text


@pytest.mark.parametrize(
    ("command", "runs"),
    [
        (["python train.py --lr 3"], "python train.py --lr 3"),
        (["true"], ["true"]),
        (["my program", "a b"], ["my program", "a b"]),
    ],
)
def test_one_word_with_spaces_is_a_line(command: list[str], runs: str | list[str]) -> None:
    """For the shell."""
    assert line_or_words(command) == runs


def test_variables_come_from_file_flags_and_caller(tmp_path: pathlib.Path) -> None:
    """Flags take precedence; values are taken as they are."""
    file = tmp_path / "variables"
    file.write_text('# comment\n\nA=1\nB="2" # kept\r\nHOME\nC=3=4\n')

    assert environment_of(["A=5", "D=", "LANG"], str(file), {"HOME": "/home/ann", "LANG": "C"}) == {
        "A": "5",
        "B": '"2" # kept',
        "HOME": "/home/ann",
        "C": "3=4",
        "D": "",
        "LANG": "C",
    }


@pytest.mark.parametrize(
    ("info", "code"),
    [
        (("Succeeded", 0, None), 0),
        (("Failed", 3, None), 3),
        (("Failed", None, 9), 137),
        (("Failed", None, None), 1),
        (("Failed", 0, None), 1),
        (("Stopped", 0, None), 1),
        (("Stopped", None, 15), 143),
    ],
)
def test_exit_codes_are_those_of_the_command(info: tuple[str, int | None, int | None], code: int) -> None:
    """Like a shell; only success is 0."""
    assert exit_code(dict(zip(("status", "exit_code", "signal"), info, strict=True))) == code


@pytest.mark.parametrize(
    ("words", "message", "hint"),
    [
        ("--env UNSET", "the variable UNSET is not set here", "use UNSET=VALUE, or export it"),
        ("--env =1", "'=1' is not a variable", "use NAME=VALUE, or NAME for the value it has here"),
        ("--env-file missing", "missing cannot be read: No such file or directory", "use --env-file FILE"),
        ("--env-file wrong", "wrong:2: 'export A=1' is not a variable",
         "use NAME=VALUE, or NAME for the value it has here"),
        ("--hp lr", "'lr' is not a hyperparameter", "use --hp NAME=VALUE, for example --hp lr=0.1"),
        ("--input data", "--input data is not NAME=SOURCE", "for example --input train=storage:mnist/train"),
        ("--input a=b --input a=c", "the input a is given twice", "each needs a name of its own"),
        ("--memory 4", "'4' is not a size of memory", "for example 512M or 4G, from 1M to 1024T"),
        ("--max-run-time 2", "'2' is not a duration", "for example 1d, 2h30m or 90s; 0 for no end"),
        ("--grace 2h", "a job cannot have 2h to clean up", "at most 1h, for example 30s or 5m"),
        ("--label a", "'a' is not a label", "use --label KEY=VALUE"),
        ("--follow --json", "--follow prints a log, which is not JSON", "use either --follow or --json"),
    ],
)  # fmt: skip
def test_mistakes_are_told_before_any_request(
    words: str, message: str, hint: str, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    """Two lines each."""
    (tmp_path / "wrong").write_text("A=1\nexport A=1\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("UNSET", raising=False)

    code = main(["job", "submit", *words.split(), "--url", NOWHERE, "true"])

    assert (code, capsys.readouterr().err.splitlines()) == (2, [f"lightboard: {message}", f"hint: {hint}"])


class LostJob(TrainingJob):
    """A job whose hub does not respond any more."""

    def __init__(self) -> None:
        pass

    def wait(self, *_: object, **__: object) -> "LostJob":
        """Never returns."""
        raise HubUnreachable("it does not respond")


def test_an_unreachable_hub_does_not_end_the_job(capsys: pytest.CaptureFixture[str]) -> None:
    """Whoever follows it is told so."""
    with pytest.raises(HubUnreachable):
        follow_to_end(LostJob(), "mnist", "my project", None)

    assert capsys.readouterr().err.splitlines() == [
        "detached; mnist continues",
        "follow it: lightboard job logs -f mnist --project 'my project'",
        "stop it: lightboard job stop mnist --project 'my project'",
    ]


# What the hub does


def test_submit_prints_the_id(typed: Typed, session: Session) -> None:
    """Alone on stdout, so that scripts can use it; how to go on is on stderr."""
    code, out, err = typed("submit", "--name", "first", "--replicas", TOO_MANY, "true")

    (job,) = TrainingJob.list(session)
    assert (code, out) == (0, f"{job.id}\n")
    assert err.splitlines() == [f"first ({job.id}) is Queued", "follow it: lightboard job logs -f first"]


def test_submit_sends_all_settings(typed: Typed, tmp_path: pathlib.Path) -> None:
    """Flags of the command itself are not read."""
    (tmp_path / "variables").write_text("B=2\n")
    flags = (
        f"--name all --display-name All --env A=1 --env-file {tmp_path}/variables --hp lr=0.1 --hp kind=mlp "
        "--input train=storage:a=b "
        f"--replicas {TOO_MANY} --memory 1G --priority 9 --retries 2 --max-run-time 1m --queue-timeout 1h --grace 5s "
        "--label a=b --tag t --json -p default"
    )
    told = json.loads(typed("submit", *flags.split(), "--", "train", "--name", "x")[1])

    wanted = {
        "name": "all",
        "display_name": "All",
        "command": ["train", "--name", "x"],
        "environment": {"A": "1", "B": "2"},
        "hyperparameters": {"lr": 0.1, "kind": "mlp"},
        "inputs": {"train": "storage:a=b"},
        "replicas": 64,
        "memory_bytes": 1 << 30,
        "priority": 9,
        "max_retries": 2,
        "max_run_secs": 60,
        "queue_timeout_secs": 3_600,
        "grace_secs": 5,
        "labels": {"a": "b"},
        "tags": ["t"],
        "project_name": "default",
    }
    assert {name: told[name] for name in wanted} == wanted


def test_submit_uploads_the_source_code(typed: Typed, tmp_path: pathlib.Path) -> None:
    """The command starts in it; what is uploaded is told, and shown with the job."""
    (tmp_path / "code").mkdir()
    (tmp_path / "code/greet.sh").write_text("echo hello")
    code, out, err = typed(
        "submit", "--source-dir", str(tmp_path / "code"), "--name", "greet", "--follow", "sh greet.sh"
    )
    shown = typed("get", "greet")[1]

    told = "1 file, 10 B ("
    assert (code, out) == (0, "hello\n")
    assert err.splitlines()[0].startswith(f"source code: {told}")
    assert told in shown


def test_large_uploads_are_told_before_and_after_in_one_unit(typed: Typed, tmp_path: pathlib.Path) -> None:
    """They may take long."""
    (tmp_path / "weights").write_bytes(bytes(11_000_000))

    err = typed("submit", "--source-dir", str(tmp_path), "--replicas", str(TOO_MANY), "true")[2]

    assert err.splitlines()[0] == "sending 11.0 MB of source code, unless the hub has it"
    assert err.splitlines()[1].startswith("source code: 1 file, 11.0 MB (")


def test_submit_without_the_folder_is_an_error(typed: Typed, session: Session, tmp_path: pathlib.Path) -> None:
    """And there is no job."""
    code, out, err = typed("submit", "--source-dir", str(tmp_path / "nowhere"), "true")

    assert (code, out, TrainingJob.list(session)) == (2, "", [])
    assert err.splitlines()[0] == f"lightboard: {tmp_path}/nowhere is not a folder"


def test_source_code_is_downloaded(
    typed: Typed, session: Session, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Into the current folder, or elsewhere; the path is printed."""
    (tmp_path / "train.py").write_text("print(1)")
    TrainingJob.create("true", source_dir=str(tmp_path), name="saved", session=session)
    monkeypatch.chdir(tmp_path)
    there = typed("source-code", "saved", "--to", "there.tgz")
    here = typed("source-code", "saved")
    again = typed("source-code", "saved")

    assert (there[:2], here[:2]) == ((0, "there.tgz\n"), (0, "saved-source-code.tar.gz\n"))
    assert (again[0], again[2].splitlines()[0]) == (2, "lightboard: saved-source-code.tar.gz exists")
    with tarfile.open(tmp_path / "saved-source-code.tar.gz") as archive:
        assert archive.getnames() == ["train.py"]


def test_submit_follows_to_the_exit_code(typed: Typed) -> None:
    """The log alone is on stdout; the command needs no --."""
    code, out, err = typed("submit", "--follow", "sh", "-c", "echo hello; exit 3")

    assert (code, out) == (3, "hello\n")
    assert err.splitlines()[-1] == "echo-hello-exit-3 is Failed Error: the command exited with code 3"


def test_submit_follows_to_the_signal(typed: Typed) -> None:
    """As shells report it."""
    assert typed("submit", "--follow", "kill -9 $$")[:2] == (137, "")


def test_an_interrupt_detaches(cli: HubCli, session: Session) -> None:
    """The job continues."""
    words = ["job", "submit", "--follow", "--name", "long", "echo on; sleep 600"]
    with LightboardPopen(words, env=cli.env, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout
        line = process.stdout.readline()
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=TIMEOUT_SECS)

    assert (line, process.returncode) == ("on\n", 130)
    wait_for(lambda: [job.status for job in TrainingJob.list(session)], lambda found: found == ["Running"], "the job")
    assert err.splitlines()[-3:] == [
        "detached; long continues",
        "follow it: lightboard job logs -f long",
        "stop it: lightboard job stop long",
    ]


def test_submit_creates_the_tensorboard(typed: Typed, session: Session) -> None:
    """With its link below the id."""
    code, out, _ = typed("submit", "--tensorboard", "true")

    (job,) = TrainingJob.list(session)
    board = job.tensorboard(wait=False)
    link = board.app_uri
    board.delete()
    assert (code, out) == (0, f"{job.id}\n{link}\n")


def test_the_tensorboard_has_one_link(typed: Typed, session: Session) -> None:
    """Started if needed."""
    job = TrainingJob.create("true", session=session, wait=True)
    board = job.tensorboard()
    board.stop(wait=True)

    code, out, _ = typed("tensorboard", job.id)

    status = board.status
    board.delete()
    assert (code, out, status) == (0, f"{board.session.url}/tb/{board.id}/\n", "Running")


def test_b15_the_tensorboard_of_a_finished_job_is_changed_and_deleted(typed: Typed, session: Session) -> None:
    """The same link over another folder; the logs are kept."""
    job = TrainingJob.create("true", session=session, wait=True)
    code, out, _ = typed("tensorboard", job.id, "--log-dir", "storage:jobs")
    board = job.info()["tensorboard"]

    off = typed("tensorboard", job.id, "--off")

    assert (code, out, board["sources"][0]["text"]) == (0, f"{board['app_uri']}\n", "storage:jobs")
    assert off == (0, "", f"{job.id} has no TensorBoard; its logs are kept\n")
    assert job.info()["tensorboard"] is None


def test_off_goes_with_nothing_else(typed: Typed) -> None:
    """It shows nothing."""
    code, out, err = typed("tensorboard", "fit", "--off", "--browse")

    assert (code, out) == (2, "")
    assert "--off deletes the TensorBoard" in err


def test_jobs_are_listed(typed: Typed, session: Session) -> None:
    """Newest first; as JSON everything."""
    jobs = [TrainingJob.create(["echo", str(number)], session=session, wait=True) for number in range(2)]

    table = [line.split()[:2] for line in typed("ls")[1].splitlines()]
    items = json.loads(typed("ls", "--status", "Succeeded", "--sort", "name", "--json")[1])

    assert table == [["NAME", "STATUS"], ["echo-1", "Succeeded"], ["echo-0", "Succeeded"]]
    assert [item["id"] for item in items] == [job.id for job in jobs]


def test_an_empty_list_says_how_to_begin(typed: Typed) -> None:
    """On stderr."""
    assert typed("ls") == (0, "", "no jobs; submit one with lightboard job submit\n")


def test_details_are_shown(typed: Typed, session: Session) -> None:
    """With limits and history."""
    words = {"name": "details", "hyperparameters": {"lr": 0.1}, "memory_bytes": 1 << 30, "max_run_time": 60}
    TrainingJob.create(["echo", "a b"], session=session, wait=True, **words)

    told = dict(line.split("  ", 1) for line in typed("get", "details")[1].splitlines())

    shown = ("status", "result", "command", "hyperparameters", "memory", "run time", "queue timeout")
    assert [told[name].strip() for name in shown] == [
        *("Succeeded", "exit code 0", "echo 'a b'", "lr=0.1", "1G", "1m", "no limit")
    ]


def test_logs_are_printed(typed: Typed, session: Session) -> None:
    """Of an attempt and a replica."""
    line = "echo attempt $LIGHTBOARD_JOB_ATTEMPT replica $RANK"
    job = TrainingJob.create(line, name="logged", replicas=2, session=session, wait=True)
    job.restart(wait=True)
    wanted = ([], ["-f"], ["--attempt", "1", "--rank", "1"])

    assert [typed("logs", "logged", *flags)[1] for flags in wanted] == [
        "attempt 2 replica 0\n",
        "attempt 2 replica 0\n",
        "attempt 1 replica 1\n",
    ]


WRITE = """
import math, os, pathlib
from lightboard.testing.event_files import scalar_record, write_events
folder = pathlib.Path(os.environ["PAI_OUTPUT_TENSORBOARD"])
write_events(folder / "val" / "events.out.tfevents.1", [scalar_record("loss", 7, 0.123456789, 1.6e9)])
write_events(folder / "events.out.tfevents.1", [scalar_record("loss", 9, math.nan, math.nan)])
"""


def test_metrics_are_printed(typed: Typed, session: Session) -> None:
    """The last values, as a table or as the hub has them; a job may have none."""
    job = TrainingJob.create([sys.executable, "-c", WRITE], name="metered", session=session, wait=True)
    wait_for(job.metrics, lambda found: len(found) == 2, "the metrics")
    other = TrainingJob.create(["true"], name="other", replicas=64, session=session)

    code, table, _ = typed("metrics", "metered")
    assert (code, sorted(line.split()[:4] for line in table.splitlines())) == (
        0,
        [
            ["METRIC", "VALUE", "STEP", "RUN"],
            ["loss", "NaN", "9", "attempt-1/rank-0"],
            ["val/loss", "0.123457", "7", "attempt-1/rank-0/val"],
        ],
    )
    printed = json.loads(typed("metrics", "metered", "--json")[1])
    assert sorted((each["name"], each["value"]) for each in printed) == [
        ("loss", "NaN"), ("val/loss", 0.12345679104328156),
    ]  # fmt: skip
    assert typed("metrics", other.id) == (0, "", "no metrics yet; a job logs them to PAI_OUTPUT_TENSORBOARD\n")


def test_the_queue_is_a_table(typed: Typed, session: Session, hub: HubProcess) -> None:
    """With what each job waits for; what is in use comes first."""
    job = TrainingJob.create("true", name="late", replicas=TOO_MANY, priority=8, session=session)
    wait_for(lambda: job.info()["message"], bool, "the reason why it waits")
    code, printed, told = typed("queue")
    rows = [re.split(" {2,}", line.strip()) for line in printed.splitlines()]
    queue = json.loads(typed("queue", "--json")[1])

    assert (code, rows[0]) == (0, ["POSITION", "NAME", "PRIORITY", "NEEDS", "WAITS FOR", "SINCE", "OWNER", "ID"])
    assert [row[:5] for row in rows if job.id in row] == [["-", "late", "8", "64 slots", job.info()["message"]]]
    assert re.fullmatch(r"in use: slots \d+ of \d+\n", told)
    assert queue["items"] == TrainingJob.queue(session)["items"]


def test_jobs_are_paused_and_resumed(typed: Typed, session: Session) -> None:
    """Several at once."""
    jobs = [TrainingJob.create("true", name=name, replicas=TOO_MANY, session=session) for name in ("one", "two")]

    assert typed("pause", "one", "two") == (0, "", "".join(f"{job.id} is Paused\n" for job in jobs))
    assert typed("resume", "one", "two") == (0, "", "".join(f"{job.id} is Queued\n" for job in jobs))


def test_jobs_get_another_priority(typed: Typed, session: Session) -> None:
    """In words or as a number, several at once."""
    jobs = [TrainingJob.create("true", name=name, replicas=TOO_MANY, session=session) for name in ("one", "two")]

    said = typed("prioritize", "one", "two", "--priority", "high")

    assert said == (0, "", "".join(f"{job.id} has the priority 7\n" for job in jobs))
    assert [job.info()["priority"] for job in jobs] == [7, 7]


def test_jobs_are_stopped_and_restarted(typed: Typed, session: Session) -> None:
    """By name, several at once."""
    jobs = [TrainingJob.create("true", name=name, replicas=64, session=session) for name in ("one", "two")]

    assert typed("stop", "one", "two") == (0, "", "".join(f"{job.id} is Stopped\n" for job in jobs))
    assert typed("restart", "one") == (0, "", f"{jobs[0].id} is Queued\n")


def installed_here() -> tuple[tuple[str, str], ...]:
    """The packages of the Python that jobs find, if there is one."""
    python = shutil.which("python") or shutil.which("python3")
    folder = environment_folder(python) if python else None
    return read_environment(folder).packages if folder else ()


def test_a_job_tells_what_it_ran_with_and_runs_again(typed: Typed, session: Session) -> None:
    """Its packages as a requirements file; another attempt is named by its number."""
    job = TrainingJob.create("true", name="mnist", hyperparameters={"lr": 0.1}, session=session, wait=True)
    code, out, _ = typed("run-again", "mnist")
    told = typed("lineage", "mnist")[1].splitlines()
    packages = typed("lineage", "mnist", "--packages")[1].splitlines()
    again = TrainingJob.get("mnist-2", session)

    assert (code, out) == (0, f"{again.id}\n")
    fields = dict(line.split("  ", 1) for line in told)
    found = {name: fields[name].strip() for name in ("command", "hyperparameters", "attempt", "run again as")}
    assert found == {
        "command": "sh -c true",
        "hyperparameters": "lr=0.1",
        "attempt": "1",
        "run again as": "mnist-2",
    }
    assert packages == [f"{name}=={version}" for name, version in installed_here()]
    assert again.lineage()["repeat_of"]["id"] == job.id
    assert typed("lineage", "mnist", "--attempt", "9")[::2] == (
        1,
        "lightboard: there is no record of attempt 9 of mnist\nhint: it is written when the job starts\n",
    )


def test_a_job_tells_what_was_in_its_inputs(typed: Typed, hub: HubProcess, session: Session) -> None:
    """And that it has changed, also when it is run again."""
    source = TrainingJob.create("true", name="source", session=session, wait=True)
    job = TrainingJob.create("true", name="mnist", inputs={"train": source.output_uri}, session=session, wait=True)
    wait_for(lambda: job.lineage()["attempts"][0]["inputs"][0]["contents"], bool, "contents")
    before = typed("lineage", "mnist", "--compare")[1]
    unchanged = typed("run-again", "mnist")[2].splitlines()
    source.restart(wait=True)
    data = hub.home / "hub/storage/default" / source.output_uri.removeprefix("storage:") / "new.txt"
    data.write_text("12345")
    after = typed("lineage", "mnist", "--compare")[1]
    recorded = typed("lineage", "mnist")[1]
    compared = json.loads(typed("lineage", "mnist", "--compare", "--json")[1])["compared"]
    again = typed("run-again", "mnist")[2].splitlines()

    assert re.search(r"train=\S+; 0 files, 0 B \([0-9a-f]{12}\); unchanged$", before, re.MULTILINE)
    assert "; changed since: now 1 file, 5 B (" in after
    assert re.search(r"train=\S+; 0 files, 0 B \([0-9a-f]{12}\)$", recorded, re.MULTILINE)
    assert compared == job.compare_inputs()
    assert len(unchanged) == 1
    assert re.fullmatch(
        r"the contents of train have changed since mnist started: "
        r"0 files, 0 B \([0-9a-f]{12}\) then, 1 file, 5 B \([0-9a-f]{12}\) now",
        again[0],
    )
    assert [each["changed"] for each in job.compare_inputs()] == [True]


def test_a_missing_job_is_told_before_anything_is_asked(typed: Typed) -> None:
    """There is nothing to confirm."""
    code, out, err = typed("delete", "nowhere")

    assert (code, out, err.splitlines()) == (1, "", ["lightboard: there is no job nowhere"])


def test_jobs_are_deleted(typed: Typed, session: Session) -> None:
    """Without a question if that is wanted."""
    job = TrainingJob.create("true", name="deleted", session=session, wait=True)

    assert typed("delete", "deleted", "-y") == (0, "", f"{job.id} deleted; its outputs are kept\n")
    assert TrainingJob.list(session) == []


def test_deleting_asks_first(cli: HubCli, session: Session) -> None:
    """Whoever does not answer has not agreed."""
    job = TrainingJob.create("true", name="kept", session=session, wait=True)

    done = cli.command("job", "delete", "kept", code=1)

    assert done.stderr.startswith("Delete kept? The outputs are kept. [y/N]:")
    assert job.status == "Succeeded"


def test_missing_jobs_are_told(typed: Typed) -> None:
    """In one line."""
    assert typed("get", "nothing") == (1, "", "lightboard: there is no job nothing\n")


def test_without_its_tensorboard_no_job_is_created(typed: Typed, session: Session, no_boards: None) -> None:
    """If the account has as many as it may."""
    code, out, err = typed("submit", "--tensorboard", "true")

    assert (code, out, REFUSED in err, TrainingJob.list(session)) == (1, "", True, [])


def test_a_job_runs_without_a_tensorboard_to_open(typed: Typed, session: Session, no_boards: None) -> None:
    """Nobody has asked for more than a look."""
    code, out, err = typed("submit", "--browse", "true")

    (job,) = TrainingJob.list(session)
    assert (code, out, "it has no TensorBoard: " in err) == (0, f"{job.id}\n", True)
