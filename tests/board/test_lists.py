"""/api/v1/runs and /api/v1/tags: pages, filters, and what changed since."""

from random import Random
from typing import Any

import pytest
from asking import Asker

from lightboard.query import tags as tag_queries
from lightboard.schema.runs import RunList
from lightboard.schema.tags import TagList
from lightboard.testing.event_files import scalar_record, version_record

POINT = [(0, 100.0, 1.0)]
RUNS = {f"{kind}/seed{n}": {"loss": POINT, f"{kind}/acc": POINT} for kind in ("ResNet", "vit") for n in range(3)}


def names(answer: dict[str, Any]) -> list[str]:
    return [run["name"] for run in answer["runs"]]


def grow(asker: Asker, run: str) -> None:
    asker.memory.storage.write(f"{run}/more.tfevents.9", version_record() + scalar_record("loss", 7, 2.0, 200.0))
    asker.memory.look()


def test_runs_are_filtered_by_a_part_of_the_name() -> None:
    """In any case; `total` counts what is left."""
    answer = Asker(RUNS).get("/api/v1/runs?filter=resNET/").json()

    assert (names(answer), answer["total"]) == (["ResNet/seed0", "ResNet/seed1", "ResNet/seed2"], 3)


def test_a_page_of_runs_is_cut_out_of_what_the_filter_leaves() -> None:
    """By slot, with the count of all."""
    answer = Asker(RUNS).get("/api/v1/runs?filter=vit&offset=1&limit=1").json()

    assert (names(answer), answer["total"]) == (["vit/seed1"], 3)


def test_only_runs_that_changed_since_a_version_come() -> None:
    """The others are not told again, and no ids where none came or went."""
    asker = Asker(RUNS)
    before = asker.get("/api/v1/runs").json()
    grow(asker, "vit/seed1")

    after = asker.get(f"/api/v1/runs?since={before['version']}").json()

    assert names(after) == ["vit/seed1"]
    assert (after["since"], after["ids"], after["total"]) == (before["version"], None, 6)
    assert after["version"] != before["version"]
    assert RunList.model_validate(after).model_dump(mode="json") == after


def test_where_runs_came_all_ids_are_told() -> None:
    """So that those that went are known as well."""
    asker = Asker(RUNS)
    before = asker.get("/api/v1/runs").json()
    grow(asker, "new")

    after = asker.get(f"/api/v1/runs?since={before['version']}").json()

    assert (names(after), after["ids"]) == (["new"], [*[run["id"] for run in before["runs"]], 6])


def test_nothing_new_is_an_empty_answer() -> None:
    """Under the same version."""
    asker = Asker(RUNS)
    version = asker.get("/api/v1/runs").json()["version"]

    after = asker.get(f"/api/v1/runs?since={version}").json()

    assert (after["runs"], after["ids"], after["version"]) == ([], None, version)


@pytest.mark.parametrize("version", ["other.1", "nonsense", "²", "9" * 60])
def test_since_an_unknown_version_everything_comes(version: str) -> None:
    """As after a restart of the server."""
    asker = Asker(RUNS)

    answer = asker.get("/api/v1/runs", params={"since": version}).json()

    assert (len(answer["runs"]), answer["since"], answer["ids"]) == (6, None, None)


def test_a_version_of_the_future_is_unknown() -> None:
    """Of this server, but not yet."""
    asker = Asker(RUNS)
    epoch, _, number = asker.get("/api/v1/runs").json()["version"].partition(".")

    assert asker.get(f"/api/v1/runs?since={epoch}.{int(number) + 1}").json()["since"] is None
    assert asker.get("/api/v1/runs", params={"since": f"{epoch}.²"}).json()["since"] is None


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
def test_a_wrong_page_is_refused(query: str) -> None:
    """With what is wrong about it."""
    assert Asker(RUNS).get(f"/api/v1/runs?{query}").status_code == 400


def test_a_list_that_did_not_change_is_not_sent_again() -> None:
    """The whole list has an ETag, which holds until a row is another."""
    asker = Asker(RUNS)
    tag = asker.get("/api/v1/runs").headers["etag"]

    assert asker.get("/api/v1/runs", headers={"if-none-match": tag}).status_code == 304
    grow(asker, "vit/seed1")
    assert asker.get("/api/v1/runs", headers={"if-none-match": tag}).status_code == 200


def test_tags_are_filtered_and_paged() -> None:
    """In natural order."""
    answer = Asker(RUNS).get("/api/v1/tags?plugin=scalars&filter=ACC&offset=1&limit=5").json()

    assert ([tag["tag"] for tag in answer["tags"]], answer["total"]) == (["vit/acc"], 2)


