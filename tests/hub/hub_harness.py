"""A whole hub over a database and a fake launcher, and questions to it in process."""

import asyncio
import contextlib
import io
import pathlib
import threading
from collections.abc import Coroutine
from typing import Any, Self, TypeVar
from urllib.parse import unquote

import httpx
from argon2 import PasswordHasher
from cast import Cast
from starlette.types import ASGIApp, Message, Receive, Send
from starlette.types import Scope as Heard

from lightboard.asgi.hosts import AllowedHosts
from lightboard.config import HubSettings
from lightboard.errors import Conflict
from lightboard.hub import data_directory
from lightboard.hub.access import HUB, Principal
from lightboard.hub.api.app import create_app
from lightboard.hub.api.passwords import Hasher, Passwords
from lightboard.hub.api.signed_tokens import digest_of
from lightboard.hub.db import accounts, settings, tokens
from lightboard.hub.db.engine import Database
from lightboard.hub.launchers.memory import MemoryLauncher
from lightboard.hub.log import Log
from lightboard.hub.real_paths import RealPaths
from lightboard.hub.resources.roles import Scope
from lightboard.hub.resources.tokens import Token
from lightboard.hub.serve import assemble
from lightboard.hub.source_resolver import DefaultAuth, SourceResolver

T = TypeVar("T")
BASE = "http://127.0.0.1:8080"
SCOPES = {"": frozenset(Scope), "read": frozenset({Scope.READ}), "write": frozenset({Scope.READ, Scope.WRITE})}
QUICK = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
PASSWORD = "correct horse battery"


class HubHarness:
    """`ask("GET", "/api/v1/me", "editor")`. People of the cast have tokens; `clock` is moved by hand.

    `reconcile()` makes true what is asked for. `said` is what was written down.
    """

    def __init__(
        self,
        database: Database,
        cast: Cast,
        folder: pathlib.Path,
        hasher: Hasher = QUICK,
        real_paths: RealPaths | None = None,
        **wanted: Any,
    ) -> None:
        self.cast = cast
        self.database = database
        self.now = 2_000.0
        self.launcher = MemoryLauncher()
        self.logs = folder / "logs"
        self.logs.mkdir(exist_ok=True)
        self._written = io.StringIO()
        chosen = HubSettings(**{"home": str(folder), "allow_roots": (str(self.logs), "/logs"), **wanted})
        self.hub, self.reconciler = assemble(
            chosen,
            database,
            self.launcher,
            SourceResolver(
                data_directory.create(str(folder)),
                chosen.allow_roots,
                default_auth=DefaultAuth(chosen.object_stores),
                real_paths=real_paths,
            ),
            b"k" * 32,
            clock=lambda: self.now,
            passwords=Passwords(hasher),
            log=Log(lambda: self.now, stream=self._written),
        )
        self.app = create_app(self.hub, AllowedHosts([".boards.test"] if chosen.domain else []))
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._secrets: dict[str, str] = {}
        for root in chosen.allow_roots if cast.people else ():
            with contextlib.suppress(Conflict):  # another replica has
                cast.bind(root)
        with database.write() as session:
            settings.put(session, settings.LIMIT_SETTING, "1000")

    @property
    def said(self) -> str:
        """Everything that was written down."""
        return self._written.getvalue()

    def token(self, name: str, kind: str = "") -> str:
        """The secret of a token of somebody, with every scope, or `read`, or `write`."""
        secret = f"secret-of-{name}-{kind}"
        if secret not in self._secrets:
            new = Token(id="", account="", name=kind or "all", digest=digest_of(secret), shown="", scopes=SCOPES[kind])
            with self.database.write() as session:
                self._secrets[secret] = tokens.create(session, self.person(name), new, self.now).id
        return secret

    def token_id(self, name: str, kind: str = "") -> str:
        """Its id."""
        return self._secrets[self.token(name, kind)]

    def give_password(self, name: str, password: str = PASSWORD) -> None:
        """Somebody of the cast can log in with it."""
        hashed = self.play(self.hub.passwords.hashed(password, client="test"))
        with self.database.write() as session:
            accounts.change(session, HUB, self.person(name).account, {"password_hash": hashed}, self.now)

    def person(self, name: str) -> Principal:
        """Somebody of the cast."""
        found: Principal = getattr(self.cast, name)
        return found

    def ask(
        self, method: str, path: str, name: str = "", body: Any = None, kind: str = "", **more: Any
    ) -> httpx.Response:
        """An answer to somebody of the cast; "" is nobody. Redirects are not followed."""
        headers = {"Authorization": f"Bearer {self.token(name, kind)}"} if name else {}
        headers |= more.pop("headers", {})
        return self.browser().run(method, path, json=body, headers=headers, **more)

    def scope(self, path: str, name: str) -> Heard:
        """What the app is told of a GET by somebody."""
        headers = [(b"host", b"127.0.0.1:8080"), (b"authorization", f"Bearer {self.token(name)}".encode())]
        return {"type": "http", "method": "GET", "path": unquote(path), "raw_path": path.encode(), "query_string": b"",
                "headers": headers, "client": ("127.0.0.1", 5), "scheme": "http", "server": ("127.0.0.1", 8080),
                "http_version": "1.1", "root_path": ""}  # fmt: skip

    def raw_status(self, path: str, name: str) -> int:
        """The status of an answer to a path that is sent as it is, whatever a client would make of it."""
        sent: list[Message] = []

        async def receive() -> Message:
            return {"type": "http.request", "body": b""}

        async def send(message: Message) -> None:
            sent.append(message)

        self.play(self.app(self.scope(path, name), receive, send))
        return int(sent[0]["status"])

    def browser(self) -> "Browser":
        """Somebody with cookies."""
        return Browser(self)

    def play(self, story: Coroutine[Any, Any, T]) -> T:
        """What a coroutine gives, in the hub's loop."""
        return asyncio.run_coroutine_threadsafe(story, self._loop).result(60)

    def reconcile(self) -> None:
        """Until nothing moves any more."""
        for _ in range(3):
            self.reconciler.step(self.now)

    def running(self, **fields: Any) -> str:
        """The id of a new board of the editor that runs."""
        board = self.cast.board(**fields)
        self.reconcile()
        return board.id

    def listed(self, name: str) -> list[str]:
        """What somebody's list shows."""
        return [item["id"] for item in self.ask("GET", "/api/v1/tensorboards", name).json()["items"]]

    def __enter__(self) -> Self:
        self._thread.start()
        self._loop.call_soon_threadsafe(self.hub.change_notifier.start)
        return self

    def __exit__(self, *_: object) -> None:
        async def end() -> None:
            self.hub.change_notifier.close()
            await self.hub.proxy.close()
            await asyncio.sleep(0)

        self.play(end())
        self.hub.passwords.close()
        self.hub.pool.close(wait=True)  # a thread may still be reading the database
        self.reconciler.close()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(60)
        self._loop.close()


