"""Attacks on the login: guesses by the thousand, in every spelling, and what they must not do to anybody else."""

import asyncio
import pathlib
from collections import Counter
from collections.abc import Iterator, Sequence

import httpx
import pytest
from cast import Cast
from hub_harness import BASE, PASSWORD, Browser, HubHarness

from lightboard.hub.api.login_throttle import ACCOUNT, ADDRESS, DEVICE, SPELLING, LoginThrottle, client_of
from lightboard.hub.api.passwords import AT_ONCE, MOST_EACH, MOST_WAITING
from lightboard.hub.db.engine import Database
from lightboard.testing.passwords import CountingHasher
from running_hub import until

NAT = "198.51.100.7"
"""An address that a whole office shares."""


@pytest.fixture
def hasher() -> Iterator[CountingHasher]:
    """What counts."""
    made = CountingHasher()
    yield made
    made.gate.set()


@pytest.fixture
def hub(database: Database, cast: Cast, tmp_path: pathlib.Path, hasher: CountingHasher) -> Iterator[HubHarness]:
    """A hub on which grace and her colleague linus have passwords."""
    with HubHarness(database, cast, tmp_path, hasher=hasher) as asked:
        cast.join("grace", email="Grace@Example.org")
        cast.join("linus")
        for name in ("grace", "linus"):
            asked.give_password(name)
        asked.hub.login_throttle.spend((ADDRESS, "nobody"))  # the hash of nobody is not made yet
        asked.browser().log_in("nobody-at-all", "wrong")
        hasher.hashes = hasher.checks = 0
        yield asked


async def attempt(hub: HubHarness, address: str, name: str, password: str = "wrong") -> httpx.Response:
    """One login by a program without cookies."""
    transport = httpx.ASGITransport(app=hub.app, client=(address, 5))
    async with httpx.AsyncClient(transport=transport, base_url=BASE) as client:
        return await client.post("/api/v1/login", json={"name": name, "password": password})


def attempts(hub: HubHarness, names: Sequence[str], address: str = NAT) -> Counter[int]:
    """Wrong passwords, one after the other; how many had which status."""

    async def all_of_them() -> Counter[int]:
        return Counter([(await attempt(hub, address, name)).status_code for name in names])

    return hub.play(all_of_them())


SPELLINGS = ["grace", "GRACE", " grace\t", "ｇｒａｃｅ", "gr\u200bace", "Grace\u00a0", "g\u00adrace", "GRace "]


def test_guesses_are_counted_before_a_password_is_looked_at(hub: HubHarness, hasher: CountingHasher) -> None:
    """Two hundred at once: no more are hashed than the budget has, however many came before the first was answered."""

    async def flood() -> list[httpx.Response]:
        return await asyncio.gather(*(attempt(hub, NAT, "grace") for _ in range(200)))

    answers = hub.play(flood())

    assert hasher.checks <= SPELLING.burst
    assert {answer.status_code for answer in answers} <= {401, 429}
    assert all(int(answer.headers["retry-after"]) >= 1 for answer in answers if answer.status_code == 429)


def test_every_spelling_is_one_account(hub: HubHarness, hasher: CountingHasher) -> None:
    """Case, width, spaces and characters that nobody sees: ten guesses in all, not ten each."""
    assert attempts(hub, SPELLINGS * 10) == {401: SPELLING.burst, 429: 10 * len(SPELLINGS) - SPELLING.burst}
    assert hasher.checks == SPELLING.burst


def test_many_addresses_share_the_budget_of_an_account(hub: HubHarness, hasher: CountingHasher) -> None:
    """A net of a hundred machines has no more guesses than one."""
    for number in range(100):
        attempts(hub, ["grace"], f"203.0.113.{number}")

    assert hasher.checks == SPELLING.burst


def test_name_and_email_share_the_budget_of_the_account(hub: HubHarness) -> None:
    """What is over is judged without a look: even the right password is then a wrong one, for a while."""
    attempts(hub, ["grace"] * SPELLING.burst)
    attempts(hub, ["grace@example.org"] * (SPELLING.burst - 1))
    hub.hub.login_throttle.spend((ACCOUNT, hub.person("grace").account))

    over = hub.play(attempt(hub, "203.0.113.1", "grace@example.org", PASSWORD))
    hub.now += SPELLING.every_secs
    later = hub.play(attempt(hub, "203.0.113.1", "grace@example.org", PASSWORD))

    assert (over.status_code, later.status_code) == (401, 200)


