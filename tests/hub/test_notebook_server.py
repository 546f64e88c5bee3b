"""The command and variables of the server of a notebook."""

import pathlib
import subprocess
from dataclasses import replace
from datetime import timedelta
from types import SimpleNamespace
from typing import Any

import pytest

from lightboard.hub.notebook_server import CONFIGURATION, NAMES, NotebookServers, idle_options
from lightboard.hub.resources.jobs import Job, JobKind
from lightboard.hub.resources.replicas import Isolation
from lightboard.testing.async_runner import run_async

NOTEBOOK = Job(
    id="job-1", name="first", display_name="First", project="prj-1", owner="acc-1", command=("jupyter-lab",),
    kind=JobKind.NOTEBOOK, attempt=2,
)  # fmt: skip
SERVERS = NotebookServers(
    base_path=lambda job: f"/lb/notebooks/{job.id}/",
    isolation=Isolation.KERNEL,
    token=lambda job: f"token-{job.id}-{job.attempt}",
)
BOTH = {"lightboard": "/venv/bin/lightboard", "jupyter-server-proxy": "/venv/bin/jupyter-standaloneproxy"}
"""The programs that boards in cells need."""


def test_the_token_is_not_on_the_command_line() -> None:
    """Where every process of the machine could read it."""
    command = SERVERS.command(NOTEBOOK, "/venv/bin/python3", "/storage/notebooks/first", BOTH)

    assert command[:8] == (
        "sh", "-c", 'cd "${TMPDIR:-/tmp}" && exec "$@"', "sh", "/venv/bin/python3", "-E", "-m", "jupyterlab",
    )  # fmt: skip
    assert {"--ServerApp.base_url=/lb/notebooks/job-1/", "--ServerApp.root_dir=/storage/notebooks/first"} < set(command)
    assert "token-job-1-2" not in " ".join(command)


@pytest.mark.parametrize(
    ("image", "programs", "said"),
    [
        ("", BOTH, ""),
        (
            "torch", {},
            "note: boards cannot be shown in cells: the image torch has no lightboard and no jupyter-server-proxy; "
            "an administrator can install what is missing\n",
        ),
        (
            "", {"lightboard": "/venv/bin/lightboard"},
            "note: boards cannot be shown in cells: this hub has no jupyter-server-proxy; "
            "an administrator can install what is missing\n",
        ),
    ],
)  # fmt: skip
def test_the_log_says_first_what_boards_in_cells_lack(
    image: str, programs: dict[str, str], said: str, tmp_path: pathlib.Path
) -> None:
    """JupyterLab starts without."""
    server = tmp_path / "python3"
    server.write_text('#!/bin/sh\necho "started in $PWD: $3"\n')
    server.chmod(0o755)
    command = SERVERS.command(replace(NOTEBOOK, image=image), str(server), "/files", programs)

    printed = subprocess.check_output(command, env={"TMPDIR": str(tmp_path)}, text=True)

    assert printed == f"{said}started in {tmp_path}: jupyterlab\n"


@pytest.mark.parametrize("isolation", Isolation)
def test_kernels_are_private_where_other_jobs_cannot_enter_their_folder(isolation: Isolation) -> None:
    """In a sandbox by a short path, and in a folder of the user's own by one that is short for this user alone."""
    servers = replace(SERVERS, isolation=isolation)
    options = servers.command(NOTEBOOK, "python3", "/files", BOTH)

    assert ("--KernelManager.transport=ipc" in options) is (isolation is not Isolation.NONE)
    assert ("JUPYTER_RUNTIME_DIR=" in " ".join(options)) is (isolation is Isolation.PROCESS)
    assert servers.variables(NOTEBOOK, "/home", {}, {}) == {
        "JUPYTER_TOKEN": "token-job-1-2",
        "JUPYTER_CONFIG_PATH": CONFIGURATION,
        "PIP_TARGET": "/home/packages",
        "PYTHONPATH": f"/home/packages:{NAMES}",
        "LIGHTBOARD_BOARD_TOKEN": "token-job-1-2",
        **({"JUPYTER_RUNTIME_DIR": "/tmp/jupyter"} if isolation is Isolation.KERNEL else {}),
    }


def test_magics_find_lightboard_and_the_way_through_the_hub() -> None:
    """As far as the image has what they need, and unless the notebook says something else."""
    proxied = {"TENSORBOARD_PROXY_URL": "/lb/notebooks/job-1/proxy/%PORT%/"}
    own = {"TENSORBOARD_BINARY": "/mine", "TENSORBOARD_PROXY_URL": "/theirs/%PORT%/"}

    def told(programs: dict[str, str], given: dict[str, str]) -> dict[str, str]:
        variables = SERVERS.variables(NOTEBOOK, "/home", programs, given)
        return {name: value for name, value in variables.items() if name.startswith("TENSORBOARD_")}

    assert told(BOTH, {}) == {"TENSORBOARD_BINARY": "/venv/bin/lightboard", **proxied}
    assert told({"jupyter-server-proxy": "/p"}, {}) == proxied
    assert told({}, {}) == told(BOTH, own) == {}


def test_what_is_idle_is_found_in_time() -> None:
    """Five minutes after a hub that is running: kernels and terminals first, then the server that has none."""
    assert idle_options(0) == {}
    assert idle_options(30) == {
        "ServerApp.shutdown_no_activity_timeout": "330",
        "MappingKernelManager.cull_idle_timeout": "330",
        "MappingKernelManager.cull_interval": "60",
        "MappingKernelManager.cull_connected": "True",
        "TerminalManager.cull_inactive_timeout": "330",
        "TerminalManager.cull_interval": "60",
    }


@pytest.mark.parametrize(
    ("state", "idle_secs", "pages", "kept"),
    [
        ("busy", 3600, 0, True),
        ("busy", 3600, 1, True),
        ("idle", 2040, 0, True),
        ("idle", 2160, 0, False),
        ("idle", 2160, 1, False),
    ],
)
def test_a_cell_that_computes_is_use_and_an_open_page_is_not(
    state: str, idle_secs: int, pages: int, kept: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What Jupyter's own manager of kernels does with these options, at a time that the test sets."""
    from jupyter_server.services.kernels import kernelmanager
    from traitlets.config.loader import KVArgParseConfigLoader

    started = kernelmanager.utcnow()
    monkeypatch.setattr(kernelmanager, "utcnow", lambda: started + timedelta(seconds=idle_secs))
    arguments = [f"--{name}={value}" for name, value in idle_options(1800).items()]
    config = KVArgParseConfigLoader(classes=[kernelmanager.AsyncMappingKernelManager]).load_config(arguments)
    manager: Any = kernelmanager.AsyncMappingKernelManager(config=config)
    ended: list[str] = []
    monkeypatch.setattr(manager, "shutdown_kernel", ended.append)
    specification = SimpleNamespace(metadata={})
    manager._kernels["first"] = SimpleNamespace(
        execution_state=state, last_activity=started, kernel_name="python3", kernel_spec=specification
    )
    manager._kernel_connections["first"] = pages

    run_async(manager.cull_kernel_if_idle("first"))

    assert (ended == []) is kept
