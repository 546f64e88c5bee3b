"""`TensorBoard`: a board of the hub, with the names and defaults of PAI's SDK and some additions.

Source of the names: aliyun/pai-python-sdk, `pai/tensorboard.py`.
"""

import time
import webbrowser
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Self
from urllib.parse import quote

from lightboard.client.pages import all_items
from lightboard.client.polling import StatusLines, poll, wait_until
from lightboard.client.session import Session, get_default_session
from lightboard.counts import counted
from lightboard.errors import NotFound, NotReady, SourceNotFound, UnexpectedStatusException

ROUTE = "/api/v1/tensorboards"
READY = "Running"
GONE = frozenset({"Deleted"})
RESTING = frozenset({"Creating_Failed", "Failed", "Stopped"})
"""Statuses from which it can be started."""
ENDED = RESTING | {"Deleting", *GONE}
"""Statuses in which it does not start by itself."""
DAY_SECS = 86_400

SourceLike = str | Mapping[str, str]
"""A URI, or the fields of a source: uri, or dataset and path; alias, include, exclude."""


class TensorBoard:
    """A TensorBoard on the hub. `status`, `reason` and the other properties send a request each time."""

    def __init__(self, tensorboard_id: str, session: Session | None = None) -> None:
        self.id = tensorboard_id
        self.session = session or get_default_session()

    # Making and finding

    @classmethod
    def create(
        cls,
        uri: str = "",
        wait: bool = True,
        display_name: str | None = None,
        max_runtime_in_minutes: int | None = None,
        source_id: str | None = None,
        source_type: str | None = None,
        session: Session | None = None,
        *,
        name: str = "",
        sources: Sequence[SourceLike] = (),
        life_span: float | None = None,
        idle_timeout: float | None = None,
        http_auth: bool = True,
        access: str = "private",
        labels: Mapping[str, str] | None = None,
        tags: Sequence[str] = (),
        timeout: float = 600,
        origin: str = "sdk",
        origin_id: str = "",
        reuse: bool = False,
        project: str = "",
    ) -> Self:
        """Creates a TensorBoard for the logs at `uri` (and `sources`), and waits until it is running unless `wait`
        is False.

        `uri` is `oss://bucket/path`, `s3://`, `gs://`, `az://`, `storage:path`, `dataset:name/path` or a folder of the
        hub's machine. `life_span`, `idle_timeout` and `timeout` are in seconds, 0 for no end. The default display name
        is the last part of the source. `name` is the name in URLs, by default derived from the display name. With
        `reuse`, an existing one with the same `origin_id`, or else for the same logs, is returned. `origin_id` is by
        default made of `source_type` and `source_id`. `project` is by default that of the session.

        Raises:
            TensorboardLimitExceeded: the account has too many in use; stop or delete one first.
            PermissionDenied: the account may not create TensorBoards here.
            SourceNotFound: the source does not exist (only with `wait`).
            UnexpectedStatusException: it did not start.
            NotReady: it is not running after `timeout` seconds; it keeps starting.
        """
        session = session or get_default_session()
        all_sources = ([uri] if uri else []) + list(sources)
        body = {
            "sources": [{"uri": source} if isinstance(source, str) else dict(source) for source in all_sources],
            "project": project or session.project,
            "name": name,
            "display_name": display_name or "",
            "origin": origin,
            "origin_id": origin_id or (f"{source_type or ''}:{source_id}" if source_id else ""),
            "access": access,
            "http_auth": http_auth,
            "max_runtime_minutes": max_runtime_in_minutes,
            "life_span_secs": life_span,
            "idle_timeout_secs": idle_timeout,
            "labels": dict(labels or {}),
            "tags": list(tags),
            "reuse": reuse,
        }
        board = cls(session.request("POST", ROUTE, body=body)["id"], session)
        if wait:
            board.wait(timeout)
        return board

    @classmethod
    def get(cls, tensorboard_id: str, session: Session | None = None) -> Self:
        """The TensorBoard with this id, or this name in your projects. Raises NotFound."""
        session = session or get_default_session()
        return cls(session.get(route(tensorboard_id))["id"], session)

    @classmethod
    def list(cls, session: Session | None = None, **filters: Any) -> Sequence["TensorBoard"]:
        """All that match: `project`, `owner` ("me"), `status`, `origin`, `source`, `label`, `tag`, `search`, `sort`.

        Several values are a sequence, or a text with commas: `tag=["nightly", "a, b"]`.
        """
        session = session or get_default_session()
        return [cls(item["id"], session) for item in list_tensorboards(session, **filters)]

    @classmethod
    def get_or_create(cls, uri: str = "", **options: Any) -> Self:
        """An existing TensorBoard for the same logs, started if needed, else a new one; see `create`."""
        return cls.create(uri, **options, reuse=True)

    # What it is

    def info(self) -> dict[str, Any]:
        """All data of the TensorBoard."""
        return dict(self.session.get(route(self.id)))

    @property
    def status(self) -> str:
        """Pending, Creating, Running, Creating_Failed, Stopping, Stopped, Deleting, Deleted (as in PAI) or Failed."""
        return str(self.info()["status"])

    @property
    def reason(self) -> str:
        """The reason of the status, as one word."""
        return str(self.info()["reason"])

    @property
    def app_uri(self) -> str:
        """Its link, which never changes."""
        return str(self.info()["app_uri"])

    @property
    def summary_uri(self) -> str:
        """Its source; the first one if there are several."""
        return str(self.info()["sources"][0]["text"])

    @property
    def display_name(self) -> str:
        """The display name."""
        return str(self.info()["display_name"])

    @property
    def expires_at(self) -> float | None:
        """When its life span ends, in seconds since the epoch; None without one or while it is not running."""
        end = self.info()["expires_at"]
        return None if end is None else float(end)

    # What it does

    def wait(self, timeout: float = 600, *, say: Callable[[str], None] | None = None, seen: int | None = None) -> Self:
        """Waits until it is Running. Each status change is passed to `say`, by default printed to stderr. `seen`
        is the number of entries of its history that are known; those that follow are passed, too. None is all.

        Raises:
            UnexpectedStatusException: it reached another final status; SourceNotFound if the logs do not exist.
            NotReady: it is not Running after `timeout` seconds.
        """
        status = StatusLines(say, seen)
        for info in poll(self.info, timeout):
            status.update(info)
            if info["status"] == READY:
                return self
            if info["status"] in ENDED:
                kind = SourceNotFound if info["reason"] == "SourceNotFound" else UnexpectedStatusException
                raise kind(info["status"], info["reason"], info["message"])
        raise NotReady(
            f"{self.id} is not Running after {counted(timeout, 'second')}", hint="wait longer, or look at its logs"
        )

    def start(self, wait: bool = True, timeout: float = 600) -> Self:
        """Starts it; no change if it is running. Raises TensorboardLimitExceeded, and the errors of `wait`."""
        self.session.request("PUT", f"{route(self.id)}/start")
        return self.wait(timeout) if wait else self

    def stop(self, wait: bool = False, timeout: float = 60) -> Self:
        """Stops it; its link and annotations are kept. Raises NotReady if it has not stopped in time."""
        self.session.request("PUT", f"{route(self.id)}/stop")
        if wait:
            moving = ("Running", "Stopping", "Creating", "Pending")
            wait_until(self.info, lambda info: info["status"] not in moving, timeout)
        return self

    def delete(self, wait: bool = True, timeout: float = 60) -> None:
        """Stops and deletes it; the logs are kept. A missing one is not an error."""
        try:
            self.session.request("DELETE", route(self.id))
            if wait:
                wait_until(self.info, lambda info: info["status"] in GONE, timeout)
        except NotFound:
            return

    def extend(self, minutes: float) -> Self:
        """Extends its life span."""
        self.session.request("POST", f"{route(self.id)}/extend", body={"additional_secs": minutes * 60})
        return self

    def share(self, expires_in: float = 7 * DAY_SECS) -> str:
        """A link that opens it without an account for `expires_in` seconds, at most seven days."""
        query = {"ExpireTimeSeconds": int(expires_in)}
        return str(self.session.get(f"{route(self.id)}/sharedurl", query)["TensorboardSharedUrl"])

    def add_source(self, uri: str = "", **source: str) -> str:
        """Adds a source, also while it runs. Returns the id of the source."""
        body = {"uri": uri, **source} if uri else source
        before = {each["id"] for each in self.info()["sources"]}
        after = self.session.request("POST", f"{route(self.id)}/sources", body=body)["sources"]
        return next(str(each["id"]) for each in after if each["id"] not in before)

    def remove_source(self, source_id: str) -> None:
        """Removes a source. The last one cannot be removed."""
        self.session.request("DELETE", f"{route(self.id)}/sources/{quote(source_id, safe='')}")

    def open(self) -> str:
        """Opens it in the browser of this machine. Returns the link."""
        link = self.app_uri
        webbrowser.open(link)
        return link

    def logs(self, follow: bool = False, pause: float = 1.0) -> Iterator[str]:
        """The lines of its server log, oldest first; with `follow` also new ones, until it ends."""
        previous: list[str] = []
        while True:
            lines = self.session.get(f"{route(self.id)}/logs")["lines"]
            yield from lines[overlap(previous, lines) :]
            previous = lines
            if not follow or self.status in ENDED:
                return
            time.sleep(pause)

    def top(self) -> dict[str, Any]:
        """Its current resource usage: memory_bytes, cpu_secs, progress."""
        return dict(self.session.get(f"{route(self.id)}/top"))

    def jobs_of_run(self, run: str) -> Sequence[dict[str, Any]]:
        """The jobs that have made a run, of those that the account sees; none if no job has.

        Each with its command, image, inputs, source code, attempt and replica. Several if sources without aliases have
        runs of this name.
        """
        return [*self.session.get(f"{route(self.id)}/lineage", {"run": run})["jobs"]]

    def __repr__(self) -> str:
        return f"TensorBoard({self.id!r})"


def route(board: str) -> str:
    """The path of a TensorBoard."""
    return f"{ROUTE}/{quote(board, safe='')}"


def find_tensorboard(session: Session, id_or_name: str) -> dict[str, Any]:
    """The TensorBoard with this id, or this name in the project of the session. Raises NotFound."""
    found: dict[str, Any] = session.get(route(id_or_name), {"project": session.project})
    return found


def list_tensorboards(session: Session, **filters: Any) -> Iterator[dict[str, Any]]:
    """All that match, page by page. Several values of a filter may be given as a sequence."""
    one_text = {name: value if isinstance(value, str) else joined(value) for name, value in filters.items()}
    return all_items(session, ROUTE, **one_text)


def joined(value: Any) -> Any:
    """The values of a sequence as the text of a filter, each in quotes because of commas in it; else the value."""
    if not isinstance(value, Sequence):
        return value
    return ",".join('"{}"'.format(str(each).replace('"', '""')) for each in value)


def overlap(previous: Sequence[str], lines: Sequence[str]) -> int:
    """How many of the first `lines` are the last of `previous`: both are windows of one growing log."""
    for length in range(min(len(previous), len(lines)), 0, -1):
        if list(previous[-length:]) == list(lines[:length]):
            return length
    return 0