class Turmoil:
    """A board whose runs and tags come and go between two pages, by dice."""

    def __init__(self, seed: int) -> None:
        self.dice = Random(seed)
        self.asker = Asker({})
        self.present: set[str] = set()
        self.always: set[str] = set()
        self.ever: set[str] = set()
        for _ in range(20):
            self.toss(leave=0)
        self.always = set(self.present)

    def toss(self, leave: float = 0.5) -> None:
        """A few runs come, each with a tag of its name, and a few go."""
        storage = self.asker.memory.storage
        for _ in range(self.dice.randrange(4)):
            name = f"{self.dice.choice('aB')}{self.dice.randrange(200)}"
            if name in self.present and self.dice.random() < leave:
                storage.remove(f"{name}/tfevents.1")
                self.present.remove(name)
            elif name not in self.present:
                storage.write(f"{name}/tfevents.1", version_record() + scalar_record(name, 0, 1.0, 1.0))
                self.present.add(name)
        self.asker.memory.look()
        self.always &= self.present
        self.ever |= self.present

    def pages(self, rows: str, named: str, last: str) -> list[str]:
        """Names on all pages, asked for one after the other while things come and go."""
        found: list[str] = []
        after: dict[str, Any] = {}
        while True:
            asked = {"filter": "b", "limit": self.dice.randrange(1, 5), **after}
            asked |= {"plugin": "scalars"} if rows == "tags" else {}
            page = self.asker.get(f"/api/v1/{rows}", params=asked).json()[rows]
            if not page:
                return found
            found += [row[named] for row in page]
            after = {"after": page[-1][last]}
            self.toss()


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("asked", [("runs", "name", "slot"), ("tags", "tag", "tag")])
def test_pages_fit_together_whatever_comes_and_goes(seed: int, asked: tuple[str, str, str]) -> None:
    """What is there all the time is on exactly one page, nothing on two, and nothing that never was."""
    board = Turmoil(seed)
    found = board.pages(*asked)
    wanted = {name for name in board.always if "b" in name.casefold()}

    assert (len(found), wanted - set(found), set(found) - board.ever) == (len(set(found)), set(), set())


def test_after_the_last_there_is_nothing() -> None:
    """After what is not there comes what would stand behind it."""
    asker = Asker(RUNS)

    assert names(asker.get("/api/v1/runs?after=5").json()) == []
    assert names(asker.get("/api/v1/runs?after=3&limit=1").json()) == ["vit/seed1"]
    tags = asker.get("/api/v1/tags", params={"plugin": "scalars", "after": "m"}).json()
    assert ([tag["tag"] for tag in tags["tags"]], tags["total"]) == (["vit/acc"], 3)


def test_the_whole_list_of_tags_is_what_its_pages_are() -> None:
    """However it is encoded; empty lists too."""
    asker = Asker({"many": {f"tag{n}": POINT for n in range(5000)}})

    whole = asker.get("/api/v1/tags?plugin=scalars").json()
    pages = [asker.get(f"/api/v1/tags?plugin=scalars&offset={at}&limit=1999").json() for at in range(0, 5000, 1999)]

    assert whole["tags"] == [tag for page in pages for tag in page["tags"]]
    assert TagList.model_validate(whole).model_dump(mode="json") == whole
    assert asker.get("/api/v1/tags?plugin=nothing").json()["tags"] == []


def test_points_that_come_cost_no_new_list_of_tags(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ours and TensorBoard's are made again when tags came, not with each point."""
    asker = Asker(RUNS)
    made: list[str] = []
    for module, name in ((tag_queries, "list_tags"), (tag_queries, "tags_by_run")):
        original = getattr(module, name)
        monkeypatch.setattr(module, name, lambda *a, _o=original, _n=name: made.append(_n) or _o(*a))
    asked = ("/api/v1/tags?plugin=scalars", "/data/plugin/scalars/tags")

    first = [asker.get(path).json() for path in asked]
    asker.memory.storage.append("vit/seed1/events.out.tfevents.0", scalar_record("loss", 9, 2.0, 300.0))
    asker.memory.look()
    second = [asker.get(path).json() for path in asked]

    assert made == ["list_tags", "tags_by_run"]
    assert second == first
    asker.memory.storage.append("vit/seed1/events.out.tfevents.0", scalar_record("fresh", 9, 2.0, 300.0))
    asker.memory.look()
    assert "fresh" in asker.get(asked[1]).json()["vit/seed1"]
    assert "fresh" in [tag["tag"] for tag in asker.get(asked[0]).json()["tags"]]


def test_answers_of_one_board_are_not_those_of_another() -> None:
    """Boards of one process share what is kept."""
    one = Asker({"a": {"x": POINT}})
    two = Asker({"b": {"y": POINT}}, shared=one.shared)

    assert [list(asker.get("/data/plugin/scalars/tags").json()) for asker in (one, two)] == [["a"], ["b"]]


def test_words_are_encoded_as_json_run_by_run() -> None:
    """Odd names are escaped as anywhere else."""
    asker = Asker({'q"\\': {"é\n": POINT}, "b": {"x": POINT}})

    assert asker.get("/data/plugin/scalars/tags").json() == {
        'q"\\': {"é\n": {"displayName": "é\n", "description": ""}},
        "b": {"x": {"displayName": "x", "description": ""}},
    }
