"""The command and the variables of the JupyterLab server of a notebook, as pure functions.

The server listens at a Unix socket in a folder of its own, where no other job can reach it, and the hub proxies it.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from lightboard.config import BOARD_TOKEN
from lightboard.hub.resources.jobs import Job
from lightboard.hub.resources.replicas import Isolation
from lightboard.hub.runners.base import SERVER_SOCKET

PROGRAM = "jupyter-lab"
COMMAND = (PROGRAM,)
"""What is shown as the command of a notebook."""
CONFIGURATION = str(Path(__file__).with_name("jupyter"))
"""The folder of settings that have no option: pages do not ask for news, which would come from another site."""
EXTRA = "lightboard[notebooks]"
"""What has to be installed for it."""
BOARD_PROGRAMS = {"lightboard": "lightboard", "jupyter-server-proxy": "jupyter-standaloneproxy"}
"""The packages that show boards in cells, and a program of each."""
NAMES = str(Path(__file__).with_name("tensorboard_names"))
"""The folder of modules by which `%load_ext tensorboard` finds Lightboard where TensorBoard is not installed."""
TELL = 'printf "%s\\n" "$0" && '
"""For sh: what its name is given as is printed."""
IN_TEMPORARY_FOLDER = 'cd "${TMPDIR:-/tmp}" && exec "$@"'
"""For sh: paths of Unix sockets have 107 bytes at most, so the server is given a relative one."""
IN_OWN_FOLDER = 'cd "${TMPDIR:-/tmp}" && export JUPYTER_RUNTIME_DIR="/proc/$$/cwd/jupyter" && exec "$@"'
"""The same with a path to that folder which is short enough for the sockets of kernels as well. Only processes of the
same user can use it."""
MAX_CHECK_SECS = 60
"""How often the server looks for what is idle."""
LATER_SECS = 300
"""How much later than the hub the server itself ends what is idle."""


@dataclass(frozen=True)
class NotebookServers:
    """What the servers of a hub have in common. `base_path` gives the path of a job's server that browsers request.

    `isolation` is that of jobs. `token` gives what the server of the current attempt of a notebook requires of its
    clients.
    """

    base_path: Callable[[Job], str]
    isolation: Isolation
    token: Callable[[Job], str]

    def command(self, job: Job, python: str, files: str, programs: Mapping[str, str]) -> tuple[str, ...]:
        """The command of a notebook: `python` is the program, `files` the folder that its user sees.

        `programs` are the paths of `BOARD_PROGRAMS`. The log begins with a note if one is missing.
        """
        note, options = missing_note(job.image, programs), self._options(job, files)
        script = (TELL if note else "") + (
            IN_OWN_FOLDER if self.isolation is Isolation.PROCESS else IN_TEMPORARY_FOLDER
        )
        return ("sh", "-c", script, note or "sh", python, "-E", "-m", "jupyterlab", *options)

    def variables(self, job: Job, home: str, programs: Mapping[str, str], given: Mapping[str, str]) -> dict[str, str]:
        """The variables of a server, and of its kernels. `pip install` puts packages where they are kept and found.

        The server itself ignores those packages (`python -E`), so that none can keep it from starting. `programs` are
        the paths of `BOARD_PROGRAMS`. What is `given`, by the image or the user, wins: of lists of folders, it comes
        first.
        """
        packages = given.get("PIP_TARGET") or f"{home}/packages"
        runtime = {"JUPYTER_RUNTIME_DIR": PRIVATE_RUNTIME} if self.isolation is Isolation.KERNEL else {}
        return {
            **{name: value for name, value in self._board_variables(job, programs).items() if name not in given},
            "JUPYTER_TOKEN": self.token(job),
            "JUPYTER_CONFIG_PATH": folder_list(given.get("JUPYTER_CONFIG_PATH"), CONFIGURATION),
            "PIP_TARGET": packages,
            "PYTHONPATH": folder_list(given.get("PYTHONPATH"), packages, NAMES),
            **runtime,
        }

    def _board_variables(self, job: Job, programs: Mapping[str, str]) -> dict[str, str]:
        """The variables by which `%tensorboard` of TensorBoard starts Lightboard, and browsers reach what it starts.

        Others on the machine reach the port of a board, so it requires the token that the hub sends to the server,
        whose proxy passes it on.
        """
        binary, proxy = (programs.get(package) for package in BOARD_PROGRAMS)
        return {
            **({"TENSORBOARD_BINARY": binary} if binary else {}),
            **({"TENSORBOARD_PROXY_URL": f"{self.base_path(job)}proxy/%PORT%/"} if proxy else {}),
            BOARD_TOKEN: self.token(job),
        }

    def _options(self, job: Job, files: str) -> list[str]:
        """The options of JupyterLab. The hub checks who connects, and from which page."""
        options = {
            "ServerApp.sock": SERVER_SOCKET,
            "ServerApp.sock_mode": "0600",
            "ServerApp.base_url": self.base_path(job),
            "ServerApp.root_dir": files,
            "ServerApp.allow_root": "True",
            "ServerApp.allow_remote_access": "True",
            "ServerApp.open_browser": "False",
            "LabApp.extension_manager": "readonly",
            **(PRIVATE_KERNELS if self.isolation is not Isolation.NONE else {}),
            **idle_options(round(job.idle_secs)),
        }
        return [f"--{name}={value}" for name, value in options.items()]


PRIVATE_KERNELS = {"KernelManager.transport": "ipc"}
"""By default, kernels listen at ports of the loopback interface, where others can read what they print."""
PRIVATE_RUNTIME = "/tmp/jupyter"  # noqa: S108  # in the sandbox
"""Where kernels in sandboxes have their sockets, whose paths are short there."""


def missing_note(image: str, programs: Mapping[str, str]) -> str:
    """Which packages an image, or the hub for "", does not have that show boards in cells; "" if it has all of them."""
    missing = " and ".join(f"no {package}" for package in BOARD_PROGRAMS if package not in programs)
    place = f"the image {image}" if image else "this hub"
    cause = f"boards cannot be shown in cells: {place} has {missing}"
    return f"note: {cause}; an administrator can install what is missing" if missing else ""


def folder_list(*folders: str | None) -> str:
    """The value of a variable with folders, or lists of them, without those that are empty."""
    return ":".join(filter(None, folders))


def idle_options(secs: int) -> dict[str, str]:
    """Ends kernels and terminals that are not used for this time, 0 for never, and the server after the last one.

    A kernel that computes is in use; one whose page is merely open is not. The hub stops the whole notebook earlier, if
    it is running.
    """
    if not secs:
        return {}
    later = secs + LATER_SECS
    return {
        "ServerApp.shutdown_no_activity_timeout": str(later),
        "MappingKernelManager.cull_idle_timeout": str(later),
        "MappingKernelManager.cull_interval": str(MAX_CHECK_SECS),
        "MappingKernelManager.cull_connected": "True",
        "TerminalManager.cull_inactive_timeout": str(later),
        "TerminalManager.cull_interval": str(MAX_CHECK_SECS),
    }
