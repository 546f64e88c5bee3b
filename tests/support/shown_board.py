"""What a TensorBoard shows, by its HTTP routes."""

import json
import urllib.parse
import urllib.request
from typing import Any, NamedTuple

from support.board_process import TIMEOUT_SECS


class ShownBoard(NamedTuple):
    """A board at `url`, which ends with a slash, of a hub if there is a `token`.

    Every JSON response is of all that was logged before.
    """

    url: str
    token: str = ""

    def fetch(self, path: str, body: bytes | None = None, **query: str) -> bytes:
        """The body of a response: to a POST if there is a body."""
        address = f"{self.url}{path}?{urllib.parse.urlencode(query)}" if query else self.url + path
        headers = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        with urllib.request.urlopen(urllib.request.Request(address, body, headers), timeout=TIMEOUT_SECS) as answer:
            return bytes(answer.read())

    def ask(self, path: str, body: Any = None, **query: str) -> Any:
        """A JSON response."""
        self.fetch("api/v1/reload", b"")
        return json.loads(self.fetch(path, None if body is None else json.dumps(body).encode(), **query))

    def values(self, kind: str) -> list[dict[str, Any]]:
        """Where all values of a kind are: series with tags, steps and keys."""
        return list(self.ask("api/v1/values", {"plugin": kind, "tags": None, "runs": None})["series"])

    def first_value(self, kind: str, run: str, series: dict[str, Any]) -> bytes:
        """The first value of a series, as in the file."""
        return self.fetch("api/v1/values/raw", plugin=kind, run=run, tag=series["tag"], at=series["keys"][0])

    def scalars(self, run: str) -> list[str]:
        """The tags of a run with scalars."""
        return sorted(self.ask("data/plugin/scalars/tags").get(run, {}))

    def points(self, run: str, tag: str) -> list[tuple[int, float]]:
        """The steps and values of a scalar."""
        return [(step, value) for _, step, value in self.ask("data/plugin/scalars/scalars", run=run, tag=tag)]

    def histograms(self, run: str, tag: str) -> list[tuple[int, list[list[float]]]]:
        """The steps and buckets of histograms."""
        return [(step, buckets) for _, step, buckets in self.ask("data/plugin/histograms/histograms", run=run, tag=tag)]

    def images(self, run: str, tag: str) -> list[tuple[int, bytes]]:
        """The steps and files of images."""
        found = self.ask("data/plugin/images/images", run=run, tag=tag, sample="0")
        route = "data/plugin/images/individualImage"
        return [(each["step"], self.fetch(f"{route}?{each['query']}")) for each in found]
