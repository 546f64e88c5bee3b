"""Flags in TensorBoard's spellings, and helpful errors."""

import pathlib

import pytest

from lightboard.cli.board import settings_of, startup_notes
from lightboard.cli.flags import IGNORED_FLAGS, parse
from lightboard.config import BoardSettings
from lightboard.errors import UsageError
from lightboard.home import cache_folder, own_folder


def settings(*words: str) -> BoardSettings:
    return settings_of(parse(words))


def test_defaults_equal_tensorboards() -> None:
    """A folder is enough."""
    assert settings("--logdir", "runs") == BoardSettings(logdir="runs", home=own_folder(), cache=cache_folder())


@pytest.mark.parametrize(
    "words",
    [
        ["--logdir", "runs"],
        ["--logdir=runs"],
        ["runs"],
        ["--logdi", "runs"],
    ],
)
def test_the_logdir_can_be_given_in_several_ways(words: list[str]) -> None:
    """Flag, `=`, positional, or abbreviated flag."""
    if words[0] == "--logdi":
        with pytest.raises(UsageError, match="ambiguous"):
            settings(*words)
    else:
        assert settings(*words).logdir == "runs"


def test_arguments_may_be_in_any_order() -> None:
    """A folder may follow a flag that follows a command."""
    assert parse(["export", "--port", "0", "runs", "--tag", "x", "out.zip"]).path == ["export", "runs", "out.zip"]


