"""Promises about what many do at the same time, in threads and in processes."""

import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from cast import AT, Cast, wanted

from lightboard.errors import LightboardError, TensorboardLimitExceeded
from lightboard.hub import lifecycle
from lightboard.hub.db import accounts, changes, idempotency, leases, settings, tensorboards
from lightboard.hub.db.engine import Database, open_database
from lightboard.hub.db.idempotency import StoredResponse
from lightboard.hub.resources.accounts import Account
from lightboard.hub.resources.tensorboards import Origin, Status

MANY = 20


def at_once(number: int, act: Callable[[int], object]) -> Counter[str]:
    """How often which outcome: everybody begins together."""
    gate = threading.Barrier(number)

    def one(n: int) -> str:
        gate.wait()
        try:
            return str(act(n))
        except LightboardError as error:
            return type(error).__name__

    with ThreadPoolExecutor(number) as pool:
        return Counter(pool.map(one, range(number)))


def test_of_twenty_creates_five_pass(cast: Cast) -> None:
    """The limit is checked in the transaction that makes the board; the others are told what they can do."""
    remedies = []

    def create(n: int) -> str:
        try:
            cast.board(name=f"board-{n}")
        except TensorboardLimitExceeded as error:
            remedies.append((error.details["limit"], len(error.details["active"]), error.details["remedies"]))
            raise
        return "made"

    assert at_once(MANY, create) == {"made": 5, "TensorboardLimitExceeded": 15}
    assert remedies == [(5, 5, ["stop", "delete"])] * 15


PROGRAM = """
import sys
sys.path.insert(0, {tests!r})
from cast import wanted
from lightboard.errors import TensorboardLimitExceeded
from lightboard.hub.db import accounts, tensorboards
from lightboard.hub.db.engine import open_database
database = open_database({url!r})
with database.read() as session:
    who = accounts.principal(session, accounts.peek(session, {account!r}))
print("ready", flush=True)
sys.stdin.readline()
for number in range(5):
    try:
        with database.write() as session:
            tensorboards.create(session, who, wanted({project!r}), 2_000.0)
        print("made")
    except TensorboardLimitExceeded as error:
        print("refused", error.details["remedies"])
"""


