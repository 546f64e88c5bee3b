"""Starts one hub: data directory, key, database, launcher, reconcile loop, and finally the HTTP server.

The port is opened first, so that a port in use is reported at once. Then the database is migrated. Only then does
anything start.
"""

import contextlib
import logging
import os
import secrets
import socket
import sys
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
from lightboard.errors import LaunchError, UsageError
from lightboard.hub import data_directory
from lightboard.hub.adoption import adopt
from lightboard.hub.api.activity import Activity
from lightboard.hub.api.app import create_app
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
from lightboard.hub.api.services import Auth, Boards, Hub, Jobs, Monitoring, Runtime
from lightboard.hub.api.sessions import SETUP_KEY, create_first_account
from lightboard.hub.api.signed_tokens import TokenSigner, digest_of
from lightboard.hub.api.tokens import SHOWN
from lightboard.hub.attempt_recorder import AttemptRecorder
from lightboard.hub.container_pattern import parse_patterns
from lightboard.hub.db import accounts, settings, tokens
from lightboard.hub.db.engine import Database, open_database
from lightboard.hub.db.retry import retry_until_available
from lightboard.hub.environment_builder import EnvironmentBuilder
from lightboard.hub.images import Images, parse_images, sources_of
from lightboard.hub.job_host import claim_jobs, lock_jobs
from lightboard.hub.job_policy import JobPolicy
from lightboard.hub.job_reconcile import JobReconciler
from lightboard.hub.job_scalars import ScalarCollector
from lightboard.hub.job_users import JobUsers
from lightboard.hub.launchers.base import Launcher
from lightboard.hub.launchers.local import LocalLauncher
from lightboard.hub.log import Log, log_status_changes
from lightboard.hub.machine import cluster_capacity, machine_capacity, plain_capacity
from lightboard.hub.metrics import Metrics
from lightboard.hub.notebook_activity import read_activity
from lightboard.hub.notebook_idleness import NotebookIdleness
from lightboard.hub.notebook_server import NotebookServers
from lightboard.hub.presets import parse_presets
from lightboard.hub.reconcile import Reconciler
from lightboard.hub.resources.accounts import Account
from lightboard.hub.resources.jobs import server_path
from lightboard.hub.resources.presets import Capacity
from lightboard.hub.resources.replicas import Isolation
from lightboard.hub.resources.roles import Scope
from lightboard.hub.resources.tokens import Token
from lightboard.hub.runners.base import Runner
from lightboard.hub.runners.control_groups import ControlGroups, find_control_groups
from lightboard.hub.runners.local import LocalRunner
from lightboard.hub.runners.ray import RayRunner
from lightboard.hub.runners.ray_jobs import RayJobs
from lightboard.hub.runners.sandbox import find_sandbox
from lightboard.hub.runners.system_users import find_system_users, is_taken
from lightboard.hub.secret_box import SecretBox
from lightboard.hub.source_archives import SourceArchives
from lightboard.hub.source_resolver import DefaultAuth, SourceResolver
from lightboard.hub.workloads import Workloads
from lightboard.types import UNREACHABLE

KEY_SETTING = "key"
KEY_BYTES = 32
THREADS = 8
"""For database work of the event loop."""
BACKLOG = 512
SHORTEST_TOKEN = 20
BOOTSTRAP_NAME = "admin"
USERS_HINT = "run the hub as root, with programs and a data folder that other users of the machine may reach"

Say = Callable[[str], None]


def serve(wanted: HubSettings, say: Say) -> None:
    """Serves until a signal arrives.

    Raises:
        UsageError: the port, the folder or a setting cannot be used, or another hub is running; nothing was started.
        DatabaseError: the database cannot be used by this program. An unavailable one is waited for.
    """
    os.umask(data_directory.OTHERS)  # for workers too, so that file modes do not depend on the caller's umask
    folder = data_directory.create(wanted.home)
    database = open_database(wanted.database or f"sqlite:///{folder / data_directory.DATABASE}")
    with (
        data_directory.opened(folder, database.file),
        contextlib.closing(listen(wanted)) as listening,
        contextlib.ExitStack() as held,
    ):
        source_resolver = build_source_resolver(wanted, folder, database.file)
        retry_until_available(database.migrate, say)
        key = retry_until_available(lambda: key_of(database, folder), say)
        address = f"{wanted.public_url or address_of(wanted, listening)}"
        lines = [
            f"Lightboard hub {__version__} at {address}/ (Ctrl+C to quit)",
            *retry_until_available(lambda: first_start(database, wanted, address), say),
            *retry_until_available(lambda: complete_upgrade(database, wanted, source_resolver), say),
        ]
        launcher = LocalLauncher(folder, key, wanted.workers, wanted.worker_host)
        unavailable = no_runner(database, folder, held, say)
        runner = build_ray_runner(wanted, folder, say) if wanted.ray_url else build_runner(wanted, folder, unavailable)
        policy = build_policy(wanted, runner, unavailable)
        hub, reconciler = assemble(
            wanted, database, launcher, runner, policy, source_resolver, key, job_url=job_url(wanted, listening)
        )
        app = create_app(hub, allowed_hosts(wanted, listening))
        service = HubService(hub, reconciler, lambda: say_all(say, lines))
        try:
            serve_app(app, service, [listening], trusted_proxies=wanted.trusted_proxies, websockets=True)
        finally:
            service.leave()
            launcher.close()
            runner.close()
            database.close()


