"""Concurrent changes from threads and processes."""

import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from lightboard.errors import LightboardError, TensorboardLimitExceeded
from lightboard.hub import lifecycle
from lightboard.hub.db import accounts, changes, idempotency, leases, settings, tensorboard_changes, tensorboards
from lightboard.hub.db.engine import Database, open_database
from lightboard.hub.db.idempotency import StoredResponse
from lightboard.hub.resources.accounts import Account
from lightboard.hub.resources.tensorboards import Origin, Status
from support.personas import START_TIME, Personas, new_tensorboard

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


def test_the_limit_holds_for_concurrent_creates(personas: Personas) -> None:
    """It is checked in the transaction that inserts; refused requests get the remedies."""
    remedies = []

    def create(n: int) -> str:
        try:
            personas.create_board(name=f"board-{n}")
        except TensorboardLimitExceeded as error:
            remedies.append((error.details["limit"], len(error.details["active"]), error.details["remedies"]))
            raise
        return "made"

    assert at_once(MANY, create) == {"made": 5, "TensorboardLimitExceeded": 15}
    assert remedies == [(5, 5, ["stop", "delete"])] * 15


PROGRAM = """
import sys
sys.path.insert(0, {tests!r})
from support.personas import new_tensorboard
from lightboard.errors import TensorboardLimitExceeded
from lightboard.hub.db import accounts, tensorboards
from lightboard.hub.db.engine import open_database
database = open_database({url!r})
with database.read() as session:
    who = accounts.principal_of(session, accounts.get_unchecked(session, {account!r}))
print("ready", flush=True)
sys.stdin.readline()
for number in range(5):
    try:
        with database.write() as session:
            tensorboards.create(session, who, new_tensorboard({project!r}), 2_000.0)
        print("made")
    except TensorboardLimitExceeded as error:
        print("refused", error.details["remedies"])
"""


def test_the_limit_holds_across_processes(personas: Personas, database_url: str) -> None:
    """Replicas share the limit."""
    tests = __file__.rpartition("/hub/")[0]
    program = PROGRAM.format(tests=tests, url=database_url, account=personas.editor.account, project=personas.vision)
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


def test_the_limit_holds_for_concurrent_starts(personas: Personas) -> None:
    """Restarting stopped boards counts as well."""
    boards = []
    for n in range(8):
        board = personas.create_board(name=f"board-{n}")
        for event in (lifecycle.StopRequested(), lifecycle.BoardEnded()):
            with personas.database.write() as session:
                board, _ = leases.apply_event(session, "loop", board, event, START_TIME)
        boards.append(board)

    def start(n: int) -> str:
        with personas.database.write() as session:
            started = tensorboards.apply_event(
                session, personas.editor, boards[n].id, "tensorboards.start", lifecycle.StartRequested(), START_TIME
            )  # fmt: skip
        return started.status.value

    assert at_once(8, start) == {"Pending": 5, "TensorboardLimitExceeded": 3}


def test_one_of_many_updates_of_a_version_succeeds(personas: Personas) -> None:
    """No update is lost."""
    board = personas.create_board()

    def change(n: int) -> str:
        with personas.database.write() as session:
            tensorboards.change(
                session, personas.editor, board.id, {"labels": {"n": str(n)}}, START_TIME, board.version
            )
        return "changed"

    assert at_once(10, change) == {"changed": 1, "Conflict": 9}


def test_updates_without_a_version_are_serialized(personas: Personas) -> None:
    """Each creates a version."""
    board = personas.create_board()

    def change(n: int) -> str:
        with personas.database.write() as session:
            tensorboards.change(session, personas.editor, board.id, {"labels": {"n": str(n)}}, START_TIME)
        return "changed"

    assert at_once(10, change) == {"changed": 10}
    with personas.database.read() as session:
        assert tensorboards.get(session, personas.editor, board.id).version == 11


def test_concurrent_requests_with_one_key_create_one_board(personas: Personas) -> None:
    """All get the response of the first."""

    def create(n: int) -> str:
        with personas.database.write() as session:
            kept = idempotency.load(session, personas.editor, "key", "question", START_TIME)
            if kept is not None:
                return kept.body
            made = tensorboards.create(session, personas.editor, new_tensorboard(personas.vision), START_TIME)
            idempotency.store(
                session, personas.editor, "key", "question", StoredResponse(status=201, body=made.id), START_TIME
            )
            return made.id

    assert list(at_once(10, create).values()) == [10]


