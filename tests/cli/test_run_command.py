"""What `lightboard run` understands, before it asks a hub."""

import pathlib

import pytest

from lightboard.cli.main import is_folder, main
from lightboard.cli.priorities import priority_number
from lightboard.cli.tensorboard_command import is_viewer, notes, sources_of, tensorboard_words, viewer_command
from lightboard.client.volumes import parse_volumes

NOWHERE = "http://127.0.0.1:1"
VOLUMES = ("storage:image/results://project/results:ro", "storage:old:/old:rw")


@pytest.mark.parametrize(
    ("command", "words"),
    [
        (["tensorboard", "--logdir=/a"], ["--logdir=/a"]),
        (["tensorboard --logdir '/a b'"], ["--logdir", "/a b"]),
        (["/usr/bin/tensorboard", "--logdir=/a"], ["--logdir=/a"]),
        (["lightboard", "/a"], ["/a"]),
        (["python", "tensorboard"], None),
        (["python train.py --tensorboard"], None),
        (["echo 'tensorboard"], None),
        ([""], None),
    ],
)
def test_tensorboard_is_recognized(command: list[str], words: list[str] | None) -> None:
    """As a program with arguments, or as one line."""
    assert tensorboard_words(command) == words


@pytest.mark.parametrize(
    ("words", "sources"),
    [
        ("--host=0.0.0.0 --logdir=//project/results", [{"uri": "storage:image/results", "target": "/project/results"}]),
        (
            "--logdir //project//results/a/ --port 6006 --bind_all",
            [{"uri": "storage:image/results/a", "target": "/project/results/a"}],
        ),
        ("/old", [{"uri": "storage:old", "target": "/old"}]),
        (
            "--logdir_spec=new:/project/results,old:/old/x,/old",
            [
                {"uri": "storage:image/results", "target": "/project/results", "alias": "new"},
                {"uri": "storage:old/x", "target": "/old/x", "alias": "old"},
                {"uri": "storage:old", "target": "/old"},
            ],
        ),
    ],
)
def test_folders_become_sources(words: str, sources: list[dict[str, str]]) -> None:
    """Where a volume has them, with the paths of the command."""
    assert sources_of(words.split(), parse_volumes(VOLUMES)) == sources


def test_the_viewer_of_an_image_listens_for_the_hub_alone() -> None:
    """Whatever the command says, which is recognized again."""
    commands = [
        ["tensorboard --host=0.0.0.0 --logdir=//project/results --bind_all"],
        ["/usr/bin/tensorboard", "--port", "80", "--logdir", "/a b", "--host", "::"],
    ]
    made = [viewer_command(command, 6006) for command in commands]

    assert made == [
        ["tensorboard", "--logdir=//project/results", "--host=127.0.0.1", "--port=6006"],
        ["/usr/bin/tensorboard", "--logdir", "/a b", "--host=127.0.0.1", "--port=6006"],
    ]
    assert [is_viewer(made[0], 6006), is_viewer(made[0], 80), is_viewer(made[0], None), is_viewer(commands[1], 80)] == [
        True, False, False, False,
    ]  # fmt: skip


def test_what_has_no_effect_is_told() -> None:
    """Flags that change what is shown, and volumes for writing; not those about serving."""
    words = ["--logdir=/old", "--host=0.0.0.0", "--port=1", "--load_fast=false", "--samples_per_plugin=images=0"]
    assert notes(words, VOLUMES) == [
        "--samples_per_plugin has no effect on a hub",
        "/old is read only: TensorBoards never write to their logs",
    ]


@pytest.mark.parametrize(("text", "number"), [("low", 3), ("normal", 5), ("high", 7), ("1", 1), ("9", 9)])
def test_priorities_are_words_or_numbers(text: str, number: int) -> None:
    """Neu.ro's words, and the numbers of the hub."""
    assert priority_number(text) == number


@pytest.mark.parametrize(
    ("words", "message", "hint"),
    [
        ("i tensorboard", "tensorboard has no --logdir", "for example --logdir=/project/results"),
        ("i tensorboard --logdir=/a", "no volume has the folder /a of --logdir", "add --volume storage:FOLDER:/a:ro"),
        ("i tensorboard --logdir=a", "'a' is not an absolute path", "such as /project/results, without .."),
        ("i tensorboard --inspect --logdir=/a", "this tensorboard command shows no logs", "give it a --logdir"),
        ("i tensorboard /a /b", "several folders are given", "--logdir_spec=a:/logs/a,b:/logs/b shows several"),
        ("i tensorboard --logdri=/a", "unknown flag --logdri", "did you mean --logdir?"),
        ("-v storage:a i true", "'storage:a' is not a volume",
         "for example --volume storage:image/results:/project/results:ro"),
        ("-w results i true", "'results' is not an absolute path", "such as /project/results, without .."),
        ("--restart always i true", "a job that has succeeded is not started again",
         "--restart on-failure, or a loop in the command"),
        ("--entrypoint ' i true", "--entrypoint ' is no command: No closing quotation", "close its quotes"),
        ("--share bob i true", "nothing is shared with bob alone: all members of a project see its jobs",
         "lightboard project add PROJECT bob --role viewer"),
        ("--tty i bash", "the command of a job has no terminal: it goes on when nobody is there",
         "leave out --tty; lightboard exec --tty NAME bash opens a terminal beside it"),
        ("--http 80 --no-http-auth i true", "the web page of a job needs a login: it could act for whoever opens it",
         "leave out --no-http-auth"),
        ("--image-viewer i true", "--image-viewer is for tensorboard",
         "leave it out: a job runs in IMAGE anyway"),
        ("--image-viewer --no-http-auth i tensorboard --logdir=/a",
         "the web page of a job needs a login: it could act for whoever opens it", "leave out --no-http-auth"),
        ("--idle 1h i true", "--idle is for TensorBoards", "--life-span limits how long a job runs"),
        ("--life-span 2 i true", "'2' is not a duration", "for example 1d, 2h30m or 90s; 0 for no end"),
        ("--priority urgent i true", "'urgent' is not a priority", "low, normal, high, or a number from 1 to 9"),
        ("i", "Missing argument 'COMMAND...'.", "lightboard run --help"),
    ],
)  # fmt: skip
def test_mistakes_are_told_before_any_request_is_sent(
    words: str, message: str, hint: str, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    """Two lines each."""
    monkeypatch.chdir(tmp_path)

    code = main(["run", "--url", NOWHERE, *words.split()])

    assert (code, capsys.readouterr().err.splitlines()) == (2, [f"lightboard: {message}", f"hint: {hint}"])


def test_a_folder_with_the_name_of_a_command_is_still_shown(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """`lightboard logs --inspect` is about a hub, but the hint says how to see the folder."""
    (tmp_path / "logs").mkdir()
    monkeypatch.chdir(tmp_path)

    code = main(["logs", "--inspect"])

    assert (code, capsys.readouterr().err.splitlines()[-1]) == (2, "hint: lightboard --logdir logs shows the folder")


@pytest.mark.parametrize(
    ("words", "is_board"),
    [(["logs"], True), (["status"], False), (["run"], True), (["logs", "mnist"], False), (["ps"], False)],
)
def test_a_command_alone_may_be_a_folder(
    words: list[str], is_board: bool, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where it would do nothing without a name: `logs`, or another one that exists."""
    for name in ("run", "ps"):
        (tmp_path / name).mkdir()
    monkeypatch.chdir(tmp_path)

    assert is_folder(words) is is_board
