"""Prometheus metrics of the hub, in their own registry so that several hubs can run in one process."""

from collections.abc import Mapping

from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Counter, Gauge, Histogram, generate_latest

CONTENT_TYPE = CONTENT_TYPE_LATEST
BUCKETS_SECS = (0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)


class Metrics:
    """Counters are updated by events. Gauges (boards, memory) are set when the metrics are read."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.requests = Counter(
            "lightboard_hub_requests", "Requests answered", ["route", "method", "status"], registry=self.registry
        )
        self.seconds = Histogram(
            "lightboard_hub_request_seconds",
            "Time to the end of the answer; streams are not counted",
            ["route", "method"],
            buckets=BUCKETS_SECS,
            registry=self.registry,
        )
        self.boards = Gauge("lightboard_hub_tensorboards", "TensorBoards by status", ["status"], registry=self.registry)
        self.memory = Gauge(
            "lightboard_hub_tensorboards_memory_bytes",
            "Memory that boards take, shared logs once",
            registry=self.registry,
        )
        self.created = Counter("lightboard_hub_tensorboards_created", "TensorBoards made", registry=self.registry)
        self.refused = Counter(
            "lightboard_hub_limit_refusals", "Starts refused by the limit of an account", registry=self.registry
        )
        self.logins_failed = Counter("lightboard_hub_logins_failed", "Wrong names or passwords", registry=self.registry)

    def count_request(self, route: str, method: str, status: int, secs: float | None) -> None:
        """Counts a request. `secs` is None for a stream."""
        self.requests.labels(route, method, str(status)).inc()
        if secs is not None:
            self.seconds.labels(route, method).observe(secs)

    def text(self, boards: Mapping[str, int], memory_bytes: int) -> bytes:
        """All metrics in Prometheus' text format. `boards` has a count for every status."""
        for status, count in boards.items():
            self.boards.labels(status).set(count)
        self.memory.set(memory_bytes)
        return generate_latest(self.registry)
