"""The hub, token and project to use: from arguments, the environment, or the file of `lightboard login`."""

import json
import os
import shlex
from dataclasses import asdict, dataclass
from pathlib import Path

from lightboard.errors import UsageError
from lightboard.home import create_private, own_folder

URL, TOKEN, PROJECT = "LIGHTBOARD_URL", "LIGHTBOARD_TOKEN", "LIGHTBOARD_PROJECT"
JOB_URL, JOB_TOKEN = "LIGHTBOARD_JOB_URL", "LIGHTBOARD_JOB_TOKEN"
"""Of a job of the hub, for itself alone."""
DEFAULT_URL = "http://127.0.0.1:8080"
"""The default URL of `lightboard hub`."""


@dataclass(frozen=True, kw_only=True)
class Login:
    """URL without a trailing slash, API token, and name of the project ("" for the default)."""

    url: str
    token: str
    project: str = ""


def settings_file() -> Path | None:
    """The login file of this user; None if the user has no folder."""
    folder = own_folder()
    return Path(folder, "login.json") if folder else None


def stored_login() -> dict[str, str]:
    """The content of the login file, empty if there is none. Raises UsageError if it is unreadable, or readable for
    others.
    """
    file = settings_file()
    try:
        values = json.loads(file.read_text(encoding="utf-8")) if file else {}
        mode = file.stat().st_mode & 0o777 if file and os.name == "posix" else 0
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        raise UsageError(f"{file} cannot be read: {error}", hint="remove it and run lightboard login again") from None
    if mode & 0o077:
        raise UsageError(f"{file} (mode {mode:04o}) is open to other users", hint=f"chmod go= {shlex.quote(str(file))}")
    return {key: value for key, value in values.items() if isinstance(value, str)} if isinstance(values, dict) else {}


def find_login(url: str | None = None, token: str | None = None, project: str | None = None) -> Login:
    """Each value from the argument, else the environment, else the file. Raises UsageError if there is no token.

    A stored token is only sent to the hub that it was stored for. Where there is no login, a job has its own token.
    """
    file = stored_login()
    job_url = os.environ.get(JOB_URL, "").rstrip("/")
    chosen = (url or os.environ.get(URL) or file.get("url") or job_url or DEFAULT_URL).rstrip("/")
    if not chosen.startswith(("http://", "https://")):
        raise UsageError(f"{chosen!r} is not the URL of a hub", hint=f"for example {DEFAULT_URL}")
    own = file if file.get("url") == chosen else {}
    secret = token or os.environ.get(TOKEN) or own.get("token", "")
    if not secret and chosen == job_url:
        secret = os.environ.get(JOB_TOKEN, "")
    if not secret:
        raise UsageError(f"not logged in to {chosen}", hint=f"run lightboard login, or set {TOKEN}")
    return Login(url=chosen, token=secret, project=project or os.environ.get(PROJECT) or own.get("project", ""))


def keep_login(login: Login) -> Path:
    """Writes the login file atomically, readable only for its owner. Raises UsageError."""
    file = settings_file()
    if file is None:
        raise UsageError("there is no user folder to store the login in", hint="set LIGHTBOARD_HOME")
    try:
        create_private(str(file.parent))
        new = file.with_suffix(f".{os.getpid()}")
        with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as writer:
            json.dump(asdict(login), writer, indent=2)
        os.replace(new, file)
    except OSError as error:
        raise UsageError(f"the login cannot be stored in {file}: {error.strerror}") from None
    return file


def forget_login() -> bool:
    """Removes the login file. Returns whether there was one."""
    file = settings_file()
    if file is None or not file.exists():
        return False
    file.unlink()
    return True