def leaving_streams(app: ASGIApp) -> ASGIApp:
    """The app as seen by somebody who leaves an endless stream after its first words."""

    async def seen(scope: Heard, receive: Receive, send: Send) -> None:
        left, asked, streams = asyncio.Event(), False, False

        async def listen() -> Message:
            nonlocal asked
            if asked:
                await left.wait()
                return {"type": "http.disconnect"}
            message = await receive()
            asked = not message.get("more_body", False)
            return message

        async def tell(message: Message) -> None:
            nonlocal streams
            await send(message)
            if message["type"] == "http.response.start":
                streams = (b"content-type", b"text/event-stream; charset=utf-8") in message["headers"]
            elif streams:
                left.set()

        await app(scope, listen, tell)
        if streams:
            await send({"type": "http.response.body", "body": b"", "more_body": False})

    return seen


class Browser:
    """Keeps cookies between questions; `site` is the address it believes to be at."""

    def __init__(self, asked: HubHarness, base: str = BASE) -> None:
        self._asked = asked
        self.base = base
        self.cookies = httpx.Cookies()
        self.csrf = ""

    def run(self, method: str, path: str, **more: Any) -> httpx.Response:
        """One question."""

        async def exchange() -> httpx.Response:
            transport = httpx.ASGITransport(
                app=leaving_streams(self._asked.app), raise_app_exceptions=False, client=("127.0.0.1", 5)
            )
            async with httpx.AsyncClient(transport=transport, base_url=self.base, cookies=self.cookies) as client:
                answer = await client.request(method, path, **more)
                self.cookies = client.cookies
                return answer

        return self._asked.play(exchange())

    def log_in(self, name: str, password: str) -> httpx.Response:
        """Logs in, and keeps the word that goes with changes."""
        answer = self.run("POST", "/api/v1/login", json={"name": name, "password": password})
        if answer.is_success:
            self.csrf = answer.json()["csrf"]
        return answer

    def change(self, method: str, path: str, body: Any = None, **headers: str) -> httpx.Response:
        """A change as the page makes it."""
        return self.run(method, path, json=body, headers={"X-CSRF-Token": self.csrf, **headers})
