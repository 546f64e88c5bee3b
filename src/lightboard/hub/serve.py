"""Starts one hub: its folder and key, the database, the launcher, the loop that reconciles, and last the HTTP half.

The port is taken first, so that a busy one is told at once; then the tables are brought to what this program needs;
only then does anything answer or start.
"""

import contextlib
import logging
import os
import secrets
import socket
import threading
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from urllib.parse import urlsplit

from lightboard import __version__
from lightboard.asgi.hosts import AllowedHosts
from lightboard.asgi.server import serve_app
from lightboard.asgi.thread_pool import AsyncThreadPool
from lightboard.config import HubSettings
from lightboard.errors import LightboardError, UsageError
from lightboard.hub import data_directory
from lightboard.hub.adoption import adopt
from lightboard.hub.api.activity import Activity
from lightboard.hub.api.app import create_app
from lightboard.hub.api.board_access import BoardAuthorizer
from lightboard.hub.api.change_notifier import ChangeNotifier
from lightboard.hub.api.disk_threads import DiskThreads
from lightboard.hub.api.hub import Hub
from lightboard.hub.api.identity import Identities
from lightboard.hub.api.login_throttle import LoginThrottle
from lightboard.hub.api.passwords import Passwords
from lightboard.hub.api.proxy import Proxy
from lightboard.hub.api.readiness import Readiness
from lightboard.hub.api.sessions import SETUP_KEY, first_account
from lightboard.hub.api.signed_tokens import TokenSigner, digest_of
from lightboard.hub.api.tokens import SHOWN
from lightboard.hub.db import accounts, settings, tokens
from lightboard.hub.db.engine import Database, open_database
from lightboard.hub.db.retry import retry_until_available
from lightboard.hub.launchers.base import Launcher
from lightboard.hub.launchers.local import LocalLauncher
from lightboard.hub.log import Log, say_steps
from lightboard.hub.metrics import Metrics
from lightboard.hub.reconcile import Reconciler
from lightboard.hub.resources.accounts import Account
from lightboard.hub.resources.roles import Scope
from lightboard.hub.resources.tokens import Token
from lightboard.hub.source_resolver import DefaultAuth, SourceResolver

KEY_SETTING = "key"
KEY_BYTES = 32
THREADS = 8
"""For what the event loop asks of the database."""
BACKLOG = 512
SHORTEST_TOKEN = 20
BOOTSTRAP_NAME = "admin"

Say = Callable[[str], None]


def serve(wanted: HubSettings, say: Say) -> None:
    """Serves until a signal ends it.

    Raises:
        UsageError: the port, the folder or a setting cannot be used, or another hub is there; nothing was started.
        DatabaseError: the database is not one this program can use. One that does not answer is waited for.
    """
    os.umask(data_directory.OTHERS)  # also of the workers: no file depends on who started the hub
    folder = data_directory.create(wanted.home)
    database = open_database(wanted.database or f"sqlite:///{folder / data_directory.DATABASE}")
    with data_directory.opened(folder, database.file), contextlib.closing(listen(wanted)) as listening:
        source_resolver = source_resolver_of(wanted, folder, database.file)
        retry_until_available(database.migrate, say)
        key = retry_until_available(lambda: key_of(database, folder), say)
        address = f"{wanted.public_url or address_of(wanted, listening)}"
        lines = [
            f"Lightboard hub {__version__} at {address}/ (Ctrl+C to quit)",
            *retry_until_available(lambda: first_start(database, wanted, address), say),
            *retry_until_available(lambda: upgraded(database, wanted, source_resolver), say),
        ]
        launcher = LocalLauncher(folder, key, wanted.workers, wanted.worker_host)
        hub, reconciler = assemble(wanted, database, launcher, source_resolver, key)
        app = create_app(hub, allowed_hosts(wanted, listening))
        service = HubService(hub, reconciler, lambda: say_all(say, lines))
        try:
            serve_app(app, service, [listening], trusted_proxies=wanted.trusted_proxies)
        finally:
            service.leave()
            launcher.close()
            database.close()


