"""Keys to object stores, as an administrator lays them down: one file `credentials/<name>.toml` each.

    kind = "s3"
    uris = ["s3://team-logs/"]     # what it opens; left out: whatever a dataset names it for
    projects = ["vision"]          # which projects may use it; left out: the first, and those it is bound to
    access_key_id = "..."          # the rest is what storage.bucket.OPTIONS has for the kind

Only names ever leave this file's readers. Read anew each time: a key that was changed counts from the next start on.
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
    """`options` are the secret part, and are never printed. Empty `uris` set no bounds.

    `projects` are the names of those that may use it; with none, the first project may. Bindings add others.
    """

    name: str
    kind: str
    uris: tuple[str, ...] = ()
    projects: tuple[str, ...] = ()
    options: Mapping[str, str] = field(default_factory=dict, repr=False)

    def opens(self, uri: str) -> bool:
        """Whether it is for this address."""
        inside = not self.uris or any(is_below(uri, bound) for bound in self.uris)
        return uri.startswith(f"{self.kind}://") and inside


def is_below(uri: str, bound: str) -> bool:
    """Whether an address is the other one, or below it."""
    return f"{uri}/".startswith(f"{bound.rstrip('/')}/")


def names(folder: Path) -> list[str]:
    """Those that are there, in order."""
    return sorted(path.stem for path in folder.glob(f"*{SUFFIX}") if _NAME.fullmatch(path.stem))


def read(folder: Path, name: str) -> Credential:
    """The credential of this name. Raises Invalid where there is none or it is broken, and quotes nothing of it."""
    if name not in names(folder):
        raise Invalid(f"there is no credential {name}", hint="an administrator lays it down as credentials/NAME.toml")
    try:
        table = tomllib.loads((folder / f"{name}{SUFFIX}").read_text())
    except (OSError, ValueError):
        raise Invalid(
            f"the credential {name} cannot be read", hint="its file must be TOML that the hub may read"
        ) from None
    return checked(name, table)


def checked(name: str, table: Mapping[str, object]) -> Credential:
    """What a file says. Raises Invalid for what it cannot say; values are never in the message."""
    kinds = {kind: options for kind, options in OPTIONS.items() if kind == table.get("kind")}
    if not kinds:
        raise Invalid(f"the credential {name} is of no kind", hint=f'kind = "s3", or {", ".join(OPTIONS)}')
    ((kind, known),) = kinds.items()
    bounds = {}
    for word in ("uris", "projects"):
        given = table.get(word, [])
        if not isinstance(given, list) or not all(isinstance(item, str) for item in given):
            raise Invalid(f"the credential {name}: {word} is no list of texts", hint=f'{word} = ["..."]')
        bounds[word] = tuple(given)
    rest = {key: value for key, value in table.items() if key not in ("kind", "uris", "projects")}
    unknown = sorted(set(rest) - known)
    if unknown:
        raise Invalid(f"the credential {name} has {unknown[0]}", hint=f"what {kind} takes: {', '.join(sorted(known))}")
    options = {key: str(value).lower() if isinstance(value, bool) else str(value) for key, value in rest.items()}
    return Credential(name=name, kind=kind, uris=bounds["uris"], projects=bounds["projects"], options=options)
