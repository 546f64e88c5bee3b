"""`Project`: the bindings and secrets of a project, and browsing for logs."""

import itertools
from collections.abc import Iterator, Sequence
from typing import Any, Self
from urllib.parse import quote

from lightboard.client.session import Session, get_default_session
from lightboard.errors import NotFound

ROUTE = "/api/v1/projects"
FOLDERS_AT_ONCE = 200


class Project:
    """A project, by its name or id."""

    def __init__(self, name_or_id: str, session: Session | None = None) -> None:
        self.name_or_id = name_or_id
        self.session = session or get_default_session()

    @classmethod
    def list(cls, session: Session | None = None) -> Iterator[Self]:
        """The projects of the account; for administrators, all."""
        session = session or get_default_session()
        for item in session.get(ROUTE)["items"]:
            yield cls(item["name"], session)

    @classmethod
    def default(cls, session: Session | None = None) -> Self:
        """The project that is used if none is named: the first that the account has joined. Raises NotFound."""
        session = session or get_default_session()
        joined = session.get("/api/v1/me")["memberships"]
        if not joined:
            raise NotFound("you are not a member of any project", hint="name one, or ask somebody to add you to theirs")
        return cls(joined[0]["name"], session)

    def info(self) -> dict[str, Any]:
        """All data of the project. Raises NotFound."""
        result: dict[str, Any] = self.session.get(self._route())
        return result

    def folders(self, root: str = "", path: str = "", prefix: str = "") -> Iterator[dict[str, Any]]:
        """Folders to look for logs in, by name: the roots, or those below `path` in one of them.

        `root` is the name of a root, or `dataset:NAME`; `prefix` filters names. Items have `name`, `uri`, `logs` and
        `modified_at`. Raises NotFound.
        """
        body = {"root": root, "path": path, "prefix": prefix, "page_size": FOLDERS_AT_ONCE}
        for page in itertools.count(1):
            result = self.session.get(self._route("folders"), {**body, "page": page})
            yield from result["items"]
            if page * FOLDERS_AT_ONCE >= result["total"]:
                return

    def bindings(self) -> Sequence[dict[str, Any]]:
        """The bindings: `id`, `kind`, `value`, `credential`. The id is "" for what the hub was started with."""
        items: Sequence[dict[str, Any]] = self.session.get(self._route("bindings"))["items"]
        return items

    def bind(self, kind: str, value: str, credential: str = "") -> str:
        """Binds a `root` (folder), `storage` (URL), `credential` (name) or `dataset` (id), and returns the id of the
        binding.

        Raises PermissionDenied unless the account is an administrator, Conflict if it is bound already, Invalid for an
        invalid value.
        """
        body = {"kind": kind, "value": value, "credential": credential}
        return str(self.session.request("POST", self._route("bindings"), body=body)["id"])

    def unbind(self, binding_id: str) -> None:
        """Removes a binding; TensorBoards that need it are stopped. Raises NotFound."""
        self.session.request("DELETE", self._route("bindings", binding_id))

    def secrets(self) -> Sequence[dict[str, Any]]:
        """The secrets, by name, without their values: `name`, `owner_name`, `created_at`, `updated_at`, `version`.

        Raises PermissionDenied for viewers.
        """
        items: Sequence[dict[str, Any]] = self.session.get(self._route("secrets"))["items"]
        return items

    def add_secret(self, name: str, value: str) -> dict[str, Any]:
        """Adds a secret, or replaces its value, which jobs get from their next start on. Returns it without the value.

        Raises PermissionDenied for one of somebody else, Invalid for an invalid name or value.
        """
        made: dict[str, Any] = self.session.request("PUT", self._route("secrets", name), body={"value": value})
        return made

    def delete_secret(self, name: str) -> None:
        """Deletes a secret. Jobs that run keep its value, others that have it cannot start. Raises NotFound."""
        self.session.request("DELETE", self._route("secrets", name))

    def _route(self, *more: str) -> str:
        return "/".join([ROUTE, *(quote(part, safe="") for part in (self.name_or_id, *more))])
