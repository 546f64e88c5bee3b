"""/api/v1/runs and /api/v1/tags: pages, filters, incremental updates."""

from random import Random
from typing import Any

import pytest

from lightboard.query import tags as tag_queries
from lightboard.schema.runs import RunList
from lightboard.schema.tags import TagList
from lightboard.testing.event_files import scalar_record, version_record
from support.board_client import BoardClient

POINT = [(0, 100.0, 1.0)]
RUNS = {f"{kind}/seed{n}": {"loss": POINT, f"{kind}/acc": POINT} for kind in ("ResNet", "vit") for n in range(3)}


def names(answer: dict[str, Any]) -> list[str]:
    return [run["name"] for run in answer["runs"]]


def grow(client: BoardClient, run: str) -> None:
    client.memory.storage.write(f"{run}/more.tfevents.9", version_record() + scalar_record("loss", 7, 2.0, 200.0))
    client.memory.refresh()


def test_runs_are_filtered_by_substring() -> None:
    """Case-insensitively; `total` counts matches."""
    answer = BoardClient(RUNS).get("/api/v1/runs?filter=resNET/").json()

    assert (names(answer), answer["total"]) == (["ResNet/seed0", "ResNet/seed1", "ResNet/seed2"], 3)


def test_filtered_runs_are_paged() -> None:
    """By slot, with the total."""
    answer = BoardClient(RUNS).get("/api/v1/runs?filter=vit&offset=1&limit=1").json()

    assert (names(answer), answer["total"]) == (["vit/seed1"], 3)


def test_since_returns_changed_runs_only() -> None:
    """Without ids if no run appeared or disappeared."""
    client = BoardClient(RUNS)
    before = client.get("/api/v1/runs").json()
    grow(client, "vit/seed1")

    after = client.get(f"/api/v1/runs?since={before['version']}").json()

    assert names(after) == ["vit/seed1"]
    assert (after["since"], after["ids"], after["total"]) == (before["version"], None, 6)
    assert after["version"] != before["version"]
    assert RunList.model_validate(after).model_dump(mode="json") == after


def test_new_runs_return_all_ids() -> None:
    """So that deleted ones are noticed as well."""
    client = BoardClient(RUNS)
    before = client.get("/api/v1/runs").json()
    grow(client, "new")

    after = client.get(f"/api/v1/runs?since={before['version']}").json()

    assert (names(after), after["ids"]) == (["new"], [*[run["id"] for run in before["runs"]], 6])


def test_no_change_is_an_empty_list() -> None:
    """With the same version."""
    client = BoardClient(RUNS)
    version = client.get("/api/v1/runs").json()["version"]

    after = client.get(f"/api/v1/runs?since={version}").json()

    assert (after["runs"], after["ids"], after["version"]) == ([], None, version)


@pytest.mark.parametrize("version", ["other.1", "nonsense", "²", "9" * 60])
def test_an_unknown_version_returns_everything(version: str) -> None:
    """As after a restart of the server."""
    client = BoardClient(RUNS)

    answer = client.get("/api/v1/runs", params={"since": version}).json()

    assert (len(answer["runs"]), answer["since"], answer["ids"]) == (6, None, None)


def test_a_future_version_is_unknown() -> None:
    """Of this server, but not yet."""
    client = BoardClient(RUNS)
    epoch, _, number = client.get("/api/v1/runs").json()["version"].partition(".")

    assert client.get(f"/api/v1/runs?since={epoch}.{int(number) + 1}").json()["since"] is None
    assert client.get("/api/v1/runs", params={"since": f"{epoch}.²"}).json()["since"] is None


@pytest.mark.parametrize(
    "query",
    [
        "limit=0",
        "limit=-1",
        "offset=-1",
        "limit=x",
        "after=x",
        "filter=" + "a" * 1025,
        "since=a&limit=1",
        "since=a&after=1",
    ],
)
def test_invalid_pages_are_refused(query: str) -> None:
    """With the reason."""
    assert BoardClient(RUNS).get(f"/api/v1/runs?{query}").status_code == 400


def test_unchanged_lists_get_304() -> None:
    """The ETag holds until a row changes."""
    client = BoardClient(RUNS)
    tag = client.get("/api/v1/runs").headers["etag"]

    assert client.get("/api/v1/runs", headers={"if-none-match": tag}).status_code == 304
    grow(client, "vit/seed1")
    assert client.get("/api/v1/runs", headers={"if-none-match": tag}).status_code == 200


def test_tags_are_filtered_and_paged() -> None:
    """In natural order."""
    answer = BoardClient(RUNS).get("/api/v1/tags?plugin=scalars&filter=ACC&offset=1&limit=5").json()

    assert ([tag["tag"] for tag in answer["tags"]], answer["total"]) == (["vit/acc"], 2)