def assemble(
    wanted: HubSettings,
    database: Database,
    launcher: Launcher,
    runner: Runner,
    policy: JobPolicy,
    source_resolver: SourceResolver,
    key: bytes,
    *,
    job_url: str = "",
    clock: Callable[[], float] = time.time,
    passwords: Passwords | None = None,
    log: Log | None = None,
) -> tuple[Hub, Reconciler]:
    """A hub and its reconcile loop, neither of them started. `job_url` is where jobs reach it, "" if they do not."""
    pool = AsyncThreadPool(THREADS)
    identities = Identities(database, clock)
    token_signer = TokenSigner(key, clock)
    authorizer = BoardAuthorizer(database, identities, token_signer, clock)
    server_authorizer = ServerAuthorizer(database, identities, token_signer)
    job_tokens = JobTokens(database, token_signer, job_url)
    log = log or Log(clock, as_json=wanted.log_json)

    def clear_caches() -> None:
        identities.clear_cache()
        authorizer.clear_cache()
        server_authorizer.clear_cache()
        job_tokens.clear_cache()

    database.listeners += [
        identities.on_commit, authorizer.on_commit, server_authorizer.on_commit, job_tokens.on_commit,
        partial(log_status_changes, log),
    ]  # fmt: skip
    reconciler = Reconciler(database, launcher, source_resolver.board_spec, clock)
    source_archives = SourceArchives(source_resolver.folder / data_directory.SOURCE_CODE)
    by_name = parse_images(wanted.images)
    builder = EnvironmentBuilder(
        source_resolver.folder / data_directory.ENVIRONMENTS, sources_of(by_name), on_change=reconciler.wake,
        limit_bytes=wanted.container_images_bytes,
    )  # fmt: skip
    if policy.unavailable:
        builder.fail(f"this hub runs no jobs: {policy.unavailable}")
    if runner.capabilities().isolation is not Isolation.KERNEL:
        builder.fail_containers(f"containers need the sandbox of jobs: {runner.capabilities().isolation_problem}")
    images = Images(by_name, builder, parse_patterns(wanted.container_images))
    notebooks = NotebookServers(
        base_path=lambda job: "/" if wanted.domain else wanted.path_prefix + server_path(job.kind, job.id),
        isolation=runner.capabilities().isolation,
        token=lambda job: token_signer.code("notebook", f"{job.id} {job.attempt}"),
    )
    secret_box = SecretBox(key)
    workloads = Workloads(
        database, source_resolver, source_archives, images, notebooks, AttemptRecorder(database, clock),
        job_tokens.variables, secret_box, source_resolver.folder, other_user=runner.capabilities().other_user,
        job_user=JobUsers(database, wanted.job_users, is_taken).of
        if runner.capabilities().isolation is Isolation.PROCESS
        else None,
    )  # fmt: skip
    builder.remove_when_full(workloads.used_images)
    presets = parse_presets(wanted.presets)
    capacity = build_capacity(wanted)
    runner.on_change = reconciler.wake
    idleness = NotebookIdleness(
        database, runner.name, partial(read_activity, runner, notebooks), clock, wake=reconciler.wake
    )
    if not policy.unavailable:  # another hub may run the jobs of the database
        reconciler.kinds += [
            JobReconciler(database, runner, workloads, capacity, policy, clock, wake=reconciler.wake, images=images),
            idleness,
        ]
    hub = Hub(
        settings=wanted,
        auth=Auth(
            identities=identities,
            passwords=passwords or Passwords(),
            login_throttle=LoginThrottle(clock),
            token_signer=token_signer,
            job_tokens=job_tokens,
            cookies=Cookies(wanted, token_signer, clock),
        ),
        boards=Boards(
            launcher=launcher,
            source_resolver=source_resolver,
            authorizer=authorizer,
            proxy=Proxy(),
            disks=DiskCalls(),
            wake=reconciler.wake,
        ),
        jobs=Jobs(
            runner=runner,
            workloads=workloads,
            notebooks=notebooks,
            authorizer=server_authorizer,
            source_archives=source_archives,
            policy=policy,
            images=images,
            presets=presets,
            capacity=capacity,
            scalars=ScalarCollector(database, workloads.log_folder, source_resolver.hidden_paths, clock=clock),
            idleness=idleness,
            secret_box=secret_box,
            log_streams=ConnectionLimit("follow logs of", most_of_account=20, most_of_hub=200),
            wake=reconciler.wake,
        ),
        runtime=Runtime(
            database=database,
            pool=pool,
            change_notifier=ChangeNotifier(database, pool, clock, clear_caches),
            activity=Activity(database, pool),
            clock=clock,
        ),
        monitoring=Monitoring(
            log=log,
            metrics=Metrics(),
            readiness=Readiness(database, launcher, source_resolver.folder, clock),
        ),
    )
    return hub, reconciler