def test_known_and_unknown_names_cannot_be_told_apart(hub: HubHarness, hasher: CountingHasher) -> None:
    """Same answers, same number of hashes, same limit, for an account, none, and one that cannot log in."""
    hub.ask("PATCH", "/api/v1/accounts/linus", "admin", {"disabled": True})
    told = {}
    for number, name in enumerate(("grace", "nobody", "linus", "editor", "grace@example.org", "nobody@example.org")):
        before = hasher.checks
        answers = [hub.play(attempt(hub, f"203.0.113.{number}", name)) for _ in range(SPELLING.burst + 2)]
        words = [(each.status_code, {**each.json()["error"], "request_id": ""}) for each in answers]
        told[name] = (words, hasher.checks - before, hasher.hashes)

    assert list(told.values()) == [told["nobody"]] * 6


def test_whoever_is_logged_in_notices_nothing(hub: HubHarness, hasher: CountingHasher) -> None:
    """All threads that hash are held up, hundreds more want to: `/me` is answered, and the rest refused at once."""
    hub.token("viewer")
    hasher.gate.clear()

    async def flood() -> tuple[list[asyncio.Task[httpx.Response]], list[int]]:
        names = [(f"203.0.113.{number}", f"name-{number}") for number in range(100)]
        running = [asyncio.create_task(attempt(hub, *each)) for each in names]
        done, waiting = set[asyncio.Task[httpx.Response]](), set(running)
        while len(waiting) > MOST_WAITING:
            more, waiting = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
            done |= more
        return running, [task.result().status_code for task in done]

    running, refused = hub.play(flood())
    me = [hub.ask("GET", "/api/v1/me", "viewer").status_code for _ in range(10)]
    held = until(lambda: hasher.checks, lambda number: number >= AT_ONCE, "the threads")
    hasher.gate.set()

    async def rest() -> list[int]:
        return [answer.status_code for answer in await asyncio.gather(*running)]

    assert (me, held, set(refused), len(refused)) == ([200] * 10, AT_ONCE, {429}, 100 - MOST_WAITING)
    assert Counter(hub.play(rest())) == {401: MOST_WAITING, 429: 100 - MOST_WAITING}


def test_one_address_does_not_take_all_turns(hub: HubHarness, hasher: CountingHasher) -> None:
    """Somebody elsewhere logs in while it tries."""
    hasher.gate.clear()

    async def story() -> tuple[list[int], int]:
        greedy = [asyncio.create_task(attempt(hub, NAT, f"name-{number}")) for number in range(40)]
        while sum(task.done() for task in greedy) < 40 - MOST_EACH:
            await asyncio.sleep(0)
        other = asyncio.create_task(attempt(hub, "203.0.113.9", "linus", PASSWORD))
        hasher.gate.set()
        return [task.status_code for task in await asyncio.gather(*greedy)], (await other).status_code

    greedy, other = hub.play(story())

    assert (Counter(greedy), other) == ({401: MOST_EACH, 429: 40 - MOST_EACH}, 200)


def test_a_colleague_behind_the_same_address_gets_in(hub: HubHarness) -> None:
    """Whatever one there does to other accounts; what a name has used up costs the address nothing more."""
    attempts(hub, ["grace"] * 500)

    assert hub.play(attempt(hub, NAT, "linus", PASSWORD)).status_code == 200


def test_a_shared_address_is_slowed_and_not_locked(hub: HubHarness) -> None:
    """Who tries name after name uses it up; seconds later there is a turn again."""
    attempts(hub, [f"name-{number}" for number in range(500)])

    refused = hub.play(attempt(hub, NAT, "linus", PASSWORD))
    hub.now += ADDRESS.every_secs
    let_in = hub.play(attempt(hub, NAT, "linus", PASSWORD))

    assert (refused.status_code, int(refused.headers["retry-after"])) == (429, int(ADDRESS.every_secs))
    assert let_in.status_code == 200


