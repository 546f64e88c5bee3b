"""A whole hub in process, over a scripted launcher, and requests to it."""

import asyncio
import functools
import io
import pathlib
import threading
from collections.abc import Coroutine
from typing import Any, Self, TypeVar
from urllib.parse import unquote

import httpx
from sqlalchemy import select
from starlette.types import ASGIApp, Message, Receive, Send
from starlette.types import Scope as Heard

from lightboard.asgi.hosts import AllowedHosts
from lightboard.config import HubSettings
from lightboard.hub import data_directory
from lightboard.hub.access import HUB, Principal
from lightboard.hub.api.app import create_app
from lightboard.hub.api.passwords import Hasher, Passwords
from lightboard.hub.api.signed_tokens import digest_of
from lightboard.hub.db import accounts, bindings, settings, tokens
from lightboard.hub.db.engine import Database
from lightboard.hub.db.tables import BindingRow
from lightboard.hub.job_policy import JobPolicy
from lightboard.hub.launchers.memory import MemoryLauncher
from lightboard.hub.log import Log
from lightboard.hub.real_paths import RealPaths
from lightboard.hub.resources.bindings import Binding, BindingKind
from lightboard.hub.resources.roles import Scope
from lightboard.hub.resources.tokens import Token
from lightboard.hub.runners.memory import MemoryRunner
from lightboard.hub.serve import assemble
from lightboard.hub.source_resolver import DefaultAuth, SourceResolver
from support.asgi_client import InProcess
from support.hub_process import FAST_HASHER, PASSWORD
from support.personas import START_TIME, Personas

T = TypeVar("T")
BASE = "http://127.0.0.1:8080"
SCOPES = {"": frozenset(Scope), "read": frozenset({Scope.READ}), "write": frozenset({Scope.READ, Scope.WRITE})}


