"""The `lightboard run` command that makes a TensorBoard or a job again."""

from collections.abc import Sequence
from typing import Any

from lightboard.cli import tensorboard_command
from lightboard.cli.jobs import line_or_words
from lightboard.cli.run import labels_of
from lightboard.cli.run_flags import ENDLESS_RETRIES, Restart
from lightboard.cli.spans import exact_span_text
from lightboard.cli.variables import MARK
from lightboard.client.project_secrets import variable_text
from lightboard.client.volumes import Volume, volume_of
from lightboard.errors import Conflict, LightboardError

VIEWER = ("lightboard", "tensorboard")
"""The image, which does not matter, and the program."""
LOGS = "/logs"
"""Where the command says that logs are for which nobody has chosen a path."""
SEPARATORS = frozenset(",:")
"""Of `--logdir_spec` and of volumes."""
NOTEBOOK = "notebook"
OF_BOARDS: dict[str, tuple[str, Any]] = {"access": ("access for others", "private")}
OF_JOBS: dict[str, tuple[str, Any]] = {
    "log_dir": ("a log folder", ""),
    "source_code": ("source code", None),
    "inputs": ("inputs", {}),
    "hyperparameters": ("hyperparameters", {}),
    "replicas": ("replicas", 1),
    "memory_bytes": ("a memory limit", None),
    "max_run_secs": ("a limit of each attempt", 0),
    "grace_secs": ("a grace period", 30),
}
"""Settings that `run` has no flag for: what they are called, and their default."""
SPANS = ("life_span_secs", "idle_timeout_secs", "queue_timeout_secs")
"""Those that flags give in whole seconds."""


def run_words(info: dict[str, Any]) -> list[str]:
    """The words of the command for the data of a TensorBoard or job, without `lightboard`.

    Raises Conflict if there is no such command.
    """
    check_writable(info)
    return [
        *("run", "--name", info["name"]),
        *(("--description", info["display_name"]) if info["display_name"] != info["name"] else ()),
        *(word for tag in info["tags"] for word in ("--tag", tag)),
        *("--project", info["project_name"]),
        *(job_words(info) if "command" in info else board_words(info)),
    ]


def check_writable(info: dict[str, Any]) -> None:
    """Raises Conflict if it has settings for which there is no flag."""
    if info.get("kind") == NOTEBOOK:
        raise Conflict(f"no run command makes {info['name']}: it is a notebook")
    known = OF_JOBS if "command" in info else OF_BOARDS
    settings = [text for key, (text, default) in known.items() if info[key] != default]
    if info["labels"] != labels_of(info["tags"]):
        settings.append("labels")
    if info.get("max_retries", 0) not in (0, ENDLESS_RETRIES):
        settings.append("retries")
    if any(source["include"] or source["exclude"] for source in info.get("sources", ())):
        settings.append("a filter of runs")
    if any(value is None for value in info.get("environment", {}).values()):
        settings.append("variables that only its owner can read")
    if any(isinstance(value, str) and value.startswith(MARK) for value in info.get("environment", {}).values()):
        settings.append(f"a variable whose value begins with {MARK}")
    if any(info.get(key, 0) % 1 for key in SPANS):
        settings.append("fractions of seconds")
    if settings:
        raise not_writable(info, f"it has {', '.join(settings)}")


def not_writable(info: dict[str, Any], why: str) -> LightboardError:
    """The error for something that `run` cannot make."""
    group = "job submit" if "command" in info else "tb create"
    return Conflict(f"no run command makes {info['name']}: {why}", hint=f"lightboard {group} has more flags than run")


def log_volumes(info: dict[str, Any]) -> list[Volume]:
    """The sources of a TensorBoard as volumes, in their order: at the paths chosen for them if those can be written."""
    targets = [source["target"] for source in info["sources"]]
    if not all(targets) or len(set(targets)) < len(targets) or any(SEPARATORS.intersection(each) for each in targets):
        return default_volumes(info)
    return [Volume(source=source["text"], target=source["target"]) for source in info["sources"]]


def default_volumes(info: dict[str, Any]) -> list[Volume]:
    """The same at `/logs`, or below it if there are several."""
    sources = info["sources"]
    paths = [LOGS] if is_plain(sources) else [f"{LOGS}/{number}" for number in range(1, len(sources) + 1)]
    return [Volume(source=source["text"], target=path) for source, path in zip(sources, paths, strict=True)]


def is_plain(sources: Sequence[Any]) -> bool:
    """Whether these are one folder, whose runs get no further name."""
    return len(sources) == 1 and not sources[0]["alias"]


def board_words(info: dict[str, Any]) -> list[str]:
    """The flags, image and command of a TensorBoard."""
    sources, volumes = info["sources"], log_volumes(info)
    spec = ",".join(
        f"{each['alias']}:{volume.target}".lstrip(":") for each, volume in zip(sources, volumes, strict=True)
    )
    command = f"--logdir={volumes[0].target}" if is_plain(sources) else f"--logdir_spec={spec}"
    return [
        *(() if info["http_auth"] else ("--no-http-auth",)),
        *("--life-span", exact_span_text(info["life_span_secs"])),
        *("--idle", exact_span_text(info["idle_timeout_secs"])),
        *(word for volume in volumes for word in ("--volume", str(volume))),
        *VIEWER,
        command,
    ]


def job_words(info: dict[str, Any]) -> list[str]:
    """The flags, image and command of a job."""
    command, viewer = info["command"], tensorboard_command.is_viewer(info["command"], info["http_port"])
    is_board = not viewer and tensorboard_command.tensorboard_words(command) is not None
    if line_or_words(command) != command or is_board:
        raise not_writable(info, "run would read its command in another way")
    return [
        *(("--preset", info["preset"]) if info["preset"] else ()),
        *(("--http", str(info["http_port"])) if info["http_port"] is not None else ()),
        *(("--image-viewer",) if viewer else ()),
        *("--priority", str(info["priority"])),
        *(("--life-span", exact_span_text(info["life_span_secs"])) if info["life_span_secs"] else ()),
        *(("--schedule-timeout", exact_span_text(info["queue_timeout_secs"])) if info["queue_timeout_secs"] else ()),
        *(("--restart", Restart.ON_FAILURE.value) if info["max_retries"] else ()),
        *(word for name, value in info["environment"].items() for word in ("--env", variable_text(name, value))),
        *(("--",) if info["image"].startswith("-") else ()),  # or it would be a flag
        *(word for volume in info["volumes"] for word in ("--volume", str(volume_of(volume)))),
        *(info["image"], *command),
    ]
