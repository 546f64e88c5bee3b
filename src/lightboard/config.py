"""Settings of each process, read once and then passed down; nothing below `cli` reads flags or the environment.

Not here: the flags themselves and how they are parsed (`cli.flags`).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

DEFAULT_PORT = 6006
"""TensorBoard's port, which people have in their fingers and tunnels."""

DEFAULT_SCALAR_SAMPLES = 1000
"""Points a series on TensorBoard's own routes when nothing else is asked; our own API always has all."""

SAMPLED = ("scalars", "histograms", "images", "audio", "text", "pr_curves", "mesh")
"""Kinds of which TensorBoard's own routes send so many values of a series as `samples` says."""


@dataclass(frozen=True, kw_only=True)
class BoardSettings:
    """What one board process was asked to do.

    `port` None means "6006 or a free one near it", 0 means any free one. `samples` maps a plugin name to the most
    points that TensorBoard's routes send for one series, 0 = all. `home` is the user's own folder, which keeps what
    they add to runs; "" keeps it nowhere. `console` is the page that lists this board among others, relative to its
    own; "" for a board on its own. `proxy_hosts` are the names of a proxy by the environment, "*" where it says that
    there is one but not its name; unlike `allowed_hosts` they never narrow what is answered. Durations are in seconds.
    """

    logdir: str = ""
    logdir_spec: str = ""
    host: str | None = None
    bind_all: bool = False
    port: int | None = None
    reuse_port: bool = False
    path_prefix: str = ""
    window_title: str = ""
    allowed_hosts: tuple[str, ...] = ()
    proxy_hosts: tuple[str, ...] = ()
    purge_orphaned_data: bool = True
    reload_secs: float = 5.0
    reload_blocking: bool = False
    reload_threads: int | None = None
    follow_links: bool = True
    home: str = ""
    console: str = ""
    samples: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))

    @property
    def location(self) -> str:
        """The logdir as the user wrote it, for people to read."""
        return self.logdir or self.logdir_spec

    @property
    def scalar_samples(self) -> int:
        """Most points of one scalar series on TensorBoard's routes; 0 = all."""
        return self.samples.get("scalars", DEFAULT_SCALAR_SAMPLES)


DEFAULT_HUB_PORT = 8080


@dataclass(frozen=True, kw_only=True)
class HubSettings:
    """What one hub process was asked to do.

    `home` is the folder that keeps everything but the logs; `database` "" is an SQLite file in it. `port` 0 is any free
    one. `allow_roots` are the local folders that may hold logs. `public_url` is how people reach the hub, "" where that
    is the address it listens at; `object_stores` says how addresses without a credential of their own are asked
    (`hub.source_resolver.DefaultAuth`); `domain` is below what boards have host names of their own, "" gives them none.
    `trusted_proxies` are addresses whose word about the client is taken. `oidc_group_roles` are as
    `hub.resources.outside_roles.parse_grant` reads them. Secrets are never shown, and no board shows `secret_files`,
    from which they were read.
    """

    home: str
    host: str = "127.0.0.1"
    port: int = DEFAULT_HUB_PORT
    database: str = field(default="", repr=False)
    allow_roots: tuple[str, ...] = ()
    object_stores: str = "nothing"
    workers: int = 1
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
    bootstrap_token: str = field(default="", repr=False)