class HubClient:
    """`request("GET", "/api/v1/me", "editor")` sends a request as one of the personas.

    `now` is the clock; `reconcile()` runs the reconciler; `log_text` is everything logged.
    """

    def __init__(
        self,
        database: Database,
        personas: Personas,
        folder: pathlib.Path,
        hasher: Hasher = FAST_HASHER,
        real_paths: RealPaths | None = None,
        **wanted: Any,
    ) -> None:
        self.personas = personas
        self.database = database
        self.now = 2_000.0
        self.launcher = MemoryLauncher()
        self.runner = MemoryRunner(clock=lambda: self.now)
        self.logs = folder / "logs"
        self.logs.mkdir(exist_ok=True)
        self._written = io.StringIO()
        chosen = HubSettings(**{"home": str(folder), "allow_roots": (str(self.logs), "/logs"), **wanted})
        self.hub, self.reconciler = assemble(
            chosen,
            database,
            self.launcher,
            self.runner,
            JobPolicy(trusted=True),
            SourceResolver(
                data_directory.create(str(folder)),
                chosen.allow_roots,
                default_auth=DefaultAuth(chosen.object_stores),
                real_paths=real_paths,
            ),
            b"k" * 32,
            job_url=BASE,
            clock=lambda: self.now,
            passwords=Passwords(hasher),
            log=Log(lambda: self.now, stream=self._written),
        )
        self.app = create_app(self.hub, AllowedHosts([".boards.test"] if chosen.domain else []))
        self.transport = InProcess(disconnect_from_streams(self.app), client=("127.0.0.1", 5))
        self._loop = asyncio.new_event_loop()
        self._ended = asyncio.Event()
        self._thread = threading.Thread(target=self._run_loop, daemon=True)
        self._secrets: dict[str, str] = {}
        with database.write() as session:
            known = select(BindingRow.value).where(BindingRow.project == personas.vision)
            bound = set(session.scalars(known))  # by another replica
            for root in [each for each in chosen.allow_roots if each not in bound] if personas.people else ():
                new = Binding(id="", project="vision", kind=BindingKind.ROOT, value=root)
                bindings.create(session, personas.admin, new, START_TIME)
            settings.put(session, settings.LIMIT_SETTING, "1000")

    @property
    def log_text(self) -> str:
        """Everything logged so far."""
        return self._written.getvalue()

    def token(self, name: str, kind: str = "") -> str:
        """The secret of a token with every scope, or with kind `read` or `write`."""
        secret = f"secret-of-{name}-{kind}"
        if secret not in self._secrets:
            new = Token(id="", account="", name=kind or "all", digest=digest_of(secret), shown="", scopes=SCOPES[kind])
            with self.database.write() as session:
                self._secrets[secret] = tokens.create(session, self.principal(name), new, self.now).id
        return secret

    def token_id(self, name: str, kind: str = "") -> str:
        """The id of that token."""
        return self._secrets[self.token(name, kind)]

    def set_password(self, name: str, password: str = PASSWORD) -> None:
        """Give an account a password."""
        hashed = self.run(self.hub.auth.passwords.hash(password, client="test"))
        with self.database.write() as session:
            accounts.change(session, HUB, self.principal(name).account, {"password_hash": hashed}, self.now)

    def principal(self, name: str) -> Principal:
        """The principal of a persona."""
        found: Principal = getattr(self.personas, name)
        return found

    def request(
        self, method: str, path: str, name: str = "", body: Any = None, kind: str = "", **more: Any
    ) -> httpx.Response:
        """An answer to somebody of the cast; "" is nobody. Redirects are not followed."""
        headers = {"Authorization": f"Bearer {self.token(name, kind)}"} if name else {}
        headers |= more.pop("headers", {})
        return self.open_session().request(method, path, json=body, headers=headers, **more)

    def scope(self, path: str, name: str) -> Heard:
        """The ASGI scope of a GET request by a persona."""
        headers = [(b"host", b"127.0.0.1:8080"), (b"authorization", f"Bearer {self.token(name)}".encode())]
        return {"type": "http", "method": "GET", "path": unquote(path), "raw_path": path.encode(), "query_string": b"",
                "headers": headers, "client": ("127.0.0.1", 5), "scheme": "http", "server": ("127.0.0.1", 8080),
                "http_version": "1.1", "root_path": ""}  # fmt: skip

    def raw_status(self, path: str, name: str) -> int:
        """The status for a path that is sent without normalization."""
        sent: list[Message] = []

        async def receive() -> Message:
            return {"type": "http.request", "body": b""}

        async def send(message: Message) -> None:
            sent.append(message)

        self.run(self.app(self.scope(path, name), receive, send))
        return int(sent[0]["status"])

    def open_session(self) -> "BrowserSession":
        """A new browser session."""
        return BrowserSession(self)

    def run(self, story: Coroutine[Any, Any, T]) -> T:
        """What a coroutine gives, in the hub's loop."""
        return asyncio.run_coroutine_threadsafe(story, self._loop).result(60)

    def reconcile(self) -> None:
        """Step the reconciler until nothing changes any more."""
        for _ in range(3):
            self.reconciler.step(self.now)

    def create_running_board(self, **fields: Any) -> str:
        """The id of a new running board of the editor."""
        board = self.personas.create_board(**fields)
        self.reconcile()
        return board.id

    def list_board_ids(self, name: str) -> list[str]:
        """Ids of the boards that a persona sees."""
        return [item["id"] for item in self.request("GET", "/api/v1/tensorboards", name).json()["items"]]

    def _run_loop(self) -> None:
        """Not `run_forever`: AnyIO keeps its threads as long as the task that a loop runs for, else for one request."""
        self._loop.run_until_complete(self._ended.wait())

    def __enter__(self) -> Self:
        self._thread.start()
        self._loop.call_soon_threadsafe(self.hub.runtime.change_notifier.start)
        return self

    def __exit__(self, *_: object) -> None:
        async def end() -> None:
            self.hub.runtime.change_notifier.close()
            await self.hub.boards.proxy.close()
            await asyncio.sleep(0)

        self.run(end())
        self.hub.auth.passwords.close()
        self.hub.runtime.pool.close(wait=True)  # a thread may still be reading the database
        self.reconciler.close()
        self.hub.jobs.workloads.close()
        self.hub.jobs.images.builder.close()
        self._loop.call_soon_threadsafe(self._ended.set)
        self._thread.join(60)
        self._loop.close()


def disconnect_from_streams(app: ASGIApp) -> ASGIApp:
    """Wrap the app so that clients disconnect from endless streams after the first chunk."""

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


@functools.cache
def request_maker(base: str) -> httpx.AsyncClient:
    """A client that sends nothing and keeps nothing: making one takes about as long as a request."""
    return httpx.AsyncClient(transport=httpx.MockTransport(lambda _: httpx.Response(500)), base_url=base)


class BrowserSession:
    """Keeps cookies between requests; `base` is the URL it uses."""

    def __init__(self, asked: HubClient, base: str = BASE) -> None:
        self._asked = asked
        self.base = base
        self.cookies = httpx.Cookies()
        self.csrf = ""

    def request(self, method: str, path: str, **more: Any) -> httpx.Response:
        """One question."""
        return self._asked.run(self.ask(method, path, **more))

    async def ask(self, method: str, path: str, **more: Any) -> httpx.Response:
        """The same, in the hub's loop."""
        request = request_maker(self.base).build_request(method, path, cookies=self.cookies, **more)
        answer = await self._asked.transport.handle_async_request(request)
        await answer.aread()
        self.cookies.extract_cookies(answer)
        return answer

    def log_in(self, name: str, password: str) -> httpx.Response:
        """Log in and store the CSRF token."""
        answer = self.request("POST", "/api/v1/login", json={"name": name, "password": password})
        if answer.is_success:
            self.csrf = answer.json()["csrf"]
        return answer

    def send_change(self, method: str, path: str, body: Any = None, **headers: str) -> httpx.Response:
        """A request with the CSRF token, as the page sends it."""
        return self.request(method, path, json=body, headers={"X-CSRF-Token": self.csrf, **headers})
