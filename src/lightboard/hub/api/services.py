"""The services of one hub in groups, and the dependencies by which handlers receive the groups they use."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends
from starlette.requests import Request

from lightboard.asgi.thread_pool import AsyncThreadPool
from lightboard.config import HubSettings
from lightboard.hub.api.activity import Activity
from lightboard.hub.api.board_access import BoardAuthorizer
from lightboard.hub.api.change_notifier import ChangeNotifier
from lightboard.hub.api.connection_limit import ConnectionLimit
from lightboard.hub.api.cookies import Cookies
from lightboard.hub.api.disk_calls import DiskCalls
from lightboard.hub.api.identity import Identities
from lightboard.hub.api.job_tokens import JobTokens
from lightboard.hub.api.login_throttle import LoginThrottle
from lightboard.hub.api.passwords import Passwords
from lightboard.hub.api.proxy import Proxy
from lightboard.hub.api.readiness import Readiness
from lightboard.hub.api.server_access import ServerAuthorizer
from lightboard.hub.api.signed_tokens import TokenSigner
from lightboard.hub.db.engine import Database
from lightboard.hub.images import Images
from lightboard.hub.job_policy import JobPolicy
from lightboard.hub.job_scalars import ScalarCollector
from lightboard.hub.launchers.base import Launcher
from lightboard.hub.log import Log
from lightboard.hub.metrics import Metrics
from lightboard.hub.notebook_idleness import NotebookIdleness
from lightboard.hub.notebook_server import NotebookServers
from lightboard.hub.presets import Presets
from lightboard.hub.resources.presets import Capacity
from lightboard.hub.runners.base import Runner
from lightboard.hub.secret_box import SecretBox
from lightboard.hub.source_archives import SourceArchives
from lightboard.hub.source_resolver import SourceResolver
from lightboard.hub.workloads import Workloads

HUB_KEY = "lightboard.hub"
"""Scope key of the hub. All hubs of a process share one FastAPI application."""


@dataclass(frozen=True, kw_only=True)
class Auth:
    """Logins, tokens and cookies."""

    identities: Identities
    passwords: Passwords
    login_throttle: LoginThrottle
    token_signer: TokenSigner
    job_tokens: JobTokens
    cookies: Cookies


@dataclass(frozen=True, kw_only=True)
class Boards:
    """Where boards run and what they may read. `wake` starts a pass of the reconcile loop early."""

    launcher: Launcher
    source_resolver: SourceResolver
    authorizer: BoardAuthorizer
    proxy: Proxy
    disks: DiskCalls
    wake: Callable[[], None]


@dataclass(frozen=True, kw_only=True)
class Jobs:
    """Where jobs run, what they run and get, and whether they may. `wake` starts a pass of the reconcile loop early."""

    runner: Runner
    workloads: Workloads
    notebooks: NotebookServers
    authorizer: ServerAuthorizer
    source_archives: SourceArchives
    policy: JobPolicy
    images: Images
    presets: Presets
    capacity: Capacity
    scalars: ScalarCollector
    idleness: NotebookIdleness
    secret_box: SecretBox
    log_streams: ConnectionLimit
    wake: Callable[[], None]


@dataclass(frozen=True, kw_only=True)
class Runtime:
    """The database, threads and time. `clock` gives seconds since the epoch."""

    database: Database
    pool: AsyncThreadPool
    change_notifier: ChangeNotifier
    activity: Activity
    clock: Callable[[], float]


@dataclass(frozen=True, kw_only=True)
class Monitoring:
    """What operators see of the hub."""

    log: Log
    metrics: Metrics
    readiness: Readiness


@dataclass(frozen=True, kw_only=True)
class Hub:
    """One hub. Only its assembly and the dependencies below use all of it."""

    settings: HubSettings
    auth: Auth
    boards: Boards
    jobs: Jobs
    runtime: Runtime
    monitoring: Monitoring


# Coroutines, because FastAPI runs plain functions in a thread.


async def settings_of(request: Request) -> HubSettings:
    """The settings of the hub that a request is for."""
    hub: Hub = request.scope[HUB_KEY]
    return hub.settings


async def auth_of(request: Request) -> Auth:
    """The group `Auth` of the hub that a request is for."""
    hub: Hub = request.scope[HUB_KEY]
    return hub.auth


async def boards_of(request: Request) -> Boards:
    """The group `Boards` of the hub that a request is for."""
    hub: Hub = request.scope[HUB_KEY]
    return hub.boards


async def jobs_of(request: Request) -> Jobs:
    """The group `Jobs` of the hub that a request is for."""
    hub: Hub = request.scope[HUB_KEY]
    return hub.jobs


async def runtime_of(request: Request) -> Runtime:
    """The group `Runtime` of the hub that a request is for."""
    hub: Hub = request.scope[HUB_KEY]
    return hub.runtime


async def monitoring_of(request: Request) -> Monitoring:
    """The group `Monitoring` of the hub that a request is for."""
    hub: Hub = request.scope[HUB_KEY]
    return hub.monitoring


SettingsDep = Annotated[HubSettings, Depends(settings_of)]
AuthDep = Annotated[Auth, Depends(auth_of)]
BoardsDep = Annotated[Boards, Depends(boards_of)]
JobsDep = Annotated[Jobs, Depends(jobs_of)]
RuntimeDep = Annotated[Runtime, Depends(runtime_of)]
MonitoringDep = Annotated[Monitoring, Depends(monitoring_of)]
