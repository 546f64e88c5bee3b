"""Flags: TensorBoard's, in its spellings, and errors that help."""

import pathlib

import pytest

from lightboard.cli.board import remarks, settings_of
from lightboard.cli.flags import WITHOUT_MEANING, parse
from lightboard.config import BoardSettings
from lightboard.errors import UsageError
from lightboard.home import own_folder


def settings(*words: str) -> BoardSettings:
    return settings_of(parse(words))


def test_defaults_are_tensorboards() -> None:
    """A folder is enough."""
    assert settings("--logdir", "runs") == BoardSettings(logdir="runs", home=own_folder())


@pytest.mark.parametrize(
    "words",
    [
        ["--logdir", "runs"],
        ["--logdir=runs"],
        ["runs"],
        ["--logdi", "runs"],
    ],
)
def test_a_folder_can_be_given_in_several_ways(words: list[str]) -> None:
    """With a flag, as one word, alone, or with the flag cut short."""
    if words[0] == "--logdi":
        with pytest.raises(UsageError, match="ambiguous"):
            settings(*words)
    else:
        assert settings(*words).logdir == "runs"


def test_words_and_flags_come_in_any_order() -> None:
    """A folder may follow a flag that follows a command."""
    assert parse(["export", "--port", "0", "runs", "--tag", "x", "out.zip"]).path == ["export", "runs", "out.zip"]


def test_every_setting_can_be_set() -> None:
    """Flags with values, in one line."""
    words = (
        "--logdir_spec a:x,b:y --host 0.0.0.0 --port 0 --reuse_port=true --path_prefix /p/ --window_title T "
        "--allowed_hosts a.b,.c --purge_orphaned_data false --reload_interval 0 --reload_task blocking "
        "--max_reload_threads 3 --samples_per_plugin scalars=5,images=0"
    )
    assert settings(*words.split()) == BoardSettings(
        home=own_folder(),
        logdir_spec="a:x,b:y",
        host="0.0.0.0",
        port=0,
        reuse_port=True,
        path_prefix="/p",
        window_title="T",
        allowed_hosts=("a.b", ".c"),
        purge_orphaned_data=False,
        reload_secs=0.0,
        reload_blocking=True,
        reload_threads=3,
        samples={"scalars": 5, "images": 0},
    )


@pytest.mark.parametrize(
    ("words", "value"),
    [
        ("--bind_all", True),
        ("--bind_all=true", True),
        ("--bind_all=false", False),
        ("--bind_all true", True),
        ("--bind_all False", False),
        ("--bind", True),
        ("--db_import", False),
    ],
)
def test_switches_may_carry_a_value(words: str, value: bool) -> None:
    """And never swallow the folder after them."""
    chosen = settings(*words.split(), "runs")

    assert (chosen.bind_all, chosen.logdir) == (value, "runs")


@pytest.mark.parametrize("text", ["True", "1", "yes", "false", "0", "NO"])
def test_true_and_false_have_many_spellings(text: str) -> None:
    """As Python and shells write them."""
    assert settings("runs", "--purge_orphaned_data", text).purge_orphaned_data == (text in ("True", "1", "yes"))


@pytest.mark.parametrize(
    ("words", "message", "hint"),
    [
        ("--logdri runs", "unknown flag --logdri", "did you mean --logdir?"),
        ("runs --prot=6006", "unknown flag --prot", "did you mean --port?"),
        ("runs --xyzzyx", "unknown flag --xyzzyx", "lightboard --help lists all flags"),
        ("runs --port 99999", "argument --port: '99999' is no port", "lightboard --help"),
        ("runs --port ٣", "argument --port: '٣' is no port", "lightboard --help"),
        ("runs --port ²", "argument --port: '²' is no port", "lightboard --help"),
        ("runs --bind_all=perhaps", "argument --bind_all: 'perhaps' is neither true nor false", "lightboard --help"),
        ("runs --inspect=perhaps", "argument --inspect: 'perhaps' is neither true nor false", "lightboard --help"),
        ("runs --port abc", "argument --port: 'abc' is no port", "lightboard --help"),
        ("runs --path_prefix x", "--path_prefix x must begin with a slash", "--path_prefix /x"),
        ("runs --reload_interval -1", "argument --reload_interval", "lightboard --help"),
        ("runs --reload_interval nan", "argument --reload_interval", "lightboard --help"),
        ("runs --max_reload_threads 0", "argument --max_reload_threads", "lightboard --help"),
        ("runs --samples_per_plugin scalars", "argument --samples_per_plugin", "lightboard --help"),
        ("runs --samples_per_plugin =5", "argument --samples_per_plugin", "lightboard --help"),
        ("runs --reload_task sometimes", "argument --reload_task", "lightboard --help"),
        ("runs --purge_orphaned_data perhaps", "argument --purge_orphaned_data", "lightboard --help"),
        ("", "no folder to look through", "lightboard --logdir DIR"),
        ("a b", "one folder is enough, but there are a and b", "--logdir_spec"),
        ("--logdir a --logdir_spec b", "--logdir and --logdir_spec exclude each other", "--logdir_spec"),
        ("a --host x --bind_all", "--host and --bind_all exclude each other", "--bind_all"),
        ("a --tag x", "--event_file and --tag go with --inspect", "--inspect"),
    ],
)
def test_a_mistake_is_one_clear_error_with_a_hint(words: str, message: str, hint: str) -> None:
    """What is wrong, then what to do."""
    with pytest.raises(UsageError) as error:
        settings(*words.split())

    assert error.value.message.startswith(message)
    assert hint in error.value.hint