def test_of_twenty_creates_in_four_processes_five_pass(cast: Cast, database_url: str) -> None:
    """Replicas of the hub share the limit."""
    tests = __file__.rpartition("/db/")[0]
    program = PROGRAM.format(tests=tests, url=database_url, account=cast.editor.account, project=cast.vision)
    running = [
        subprocess.Popen([sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for _ in range(4)
    ]
    for process in running:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    for process in running:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    said = Counter(line for process in running for line in process.communicate(timeout=300)[0].splitlines())

    assert said == {"made": 5, "refused ['stop', 'delete']": 15}


def test_of_many_starts_only_so_many_pass(cast: Cast) -> None:
    """The way back from Stopped is counted as well."""
    boards = []
    for n in range(8):
        board = cast.board(name=f"board-{n}")
        for event in (lifecycle.StopRequested(), lifecycle.BoardEnded()):
            with cast.database.write() as session:
                board, _ = leases.apply_event(session, "loop", board, event, AT)
        boards.append(board)

    def start(n: int) -> str:
        with cast.database.write() as session:
            started = tensorboards.apply_event(
                session, cast.editor, boards[n].id, "tensorboards.start", lifecycle.StartRequested(), AT
            )  # fmt: skip
        return started.status.value

    assert at_once(8, start) == {"Pending": 5, "TensorboardLimitExceeded": 3}


def test_of_many_changes_of_one_version_one_passes(cast: Cast) -> None:
    """No change is lost under another."""
    board = cast.board()

    def change(n: int) -> str:
        with cast.database.write() as session:
            tensorboards.change(session, cast.editor, board.id, {"labels": {"n": str(n)}}, AT, board.version)
        return "changed"

    assert at_once(10, change) == {"changed": 1, "Conflict": 9}


def test_changes_without_a_version_are_all_counted(cast: Cast) -> None:
    """One after another, each a version."""
    board = cast.board()

    def change(n: int) -> str:
        with cast.database.write() as session:
            tensorboards.change(session, cast.editor, board.id, {"labels": {"n": str(n)}}, AT)
        return "changed"

    assert at_once(10, change) == {"changed": 10}
    with cast.database.read() as session:
        assert tensorboards.get(session, cast.editor, board.id).version == 11


def test_the_same_key_at_once_makes_one_board(cast: Cast) -> None:
    """Everybody gets the answer of who came first."""

    def create(n: int) -> str:
        with cast.database.write() as session:
            kept = idempotency.load(session, cast.editor, "key", "question", AT)
            if kept is not None:
                return kept.body
            made = tensorboards.create(session, cast.editor, wanted(cast.vision), AT)
            idempotency.store(session, cast.editor, "key", "question", StoredResponse(status=201, body=made.id), AT)
            return made.id

    assert list(at_once(10, create).values()) == [10]


def test_get_or_create_at_once_makes_one_board(cast: Cast) -> None:
    """Twenty processes of one job open one board."""
    key = cast.board(name="probe").source_key

    def get_or_create(n: int) -> str:
        with cast.database.write() as session:
            found = tensorboards.reusable(session, cast.editor, cast.vision, Origin.SDK, "job-1", key)
            asked = wanted(cast.vision, origin=Origin.SDK, origin_id="job-1")
            return (found or tensorboards.create(session, cast.editor, asked, AT)).id

    assert list(at_once(10, get_or_create).values()) == [10]


def test_the_same_display_name_at_once(cast: Cast) -> None:
    """Everybody gets a name, and no two the same."""
    with cast.database.write() as session:
        settings.put(session, settings.LIMIT_SETTING, "100")

    assert at_once(10, lambda n: cast.board(display_name="Same").name) == Counter(
        ["same", *(f"same-{n}" for n in range(2, 11))]
    )


def test_one_of_many_sets_the_hub_up(database: Database) -> None:
    """There is one first account."""

    def set_up(n: int) -> str:
        with database.write() as session:
            accounts.first(session, Account(id="", name=f"admin-{n}"), AT)
        return "first"

    assert at_once(10, set_up) == {"first": 1, "Conflict": 9}


def test_one_of_many_makes_a_setting(database: Database) -> None:
    """A key that replicas share is made once."""

    def take(n: int) -> str:
        with database.write() as session:
            return settings.take(session, "key", lambda: f"made by {n}")

    assert list(at_once(10, take).values()) == [10]


def test_two_administrators_cannot_unmake_each_other(cast: Cast) -> None:
    """One of them is left."""
    cast.join("deputy", administrator=True)
    names = ["admin", "deputy"]

    def resign(n: int) -> str:
        with cast.database.write() as session:
            accounts.change(session, cast.people[names[n]], names[n], {"administrator": False}, AT)
        return "resigned"

    assert at_once(2, resign) == {"resigned": 1, "Conflict": 1}


def test_who_watches_misses_nothing(cast: Cast) -> None:
    """Numbers become visible in their order, however long each transaction takes."""
    with cast.database.write() as session:
        settings.put(session, settings.LIMIT_SETTING, "100")
    seen: list[str] = []
    done = threading.Event()

    def watch() -> None:
        cursor = 0
        while True:
            last = done.wait(0.001)  # a tight loop would keep the interpreter from the writers, who give up after 10 s
            with cast.database.read() as session:
                news, cursor = tensorboards.changes_after(session, cast.editor, cursor)
            seen.extend(item.id for item in news)
            if last:
                return

    with ThreadPoolExecutor(1) as pool:
        watching = pool.submit(watch)
        made = at_once(MANY, lambda n: cast.board(name=f"board-{n}").id)
        done.set()
        watching.result()
    assert sorted(seen) == sorted(made)


def test_a_claim_is_for_one_replica(cast: Cast, database_url: str) -> None:
    """Two that claim at once get different boards, and all of them."""
    with cast.database.write() as session:
        settings.put(session, settings.LIMIT_SETTING, "100")
    ids = [cast.board(name=f"board-{n}").id for n in range(12)]
    other = open_database(database_url)
    claimed: dict[int, list[str]] = {}

    def claim(n: int) -> str:
        with (cast.database, other)[n % 2].write() as session:
            claimed[n] = [item.board.id for item in leases.claim(session, f"replica-{n}", AT, 30.0, 5)]
        return "claimed"

    assert at_once(4, claim) == {"claimed": 4}
    other.close()
    everything = [id for part in claimed.values() for id in part]
    assert len(everything) == len(set(everything))
    with cast.database.write() as session:
        rest = leases.claim(session, "late", AT, 30.0, 100)
    assert sorted([*everything, *(item.board.id for item in rest)]) == sorted(ids)


def test_stop_and_news_at_once_lose_nothing(cast: Cast) -> None:
    """Whatever comes first, the board ends up stopping, and every step is in its history."""
    with cast.database.read() as session:
        before = changes.latest(session)
    board = cast.board()
    with cast.database.write() as session:
        board, _ = leases.apply_event(session, "loop", board, lifecycle.BoardPlaced("h"), AT)

    def act(n: int) -> str:
        with cast.database.write() as session:
            if n % 2:
                return str(leases.apply_event(session, "loop", board, lifecycle.BoardReady(), AT)[1])
            stop = lifecycle.StopRequested()
            return tensorboards.apply_event(session, cast.editor, board.id, "tensorboards.stop", stop, AT).status.value

    at_once(6, act)
    with cast.database.read() as session:
        after = tensorboards.get(session, cast.editor, board.id)
        steps = tensorboards.history(session, cast.editor, board.id)
        told = changes.latest(session) - before
    assert after.status is Status.STOPPING
    assert len(steps) == after.version == told