def test_every_setting_can_be_set() -> None:
    """By a flag."""
    words = (
        "--logdir_spec a:x,b:y --host 0.0.0.0 --port 0 --reuse_port=true --path_prefix /p/ --window_title T "
        "--allowed_hosts a.b,.c --purge_orphaned_data false --reload_interval 0 --reload_task blocking "
        "--max_reload_threads 3 --samples_per_plugin scalars=5,images=0"
    )
    assert settings(*words.split()) == BoardSettings(
        home=own_folder(),
        cache=cache_folder(),
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
def test_switches_may_have_a_value(words: str, value: bool) -> None:
    """They never take the following folder."""
    chosen = settings(*words.split(), "runs")

    assert (chosen.bind_all, chosen.logdir) == (value, "runs")


@pytest.mark.parametrize("text", ["True", "1", "yes", "false", "0", "NO"])
def test_booleans_have_many_spellings(text: str) -> None:
    """Of Python and shells."""
    assert settings("runs", "--purge_orphaned_data", text).purge_orphaned_data == (text in ("True", "1", "yes"))


@pytest.mark.parametrize(
    ("words", "message", "hint"),
    [
        ("--logdri runs", "unknown flag --logdri", "did you mean --logdir?"),
        ("runs --prot=6006", "unknown flag --prot", "did you mean --port?"),
        ("runs --xyzzyx", "unknown flag --xyzzyx", "lightboard --help lists all flags"),
        ("runs --port 99999", "argument --port: '99999' is not a port", "lightboard --help"),
        ("runs --port ٣", "argument --port: '٣' is not a port", "lightboard --help"),
        ("runs --port ²", "argument --port: '²' is not a port", "lightboard --help"),
        ("runs --bind_all=perhaps", "argument --bind_all: 'perhaps' is neither true nor false", "lightboard --help"),
        ("runs --inspect=perhaps", "argument --inspect: 'perhaps' is neither true nor false", "lightboard --help"),
        ("runs --port abc", "argument --port: 'abc' is not a port", "lightboard --help"),
        ("runs --path_prefix x", "--path_prefix x must begin with a slash", "--path_prefix /x"),
        ("runs --reload_interval -1", "argument --reload_interval", "lightboard --help"),
        ("runs --reload_interval nan", "argument --reload_interval", "lightboard --help"),
        ("runs --max_reload_threads 0", "argument --max_reload_threads", "lightboard --help"),
        ("runs --samples_per_plugin scalars", "argument --samples_per_plugin", "lightboard --help"),
        ("runs --samples_per_plugin =5", "argument --samples_per_plugin", "lightboard --help"),
        ("runs --reload_task sometimes", "argument --reload_task", "lightboard --help"),
        ("runs --purge_orphaned_data perhaps", "argument --purge_orphaned_data", "lightboard --help"),
        ("", "no logdir", "lightboard --logdir DIR"),
        ("a b", "only one folder is allowed, but there are a and b", "--logdir_spec"),
        ("--logdir a --logdir_spec b", "--logdir and --logdir_spec cannot be used together", "--logdir_spec"),
        ("a --host x --bind_all", "--host and --bind_all cannot be used together", "--bind_all"),
        ("a --tag x", "--event_file and --tag require --inspect", "--inspect"),
    ],
)
def test_mistakes_are_one_error_with_a_hint(words: str, message: str, hint: str) -> None:
    """What is wrong, then what to do."""
    with pytest.raises(UsageError) as error:
        settings(*words.split())

    assert error.value.message.startswith(message)
    assert hint in error.value.hint


@pytest.mark.parametrize("name", IGNORED_FLAGS)
def test_ignored_flags_are_noted(name: str) -> None:
    """Old command lines keep working."""
    asked = parse([".", f"--{name}=true"])

    assert startup_notes(asked, settings_of(asked)) == [f"note: --{name} has no effect: {IGNORED_FLAGS[name]}"]


def test_valid_flags_print_nothing() -> None:
    """A quiet start."""
    asked = parse(["."])

    assert startup_notes(asked, settings_of(asked)) == []


def test_missing_folders_and_open_hosts_are_noted() -> None:
    """Both are allowed."""
    for flag in ("--bind_all", "--host 0.0.0.0", "--host ::", "--host 192.0.2.7"):
        asked = parse(["/no/such/folder", *flag.split()])

        missing, exposure_note = startup_notes(asked, settings_of(asked))

        assert missing.startswith("note: /no/such/folder is not there yet")
        assert exposure_note.startswith(f"note: {flag} lets everyone")
        assert exposure_note.endswith("; --allowed_hosts restricts the hosts")


@pytest.mark.parametrize("flags", ["--host 127.0.0.1", "--host localhost", "--host ::1", "--host [::1]"])
def test_loopback_is_not_noted(flags: str) -> None:
    """Nobody else gets there."""
    asked = parse([".", *flags.split()])

    assert startup_notes(asked, settings_of(asked)) == []


def test_restricted_names_are_still_noted() -> None:
    """Host names keep no machine out."""
    asked = parse([".", "--bind_all", "--allowed_hosts", "a.b"])

    (line,) = startup_notes(asked, settings_of(asked))
    assert line == "note: --bind_all lets everyone who can reach this machine read these logs and edit your notes"


@pytest.mark.parametrize("words", ["--logdir_spec a:.,b:/no/such/folder", "--logdir file:///no/such/folder"])
def test_missing_folders_are_noted_by_full_path(words: str) -> None:
    """By its full path."""
    asked = parse(words.split())

    assert [line for line in startup_notes(asked, settings_of(asked)) if "/no/such/folder is not there yet" in line]


def test_unused_sample_limits_are_noted() -> None:
    """Misspelt plugins are noticed."""
    asked = parse([".", "--samples_per_plugin", "scalars=5,images=0,histograms=7,graphs=1,scalrs=7"])

    assert startup_notes(asked, settings_of(asked)) == [
        "note: --samples_per_plugin has no effect on graphs, scalrs; "
        "it applies to scalars, histograms, images, audio, text, pr_curves, mesh"
    ]


def test_an_empty_host_is_loopback() -> None:
    """As from `--host=$HOST`."""
    assert settings("runs", "--host=").host is None


def test_comma_separated_logdirs_are_accepted(tmp_path: pathlib.Path) -> None:
    """Unless a folder has that name."""
    (tmp_path / "a,b").mkdir()
    asked = parse(["--logdir", "x:/,y:/usr"])

    assert settings_of(asked) == BoardSettings(logdir_spec="x:/,y:/usr", home=own_folder(), cache=cache_folder())
    assert startup_notes(asked, settings_of(asked)) == ["note: a list of folders is read as --logdir_spec"]
    assert settings(str(tmp_path / "a,b")).logdir == str(tmp_path / "a,b")


def test_tilde_is_expanded(monkeypatch: pytest.MonkeyPatch) -> None:
    """In `--logdir=~/runs`."""
    monkeypatch.setenv("HOME", "/home/me")

    assert settings("--logdir=~/runs").logdir == "/home/me/runs"


def test_notebook_proxies_are_trusted(monkeypatch: pytest.MonkeyPatch) -> None:
    """They set TensorBoard's variable; ours comes first."""
    monkeypatch.setenv("TENSORBOARD_PROXY_URL", "https://hub.example.com/user/me/proxy/%PORT%/")

    assert (settings("runs").proxy_hosts, settings("runs").allowed_hosts) == (("hub.example.com",), ())
    assert settings("runs", "--allowed_hosts", "a.b").allowed_hosts == ("a.b",)

    monkeypatch.setenv("LIGHTBOARD_PROXY_URL", "https://boards.example.com/%PORT%/")
    assert settings("runs").proxy_hosts == ("boards.example.com",)


def test_a_board_requires_the_token_in_its_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    """It then says so, instead of which hosts it answers to; the token is not shown."""
    monkeypatch.setenv("TENSORBOARD_PROXY_URL", "/user/me/proxy/%PORT%/")
    monkeypatch.setenv("LIGHTBOARD_BOARD_TOKEN", "hush")
    asked = parse(["."])

    assert settings_of(asked).token == "hush"
    assert "hush" not in repr(settings_of(asked))
    assert startup_notes(asked, settings_of(asked)) == [
        "note: only requests with the token in LIGHTBOARD_BOARD_TOKEN are answered"
    ]


def test_proxies_without_a_name_allow_all_hosts(monkeypatch: pytest.MonkeyPatch) -> None:
    """jupyter-server-proxy sets a path only."""
    monkeypatch.setenv("TENSORBOARD_PROXY_URL", "/user/me/proxy/%PORT%/")
    asked, narrowed = parse(["."]), parse([".", "--allowed_hosts", "a.b"])

    (line,) = startup_notes(asked, settings_of(asked))
    assert settings_of(asked).proxy_hosts == ("*",)
    assert line.startswith("note: TENSORBOARD_PROXY_URL does not name its proxy")
    assert startup_notes(narrowed, settings_of(narrowed)) == []