def build_runner(wanted: HubSettings, folder: Path, unavailable: str = "") -> LocalRunner:
    """The runner of the settings, which has no sandbox and no control groups if jobs are `unavailable`.

    Raises UsageError if it has none but should, or a folder does not exist.
    """
    readable = tuple(os.path.realpath(path) for path in wanted.job_readable)
    for path in readable:
        if not os.path.isdir(path):
            raise UsageError(f"--job-readable {path}: there is no such folder", hint="give an existing folder")
    root = folder / data_directory.RUNNER
    if unavailable:
        return LocalRunner(root, sandbox_problem=unavailable)
    control_groups = build_control_groups(wanted)
    if wanted.job_isolation in ("none", "process"):
        sandbox, problem = None, f"it was started with --job-isolation {wanted.job_isolation}"
    else:
        sandbox, problem = find_sandbox(folder / data_directory.SANDBOX, readable, wanted.job_pids)
    if sandbox is None and wanted.job_isolation == "kernel":
        raise UsageError(f"--job-isolation kernel: {problem}", hint="install bubblewrap, and allow user namespaces")
    if sandbox is not None or wanted.job_isolation == "none":
        return LocalRunner(root, sandbox=sandbox, sandbox_problem=problem, control_groups=control_groups)
    users, why_no_users = find_system_users(wanted.job_users, folder, wanted.job_pids)
    if users is None and wanted.job_isolation == "process":
        raise UsageError(f"--job-isolation process: {why_no_users}", hint=USERS_HINT)
    problem = problem if users else f"{problem}; and {why_no_users}"
    return LocalRunner(root, sandbox_problem=problem, control_groups=control_groups, users=users)


def build_control_groups(wanted: HubSettings) -> ControlGroups | None:
    """The control groups of the settings, None if jobs are watched. Raises UsageError if there are none but should."""
    if wanted.job_limits == "watching":
        return None
    required = wanted.job_limits == "cgroup"
    found, problem = find_control_groups(wanted.job_pids, required=required)
    if found is None and required:
        raise UsageError(
            f"--job-limits cgroup: {problem}",
            hint="let the hub have a control group, for example by Delegate= of systemd",
        )
    return found


def build_ray_runner(wanted: HubSettings, folder: Path, say: Say) -> RayRunner:
    """The runner of a Ray cluster. One that does not respond now may do so later.

    Raises UsageError if it refuses the token, or is no Ray.
    """
    jobs = RayJobs(wanted.ray_url, lambda: ray_token(wanted))
    ray_token(wanted)
    try:
        jobs.version()
    except LaunchError as error:
        if error.reason != UNREACHABLE:
            raise UsageError(f"--ray-url {wanted.ray_url}: {error.message}", hint=error.hint) from None
        say(f"--ray-url {wanted.ray_url}: {error.message}; jobs wait until it does")
    return RayRunner(folder / data_directory.RUNNER, jobs)


