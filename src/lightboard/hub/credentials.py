"""Credentials for object stores. Administrators create one file `credentials/<name>.toml` for each.

    kind = "s3"
    uris = ["s3://team-logs/"]     # what it opens; without it: whatever a dataset names it for
    projects = ["vision"]          # which projects may use it; without it: the first, and those it is bound to
    access_key_id = "..."          # the rest is what storage.bucket.OPTIONS lists for the kind

Only names of credentials are ever shown. Files are read each time, so a changed key is used from the next start on.
"""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from lightboard.errors import Invalid
from lightboard.storage.bucket import OPTIONS

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
SUFFIX = ".toml"


@dataclass(frozen=True, kw_only=True)
class Credential:
    """`options` are secret and never printed. Empty `uris` set no limits.

    `projects` are the names of those that may use it; if empty, the first project may. Bindings add others.
    """

    name: str
    kind: str
    uris: tuple[str, ...] = ()
    projects: tuple[str, ...] = ()
    options: Mapping[str, str] = field(default_factory=dict, repr=False)

    def opens(self, uri: str) -> bool:
        """Whether the credential is for this URL."""
        inside = not self.uris or any(is_below(uri, bound) for bound in self.uris)
        return uri.startswith(f"{self.kind}://") and inside


def is_below(uri: str, bound: str) -> bool:
    """Whether a URL equals `bound` or is below it."""
    return f"{uri}/".startswith(f"{bound.rstrip('/')}/")


def names(folder: Path) -> list[str]:
    """The names of all credentials, sorted."""
    return sorted(path.stem for path in folder.glob(f"*{SUFFIX}") if _NAME.fullmatch(path.stem))


def read(folder: Path, name: str) -> Credential:
    """The credential with this name. Raises Invalid if it is missing or invalid, without quoting its content."""
    if name not in names(folder):
        raise Invalid(f"there is no credential {name}", hint="an administrator can create credentials/NAME.toml")
    try:
        table = tomllib.loads((folder / f"{name}{SUFFIX}").read_text())
    except (OSError, ValueError):
        raise Invalid(
            f"the credential {name} cannot be read", hint="its file must be valid TOML and readable for the hub"
        ) from None
    return checked(name, table)


def checked(name: str, table: Mapping[str, object]) -> Credential:
    """The credential that a file describes. Raises Invalid for invalid fields, without their values."""
    kinds = {kind: options for kind, options in OPTIONS.items() if kind == table.get("kind")}
    if not kinds:
        raise Invalid(f"the credential {name} has no valid kind", hint=f'use kind = "s3", or {", ".join(OPTIONS)}')
    ((kind, known),) = kinds.items()
    bounds = {}
    for word in ("uris", "projects"):
        given = table.get(word, [])
        if not isinstance(given, list) or not all(isinstance(item, str) for item in given):
            raise Invalid(f"the credential {name}: {word} is not a list of strings", hint=f'use {word} = ["..."]')
        bounds[word] = tuple(given)
    rest = {key: value for key, value in table.items() if key not in ("kind", "uris", "projects")}
    unknown = sorted(set(rest) - known)
    if unknown:
        raise Invalid(
            f"the credential {name} has an unknown field {unknown[0]}",
            hint=f"fields for {kind}: {', '.join(sorted(known))}",
        )
    options = {key: str(value).lower() if isinstance(value, bool) else str(value) for key, value in rest.items()}
    return Credential(name=name, kind=kind, uris=bounds["uris"], projects=bounds["projects"], options=options)
