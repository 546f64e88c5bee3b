"""Brute force against the login, and what it must not do to other users."""

import asyncio
import pathlib
from collections import Counter
from collections.abc import Iterator, Sequence

import httpx
import pytest

from lightboard.hub.api.login_throttle import ACCOUNT, ADDRESS, DEVICE, SPELLING, LoginThrottle, client_of
from lightboard.hub.api.passwords import AT_ONCE, MAX_EACH, MAX_WAITING
from lightboard.hub.db.engine import Database
from lightboard.testing.passwords import CountingHasher
from support.hub_client import BASE, PASSWORD, BrowserSession, HubClient
from support.hub_process import wait_for
from support.personas import Personas

pytestmark = pytest.mark.databases("sqlite")  # budgets are kept in memory

NAT = "198.51.100.7"
"""An address that a whole office shares."""


@pytest.fixture
def hasher() -> Iterator[CountingHasher]:
    """What counts."""
    made = CountingHasher()
    yield made
    made.gate.set()


@pytest.fixture
def hub(database: Database, personas: Personas, tmp_path: pathlib.Path, hasher: CountingHasher) -> Iterator[HubClient]:
    """A hub on which grace and her colleague linus have passwords."""
    with HubClient(database, personas, tmp_path, hasher=hasher) as asked:
        personas.add_account("grace", email="Grace@Example.org")
        personas.add_account("linus")
        for name in ("grace", "linus"):
            asked.set_password(name)
        asked.hub.auth.login_throttle.spend((ADDRESS, "nobody"))  # the hash of nobody is not made yet
        asked.open_session().log_in("nobody-at-all", "wrong")
        hasher.hashes = hasher.checks = 0
        yield asked


async def attempt(hub: HubClient, address: str, name: str, password: str = "wrong") -> httpx.Response:
    """One login by a program without cookies."""
    transport = httpx.ASGITransport(app=hub.app, client=(address, 5))
    async with httpx.AsyncClient(transport=transport, base_url=BASE) as client:
        return await client.post("/api/v1/login", json={"name": name, "password": password})


def attempts(hub: HubClient, names: Sequence[str], address: str = NAT) -> Counter[int]:
    """Wrong passwords, one after the other; how many had which status."""

    async def all_of_them() -> Counter[int]:
        return Counter([(await attempt(hub, address, name)).status_code for name in names])

    return hub.run(all_of_them())


SPELLINGS = ["grace", "GRACE", " grace\t", "ｇｒａｃｅ", "gr\u200bace", "Grace\u00a0", "g\u00adrace", "GRace "]


def test_attempts_are_counted_before_hashing(hub: HubClient, hasher: CountingHasher) -> None:
    """Of 200 concurrent attempts, only the budget is hashed."""

    async def flood() -> list[httpx.Response]:
        return await asyncio.gather(*(attempt(hub, NAT, "grace") for _ in range(200)))

    answers = hub.run(flood())

    assert hasher.checks <= SPELLING.burst
    assert {answer.status_code for answer in answers} <= {401, 429}
    assert all(int(answer.headers["retry-after"]) >= 1 for answer in answers if answer.status_code == 429)


def test_spellings_of_a_name_share_one_budget(hub: HubClient, hasher: CountingHasher) -> None:
    """Case, width, spaces and invisible characters: ten attempts in all."""
    assert attempts(hub, SPELLINGS * 10) == {401: SPELLING.burst, 429: 10 * len(SPELLINGS) - SPELLING.burst}
    assert hasher.checks == SPELLING.burst


def test_addresses_share_the_budget_of_an_account(hub: HubClient, hasher: CountingHasher) -> None:
    """A hundred machines get no more attempts than one."""
    for number in range(100):
        attempts(hub, ["grace"], f"203.0.113.{number}")

    assert hasher.checks == SPELLING.burst


@pytest.mark.databases("sqlite", "postgres")
def test_name_and_email_share_the_budget_of_the_account(hub: HubClient) -> None:
    """Beyond it, even the right password is refused for a while, without hashing."""
    attempts(hub, ["grace"] * SPELLING.burst)
    attempts(hub, ["grace@example.org"] * (SPELLING.burst - 1))
    hub.hub.auth.login_throttle.spend((ACCOUNT, hub.principal("grace").account))

    over = hub.run(attempt(hub, "203.0.113.1", "grace@example.org", PASSWORD))
    hub.now += SPELLING.every_secs
    later = hub.run(attempt(hub, "203.0.113.1", "grace@example.org", PASSWORD))

    assert (over.status_code, later.status_code) == (401, 200)


