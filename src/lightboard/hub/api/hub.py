"""The services that all handlers of a hub share."""

from collections.abc import Callable
from dataclasses import dataclass

from starlette.requests import HTTPConnection

from lightboard.asgi.thread_pool import AsyncThreadPool
from lightboard.config import HubSettings
from lightboard.hub.api.activity import Activity
from lightboard.hub.api.board_access import BoardAuthorizer
from lightboard.hub.api.change_notifier import ChangeNotifier
from lightboard.hub.api.disk_threads import DiskThreads
from lightboard.hub.api.identity import Identities
from lightboard.hub.api.login_throttle import LoginThrottle
from lightboard.hub.api.passwords import Passwords
from lightboard.hub.api.proxy import Proxy
from lightboard.hub.api.readiness import Readiness
from lightboard.hub.api.signed_tokens import TokenSigner
from lightboard.hub.db.engine import Database
from lightboard.hub.launchers.base import Launcher
from lightboard.hub.log import Log
from lightboard.hub.metrics import Metrics
from lightboard.hub.source_resolver import SourceResolver

KEY = "lightboard.hub"
"""Scope key of the hub."""


@dataclass(kw_only=True)
class Hub:
    """`clock` gives seconds since the epoch; `wake` starts a pass of the reconcile loop early."""

    settings: HubSettings
    database: Database
    launcher: Launcher
    source_resolver: SourceResolver
    token_signer: TokenSigner
    passwords: Passwords
    login_throttle: LoginThrottle
    identities: Identities
    board_authorizer: BoardAuthorizer
    activity: Activity
    change_notifier: ChangeNotifier
    proxy: Proxy
    readiness: Readiness
    pool: AsyncThreadPool
    disks: DiskThreads
    metrics: Metrics
    log: Log
    clock: Callable[[], float]
    wake: Callable[[], None]

    def base(self, request: HTTPConnection) -> str:
        """The base URL of the hub without a trailing slash: from the settings, else from the request."""
        if self.settings.public_url:
            return self.settings.public_url
        return f"{request.url.scheme}://{request.headers.get('host', '')}{self.settings.path_prefix}"

    def https(self, request: HTTPConnection) -> bool:
        """Whether the hub is reached over HTTPS, so that cookies are marked secure."""
        return self.base(request).startswith("https://")


def hub_of(request: HTTPConnection) -> Hub:
    """The hub that a request belongs to."""
    hub: Hub = request.scope[KEY]
    return hub
