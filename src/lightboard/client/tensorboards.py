"""`TensorBoard`: one board of the hub, with the names and defaults of PAI's SDK, and what that one lacks.

Source of the names: aliyun/pai-python-sdk, `pai/tensorboard.py`.
"""

import sys
import time
import webbrowser
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Self
from urllib.parse import quote

from lightboard.client.session import Session, get_default_session
from lightboard.errors import NotFound, NotReady, SourceNotFound, UnexpectedStatusException

ROUTE = "/api/v1/tensorboards"
READY = "Running"
ENDED = frozenset({"Creating_Failed", "Failed", "Stopped", "Deleting", "Deleted"})
"""From here it does not come up by itself."""
GONE = frozenset({"Deleted"})
FIRST_PAUSE_SECS, LONGEST_PAUSE_SECS = 0.05, 2.0
DAY_SECS = 86_400

Places = str | Mapping[str, str]
"""A uri in one line, or the fields of a source: uri, or dataset and path; alias, include, exclude."""


class TensorBoard:
    """One TensorBoard on the hub. `status`, `reason` and the other properties ask the hub anew each time."""

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
        sources: Sequence[Places] = (),
        life_span: float | None = None,
        idle_timeout: float | None = None,
        http_auth: bool = True,
        access: str = "private",
        labels: Mapping[str, str] | None = None,
        tags: Sequence[str] = (),
        timeout: float = 600,
        origin: str = "sdk",
        reuse: bool = False,
    ) -> Self:
        """A new TensorBoard over the logs at `uri` (and `sources`), running unless `wait` is False.

        `uri` is `oss://bucket/path`, `s3://`, `gs://`, `az://`, `storage:path`, `dataset:name/path` or a folder of the
        hub's machine. `life_span`, `idle_timeout` and `timeout` are seconds, 0 for no end; without a display name it is
        called after the last part of the place. `name` is the one in addresses, made of the other if it is left out.
        With `reuse` one over the same logs is taken up instead.

        Raises:
            TensorboardLimitExceeded: the account has as many in use as it may; stop or delete one first.
            PermissionDenied: the account may not make any here.
            SourceNotFound: there is no such place (only with `wait`).
            UnexpectedStatusException: it did not come up.
            NotReady: it is not up after `timeout` seconds; it goes on coming up.
        """
        session = session or get_default_session()
        places = ([uri] if uri else []) + list(sources)
        body = {
            "sources": [{"uri": place} if isinstance(place, str) else dict(place) for place in places],
            "project": session.project,
            "name": name,
            "display_name": display_name or "",
            "origin": origin,
            "origin_id": f"{source_type or ''}:{source_id}" if source_id else "",
            "access": access,
            "http_auth": http_auth,
            "max_runtime_minutes": max_runtime_in_minutes,
            "life_span_secs": life_span,
            "idle_timeout_secs": idle_timeout,
            "labels": dict(labels or {}),
            "tags": list(tags),
            "reuse": reuse,
        }
        board = cls(session.ask("POST", ROUTE, body=body)["id"], session)
        if wait:
            board.wait(timeout)
        return board

    @classmethod
    def get(cls, tensorboard_id: str, session: Session | None = None) -> Self:
        """The one with this id, or this name in your projects. Raises NotFound."""
        session = session or get_default_session()
        return cls(session.get(route(tensorboard_id))["id"], session)

    @classmethod
    def list(cls, session: Session | None = None, **filters: Any) -> Sequence["TensorBoard"]:
        """All that fit: `project`, `owner` ("me"), `status`, `origin`, `source`, `label`, `tag`, `search`, `sort`."""
        session = session or get_default_session()
        return [cls(item["id"], session) for item in list_tensorboards(session, **filters)]

    @classmethod
    def get_or_create(cls, uri: str = "", **wanted: Any) -> Self:
        """The TensorBoard over the same logs if you have one, started if need be, else a new one; as `create`."""
        return cls.create(uri, **wanted, reuse=True)

    # What it is

    def info(self) -> dict[str, Any]:
        """All that the hub says of it."""
        return dict(self.session.get(route(self.id)))

    @property
    def status(self) -> str:
        """PAI's word: Pending, Creating, Running, Creating_Failed, Stopping, Stopped, Deleting, Deleted; or Failed."""
        return str(self.info()["status"])

    @property
    def reason(self) -> str:
        """Why it has this status, in one word."""
        return str(self.info()["reason"])

    @property
    def app_uri(self) -> str:
        """Its link, the same for all its life."""
        return str(self.info()["app_uri"])

    @property
    def summary_uri(self) -> str:
        """Where its logs lie; the first place if there are several."""
        return str(self.info()["sources"][0]["text"])

    @property
    def display_name(self) -> str:
        """As people call it."""
        return str(self.info()["display_name"])

    @property
    def expires_at(self) -> float | None:
        """When its life span ends, in seconds since the epoch; None while it does not run, or without a span."""
        end = self.info()["expires_at"]
        return None if end is None else float(end)

    # What it does

    def wait(self, timeout: float = 600, *, say: Callable[[str], None] | None = None) -> Self:
        """Waits until it is Running, and says each change of its status once, on stderr unless `say` is given.

        Raises:
            UnexpectedStatusException: it ended otherwise; SourceNotFound where the logs are not there.
            NotReady: not within `timeout` seconds.
        """
        for info in self._watched(timeout, say or complain):
            if info["status"] == READY:
                return self
            if info["status"] in ENDED:
                kind = SourceNotFound if info["reason"] == "SourceNotFound" else UnexpectedStatusException
                raise kind(info["status"], info["reason"], info["message"])
        raise NotReady(f"{self.id} is not Running after {timeout:g} seconds", hint="wait again, or look at its logs")

    def start(self, wait: bool = True, timeout: float = 600) -> Self:
        """Starts it again; nothing changes if it runs. Raises TensorboardLimitExceeded, and what `wait` raises."""
        self.session.ask("PUT", f"{route(self.id)}/start")
        return self.wait(timeout) if wait else self

    def stop(self, wait: bool = False, timeout: float = 60) -> Self:
        """Stops it; its link and what was added to its runs stay. Raises NotReady if it has not ended in time."""
        self.session.ask("PUT", f"{route(self.id)}/stop")
        if wait:
            self._until(lambda info: info["status"] not in ("Running", "Stopping", "Creating", "Pending"), timeout)
        return self

    def delete(self, wait: bool = True, timeout: float = 60) -> None:
        """Stops and removes it; the logs stay. One that is gone already is no fault."""
        try:
            self.session.ask("DELETE", route(self.id))
            if wait:
                self._until(lambda info: info["status"] in GONE, timeout)
        except NotFound:
            return

    def extend(self, minutes: float) -> Self:
        """Gives it so many minutes more to run."""
        self.session.ask("POST", f"{route(self.id)}/extend", body={"additional_secs": minutes * 60})
        return self

    def share(self, expires_in: float = 7 * DAY_SECS) -> str:
        """A link by which anybody may look for so many seconds, at most seven days."""
        asked = {"ExpireTimeSeconds": int(expires_in)}
        return str(self.session.get(f"{route(self.id)}/sharedurl", asked)["TensorboardSharedUrl"])

    def add_source(self, uri: str = "", **source: str) -> str:
        """Shows logs of another place too, while it runs; the id of that source."""
        body = {"uri": uri, **source} if uri else source
        known = {each["id"] for each in self.info()["sources"]}
        after = self.session.ask("POST", f"{route(self.id)}/sources", body=body)["sources"]
        return next(str(each["id"]) for each in after if each["id"] not in known)

    def remove_source(self, source_id: str) -> None:
        """Shows the logs of that place no more. The last one cannot be taken away."""
        self.session.ask("DELETE", f"{route(self.id)}/sources/{quote(source_id, safe='')}")

    def open(self) -> str:
        """Opens it in the browser of this machine; gives the link."""
        link = self.app_uri
        webbrowser.open(link)
        return link

    def logs(self, follow: bool = False, pause: float = 1.0) -> Iterator[str]:
        """The lines its server said, oldest first; with `follow` also those to come, until it ends."""
        seen: list[str] = []
        while True:
            lines = self.session.get(f"{route(self.id)}/logs")["lines"]
            yield from lines[overlap(seen, lines) :]
            seen = lines
            if not follow or self.status in ENDED:
                return
            time.sleep(pause)

    def top(self) -> dict[str, Any]:
        """What it takes now: memory_bytes, cpu_secs, progress."""
        return dict(self.session.get(f"{route(self.id)}/top"))

    def __repr__(self) -> str:
        return f"TensorBoard({self.id!r})"

    def _until(self, holds: Callable[[dict[str, Any]], bool], timeout: float) -> None:
        for info in self._watched(timeout, lambda _line: None):
            if holds(info):
                return
        raise NotReady(f"{self.id} is not there after {timeout:g} seconds", hint="it goes on; look again")

    def _watched(self, timeout: float, say: Callable[[str], None]) -> Iterator[dict[str, Any]]:
        """What the hub says of it, again and again until `timeout`; the first look is at once."""
        end, pause, said = time.monotonic() + timeout, FIRST_PAUSE_SECS, ""
        while True:
            info = self.info()
            line = f"Status: {info['neuro_status']} {info['reason']}".rstrip()
            if line != said:
                say(line)
                said = line
            yield info
            left = end - time.monotonic()
            if left <= 0:
                return
            time.sleep(min(pause, left))
            pause = min(pause * 1.5, LONGEST_PAUSE_SECS)


def route(board: str) -> str:
    """The address of one."""
    return f"{ROUTE}/{quote(board, safe='')}"


def list_tensorboards(session: Session, **filters: Any) -> Iterator[dict[str, Any]]:
    """All that fit, page by page, as the hub says them."""
    page, left = 1, 1
    while left > 0:
        answer = session.get(ROUTE, {**filters, "page": page, "page_size": 200})
        yield from answer["items"]
        left = answer["total"] - page * 200
        page += 1


def overlap(seen: Sequence[str], lines: Sequence[str]) -> int:
    """How many of the first `lines` are the last of `seen`: both are windows of one growing log."""
    for length in range(min(len(seen), len(lines)), 0, -1):
        if list(seen[-length:]) == list(lines[:length]):
            return length
    return 0


def complain(line: str) -> None:
    """One line to stderr."""
    print(line, file=sys.stderr, flush=True)