def ray_token(wanted: HubSettings) -> str:
    """The token of the Ray cluster, "" for none. Its file is read anew each time, since tokens expire.

    Raises UsageError if it cannot be read.
    """
    if not wanted.ray_token_file:
        return wanted.ray_token
    try:
        return Path(wanted.ray_token_file).read_text().strip()
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(
            f"--ray-token-file {wanted.ray_token_file} cannot be read: {error}", hint="use a file with one line"
        ) from None


def build_policy(wanted: HubSettings, runner: Runner, unavailable: str) -> JobPolicy:
    """The policy of the settings."""
    able = runner.capabilities()
    return JobPolicy(unavailable, wanted.trust_jobs, able.isolation, able.isolation_problem, able.limits, able.place)


def build_capacity(wanted: HubSettings) -> Capacity:
    """What jobs share. Raises UsageError."""
    slots = wanted.job_slots
    if wanted.ray_url:
        return cluster_capacity(slots)
    return machine_capacity(slots, wanted.job_gpus) if wanted.presets else plain_capacity(slots)


def no_runner(database: Database, folder: Path, held: contextlib.ExitStack, say: Say) -> str:
    """Why this hub runs no jobs, "" if it does until `held` is closed: others may share its PostgreSQL database."""
    if sys.platform != "linux":
        return "they run on Linux only"
    if not database.postgresql:
        return ""
    return lock_jobs(folder, held) or retry_until_available(lambda: claim_jobs(database, folder), say)


class HubService:
    """See `asgi.server.Service`."""

    def __init__(self, hub: Hub, reconciler: Reconciler, announce: Callable[[], None]) -> None:
        self.hub = hub
        self.reconciler = reconciler
        self.announce = announce

    def begin(self, stop: Callable[[], None]) -> None:  # noqa: ARG002  # signals end a hub
        """Starts background work."""
        logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL)  # errors are in our own log
        self.hub.runtime.change_notifier.start()
        self.hub.runtime.activity.start()
        if not self.hub.jobs.policy.unavailable:
            self.hub.jobs.scalars.start()
        self.hub.jobs.images.builder.start()
        threading.Thread(target=self.reconciler.run, name="reconcile", daemon=True).start()
        self.announce()

    def close(self) -> None:
        """Ends streams."""
        self.hub.runtime.change_notifier.close()
        self.hub.runtime.activity.close()

    def end(self) -> None:
        """See Service."""

    def leave(self) -> None:
        """Called after the last response. Completes background work."""
        self.reconciler.close()
        self.hub.jobs.workloads.close()
        self.hub.jobs.scalars.close()
        self.hub.jobs.images.builder.close()
        self.hub.runtime.activity.flush()
        self.hub.auth.passwords.close()
        self.hub.runtime.pool.close()


def say_all(say: Say, lines: list[str]) -> None:
    """Prints all lines."""
    for line in lines:
        say(line)


def key_of(database: Database, folder: Path) -> bytes:
    """The signing key: created once and stored in a file, or with PostgreSQL in the database that replicas share."""
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
        raise UsageError(
            f"{file} does not contain a key",
            hint="restore it, or remove it, which invalidates all links, cookies and secrets",
        )
    return key


