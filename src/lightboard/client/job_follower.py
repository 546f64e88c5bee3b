"""Follows a job until it has ended: its states, and what one of its replicas prints.

The hub streams both. It is asked again and again only where its streams cannot be had: a hub that is older than them
answers 404, one where the account follows too many logs 429, and through some proxies nothing arrives at all.
"""

import contextlib
import json
import math
import time
from collections.abc import Iterator, Mapping
from typing import Any

from lightboard.client.job_logs import JobLogReader, Say, current_attempt
from lightboard.client.polling import RetryingReader, pauses
from lightboard.client.session import QUIET_SECS, Session
from lightboard.errors import HubUnreachable, LightboardError

WATCH_ROUTE = "/api/v1/watch"
LOG_PAUSE_SECS = 1.0
RECONNECT_SECS = 0.5
"""Before a stream that was lost is opened again."""
PRINTING = frozenset({"Running", "Pausing", "Stopping"})
"""Statuses in which a command may print."""


class JobFollower:
    """Follows the job at `path` for `timeout` seconds (None is no limit), and the log of its replica `rank`, if any.

    A hub that is away for some minutes is waited for, which is told to `say`. Without streams the hub is asked every
    `pause` seconds, or sooner.
    """

    def __init__(
        self,
        session: Session,
        path: str,
        rank: int | None,
        say: Say,
        *,
        timeout: float | None = None,
        pause: float = LOG_PAUSE_SECS,
    ) -> None:
        self._session, self._path, self._rank, self._say = session, path, rank, say
        self._hub = RetryingReader(session, say)
        self._end = math.inf if timeout is None else time.monotonic() + timeout
        self._pauses = pauses(pause)
        self._streams: bool | None = None
        """Whether streams arrive; None before that is known."""
        self._reader: JobLogReader | None = None

    def states(self) -> Iterator[dict[str, Any]]:
        """The data of the job, at once, after each change, and when the time is over.

        While the command runs and its log is followed, `lines` waits for the next change.
        """
        is_last = False
        while not is_last:
            is_last = self._left_secs() <= 0
            info = self._hub.get(self._path)
            yield info
            if not is_last:
                self._wait(info)

    def lines(self, info: Mapping[str, Any], ended: bool) -> Iterator[str]:
        """The lines that follow, over all attempts from the current one on, until the attempt in `info` has ended.

        Without streams, those that had been written by then. `ended`: there will be no other attempt.
        """
        reader = self._reader or self._log_reader(current_attempt(info))
        while reader.attempt <= info["attempt"]:
            yield from reader.read()
            if info["status"] in PRINTING and reader.attempt == info["attempt"]:
                yield from self._streamed(reader)
            if not (reader.is_complete or ended or reader.attempt < info["attempt"]):
                break
            yield from reader.end()
            reader = self._log_reader(reader.attempt + 1)
        self._reader = reader

    def attempt_lines(self, attempt: int) -> Iterator[str]:
        """The lines of one attempt, until it has ended."""
        reader = self._log_reader(attempt)
        while True:
            yield from reader.read()
            if reader.is_complete:
                return
            yield from self._streamed(reader)
            if not reader.is_complete and self._streams is False:
                self._sleep(next(self._pauses))

    def _log_reader(self, attempt: int) -> JobLogReader:
        return JobLogReader(self._hub, f"{self._path}/logs", self._rank or 0, attempt, self._say)

    def _streamed(self, reader: JobLogReader) -> Iterator[str]:
        """The lines of an attempt as they are printed, until it has ended, or as long as a stream can be had."""
        if self._streams is False or reader.is_complete or self._left_secs() <= 0:
            return
        quiet_secs = self._quiet_secs()
        try:
            with contextlib.closing(reader.stream(self._session, quiet_secs)) as parts:
                for lines in parts:
                    self._streams = True
                    yield from lines
                    if self._left_secs() < quiet_secs / 2:  # the next part may come too late
                        return
        except HubUnreachable:
            pass  # it is waited for by the next request
        except LightboardError:
            self._streams = False  # if it is more than that, the next request says so
        if not reader.is_complete and self._streams is not False:
            self._sleep(RECONNECT_SECS)

    def _wait(self, info: Mapping[str, Any]) -> None:
        if not self._arrive():
            self._sleep(next(self._pauses))
        elif self._rank is None or info["status"] not in PRINTING:
            self._wait_for_change(info)

    def _arrive(self) -> bool:
        """Whether streams arrive. The stream of the log tells: older hubs have another one at WATCH_ROUTE."""
        if self._streams is None:
            reader = self._log_reader(0)
            try:
                with contextlib.closing(reader.stream(self._session, self._quiet_secs())) as parts:
                    self._streams = next(parts, None) is not None
            except HubUnreachable:
                return False
            except LightboardError:
                self._streams = False
        return bool(self._streams)

    def _wait_for_change(self, info: Mapping[str, Any]) -> None:
        """Waits until the job is not as in `info` any more, or a stream ends.

        Looks when the stream begins, because the job may have changed before, and at each comment.
        """
        quiet_secs = self._quiet_secs()
        try:
            events = self._session.events(WATCH_ROUTE, {"kinds": "job,notebook"}, quiet_secs=quiet_secs)
            with contextlib.closing(events):
                for event in events:
                    is_other = event is not None and json.loads(event.data)["id"] != info["id"]
                    if not is_other and self._hub.get(self._path)["version"] != info["version"]:
                        return
                    if self._left_secs() < quiet_secs / 2:
                        return
        except HubUnreachable:
            pass
        except LightboardError:
            self._streams = False
        self._sleep(RECONNECT_SECS)

    def _left_secs(self) -> float:
        return self._end - time.monotonic()

    def _quiet_secs(self) -> float:
        return max(0.001, min(QUIET_SECS, self._left_secs()))

    def _sleep(self, secs: float) -> None:
        time.sleep(max(0.0, min(secs, self._left_secs())))
