"""How a hub is told to run jobs on a Ray cluster."""

import sys
from pathlib import Path

import pytest

from lightboard.cli.hub import parser, settings_of
from lightboard.config import HubSettings
from lightboard.errors import UsageError
from lightboard.hub.resources.presets import Capacity
from lightboard.hub.runners.ray import NO_COMMANDS, NO_SERVERS, NO_VOLUMES
from lightboard.hub.serve import build_capacity, build_policy, build_ray_runner, ray_token
from support.hub_cli import HubCli
from support.hub_process import HubProcess
from support.ports import free_ports

URL = ("--ray-url", "http://ray-head:8265/")


def settings(*words: str, **variables: str) -> HubSettings:
    """The settings of a command line and an environment."""
    return settings_of(parser().parse_args(list(words)), variables)


def test_the_token_is_in_a_file_or_a_variable(tmp_path: Path) -> None:
    """Never in a flag. Boards cannot show the file, and a new token in it is used at once."""
    file = tmp_path / "token"
    file.write_text("one\n")
    by_file = settings(*URL, "--ray-token-file", str(file), LIGHTBOARD_RAY_TOKEN="other")
    by_variable = settings(*URL, LIGHTBOARD_RAY_TOKEN="other")

    before = ray_token(by_file)
    file.write_text("two\n")

    assert (before, ray_token(by_file), ray_token(by_variable)) == ("one", "two", "other")
    assert (by_file.ray_url, by_file.secret_files) == ("http://ray-head:8265", (str(file),))
    assert "other" not in repr(by_variable)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--ray-token-file", "token"], "--ray-token-file needs --ray-url"),
        (["--ray-url", "ray-head:8265"], "--ray-url ray-head:8265 is not a valid URL"),
        ([*URL, "--job-isolation", "kernel"], "--job-isolation kernel does not work with --ray-url"),
        ([*URL, "--job-limits", "cgroup"], "--job-limits cgroup does not work with --ray-url"),
        ([*URL, "--preset", "a=gpu:1", "--job-gpus", "0"], "--job-gpus does not work with --ray-url"),
    ],
)
def test_flags_that_mean_nothing_together_are_told(words: list[str], message: str) -> None:
    """Before anything is started."""
    with pytest.raises(UsageError) as caught:
        settings(*words)

    assert caught.value.message == message


def test_a_token_file_that_is_missing_is_told(tmp_path: Path) -> None:
    """At the start."""
    wanted = settings(*URL, "--ray-token-file", str(tmp_path / "none"))

    with pytest.raises(UsageError, match=r"--ray-token-file .* cannot be read"):
        build_ray_runner(wanted, tmp_path, print)


def test_a_cluster_that_does_not_respond_keeps_no_hub_from_starting(tmp_path: Path) -> None:
    """It may be back soon, and boards do not need it. Where jobs run, and how little isolated, is told."""
    url = f"http://127.0.0.1:{free_ports(1)[0]}"
    wanted = settings("--ray-url", url)
    lines: list[str] = []
    runner = build_ray_runner(wanted, tmp_path, lines.append)
    runner.close()

    assert [line.partition(" [Errno")[0] for line in lines] == [
        f"--ray-url {url}: the Ray cluster does not respond:"
    ]  # fmt: skip
    assert build_policy(wanted, runner, "").summary == "jobs: on a Ray cluster, not isolated, limited by watching"
    assert build_capacity(wanted) == Capacity(slots=1 << 30, gpu_ids=None)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the local runner needs /proc")
def test_a_job_that_ended_before_the_hub_had_ray_is_deleted(tmp_path: Path) -> None:
    """With its log, although the cluster does not respond. Its name is free again."""
    log, body = "hub/runner/*/1/0/log", {"command": ["echo", "hello"], "name": "greet"}
    with HubProcess(tmp_path / "home") as hub:
        id = hub.json("POST", "/api/v1/jobs", body)["id"]
        hub.wait_for_job(id, "Succeeded")
        before = list((tmp_path / "home").glob(log))
    with HubProcess(tmp_path / "home", "--ray-url", f"http://127.0.0.1:{free_ports(1)[0]}") as hub:
        hub.json("DELETE", f"/api/v1/jobs/{id}")
        hub.wait_for_job(id, "Deleted")
        again = hub.json("POST", "/api/v1/jobs", body)

    assert (len(before), list((tmp_path / "home").glob(log))) == (1, [])
    assert (again["name"], again["runner"]) == ("greet", "ray")


def test_the_command_line_tells_what_jobs_cannot_have(tmp_path: Path) -> None:
    """Beside what they share."""
    url = f"http://127.0.0.1:{free_ports(1)[0]}"
    with HubProcess(tmp_path / "hub", "--ray-url", url) as hub:
        told = HubCli(hub, tmp_path).command("job", "queue").stderr

    assert told.splitlines() == [
        "in use: slots 0",
        "jobs run on a Ray cluster",
        f"not here: {NO_COMMANDS}",
        f"not here: {NO_SERVERS}",
        f"not here: {NO_VOLUMES}",
        "no job waits",
    ]
