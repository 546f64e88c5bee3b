"""`lightboard generate-run-command`: the command makes the same again."""

from typing import Any

import pytest
from hypothesis import given, reject
from hypothesis import strategies as st
from typer.main import get_command

from lightboard.cli.hub_client import app
from lightboard.cli.run import labels_of, settings_of
from lightboard.cli.run_command import OF_JOBS, log_volumes, run_words
from lightboard.cli.run_flags import ENDLESS_RETRIES
from lightboard.client.project_secrets import Secret
from lightboard.client.volumes import clean_path, parse_volumes, volume_of
from lightboard.errors import Conflict

NOT_SETTINGS = ("browse", "detach", "url", "project", "entrypoint", "share", "pass_config", "port_forward", "tty")
"""Flags that do not change what is made, or that no such command has."""
TEXT = st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\0"), min_size=1, max_size=12)
ALIASES = st.text(
    st.characters(exclude_categories=("Cs", "Cc"), exclude_characters="/:,\u2028\u2029"), max_size=8
)  # fmt: skip
TARGETS = TEXT.map("/data/{}".format)
SPANS = st.integers(0, 10**7).map(float)
PATHS = st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\0:"), max_size=12)
SOURCES = st.one_of(
    PATHS.map("storage:{}".format), PATHS.map("dataset:mnist/{}".format), TEXT.map("/{}".format),
    PATHS.map("s3://bucket/{}".format),
)  # fmt: skip


def shared(draw: st.DrawFn) -> dict[str, Any]:
    tags = draw(st.lists(TEXT, max_size=3))
    return {
        "name": "image",
        "display_name": draw(st.one_of(st.just("image"), TEXT)),
        "tags": tags,
        "labels": labels_of(tags),
        "project_name": "default",
    }


@st.composite
def boards(draw: st.DrawFn) -> dict[str, Any]:
    """The data of a TensorBoard."""
    nothing = st.just("")
    source = st.fixed_dictionaries(
        {"text": SOURCES, "alias": ALIASES, "include": nothing, "exclude": nothing, "target": nothing | TARGETS}
    )
    return {
        **shared(draw),
        "sources": draw(st.lists(source, min_size=1, max_size=3)),
        "http_auth": draw(st.booleans()),
        "life_span_secs": draw(SPANS),
        "idle_timeout_secs": draw(SPANS),
        "access": "private",
    }


@st.composite
def volumes(draw: st.DrawFn) -> list[dict[str, Any]]:
    """Those of a job."""
    sources = draw(st.lists(PATHS.map("storage:{}".format), max_size=2))
    return [
        {"source": source, "target": f"/data/{number}", "read_only": draw(st.booleans()), "enforcement": None}
        for number, source in enumerate(sources)
    ]


@st.composite
def jobs(draw: st.DrawFn) -> dict[str, Any]:
    """The data of a job."""
    names = st.text(st.characters(codec="ascii", categories=("L", "N")), min_size=1, max_size=5)
    return {
        **shared(draw),
        "command": draw(st.lists(TEXT, min_size=2, max_size=4)),
        "image": draw(st.one_of(st.just(""), TEXT)),
        "preset": draw(st.one_of(st.just(""), TEXT)),
        "environment": draw(st.dictionaries(names, st.one_of(TEXT, st.just({"secret": "hf"})), max_size=3)),
        "priority": draw(st.integers(1, 9)),
        "max_run_secs": 0.0,
        "life_span_secs": draw(SPANS),
        "http_port": draw(st.one_of(st.none(), st.integers(1, 65_535))),
        "queue_timeout_secs": draw(SPANS),
        "max_retries": draw(st.sampled_from((0, ENDLESS_RETRIES))),
        "volumes": draw(volumes()),
        **DEFAULTS,
    }


def words_of(info: dict[str, Any]) -> list[str]:
    """The command of a job; those few that are refused, which another test looks at, are skipped."""
    try:
        return run_words(info)
    except Conflict:
        reject()


def settings_from(words: list[str]) -> dict[str, Any]:
    """What `lightboard` with these words is to create."""
    command = get_command(app).commands[words[0]]  # type: ignore[attr-defined]
    params = command.make_context(words[0], words[1:]).params
    return settings_of(**{name: value for name, value in params.items() if name not in NOT_SETTINGS})


def shared_settings(info: dict[str, Any]) -> dict[str, Any]:
    """Those of either, where a display name that is the name may be left out."""
    described = info["display_name"] if info["display_name"] != info["name"] else ""
    return {"name": info["name"], "display_name": described, "tags": info["tags"], "labels": info["labels"]}


@given(boards())
def test_the_command_of_a_tensorboard_makes_it_again(info: dict[str, Any]) -> None:
    """Whatever its settings are."""
    sources = [
        {"uri": each["text"], "alias": each["alias"], "target": clean_path(volume.target)}
        for each, volume in zip(info["sources"], log_volumes(info), strict=True)
    ]
    made = settings_from(run_words(info))
    made["sources"] = [{"alias": "", **source} for source in made["sources"]]
    assert made == {
        **shared_settings(info),
        "sources": sources,
        "http_auth": info["http_auth"],
        "life_span": info["life_span_secs"],
        "idle_timeout": info["idle_timeout_secs"],
    }