@pytest.mark.parametrize("name", WITHOUT_MEANING)
def test_flags_without_a_meaning_are_accepted_with_one_line(name: str) -> None:
    """Old command lines go on working; nobody is left wondering."""
    asked = parse([".", f"--{name}=true"])

    assert remarks(asked, settings_of(asked)) == [f"note: --{name} has no effect: {WITHOUT_MEANING[name]}"]


def test_nothing_is_remarked_without_a_reason() -> None:
    """A quiet start."""
    asked = parse(["."])

    assert remarks(asked, settings_of(asked)) == []


def test_a_missing_folder_and_an_open_door_are_remarked() -> None:
    """Both are allowed, both are worth knowing."""
    for flag in ("--bind_all", "--host 0.0.0.0", "--host ::", "--host 192.0.2.7"):
        asked = parse(["/no/such/folder", *flag.split()])

        missing, open_door = remarks(asked, settings_of(asked))

        assert missing.startswith("note: /no/such/folder is not there yet")
        assert open_door.startswith(f"note: {flag} lets everybody")
        assert open_door.endswith("; --allowed_hosts narrows the hosts it answers for")


@pytest.mark.parametrize("flags", ["--host 127.0.0.1", "--host localhost", "--host ::1", "--host [::1]"])
def test_loopback_is_no_open_door(flags: str) -> None:
    """Nobody else gets there."""
    asked = parse([".", *flags.split()])

    assert remarks(asked, settings_of(asked)) == []


def test_a_narrowed_door_is_still_open() -> None:
    """Names keep no machine out."""
    asked = parse([".", "--bind_all", "--allowed_hosts", "a.b"])

    (line,) = remarks(asked, settings_of(asked))
    assert line == "note: --bind_all lets everybody who can reach this machine read these logs and edit your notes"


@pytest.mark.parametrize("words", ["--logdir_spec a:.,b:/no/such/folder", "--logdir file:///no/such/folder"])
def test_a_missing_folder_is_remarked_however_it_was_named(words: str) -> None:
    """By its full path."""
    asked = parse(words.split())

    assert [line for line in remarks(asked, settings_of(asked)) if "/no/such/folder is not there yet" in line]


def test_limits_for_what_is_not_served_are_remarked() -> None:
    """TensorBoard's command lines hold them; a wrong name is seen."""
    asked = parse([".", "--samples_per_plugin", "scalars=5,images=0,histograms=7,graphs=1,scalrs=7"])

    assert remarks(asked, settings_of(asked)) == [
        "note: --samples_per_plugin has no effect on graphs, scalrs; "
        "it takes scalars, histograms, images, audio, text, pr_curves, mesh"
    ]


def test_an_empty_host_is_none() -> None:
    """`--host=$HOST` with nothing in it listens where nobody else can reach it."""
    assert settings("runs", "--host=").host is None


def test_a_list_of_folders_is_taken_as_older_tensorboards_did(tmp_path: pathlib.Path) -> None:
    """Unless a folder really has that name."""
    (tmp_path / "a,b").mkdir()
    asked = parse(["--logdir", "x:/,y:/usr"])

    assert settings_of(asked) == BoardSettings(logdir_spec="x:/,y:/usr", home=own_folder())
    assert remarks(asked, settings_of(asked)) == ["note: a list of folders is read as --logdir_spec"]
    assert settings(str(tmp_path / "a,b")).logdir == str(tmp_path / "a,b")


def test_a_home_folder_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """`--logdir=~/runs` reaches us unexpanded."""
    monkeypatch.setenv("HOME", "/home/me")

    assert settings("--logdir=~/runs").logdir == "/home/me/runs"


def test_a_notebooks_proxy_is_trusted(monkeypatch: pytest.MonkeyPatch) -> None:
    """It announces itself in TensorBoard's variable."""
    monkeypatch.setenv("TENSORBOARD_PROXY_URL", "https://hub.example.com/user/me/proxy/%PORT%/")

    assert (settings("runs").proxy_hosts, settings("runs").allowed_hosts) == (("hub.example.com",), ())
    assert settings("runs", "--allowed_hosts", "a.b").allowed_hosts == ("a.b",)


def test_a_proxy_without_a_name_opens_the_door(monkeypatch: pytest.MonkeyPatch) -> None:
    """jupyter-server-proxy passes on whatever name Jupyter has; the variable gives only the path."""
    monkeypatch.setenv("TENSORBOARD_PROXY_URL", "/user/me/proxy/%PORT%/")
    asked, narrowed = parse(["."]), parse([".", "--allowed_hosts", "a.b"])

    (line,) = remarks(asked, settings_of(asked))
    assert settings_of(asked).proxy_hosts == ("*",)
    assert line.startswith("note: TENSORBOARD_PROXY_URL tells of a proxy but not its name")
    assert remarks(narrowed, settings_of(narrowed)) == []