class Turmoil:
    """A board whose runs and tags come and go between two pages, by dice."""

    def __init__(self, seed: int) -> None:
        self.dice = Random(seed)
        self.client = BoardClient({})
        self.present: set[str] = set()
        self.always: set[str] = set()
        self.ever: set[str] = set()
        for _ in range(20):
            self.toss(leave=0)
        self.always = set(self.present)

    def toss(self, leave: float = 0.5) -> None:
        """A few runs come, each with a tag of its name, and a few go."""
        storage = self.client.memory.storage
        for _ in range(self.dice.randrange(4)):
            name = f"{self.dice.choice('aB')}{self.dice.randrange(200)}"
            if name in self.present and self.dice.random() < leave:
                storage.remove(f"{name}/tfevents.1")
                self.present.remove(name)
            elif name not in self.present:
                storage.write(f"{name}/tfevents.1", version_record() + scalar_record(name, 0, 1.0, 1.0))
                self.present.add(name)
        self.client.memory.refresh()
        self.always &= self.present
        self.ever |= self.present

    def pages(self, rows: str, named: str, last: str) -> list[str]:
        """Names on all pages, asked for one after the other while things come and go."""
        found: list[str] = []
        after: dict[str, Any] = {}
        while True:
            asked = {"filter": "b", "limit": self.dice.randrange(1, 5), **after}
            asked |= {"plugin": "scalars"} if rows == "tags" else {}
            page = self.client.get(f"/api/v1/{rows}", params=asked).json()[rows]
            if not page:
                return found
            found += [row[named] for row in page]
            after = {"after": page[-1][last]}
            self.toss()


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("asked", [("runs", "name", "slot"), ("tags", "tag", "tag")])
def test_pages_are_consistent_under_changes(seed: int, asked: tuple[str, str, str]) -> None:
    """Permanent rows are on exactly one page, none on two."""
    board = Turmoil(seed)
    found = board.pages(*asked)
    wanted = {name for name in board.always if "b" in name.casefold()}

    assert (len(found), wanted - set(found), set(found) - board.ever) == (len(set(found)), set(), set())


def test_a_cursor_at_the_end_returns_nothing() -> None:
    """A missing cursor continues at its sort position."""
    client = BoardClient(RUNS)

    assert names(client.get("/api/v1/runs?after=5").json()) == []
    assert names(client.get("/api/v1/runs?after=3&limit=1").json()) == ["vit/seed1"]
    tags = client.get("/api/v1/tags", params={"plugin": "scalars", "after": "m"}).json()
    assert ([tag["tag"] for tag in tags["tags"]], tags["total"]) == (["vit/acc"], 3)


def test_pages_add_up_to_the_whole_list() -> None:
    """In any encoding, also if empty."""
    client = BoardClient({"many": {f"tag{n}": POINT for n in range(5000)}})

    whole = client.get("/api/v1/tags?plugin=scalars").json()
    pages = [client.get(f"/api/v1/tags?plugin=scalars&offset={at}&limit=1999").json() for at in range(0, 5000, 1999)]

    assert whole["tags"] == [tag for page in pages for tag in page["tags"]]
    assert TagList.model_validate(whole).model_dump(mode="json") == whole
    assert client.get("/api/v1/tags?plugin=nothing").json()["tags"] == []


def test_new_points_keep_the_tag_list(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is computed again only for new tags."""
    client = BoardClient(RUNS)
    made: list[str] = []
    for module, name in ((tag_queries, "list_tags"), (tag_queries, "tags_by_run")):
        original = getattr(module, name)
        monkeypatch.setattr(module, name, lambda *a, _o=original, _n=name: made.append(_n) or _o(*a))
    asked = ("/api/v1/tags?plugin=scalars", "/data/plugin/scalars/tags")

    first = [client.get(path).json() for path in asked]
    client.memory.storage.append("vit/seed1/events.out.tfevents.0", scalar_record("loss", 9, 2.0, 300.0))
    client.memory.refresh()
    second = [client.get(path).json() for path in asked]

    assert made == ["list_tags", "tags_by_run"]
    assert second == first
    client.memory.storage.append("vit/seed1/events.out.tfevents.0", scalar_record("fresh", 9, 2.0, 300.0))
    client.memory.refresh()
    assert "fresh" in client.get(asked[1]).json()["vit/seed1"]
    assert "fresh" in [tag["tag"] for tag in client.get(asked[0]).json()["tags"]]


def test_boards_do_not_share_responses() -> None:
    """Although they share a cache."""
    one = BoardClient({"a": {"x": POINT}})
    two = BoardClient({"b": {"y": POINT}}, shared=one.shared)

    assert [list(client.get("/data/plugin/scalars/tags").json()) for client in (one, two)] == [["a"], ["b"]]


def test_names_are_json_encoded() -> None:
    """Odd names are escaped as anywhere else."""
    client = BoardClient({'q"\\': {"é\n": POINT}, "b": {"x": POINT}})

    assert client.get("/data/plugin/scalars/tags").json() == {
        'q"\\': {"é\n": {"displayName": "é\n", "description": ""}},
        "b": {"x": {"displayName": "x", "description": ""}},
    }
