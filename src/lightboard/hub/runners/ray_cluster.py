"""What a Ray cluster says about jobs, without asking it more often than needed."""

import threading
from collections.abc import Callable

from lightboard.errors import LaunchError
from lightboard.hub.runners.ray_jobs import RayJob
from lightboard.hub.runners.ray_verdict import RayAnswer
from lightboard.types import UNREACHABLE

FRESH_SECS = 1.0
PAUSE_SECS = 5.0
"""A cluster that does not respond is not asked again at once, since every request takes its time."""


class RayCluster:
    """Asks with `get`, as `RayJobs.get`. May be used by any thread."""

    def __init__(self, get: Callable[[str], RayJob | None], clock: Callable[[], float]) -> None:
        self._get = get
        self._clock = clock
        self._lock = threading.Lock()
        self._answers: dict[str, tuple[float, RayJob | None]] = {}
        self._heard_at = clock()
        self._problem: LaunchError | None = None
        self._ask_at = clock()

    def ask(self, id: str) -> RayAnswer:
        """What the cluster says about a job."""
        now = self._clock()
        with self._lock:
            self._answers = {key: each for key, each in self._answers.items() if now - each[0] < FRESH_SECS}
            if id in self._answers:
                return RayAnswer(self._answers[id][1])
            if self._problem and now < self._ask_at:
                return silence(self._problem, now - self._heard_at)
        try:
            job = self._get(id)
        except LaunchError as error:
            with self._lock:
                self._problem, self._ask_at = error, self._clock() + PAUSE_SECS
                return silence(error, self._clock() - self._heard_at)
        with self._lock:
            self._problem, self._heard_at = None, self._clock()
            self._answers[id] = (self._heard_at, job)
        return RayAnswer(job)

    def forget(self, id: str) -> None:
        """Asks again about a job next time."""
        with self._lock:
            self._answers.pop(id, None)


def silence(problem: LaunchError, secs: float) -> RayAnswer:
    """The answer of a cluster that gives none."""
    return RayAnswer(problem=problem.message, unreachable=problem.reason == UNREACHABLE, silent_secs=secs)