def test_the_right_password_costs_nothing(hub: HubHarness) -> None:
    """A whole office begins its day behind one address."""
    statuses = [hub.play(attempt(hub, NAT, "linus", PASSWORD)).status_code for _ in range(ADDRESS.burst + 10)]

    assert set(statuses) == {200}


def test_a_known_browser_gets_in_while_its_account_is_attacked(hub: HubHarness) -> None:
    """From the same address and by the same name: its guesses are its own."""
    at_home = Browser(hub)
    at_home.log_in("grace", PASSWORD)
    at_home.change("POST", "/api/v1/logout")
    for _ in range(3):
        attempts(hub, [*(f"name-{number}" for number in range(100)), *SPELLINGS * 10], "127.0.0.1")

        assert at_home.log_in("GRACE", PASSWORD).status_code == 200
    assert hub.play(attempt(hub, "127.0.0.1", "grace", PASSWORD)).status_code == 429


def test_a_known_browser_guesses_no_more_than_others(hub: HubHarness, hasher: CountingHasher) -> None:
    """Neither its own password, nor that of somebody else."""
    browser = Browser(hub)
    browser.log_in("linus", PASSWORD)
    hasher.checks = 0

    own = [browser.log_in("linus", "wrong").status_code for _ in range(DEVICE.burst + 5)]
    hub.now += DEVICE.burst * DEVICE.every_secs
    others = [browser.log_in("grace", "wrong").status_code for _ in range(SPELLING.burst + 5)]

    assert Counter(own) == {401: DEVICE.burst, 429: 5}
    assert Counter(others) == {401: SPELLING.burst, 429: 5}
    assert hasher.checks == DEVICE.burst + SPELLING.burst


def test_a_forged_device_is_none(hub: HubHarness, hasher: CountingHasher) -> None:
    """Only the hub says which browser is known."""
    for number in range(SPELLING.burst + 5):
        browser = Browser(hub)
        browser.cookies.set("lightboard_device", f"forged.{number}", domain="127.0.0.1", path="/")
        browser.log_in("grace", "wrong")

    assert hasher.checks == SPELLING.burst


def test_a_customer_of_ipv6_is_one_address(hub: HubHarness) -> None:
    """However many of its 2^64 addresses it uses."""
    assert {client_of(f"2001:db8:1:2::{number:x}") for number in range(1000)} == {"2001:db8:1:2::/64"}
    assert client_of("::ffff:198.51.100.7") == client_of(NAT) == NAT


def test_the_old_password_cannot_be_guessed_with_a_token(hub: HubHarness, hasher: CountingHasher) -> None:
    """Nor is the change of a password a way to keep the threads busy."""
    change = {"password": "staple of another colour", "old_password": "wrong"}

    statuses = [hub.ask("PATCH", "/api/v1/me", "grace", change).status_code for _ in range(DEVICE.burst + 5)]

    assert (Counter(statuses), hasher.checks) == ({403: DEVICE.burst, 429: 5}, DEVICE.burst)


def test_nothing_but_a_password_is_hashed(hub: HubHarness, hasher: CountingHasher) -> None:
    """Tokens, logins, tickets of share links and keys of the first start are looked up by digest or signature."""
    board = hub.running()
    for number in range(20):
        headers = {"Authorization": f"Bearer lb_guess-{number}"}
        assert hub.ask("GET", "/api/v1/me", headers=headers).status_code == 401
        assert hub.ask("GET", f"/s/guess-{number}").status_code == 404
        assert hub.ask("GET", f"/tb/{board}/?token=guess-{number}").status_code == 303
        setup = {"key": f"guess-{number}", "name": "mallory", "password": PASSWORD}
        assert hub.ask("POST", "/api/v1/setup", body=setup).status_code == 409

    assert (hasher.checks, hasher.hashes) == (0, 0)


def test_the_throttle_forgets_what_is_over() -> None:
    """Memory holds who has been here lately."""
    now = 0.0
    throttle = LoginThrottle(lambda: now)
    for number in range(1000):
        throttle.spend((SPELLING, f"name-{number}"))
        now += 1.0

    assert until(lambda: len(throttle._full_at), bool, "the budgets") <= SPELLING.every_secs + 1