def variable_of(value: Any) -> str | Secret:
    """The value of a variable as the command line reads it."""
    return Secret(value["secret"]) if isinstance(value, dict) else str(value)


def test_the_command_of_the_viewer_of_an_image_makes_it_again() -> None:
    """As one, since `tensorboard` would be the viewer of the hub."""
    command = ["tensorboard", "--logdir=/logs", "--host=127.0.0.1", "--port=6006"]
    words = run_words({**JOB, "preset": "", "image": "tf", "http_port": 6006, "command": command})

    assert words[-8:] == ["--http", "6006", "--image-viewer", "--priority", "5", "tf", *command][-8:]
    assert {key: settings_from(words)[key] for key in ("image", "http_port", "command")} == {
        "image": "tf", "http_port": 6006, "command": command,
    }  # fmt: skip


@given(jobs())
def test_the_command_of_a_job_makes_it_again(info: dict[str, Any]) -> None:
    """With all words of its command as they are."""
    made = settings_from(words_of(info))
    assert parse_volumes(made.pop("volumes")) == [volume_of(each) for each in info["volumes"]]
    assert made == {
        **shared_settings(info),
        "command": info["command"],
        "image": info["image"],
        "preset": info["preset"],
        "environment": {name: variable_of(value) for name, value in info["environment"].items()},
        "priority": info["priority"],
        "life_span": info["life_span_secs"],
        "http_port": info["http_port"],
        "queue_timeout": info["queue_timeout_secs"],
        "max_retries": info["max_retries"],
    }


DEFAULTS = {key: default for key, (_, default) in OF_JOBS.items()}
BOARD: dict[str, Any] = {
    "name": "image", "display_name": "image", "tags": ["kind:project"], "labels": {"kind": "project"},
    "project_name": "default", "http_auth": False, "life_span_secs": 86_400.0, "idle_timeout_secs": 3_600.0,
    "access": "private", "memory_bytes": 5_000,
    "sources": [{"text": "storage:image/results", "alias": "", "include": "", "exclude": "", "target": ""}],
}  # fmt: skip
JOB: dict[str, Any] = {
    "name": "train", "display_name": "train", "tags": [], "labels": {}, "project_name": "default", "priority": 5,
    "max_run_secs": 0.0, "life_span_secs": 0.0, "queue_timeout_secs": 0.0,
    "environment": {}, "image": "", "command": ["python", "train.py"],
    "max_retries": 0, "http_port": None, "volumes": [], **DEFAULTS,
}  # fmt: skip


def test_the_command_is_as_people_write_it() -> None:
    """With flags of the document."""
    assert run_words(BOARD) == [
        *("run", "--name", "image", "--tag", "kind:project", "--project", "default", "--no-http-auth"),
        *("--life-span", "1d", "--idle", "1h", "--volume", "storage:image/results:/logs:ro"),
        *("lightboard", "tensorboard", "--logdir=/logs"),
    ]


def test_c11_the_command_has_the_path_of_the_volume() -> None:
    """As it was given to `run`, or as nobody would write it: below /logs if two sources had one path."""
    (source,) = BOARD["sources"]
    placed = {**source, "target": "/project/results"}

    assert run_words({**BOARD, "sources": [placed]})[-4:] == [
        "storage:image/results:/project/results:ro", "lightboard", "tensorboard", "--logdir=/project/results",
    ]  # fmt: skip
    for sources in ([placed, placed], [placed, source]):
        assert run_words({**BOARD, "sources": sources})[-1] == "--logdir_spec=/logs/1,/logs/2"


@pytest.mark.parametrize(
    ("info", "why", "hint"),
    [
        ({**BOARD, "access": "project"}, "it has access for others", "tb create"),
        ({**BOARD, "labels": {}}, "it has labels", "tb create"),
        ({**BOARD, "sources": [{**BOARD["sources"][0], "include": "a*"}]}, "it has a filter of runs", "tb create"),
        ({**BOARD, "life_span_secs": 0.5}, "it has fractions of seconds", "tb create"),
        ({**JOB, "queue_timeout_secs": 0.5}, "it has fractions of seconds", "job submit"),
        ({**JOB, "inputs": {"a": "storage:a"}, "max_retries": 1}, "it has inputs, retries", "job submit"),
        ({**JOB, "max_retries": 99}, "it has retries", "job submit"),
        ({**JOB, "environment": {"KEY": None}}, "it has variables that only its owner can read", "job submit"),
        (
            {**JOB, "environment": {"KEY": "secret:x"}},
            "it has a variable whose value begins with secret:",
            "job submit",
        ),
        ({**JOB, "command": ["tensorboard", "x"]}, "run would read its command in another way", "job submit"),
        ({**JOB, "command": ["my program"]}, "run would read its command in another way", "job submit"),
    ],
)
def test_what_run_cannot_make_is_told(info: dict[str, Any], why: str, hint: str) -> None:
    """A command that makes something else would be worse."""
    with pytest.raises(Conflict) as caught:
        run_words(info)

    assert caught.value.message == f"no run command makes {info['name']}: {why}"
    assert caught.value.hint == f"lightboard {hint} has more flags than run"


def test_a_notebook_has_no_run_command() -> None:
    """It is a job of another kind."""
    with pytest.raises(Conflict, match="no run command makes train: it is a notebook"):
        run_words({**JOB, "kind": "notebook"})