def assemble(
    wanted: HubSettings,
    database: Database,
    launcher: Launcher,
    source_resolver: SourceResolver,
    key: bytes,
    *,
    clock: Callable[[], float] = time.time,
    passwords: Passwords | None = None,
    log: Log | None = None,
) -> tuple[Hub, Reconciler]:
    """A hub and the loop that works for it, neither of them started."""
    pool = AsyncThreadPool(THREADS)
    identities = Identities(database, clock)
    token_signer = TokenSigner(key, clock)
    board_authorizer = BoardAuthorizer(database, identities, token_signer, clock)
    log = log or Log(clock, as_json=wanted.log_json)

    def clear_caches() -> None:
        identities.clear_cache()
        board_authorizer.clear_cache()

    database.listeners += [identities.on_commit, board_authorizer.on_commit, partial(say_steps, log)]
    reconciler = Reconciler(database, launcher, source_resolver.board_spec, clock)
    hub = Hub(
        settings=wanted,
        database=database,
        launcher=launcher,
        source_resolver=source_resolver,
        token_signer=token_signer,
        passwords=passwords or Passwords(),
        login_throttle=LoginThrottle(clock),
        identities=identities,
        board_authorizer=board_authorizer,
        activity=Activity(database, pool),
        change_notifier=ChangeNotifier(database, pool, clock, clear_caches),
        proxy=Proxy(),
        readiness=Readiness(database, launcher, source_resolver.folder, clock),
        pool=pool,
        disks=DiskThreads(),
        metrics=Metrics(),
        log=log,
        clock=clock,
        wake=reconciler.wake,
    )
    return hub, reconciler


class HubService:
    """See `asgi.server.Service`."""

    def __init__(self, hub: Hub, reconciler: Reconciler, announce: Callable[[], None]) -> None:
        self.hub = hub
        self.reconciler = reconciler
        self.announce = announce

    def begin(self, stop: Callable[[], None]) -> None:  # noqa: ARG002  # signals end a hub
        """Starts what goes on beside requests."""
        logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL)  # our own log has said what went wrong
        self.hub.change_notifier.start()
        self.hub.activity.begin()
        self.hub.pool.run(self.warm)
        threading.Thread(target=self.reconciler.run, name="reconcile", daemon=True).start()
        self.announce()

    def warm(self) -> None:
        """Has a worker ready, so that the first board is quick; one that will not start is told when one is wanted."""
        with contextlib.suppress(LightboardError):
            self.hub.launcher.warm()

    def close(self) -> None:
        """Ends streams."""
        self.hub.change_notifier.close()
        self.hub.activity.close()

    def end(self) -> None:
        """See Service."""

    def leave(self) -> None:
        """After the last answer: what was begun comes to its end."""
        self.reconciler.close()
        self.hub.activity.keep()
        self.hub.passwords.close()
        self.hub.pool.close()


def say_all(say: Say, lines: list[str]) -> None:
    """One after the other."""
    for line in lines:
        say(line)


def key_of(database: Database, folder: Path) -> bytes:
    """What the hub signs with: made once, kept in a file of its own, or in the database where replicas share that."""
    if database.postgresql:
        with database.write() as session:
            return bytes.fromhex(settings.take(session, KEY_SETTING, lambda: secrets.token_hex(KEY_BYTES)))
    file = folder / "key"
    if not file.exists():
        make_key(file)
    try:
        key = bytes.fromhex(file.read_text().strip())
    except (OSError, ValueError):
        key = b""
    if len(key) != KEY_BYTES:
        raise UsageError(f"{file} holds no key", hint="restore it, or remove it: links and tokens made by it then end")
    return key