def test_concurrent_get_or_create_creates_one_board(personas: Personas) -> None:
    """Twenty processes of one job share a board."""
    key = personas.create_board(name="probe").source_key

    def get_or_create(n: int) -> str:
        with personas.database.write() as session:
            found = tensorboards.reusable(session, personas.editor, personas.vision, Origin.SDK, "job-1", key)
            asked = new_tensorboard(personas.vision, origin=Origin.SDK, origin_id="job-1")
            return (found or tensorboards.create(session, personas.editor, asked, START_TIME)).id

    assert list(at_once(10, get_or_create).values()) == [10]


def test_concurrent_boards_get_distinct_names(personas: Personas) -> None:
    """For one display name."""
    with personas.database.write() as session:
        settings.put(session, settings.LIMIT_SETTING, "100")

    assert at_once(10, lambda n: personas.create_board(display_name="Same").name) == Counter(
        ["same", *(f"same-{n}" for n in range(2, 11))]
    )


def test_one_of_many_creates_the_first_account(database: Database) -> None:
    """There is one first account."""

    def set_up(n: int) -> str:
        with database.write() as session:
            accounts.create_first(session, Account(id="", name=f"admin-{n}"), START_TIME)
        return "first"

    assert at_once(10, set_up) == {"first": 1, "Conflict": 9}


def test_one_of_many_creates_a_setting(database: Database) -> None:
    """A key shared by replicas is generated once."""

    def take(n: int) -> str:
        with database.write() as session:
            return settings.take(session, "key", lambda: f"made by {n}")

    assert list(at_once(10, take).values()) == [10]


def test_two_administrators_cannot_remove_each_other(personas: Personas) -> None:
    """One of them remains."""
    personas.add_account("deputy", administrator=True)
    names = ["admin", "deputy"]

    def resign(n: int) -> str:
        with personas.database.write() as session:
            accounts.change(session, personas.people[names[n]], names[n], {"administrator": False}, START_TIME)
        return "resigned"

    assert at_once(2, resign) == {"resigned": 1, "Conflict": 1}


def test_watchers_miss_no_change(personas: Personas) -> None:
    """Change numbers become visible in order, however long transactions take."""
    with personas.database.write() as session:
        settings.put(session, settings.LIMIT_SETTING, "100")
    seen: list[str] = []
    done = threading.Event()

    def watch() -> None:
        cursor = 0
        while True:
            last = done.wait(0.001)  # a tight loop would keep the interpreter from the writers, who give up after 10 s
            with personas.database.read() as session:
                news, cursor = tensorboard_changes.changes_after(session, personas.editor, cursor)
            seen.extend(item.id for item in news)
            if last:
                return

    with ThreadPoolExecutor(1) as pool:
        watching = pool.submit(watch)
        made = at_once(MANY, lambda n: personas.create_board(name=f"board-{n}").id)
        done.set()
        watching.result()
    assert sorted(seen) == sorted(made)


def test_concurrent_claims_are_disjoint(personas: Personas, database_url: str) -> None:
    """Two replicas get different boards, and together all of them."""
    with personas.database.write() as session:
        settings.put(session, settings.LIMIT_SETTING, "100")
    ids = [personas.create_board(name=f"board-{n}").id for n in range(12)]
    other = open_database(database_url)
    claimed: dict[int, list[str]] = {}

    def claim(n: int) -> str:
        with (personas.database, other)[n % 2].write() as session:
            claimed[n] = [item.board.id for item in leases.claim(session, f"replica-{n}", START_TIME, 30.0, 5)]
        return "claimed"

    assert at_once(4, claim) == {"claimed": 4}
    other.close()
    everything = [id for part in claimed.values() for id in part]
    assert len(everything) == len(set(everything))
    with personas.database.write() as session:
        rest = leases.claim(session, "late", START_TIME, 30.0, 100)
    assert sorted([*everything, *(item.board.id for item in rest)]) == sorted(ids)


def test_concurrent_stop_and_events_are_both_applied(personas: Personas) -> None:
    """The board ends up stopping, with every step in its history."""
    with personas.database.read() as session:
        before = changes.latest(session)
    board = personas.create_board()
    with personas.database.write() as session:
        board, _ = leases.apply_event(session, "loop", board, lifecycle.BoardPlaced("h"), START_TIME)

    def act(n: int) -> str:
        with personas.database.write() as session:
            if n % 2:
                return str(leases.apply_event(session, "loop", board, lifecycle.BoardReady(), START_TIME)[1])
            stop = lifecycle.StopRequested()
            return tensorboards.apply_event(
                session, personas.editor, board.id, "tensorboards.stop", stop, START_TIME
            ).status.value

    at_once(6, act)
    with personas.database.read() as session:
        after = tensorboards.get(session, personas.editor, board.id)
        steps = tensorboards.history(session, personas.editor, board.id)
        told = changes.latest(session) - before
    assert after.status is Status.STOPPING
    assert len(steps) == after.version == told
