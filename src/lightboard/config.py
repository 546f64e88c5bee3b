"""Settings of each process. They are passed down; only `cli` and `notebook` read flags and the environment.

Not here: the flags themselves and how they are parsed (`cli.flags`).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Literal

DEFAULT_PORT = 6006
"""TensorBoard's default port."""

DEFAULT_SCALAR_SAMPLES = 1000
"""TensorBoard's default number of points per series on its routes. Our own API always returns all."""

SAMPLED = ("scalars", "histograms", "images", "audio", "text", "pr_curves", "mesh")
"""Kinds whose values on TensorBoard's routes are limited by `samples`."""

PROXY_URLS = ("LIGHTBOARD_PROXY_URL", "TENSORBOARD_PROXY_URL")
"""Variables with the URL of a notebook's proxy, in which %PORT% stands for a port. The first that is set is used."""

BOARD_TOKEN = "LIGHTBOARD_BOARD_TOKEN"  # noqa: S105  # the name of a variable
"""The variable with the token that a board requires in requests. Notebooks of a hub have it."""


@dataclass(frozen=True, kw_only=True)
class BoardSettings:
    """The settings of a board.

    `port` None means 6006 or a free one near it, 0 any free one. `samples` maps a plugin name to the maximum number
    of values that TensorBoard's routes return for a series, 0 = all. `home` is the user's folder for annotations;
    without it they are kept in memory. `cache` is a folder for what can be made again, "" for none. `console` is
    the relative URL of the page that lists this board among others; "" for a single board. `proxy_hosts` are the
    names of a proxy from the environment, "*" if its name is unknown; unlike `allowed_hosts` they never restrict
    requests. `token` is required in every request, "" for none. `graph_file` is the name of the only file in `logdir`
    that is shown, "" for all. Durations are in seconds.
    """

    logdir: str = ""
    logdir_spec: str = ""
    graph_file: str = ""
    host: str | None = None
    bind_all: bool = False
    port: int | None = None
    reuse_port: bool = False
    path_prefix: str = ""
    window_title: str = ""
    allowed_hosts: tuple[str, ...] = ()
    proxy_hosts: tuple[str, ...] = ()
    token: str = field(default="", repr=False)
    purge_orphaned_data: bool = True
    reload_secs: float = 5.0
    reload_blocking: bool = False
    reload_threads: int | None = None
    follow_links: bool = True
    home: str = ""
    cache: str = ""
    console: str = ""
    samples: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))

    @property
    def location(self) -> str:
        """The logdir as the user wrote it, for display."""
        return self.logdir or self.logdir_spec

    @property
    def scalar_samples(self) -> int:
        """Limit of the points of a scalar series on TensorBoard's routes; 0 = all."""
        return self.samples.get("scalars", DEFAULT_SCALAR_SAMPLES)


DEFAULT_HUB_PORT = 8080
DEFAULT_JOB_PIDS = 4096
DEFAULT_JOB_USERS = range(64_900, 65_500)
DEFAULT_CONTAINER_IMAGES_BYTES = 100 << 30
DEFAULT_MAX_LOGINS = 100


@dataclass(frozen=True, kw_only=True)
class HubSettings:
    """The settings of a hub process.

    `home` is the data folder; `database` "" is an SQLite file in it. `port` 0 is any free one. `allow_roots` are the
    local folders that may contain logs. `public_url` is the URL for users, "" if it is the listening address.
    `job_slots` CPUs of jobs are in use at once, 0 for as many as there are; jobs get what `presets` say (see
    `hub.presets.parse_presets`), with GPUs of `job_gpus` (see `hub.machine.machine_capacity`). `job_limits` says
    what enforces that, and each replica may have `job_pids` processes and threads. `job_isolation` keeps
    them from the rest of the machine, by users and groups whose ids are `job_users` where it is `process`; they may
    read `job_readable`; their programs may come from `images` (see
    `hub.images.parse_images`), or be container images that accounts name, which match `container_images` (see
    `hub.container_pattern.ImagePattern`) and may take `container_images_bytes` of disk together. With `ray_url` they
    run on the Ray cluster whose dashboard is there, with the token of `ray_token_file`, or `ray_token`. Or `trust_jobs`
    lets them run without although there are several
    accounts. `object_stores` is the authentication for buckets without a credential
    (`hub.source_resolver.DefaultAuth`). Boards get
    subdomains of `domain`, if it is set. The forwarding headers of `trusted_proxies` are used. `oidc_group_roles`
    are parsed by `hub.resources.login_rules.parse_group_role`. An account has `max_logins` at once. Secrets are never
    displayed, and boards cannot show `secret_files`, from which they were read.
    """

    home: str
    host: str = "127.0.0.1"
    port: int = DEFAULT_HUB_PORT
    database: str = field(default="", repr=False)
    allow_roots: tuple[str, ...] = ()
    object_stores: str = "nothing"
    workers: int = 1
    job_slots: int = 0
    trust_jobs: bool = False
    job_isolation: Literal["auto", "kernel", "process", "none"] = "auto"
    job_users: range = DEFAULT_JOB_USERS
    job_limits: Literal["auto", "cgroup", "watching"] = "auto"
    job_pids: int = DEFAULT_JOB_PIDS
    job_readable: tuple[str, ...] = ()
    images: tuple[str, ...] = ()
    container_images: tuple[str, ...] = ()
    container_images_bytes: int = DEFAULT_CONTAINER_IMAGES_BYTES
    presets: tuple[str, ...] = ()
    job_gpus: str = "auto"
    ray_url: str = ""
    ray_token: str = field(default="", repr=False)
    ray_token_file: str = ""
    worker_host: str = "127.0.0.1"
    public_url: str = ""
    domain: str = ""
    allowed_hosts: tuple[str, ...] = ()
    trusted_proxies: tuple[str, ...] = ()
    path_prefix: str = ""
    title: str = "Lightboard"
    log_json: bool = False
    oidc_issuer: str = ""
    oidc_client_id: str = ""
    oidc_client_secret: str = field(default="", repr=False)
    secret_files: tuple[str, ...] = ()
    oidc_allowed_domains: tuple[str, ...] = ()
    oidc_allowed_groups: tuple[str, ...] = ()
    oidc_groups_claim: str = "groups"
    oidc_group_roles: tuple[str, ...] = ()
    password_login: bool = True
    max_logins: int = DEFAULT_MAX_LOGINS
    bootstrap_token: str = field(default="", repr=False)
