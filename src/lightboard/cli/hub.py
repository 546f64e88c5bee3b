"""`lightboard hub`: builds the settings from flags and environment, and starts the hub."""

import argparse
import gc
import importlib.util
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from urllib.parse import urlsplit

from lightboard.cli.flags import Parser
from lightboard.cli.output import say, show
from lightboard.config import (
    DEFAULT_CONTAINER_IMAGES_BYTES,
    DEFAULT_HUB_PORT,
    DEFAULT_JOB_PIDS,
    DEFAULT_JOB_USERS,
    DEFAULT_MAX_LOGINS,
    HubSettings,
)
from lightboard.errors import UsageError
from lightboard.home import own_folder
from lightboard.hub.resources.login_rules import parse_group_role
from lightboard.memory_sizes import memory_bytes, memory_text

NEEDED = ("fastapi", "sqlalchemy", "alembic", "argon2", "itsdangerous", "aiohttp", "prometheus_client")
"""The packages that `lightboard[hub]` installs."""
MIN_JOB_PIDS, MAX_JOB_PIDS = 16, 1 << 22
"""A sandbox, a shell and what it starts; and as many as the kernel can have."""
MIN_JOB_USERS, MIN_JOB_USER, MAX_JOB_USER = 3, 1000, (1 << 31) - 1
"""One for all jobs, an account and a project; above those of the system, as far as all programs can count."""
STORES = ("nothing", "anonymous", "environment")


def run(words: Sequence[str]) -> int:
    """Serve until interrupted. Raises UsageError before anything is started."""
    args = parser().parse_args(list(words))
    if args.help:
        show(parser().format_help().rstrip())
        return 0
    need_packages()
    settings = settings_of(args, os.environ)
    if args.recover:
        from lightboard.hub.recovery import recovery_link

        show(recovery_link(settings, args.recover))
        return 0
    gc.disable()  # importing modules creates no garbage, and collecting takes a tenth of the start
    from lightboard.hub.serve import serve

    serve(settings, say)
    return 0


def need_packages() -> None:
    """Raise UsageError if a package of the extra `hub` is not installed."""
    missing = [name for name in NEEDED if importlib.util.find_spec(name) is None]
    if missing:
        raise UsageError(f"the hub needs {', '.join(missing)}", hint="pip install 'lightboard[hub]'")


