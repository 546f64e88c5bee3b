"""`Project`: what a project of the hub may use, for administrators who bind it and for whoever looks for logs."""

import itertools
from collections.abc import Iterator, Sequence
from typing import Any, Self
from urllib.parse import quote

from lightboard.client.session import Session, get_default_session

ROUTE = "/api/v1/projects"
FOLDERS_AT_ONCE = 200


class Project:
    """One project, by its name or its id."""

    def __init__(self, name_or_id: str, session: Session | None = None) -> None:
        self.name_or_id = name_or_id
        self.session = session or get_default_session()

    @classmethod
    def list(cls, session: Session | None = None) -> Iterator[Self]:
        """Those one is in; for administrators all."""
        session = session or get_default_session()
        for item in session.get(ROUTE)["items"]:
            yield cls(item["name"], session)

    def info(self) -> dict[str, Any]:
        """Everything the hub says of it. Raises NotFound."""
        told: dict[str, Any] = self.session.get(self._route())
        return told

    def folders(self, root: str = "", path: str = "", prefix: str = "") -> Iterator[dict[str, Any]]:
        """Folders in which to look for logs, by name: the roots, or those below `path` in one of them.

        `root` is what a root is called, or `dataset:NAME`; `prefix` is what names begin with. Each has `name`, `uri`,
        `logs` and `modified_at`. Raises NotFound.
        """
        question = {"root": root, "path": path, "prefix": prefix, "page_size": FOLDERS_AT_ONCE}
        for page in itertools.count(1):
            told = self.session.get(self._route("folders"), {**question, "page": page})
            yield from told["items"]
            if page * FOLDERS_AT_ONCE >= told["total"]:
                return

    def bindings(self) -> Sequence[dict[str, Any]]:
        """What it may use: `id`, `kind`, `value`, `credential`; "" is the id of what the hub was started with."""
        items: Sequence[dict[str, Any]] = self.session.get(self._route("bindings"))["items"]
        return items

    def bind(self, kind: str, value: str, credential: str = "") -> str:
        """Lets it use a `root` (folder), `storage` (address), `credential` (name) or `dataset` (id); gives the id.

        Raises PermissionDenied for who is no administrator, Conflict for what is bound, Invalid for what cannot be.
        """
        body = {"kind": kind, "value": value, "credential": credential}
        return str(self.session.ask("POST", self._route("bindings"), body=body)["id"])

    def unbind(self, binding_id: str) -> None:
        """Takes it away; TensorBoards that show what it opened are stopped. Raises NotFound."""
        self.session.ask("DELETE", self._route("bindings", binding_id))

    def _route(self, *more: str) -> str:
        return "/".join([ROUTE, *(quote(part, safe="") for part in (self.name_or_id, *more))])