@pytest.mark.databases("sqlite", "postgres")
def test_known_and_unknown_names_are_indistinguishable(hub: HubClient, hasher: CountingHasher) -> None:
    """Same responses, hash counts and limits for an account, none, and one that cannot log in."""
    hub.request("PATCH", "/api/v1/accounts/linus", "admin", {"disabled": True})
    told = {}
    for number, name in enumerate(("grace", "nobody", "linus", "editor", "grace@example.org", "nobody@example.org")):
        before = hasher.checks
        answers = [hub.run(attempt(hub, f"203.0.113.{number}", name)) for _ in range(SPELLING.burst + 2)]
        words = [(each.status_code, {**each.json()["error"], "request_id": ""}) for each in answers]
        told[name] = (words, hasher.checks - before, hasher.hashes)

    assert list(told.values()) == [told["nobody"]] * 6


def test_floods_do_not_affect_logged_in_users(hub: HubClient, hasher: CountingHasher) -> None:
    """With all hashing threads busy, `/me` is answered and further logins are refused at once."""
    hub.token("viewer")
    hasher.gate.clear()

    async def flood() -> tuple[list[asyncio.Task[httpx.Response]], list[int]]:
        names = [(f"203.0.113.{number}", f"name-{number}") for number in range(100)]
        running = [asyncio.create_task(attempt(hub, *each)) for each in names]
        done, waiting = set[asyncio.Task[httpx.Response]](), set(running)
        while len(waiting) > MAX_WAITING:
            more, waiting = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
            done |= more
        return running, [task.result().status_code for task in done]

    running, refused = hub.run(flood())
    me = [hub.request("GET", "/api/v1/me", "viewer").status_code for _ in range(10)]
    held = wait_for(lambda: hasher.checks, lambda number: number >= AT_ONCE, "the threads")
    hasher.gate.set()

    async def rest() -> list[int]:
        return [answer.status_code for answer in await asyncio.gather(*running)]

    assert (me, held, set(refused), len(refused)) == ([200] * 10, AT_ONCE, {429}, 100 - MAX_WAITING)
    assert Counter(hub.run(rest())) == {401: MAX_WAITING, 429: 100 - MAX_WAITING}


def test_one_address_cannot_occupy_the_queue(hub: HubClient, hasher: CountingHasher) -> None:
    """Somebody at another address can log in meanwhile."""
    hasher.gate.clear()

    async def story() -> tuple[list[int], int]:
        greedy = [asyncio.create_task(attempt(hub, NAT, f"name-{number}")) for number in range(40)]
        while sum(task.done() for task in greedy) < 40 - MAX_EACH:
            await asyncio.sleep(0)
        other = asyncio.create_task(attempt(hub, "203.0.113.9", "linus", PASSWORD))
        hasher.gate.set()
        return [task.status_code for task in await asyncio.gather(*greedy)], (await other).status_code

    greedy, other = hub.run(story())

    assert (Counter(greedy), other) == ({401: MAX_EACH, 429: 40 - MAX_EACH}, 200)


def test_colleagues_behind_the_same_address_can_log_in(hub: HubClient) -> None:
    """Attempts beyond the budget of a name do not count against the address."""
    attempts(hub, ["grace"] * 500)

    assert hub.run(attempt(hub, NAT, "linus", PASSWORD)).status_code == 200


def test_a_shared_address_is_throttled_but_not_locked(hub: HubClient) -> None:
    """Trying name after name exhausts it; seconds later it has budget again."""
    attempts(hub, [f"name-{number}" for number in range(500)])

    refused = hub.run(attempt(hub, NAT, "linus", PASSWORD))
    hub.now += ADDRESS.every_secs
    let_in = hub.run(attempt(hub, NAT, "linus", PASSWORD))

    assert (refused.status_code, int(refused.headers["retry-after"])) == (429, int(ADDRESS.every_secs))
    assert let_in.status_code == 200