def settings_of(args: argparse.Namespace, environ: Mapping[str, str]) -> HubSettings:
    """The settings from flags, or else from the environment. Raises UsageError."""
    if args.workers < 1:
        raise UsageError("--workers must be at least 1", hint="each worker is a process that serves many TensorBoards")
    if args.job_slots is not None and args.job_slots < 1:
        raise UsageError("--job-slots must be at least 1", hint="leave it out for one slot for each processor")
    if not MIN_JOB_PIDS <= args.job_pids <= MAX_JOB_PIDS:
        raise UsageError(
            f"--job-pids must be from {MIN_JOB_PIDS} to {MAX_JOB_PIDS}", hint="each thread of a program counts"
        )
    if args.job_gpus != "auto" and not args.preset:
        raise UsageError("--job-gpus needs --preset", hint="for example --preset gpu-small=cpu:4,memory:16G,gpu:1")
    check_ray(args)
    if args.domain and not (args.public_url or environ.get("LIGHTBOARD_PUBLIC_URL")):
        raise UsageError("--domain needs --public-url", hint="boards redirect users there for the login")
    if args.no_password_login and not args.oidc_issuer:
        raise UsageError(
            "--no-password-login without --oidc-issuer: nobody could log in", hint="configure an external login"
        )
    if args.max_logins < 1:
        raise UsageError("--max-logins must be at least 1", hint="each browser of an account is one login")
    for grant in args.oidc_group_role:
        parse_group_role(grant)
    prefix = args.path_prefix.strip("/")
    return HubSettings(
        home=os.path.abspath(os.path.expanduser(args.home)) if args.home else own_folder(),
        host=args.host,
        port=args.port,
        database=args.database or environ.get("LIGHTBOARD_DATABASE", ""),
        allow_roots=tuple(os.path.abspath(os.path.expanduser(root)) for root in args.allow_root),
        object_stores=args.object_stores,
        workers=args.workers,
        worker_host=args.worker_host,
        job_slots=args.job_slots or 0,
        trust_jobs=args.trust_jobs,
        job_isolation=args.job_isolation,
        job_users=parse_job_users(args.job_users),
        job_limits=args.job_limits,
        job_pids=args.job_pids,
        job_readable=tuple(args.job_readable),
        images=tuple(args.image),
        container_images=tuple(args.container_images),
        container_images_bytes=memory_bytes(args.container_images_size),
        presets=tuple(args.preset),
        job_gpus=args.job_gpus,
        ray_url=http_url("--ray-url", args.ray_url, "http://ray-head:8265"),
        ray_token=environ.get("LIGHTBOARD_RAY_TOKEN", ""),
        ray_token_file=os.path.abspath(os.path.expanduser(args.ray_token_file)) if args.ray_token_file else "",
        public_url=http_url(
            "--public-url",
            args.public_url or environ.get("LIGHTBOARD_PUBLIC_URL", ""),
            "https://lightboard.example.org",
        ),
        domain=args.domain.lower().removeprefix("*.").strip("."),
        allowed_hosts=split_names(args.allowed_hosts),
        trusted_proxies=split_names(args.trusted_proxies),
        path_prefix=f"/{prefix}" if prefix else "",
        title=args.title,
        log_json=args.log == "json",
        oidc_issuer=args.oidc_issuer,
        oidc_client_id=args.oidc_client_id,
        oidc_client_secret=client_secret(args.oidc_client_secret_file, environ),
        secret_files=tuple(filter(None, [args.oidc_client_secret_file, args.ray_token_file])),
        oidc_allowed_domains=tuple(
            domain.lower().removeprefix("@") for domain in split_names(args.oidc_allowed_domains)
        ),
        oidc_allowed_groups=split_names(args.oidc_allowed_groups),
        oidc_groups_claim=args.oidc_groups_claim,
        oidc_group_roles=tuple(args.oidc_group_role),
        password_login=not args.no_password_login,
        max_logins=args.max_logins,
        bootstrap_token=environ.get("LIGHTBOARD_BOOTSTRAP_TOKEN", ""),
    )


def parse_job_users(text: str) -> range:
    """The ids in `FIRST-LAST`, both included. Raises UsageError."""
    first, _, last = text.partition("-")
    if not (first.isascii() and first.isdigit() and last.isascii() and last.isdigit()):
        raise UsageError(f"--job-users {text} is not a range", hint="for example --job-users 200000-200999")
    ids = range(int(first), int(last) + 1)
    if len(ids) < MIN_JOB_USERS or ids[0] < MIN_JOB_USER or ids[-1] > MAX_JOB_USER:
        raise UsageError(
            f"--job-users {text}: at least {MIN_JOB_USERS} ids from {MIN_JOB_USER} to {MAX_JOB_USER} are needed",
            hint="one for all jobs, one for each account and one for each project; never those of other users",
        )
    return ids


def check_ray(args: argparse.Namespace) -> None:
    """Raise UsageError for flags that mean nothing together."""
    if args.ray_token_file and not args.ray_url:
        raise UsageError("--ray-token-file needs --ray-url", hint="for example --ray-url http://ray-head:8265")
    if args.ray_url and args.job_isolation in ("kernel", "process"):
        raise UsageError(
            f"--job-isolation {args.job_isolation} does not work with --ray-url", hint="Ray does not isolate jobs"
        )
    if args.ray_url and args.job_limits == "cgroup":
        raise UsageError("--job-limits cgroup does not work with --ray-url", hint="jobs on Ray are watched")
    if args.ray_url and args.job_gpus != "auto":
        raise UsageError("--job-gpus does not work with --ray-url", hint="Ray knows the GPUs of its nodes")