def make_key(file: Path) -> None:
    """Writes a new key to a temporary file and renames it. An existing key is kept.

    Raises UsageError if that is not possible.
    """
    temporary = file.with_name(f"key.{secrets.token_hex(8)}")
    try:
        with os.fdopen(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as opened:
            opened.write(secrets.token_hex(KEY_BYTES))
            opened.flush()
            os.fsync(opened.fileno())
        put_once(temporary, file)
    except OSError as error:
        raise UsageError(
            f"the hub cannot store its key in {file}: {error.strerror}",
            hint="check that the disk is not full and the folder is writable",
        ) from None
    finally:
        temporary.unlink(missing_ok=True)


def put_once(temporary: Path, file: Path) -> None:
    """Renames a complete file, unless the target exists. Raises OSError."""
    try:
        os.link(temporary, file)
    except FileExistsError:
        return
    except OSError:  # a file system without links
        os.replace(temporary, file)


def first_start(database: Database, wanted: HubSettings, address: str) -> list[str]:
    """Messages for the first start: the setup link, unless automation has provided a token."""
    now = time.time()
    with database.write() as session:
        if not accounts.is_first(session):
            return []
        if wanted.bootstrap_token:
            if len(wanted.bootstrap_token) < SHORTEST_TOKEN:
                raise UsageError(
                    f"LIGHTBOARD_BOOTSTRAP_TOKEN is shorter than {SHORTEST_TOKEN} characters",
                    hint="create one: python3 -c 'import secrets; print(secrets.token_urlsafe(32))'",
                )
            account = create_first_account(
                session, Account(id="", name=BOOTSTRAP_NAME, display_name="Administrator"), now
            )
            token = Token(
                id="",
                account=account.id,
                name="bootstrap",
                digest=digest_of(wanted.bootstrap_token),
                shown=wanted.bootstrap_token[: SHOWN // 2],
                scopes=frozenset(Scope),
            )
            tokens.create(session, accounts.principal_of(session, account), token, now)
            return [f"first start: account {BOOTSTRAP_NAME} has the token of LIGHTBOARD_BOOTSTRAP_TOKEN"]
        key = secrets.token_urlsafe(24)
        settings.put(session, SETUP_KEY, digest_of(key))
    return [f"first start: create the first account at {address}/setup#key={key}"]


def complete_upgrade(database: Database, wanted: HubSettings, source_resolver: SourceResolver) -> list[str]:
    """Messages about an upgrade that is completed now; none at other starts."""
    with database.write() as session:
        return adopt(session, source_resolver, DefaultAuth(wanted.object_stores), time.time())


def build_source_resolver(wanted: HubSettings, folder: Path, sqlite: str = "") -> SourceResolver:
    """The source resolver of the settings. `sqlite` is the database file, "" for none.

    Raises UsageError if an allowed root is not a folder.
    """
    for root in wanted.allow_roots:
        if not os.path.isdir(root):
            raise UsageError(f"--allow-root {root}: there is no such folder", hint="give an existing folder")
    private: list[str | Path] = [*data_directory.database_files(sqlite), *wanted.secret_files]
    return SourceResolver(folder, wanted.allow_roots, private=private, default_auth=DefaultAuth(wanted.object_stores))


def listen(wanted: HubSettings) -> socket.socket:
    """A listening socket. Raises UsageError if the address or port cannot be used."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            wanted.host.strip("[]"), wanted.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        # asyncio disables Nagle's algorithm only if the protocol is given.
        listening = socket.socket(family, kind, protocol or socket.IPPROTO_TCP)
    except OSError as error:
        raise UsageError(f"--host {wanted.host}: {error.strerror}", hint="use an address of this machine") from None
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(address)
        listening.listen(BACKLOG)
        listening.setblocking(False)
    except OSError as error:
        listening.close()
        raise UsageError(
            f"cannot listen at {wanted.host} port {wanted.port}: {error.strerror}",
            hint="use --port 0 for any free port",
        ) from None
    return listening


def address_of(wanted: HubSettings, listening: socket.socket) -> str:
    """The base URL of the hub if no proxy is in front of it, without a trailing slash."""
    return address_at(socket.gethostname() if listens_on_all_addresses(wanted) else wanted.host, wanted, listening)


def job_url(wanted: HubSettings, listening: socket.socket) -> str:
    """The base URL of the hub for its jobs: they run on this machine, or on a cluster that needs a public one."""
    if wanted.ray_url:
        return wanted.public_url
    loopback = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104  # asked for
    host = wanted.host.strip("[]")
    return address_at(loopback.get(host, host), wanted, listening)


def address_at(host: str, wanted: HubSettings, listening: socket.socket) -> str:
    """The base URL of the hub at one of its host names or addresses."""
    bare = host.strip("[]")
    shown = f"[{bare}]" if ":" in bare else bare
    return f"http://{shown}:{listening.getsockname()[1]}{wanted.path_prefix}"


def listens_on_all_addresses(wanted: HubSettings) -> bool:
    """Whether the hub listens on all addresses of this machine."""
    return wanted.host.strip("[]") in ("0.0.0.0", "::")  # noqa: S104  # asked for


def allowed_hosts(wanted: HubSettings, listening: socket.socket) -> AllowedHosts:
    """The host names that this hub responds to: its own, its public URL's, those of boards, and configured ones.

    A board that listens on all addresses responds to any host name, because it has no logins and does not use the name.
    The hub does use it, in share links and login redirects, so it rejects unknown names in any case.
    """
    own = [wanted.host, listening.getsockname()[0], urlsplit(wanted.public_url).hostname or ""]
    if listens_on_all_addresses(wanted):
        own.append(socket.gethostname())
    below = [f".{wanted.domain}"] if wanted.domain else []
    return AllowedHosts([*own, *below, *wanted.allowed_hosts], any_address=listens_on_all_addresses(wanted))