def test_successful_logins_are_free(hub: HubClient) -> None:
    """A whole office can log in from one address."""
    statuses = [hub.run(attempt(hub, NAT, "linus", PASSWORD)).status_code for _ in range(ADDRESS.burst + 10)]

    assert set(statuses) == {200}


def test_a_known_browser_can_log_in_during_an_attack(hub: HubClient) -> None:
    """It has its own budget, also at the attacker's address."""
    at_home = BrowserSession(hub)
    at_home.log_in("grace", PASSWORD)
    at_home.send_change("POST", "/api/v1/logout")
    for _ in range(3):
        attempts(hub, [*(f"name-{number}" for number in range(100)), *SPELLINGS * 10], "127.0.0.1")

        assert at_home.log_in("GRACE", PASSWORD).status_code == 200
    assert hub.run(attempt(hub, "127.0.0.1", "grace", PASSWORD)).status_code == 429


def test_a_known_browser_gets_no_extra_attempts(hub: HubClient, hasher: CountingHasher) -> None:
    """Neither for its own account nor for another."""
    browser = BrowserSession(hub)
    browser.log_in("linus", PASSWORD)
    hasher.checks = 0

    own = [browser.log_in("linus", "wrong").status_code for _ in range(DEVICE.burst + 5)]
    hub.now += DEVICE.burst * DEVICE.every_secs
    others = [browser.log_in("grace", "wrong").status_code for _ in range(SPELLING.burst + 5)]

    assert Counter(own) == {401: DEVICE.burst, 429: 5}
    assert Counter(others) == {401: SPELLING.burst, 429: 5}
    assert hasher.checks == DEVICE.burst + SPELLING.burst


def test_a_forged_device_cookie_is_ignored(hub: HubClient, hasher: CountingHasher) -> None:
    """Only the hub decides which browsers are known."""
    for number in range(SPELLING.burst + 5):
        browser = BrowserSession(hub)
        browser.cookies.set("lightboard_device", f"forged.{number}", domain="127.0.0.1", path="/")
        browser.log_in("grace", "wrong")

    assert hasher.checks == SPELLING.burst


def test_an_ipv6_prefix_counts_as_one_address(hub: HubClient) -> None:
    """However many of its 2^64 addresses are used."""
    assert {client_of(f"2001:db8:1:2::{number:x}") for number in range(1000)} == {"2001:db8:1:2::/64"}
    assert client_of("::ffff:198.51.100.7") == client_of(NAT) == NAT


def test_changing_a_password_is_throttled_too(hub: HubClient, hasher: CountingHasher) -> None:
    """A token is no way to guess the old password or to keep the threads busy."""
    change = {"password": "staple of another colour", "old_password": "wrong"}

    statuses = [hub.request("PATCH", "/api/v1/me", "grace", change).status_code for _ in range(DEVICE.burst + 5)]

    assert (Counter(statuses), hasher.checks) == ({403: DEVICE.burst, 429: 5}, DEVICE.burst)


def test_only_passwords_are_hashed(hub: HubClient, hasher: CountingHasher) -> None:
    """Tokens, logins, share links and setup keys are looked up by digest or signature."""
    board = hub.create_running_board()
    for number in range(20):
        headers = {"Authorization": f"Bearer lb_guess-{number}"}
        assert hub.request("GET", "/api/v1/me", headers=headers).status_code == 401
        assert hub.request("GET", f"/s/guess-{number}").status_code == 404
        assert hub.request("GET", f"/tb/{board}/?token=guess-{number}").status_code == 303
        setup = {"key": f"guess-{number}", "name": "mallory", "password": PASSWORD}
        assert hub.request("POST", "/api/v1/setup", body=setup).status_code == 409

    assert (hasher.checks, hasher.hashes) == (0, 0)


def test_the_throttle_drops_expired_entries() -> None:
    """Memory holds recent clients only."""
    now = 0.0
    throttle = LoginThrottle(lambda: now)
    for number in range(1000):
        throttle.spend((SPELLING, f"name-{number}"))
        now += 1.0

    assert wait_for(lambda: len(throttle._full_at), bool, "the budgets") <= SPELLING.every_secs + 1
