"""How often a Ray cluster is asked."""

from dataclasses import dataclass, field

from lightboard.errors import LaunchError
from lightboard.hub.runners.ray_cluster import FRESH_SECS, PAUSE_SECS, RayCluster
from lightboard.hub.runners.ray_jobs import RayJob, RayStatus
from lightboard.hub.runners.ray_verdict import RayAnswer
from lightboard.hub.runners.stillness import Stillness

JOB = RayJob(RayStatus.RUNNING)


@dataclass
class Cluster:
    """A cluster that is up or not, at a time."""

    now: float = 100.0
    up: bool = True
    asked: list[str] = field(default_factory=list)

    def get(self, id: str) -> RayJob:
        self.asked.append(id)
        if not self.up:
            raise LaunchError("it does not respond")
        return JOB


def test_an_answer_is_kept_for_a_moment() -> None:
    """A job of many replicas costs one request."""
    cluster = Cluster()
    known = RayCluster(cluster.get, lambda: cluster.now)

    answers = [known.ask("a"), known.ask("a")]
    cluster.now += FRESH_SECS
    known.ask("a")

    assert (answers, cluster.asked) == ([RayAnswer(JOB)] * 2, ["a", "a"])


def test_a_silent_cluster_is_asked_rarely() -> None:
    """Each request may take seconds. For how long it is silent is told."""
    cluster = Cluster(up=False)
    known = RayCluster(cluster.get, lambda: cluster.now)

    answers = [known.ask("a")]
    cluster.now += 1.0
    answers.append(known.ask("b"))
    cluster.now += PAUSE_SECS
    cluster.up = True
    answers.append(known.ask("b"))

    assert answers == [
        RayAnswer(problem="it does not respond"), RayAnswer(problem="it does not respond", silent_secs=1.0),
        RayAnswer(JOB),
    ]  # fmt: skip
    assert cluster.asked == ["a", "b"]


def test_stillness_is_measured_from_the_last_change() -> None:
    """By the clock of the hub."""
    now = 0.0
    stillness = Stillness(lambda: now)

    found = [stillness.secs("a", 1.0)]
    now = 5.0
    found.append(stillness.secs("a", 1.0))
    found.append(stillness.secs("a", 2.0))
    now = 7.0
    found.append(stillness.secs("a", 2.0))
    stillness.forget("a")
    found.append(stillness.secs("a", 2.0))

    assert found == [0.0, 5.0, 0.0, 2.0, 0.0]