def http_url(flag: str, url: str, example: str) -> str:
    """The URL of a flag without a trailing slash. Raises UsageError if it is not valid."""
    parts = urlsplit(url)
    if url and (parts.scheme not in ("http", "https") or not parts.hostname or parts.query or parts.fragment):
        raise UsageError(f"{flag} {url} is not a valid URL", hint=f"for example {example}")
    return url.rstrip("/")


def client_secret(file: str, environ: Mapping[str, str]) -> str:
    """The client secret for the external login, from a file or the environment.

    It is never a flag, because other users of the machine could read it. Raises UsageError.
    """
    if not file:
        return environ.get("LIGHTBOARD_OIDC_CLIENT_SECRET", "")
    try:
        return Path(file).read_text().strip()
    except OSError as error:
        raise UsageError(
            f"--oidc-client-secret-file {file}: {error.strerror}", hint="use a file with one line"
        ) from None


def split_names(text: str) -> tuple[str, ...]:
    """Split names at commas."""
    return tuple(word.strip() for word in text.split(",") if word.strip())


def parser() -> argparse.ArgumentParser:
    """All flags of `lightboard hub`."""
    flags = Parser(prog="lightboard hub", usage="lightboard hub [flags]", add_help=False, description=DESCRIPTION)
    flags.add_argument("-h", "--help", action="store_true", help="show this help")
    add = flags.add_argument_group("sources").add_argument
    add("--allow-root", metavar="DIR", action="append", default=[], help="a folder below which logs may be; repeatable")
    add(
        "--object-stores",
        choices=STORES,
        default="nothing",
        help="how to read s3://, gs://, az:// and oss:// URLs without a credential: not at all, unsigned, or with the "
        "keys in the hub's environment (nothing)",
    )
    add = flags.add_argument_group("network").add_argument
    add("--host", metavar="ADDRESS", default="127.0.0.1", help="the address to listen on (127.0.0.1)")
    add(
        "--port",
        metavar="N",
        type=int,
        default=DEFAULT_HUB_PORT,
        help=f"the port to listen on ({DEFAULT_HUB_PORT}); 0 for any free port",
    )
    add("--public-url", metavar="URL", default="", help="the URL of the hub for users, if it is behind a proxy")
    add("--path-prefix", metavar="PATH", default="", help="prefix of all paths, such as /lightboard")
    add("--allowed_hosts", metavar="NAMES", default="", help="more host names to accept, separated by commas")
    add("--trusted-proxies", metavar="ADDRESSES", default="", help="proxies whose X-Forwarded headers are trusted")
    add("--domain", metavar="NAME", default="", help="serve boards at <name>--<owner>.NAME too")
    add = flags.add_argument_group("storage").add_argument
    add("--home", metavar="DIR", default="", help="the data folder (LIGHTBOARD_HOME, or a folder of the user)")
    add(
        "--database",
        metavar="URL",
        default="",
        help="postgresql://... (LIGHTBOARD_DATABASE, or an SQLite file in the data folder)",
    )
    add = flags.add_argument_group("operation").add_argument
    add("--workers", metavar="N", type=int, default=1, help="number of worker processes for boards (1)")
    add(
        "--worker-host",
        metavar="ADDRESS",
        default="127.0.0.1",
        help="the address workers listen on; replicas must reach it (127.0.0.1)",
    )
    add(
        "--job-slots",
        metavar="N",
        type=int,
        help="how many CPUs jobs use at once, at least one for each replica (as many as there are processors)",
    )
    add(
        "--trust-jobs",
        action="store_true",
        help="run jobs without isolation although there are several accounts; they can read all that the hub can",
    )
    add(
        "--job-isolation",
        choices=("auto", "kernel", "process", "none"),
        default="auto",
        help="what isolates jobs: sandboxes (kernel), a system user for each account (process), nothing (none), or the "
        "first of these that works (auto)",
    )
    add(
        "--job-users",
        metavar="FIRST-LAST",
        default=f"{DEFAULT_JOB_USERS[0]}-{DEFAULT_JOB_USERS[-1]}",
        help="the ids of the system users and groups of jobs, which nobody else may have "
        f"({DEFAULT_JOB_USERS[0]}-{DEFAULT_JOB_USERS[-1]})",
    )
    add(
        "--job-limits",
        choices=("auto", "cgroup", "watching"),
        default="auto",
        help="what enforces the limits of jobs: control groups, watching their processes, or groups if possible (auto)",
    )
    add(
        "--job-pids",
        metavar="N",
        type=int,
        default=DEFAULT_JOB_PIDS,
        help=f"how many processes and threads each replica may have, where it is limited ({DEFAULT_JOB_PIDS})",
    )
    add(
        "--job-readable",
        metavar="DIR",
        action="append",
        default=[],
        help="a folder that isolated jobs may read, besides programs and the folders of their project (repeatable)",
    )
    add(
        "--image",
        metavar="NAME=PATH",
        action="append",
        default=[],
        help="an image that jobs can have: a name, and a virtual environment, a requirements list to build one from, "
        "or a container image (repeatable)",
    )
    add(
        "--container-images",
        metavar="PATTERN",
        action="append",
        default=[],
        help="container images that accounts may name for their jobs: docker.io/library/*, for example (repeatable)",
    )
    add(
        "--container-images-size",
        metavar="SIZE",
        default=memory_text(DEFAULT_CONTAINER_IMAGES_BYTES),
        help="how much disk these container images may take together (100G)",
    )
    add(
        "--preset",
        metavar="NAME=cpu:N,memory:SIZE,gpu:N",
        action="append",
        default=[],
        help="what a job can get for each replica, under a name; the first is the default of jobs (repeatable)",
    )
    add("--job-gpus", metavar="IDS", default="auto", help="the GPUs of jobs: 0,1,3, or none (all that are found)")
    add("--ray-url", metavar="URL", default="", help="run jobs on the Ray cluster with this dashboard (here)")
    add(
        "--ray-token-file",
        metavar="FILE",
        default="",
        help="a file with the token of the Ray cluster (LIGHTBOARD_RAY_TOKEN)",
    )
    add("--log", choices=("text", "json"), default="text", help="log format (text)")
    add("--title", metavar="TEXT", default="Lightboard", help="the title of the pages (Lightboard)")
    add = flags.add_argument_group("login").add_argument
    add("--oidc-issuer", metavar="URL", default="", help="the OpenID Connect provider for external login")
    add("--oidc-client-id", metavar="ID", default="", help="the client id of the hub at the provider")
    add(
        "--oidc-client-secret-file",
        metavar="FILE",
        default="",
        help="a file with the client secret (LIGHTBOARD_OIDC_CLIENT_SECRET)",
    )
    add("--oidc-allowed-domains", metavar="NAMES", default="", help="allow only verified emails of these domains")
    add("--oidc-allowed-groups", metavar="NAMES", default="", help="allow only members of one of these groups")
    add("--oidc-groups-claim", metavar="NAME", default="groups", help="the claim that contains the groups (groups)")
    add(
        "--oidc-group-role",
        metavar="GROUP=ROLE",
        action="append",
        default=[],
        help="the role of a group: GROUP=PROJECT:editor, or GROUP=administrator; repeatable",
    )
    add("--no-password-login", action="store_true", help="disable login by password")
    add(
        "--max-logins",
        metavar="N",
        type=int,
        default=DEFAULT_MAX_LOGINS,
        help=f"how many logins an account has at once; one more ends the one unused for longest ({DEFAULT_MAX_LOGINS})",
    )
    add(
        "--recover",
        metavar="NAME",
        default="",
        help="print a link that logs this account in as administrator, and exit",
    )
    return flags


DESCRIPTION = "Serve TensorBoards for many users, who log in to create, find, open, stop, share and delete them."