def make_key(file: Path) -> None:
    """Writes a new key beside its place and then puts it there, whole or not at all; one that is there stays.

    Raises UsageError where that cannot be done.
    """
    beside = file.with_name(f"key.{secrets.token_hex(8)}")
    try:
        with os.fdopen(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as opened:
            opened.write(secrets.token_hex(KEY_BYTES))
            opened.flush()
            os.fsync(opened.fileno())
        put_once(beside, file)
    except OSError as error:
        raise UsageError(
            f"the hub cannot keep its key in {file}: {error.strerror}",
            hint="see that there is room, and that the folder may be written",
        ) from None
    finally:
        beside.unlink(missing_ok=True)


def put_once(beside: Path, file: Path) -> None:
    """Gives a whole file its name, unless there is one. Raises OSError."""
    try:
        os.link(beside, file)
    except FileExistsError:
        return
    except OSError:  # a file system without links
        os.replace(beside, file)


def first_start(database: Database, wanted: HubSettings, address: str) -> list[str]:
    """What is to be said where there is no account yet: the one-time link, unless automation brought a token."""
    now = time.time()
    with database.write() as session:
        if not accounts.is_first(session):
            return []
        if wanted.bootstrap_token:
            if len(wanted.bootstrap_token) < SHORTEST_TOKEN:
                raise UsageError(
                    f"LIGHTBOARD_BOOTSTRAP_TOKEN is shorter than {SHORTEST_TOKEN} characters",
                    hint="make one: python3 -c 'import secrets; print(secrets.token_urlsafe(32))'",
                )
            made = first_account(session, Account(id="", name=BOOTSTRAP_NAME, display_name="Administrator"), now)
            token = Token(
                id="",
                account=made.id,
                name="bootstrap",
                digest=digest_of(wanted.bootstrap_token),
                shown=wanted.bootstrap_token[: SHOWN // 2],
                scopes=frozenset(Scope),
            )
            tokens.create(session, accounts.principal(session, made), token, now)
            return [f"first start: account {BOOTSTRAP_NAME} has the token of LIGHTBOARD_BOOTSTRAP_TOKEN"]
        key = secrets.token_urlsafe(24)
        settings.put(session, SETUP_KEY, digest_of(key))
    return [f"first start: make the first account at {address}/setup#key={key}"]


def upgraded(database: Database, wanted: HubSettings, source_resolver: SourceResolver) -> list[str]:
    """What is to be said of an upgrade that is completed now; nothing at other starts."""
    with database.write() as session:
        return adopt(session, source_resolver, DefaultAuth(wanted.object_stores), time.time())


def source_resolver_of(wanted: HubSettings, folder: Path, sqlite: str = "") -> SourceResolver:
    """Where logs may lie. `sqlite` is the database file, "" for none. Raises UsageError for an allowed folder that is
    none.
    """
    for root in wanted.allow_roots:
        if not os.path.isdir(root):
            raise UsageError(f"--allow-root {root}: there is no such folder", hint="give a folder that is there")
    private: list[str | Path] = [*data_directory.database_files(sqlite), *wanted.secret_files]
    return SourceResolver(folder, wanted.allow_roots, private=private, default_auth=DefaultAuth(wanted.object_stores))


def listen(wanted: HubSettings) -> socket.socket:
    """The socket. Raises UsageError where the address or port cannot be had."""
    try:
        family, kind, protocol, _, place = socket.getaddrinfo(
            wanted.host.strip("[]"), wanted.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        # The protocol is named because asyncio turns Nagle's delay off only then.
        one = socket.socket(family, kind, protocol or socket.IPPROTO_TCP)
    except OSError as error:
        raise UsageError(f"--host {wanted.host}: {error.strerror}", hint="give an address of this machine") from None
    try:
        one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        one.bind(place)
        one.listen(BACKLOG)
        one.setblocking(False)
    except OSError as error:
        one.close()
        raise UsageError(
            f"cannot listen at {wanted.host} port {wanted.port}: {error.strerror}", hint="--port 0 takes any free one"
        ) from None
    return one


def address_of(wanted: HubSettings, listening: socket.socket) -> str:
    """Where people reach the hub if nothing stands before it, without a slash at the end."""
    host = socket.gethostname() if open_to_all(wanted) else wanted.host.strip("[]")
    shown = f"[{host}]" if ":" in host else host
    return f"http://{shown}:{listening.getsockname()[1]}{wanted.path_prefix}"


def open_to_all(wanted: HubSettings) -> bool:
    """Does it listen at every address of this machine?"""
    return wanted.host.strip("[]") in ("0.0.0.0", "::")  # noqa: S104  # asked for


def allowed_hosts(wanted: HubSettings, listening: socket.socket) -> AllowedHosts:
    """The names this hub answers to: its own, that of its public address, those of boards, and those said.

    The check itself is the one that boards have (`asgi.guard`, `asgi.hosts`); which names are given to it is not. A
    board that listens for others answers to any name: nobody logs in there, and nothing is made of the name. The hub
    makes links of it, share links and ways to log in among them, so a name that is not its own stays refused wherever
    it listens.
    """
    own = [wanted.host, listening.getsockname()[0], urlsplit(wanted.public_url).hostname or ""]
    if open_to_all(wanted):
        own.append(socket.gethostname())
    below = [f".{wanted.domain}"] if wanted.domain else []
    return AllowedHosts([*own, *below, *wanted.allowed_hosts], any_address=open_to_all(wanted))
