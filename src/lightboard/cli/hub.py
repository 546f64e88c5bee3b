"""`lightboard hub`: flags and environment into settings, then the hub serves."""

import argparse
import importlib.util
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from urllib.parse import urlsplit

from lightboard.cli.flags import Parser
from lightboard.cli.output import say, show
from lightboard.config import DEFAULT_HUB_PORT, HubSettings
from lightboard.errors import UsageError
from lightboard.home import own_folder
from lightboard.hub.resources.outside_roles import parse_grant

NEEDED = ("fastapi", "sqlalchemy", "alembic", "argon2", "itsdangerous", "aiohttp", "prometheus_client")
"""What `lightboard[hub]` installs."""
STORES = ("nothing", "anonymous", "environment")


def run(words: Sequence[str]) -> int:
    """Serves until interrupted. Raises UsageError before anything is served."""
    asked = parser().parse_args(list(words))
    if asked.help:
        show(parser().format_help().rstrip())
        return 0
    need_packages()
    settings = settings_of(asked, os.environ)
    if asked.recover:
        from lightboard.hub.recovery import recovery_link

        show(recovery_link(settings, asked.recover))
        return 0
    from lightboard.hub.serve import serve  # all that a hub is made of

    serve(settings, say)
    return 0


def need_packages() -> None:
    """Raises UsageError where the extra is not installed."""
    missing = [name for name in NEEDED if importlib.util.find_spec(name) is None]
    if missing:
        raise UsageError(f"the hub needs {', '.join(missing)}", hint="pip install 'lightboard[hub]'")


def settings_of(asked: argparse.Namespace, environ: Mapping[str, str]) -> HubSettings:
    """What the flags ask for, and the environment where they say nothing. Raises UsageError."""
    if asked.workers < 1:
        raise UsageError("--workers is at least 1", hint="each worker is one process that holds many TensorBoards")
    if asked.domain and not (asked.public_url or environ.get("LIGHTBOARD_PUBLIC_URL")):
        raise UsageError("--domain needs --public-url", hint="boards send people there to log in")
    if asked.no_password_login and not asked.oidc_issuer:
        raise UsageError("--no-password-login without --oidc-issuer: nobody could log in", hint="give an outside login")
    for grant in asked.oidc_group_role:
        parse_grant(grant)
    prefix = asked.path_prefix.strip("/")
    return HubSettings(
        home=os.path.abspath(os.path.expanduser(asked.home)) if asked.home else own_folder(),
        host=asked.host,
        port=asked.port,
        database=asked.database or environ.get("LIGHTBOARD_DATABASE", ""),
        allow_roots=tuple(os.path.abspath(os.path.expanduser(root)) for root in asked.allow_root),
        object_stores=asked.object_stores,
        workers=asked.workers,
        worker_host=asked.worker_host,
        public_url=public_url(asked.public_url or environ.get("LIGHTBOARD_PUBLIC_URL", "")),
        domain=asked.domain.lower().removeprefix("*.").strip("."),
        allowed_hosts=listed(asked.allowed_hosts),
        trusted_proxies=listed(asked.trusted_proxies),
        path_prefix=f"/{prefix}" if prefix else "",
        title=asked.title,
        log_json=asked.log == "json",
        oidc_issuer=asked.oidc_issuer,
        oidc_client_id=asked.oidc_client_id,
        oidc_client_secret=client_secret(asked.oidc_client_secret_file, environ),
        secret_files=tuple(filter(None, [asked.oidc_client_secret_file])),
        oidc_allowed_domains=tuple(domain.lower().removeprefix("@") for domain in listed(asked.oidc_allowed_domains)),
        oidc_allowed_groups=listed(asked.oidc_allowed_groups),
        oidc_groups_claim=asked.oidc_groups_claim,
        oidc_group_roles=tuple(asked.oidc_group_role),
        password_login=not asked.no_password_login,
        bootstrap_token=environ.get("LIGHTBOARD_BOOTSTRAP_TOKEN", ""),
    )


def public_url(url: str) -> str:
    """An address without a slash at its end. Raises UsageError for what is none."""
    parts = urlsplit(url)
    if url and (parts.scheme not in ("http", "https") or not parts.hostname or parts.query or parts.fragment):
        raise UsageError(f"--public-url {url} is no address", hint="as https://lightboard.example.org")
    return url.rstrip("/")


def client_secret(file: str, environ: Mapping[str, str]) -> str:
    """The secret that the outside login knows the hub by: from a file, or the environment; never from a flag."""
    if not file:
        return environ.get("LIGHTBOARD_OIDC_CLIENT_SECRET", "")
    try:
        return Path(file).read_text().strip()
    except OSError as error:
        raise UsageError(f"--oidc-client-secret-file {file}: {error.strerror}", hint="a file with one line") from None


def listed(text: str) -> tuple[str, ...]:
    """Words that commas separate."""
    return tuple(word.strip() for word in text.split(",") if word.strip())


def parser() -> argparse.ArgumentParser:
    """All flags of `lightboard hub`."""
    flags = Parser(prog="lightboard hub", usage="lightboard hub [flags]", add_help=False, description=DESCRIPTION)
    flags.add_argument("-h", "--help", action="store_true", help="this text")
    add = flags.add_argument_group("what it may show").add_argument
    add(
        "--allow-root", metavar="DIR", action="append", default=[], help="a folder below which logs may lie; repeatable"
    )
    add(
        "--object-stores",
        choices=STORES,
        default="nothing",
        help="how s3://, gs://, az:// and oss:// are asked where no credential was laid down for them: not at all, "
        "unsigned, or with the keys in the hub's environment",
    )
    add = flags.add_argument_group("where it listens").add_argument
    add("--host", metavar="ADDRESS", default="127.0.0.1", help="an address of this machine (127.0.0.1)")
    add("--port", metavar="N", type=int, default=DEFAULT_HUB_PORT, help=f"({DEFAULT_HUB_PORT}); 0 is any free one")
    add("--public-url", metavar="URL", default="", help="how people reach it, if something stands before it")
    add("--path-prefix", metavar="PATH", default="", help="begins every address, as /lightboard")
    add("--allowed_hosts", metavar="NAMES", default="", help="further names it answers to, separated by commas")
    add("--trusted-proxies", metavar="ADDRESSES", default="", help="whose word about the client is taken")
    add("--domain", metavar="NAME", default="", help="each board is also at <name>--<owner>.NAME")
    add = flags.add_argument_group("what it keeps, and where").add_argument
    add("--home", metavar="DIR", default="", help="its folder (LIGHTBOARD_HOME, or the user's own)")
    add("--database", metavar="URL", default="", help="postgresql://... (LIGHTBOARD_DATABASE, or a file in its folder)")
    add = flags.add_argument_group("how it runs").add_argument
    add("--workers", metavar="N", type=int, default=1, help="processes that hold the boards (1)")
    add("--worker-host", metavar="ADDRESS", default="127.0.0.1", help="where they listen; other replicas must reach it")
    add("--log", choices=("text", "json"), default="text", help="one line for each request, readable or as JSON")
    add("--title", metavar="TEXT", default="Lightboard", help="what it calls itself")
    add = flags.add_argument_group("login elsewhere (OpenID Connect)").add_argument
    add("--oidc-issuer", metavar="URL", default="", help="who knows the people")
    add("--oidc-client-id", metavar="ID", default="", help="as who the hub asks there")
    add(
        "--oidc-client-secret-file",
        metavar="FILE",
        default="",
        help="a file with the secret (or LIGHTBOARD_OIDC_CLIENT_SECRET)",
    )
    add("--oidc-allowed-domains", metavar="NAMES", default="", help="domains of verified emails that may come in")
    add("--oidc-allowed-groups", metavar="NAMES", default="", help="groups of which one is needed to come in")
    add("--oidc-groups-claim", metavar="NAME", default="groups", help="where the provider tells groups (groups)")
    add(
        "--oidc-group-role",
        metavar="GROUP=ROLE",
        action="append",
        default=[],
        help="what a group is here: GROUP=PROJECT:editor, or GROUP=administrator; repeatable",
    )
    add("--no-password-login", action="store_true", help="nobody logs in by password any more")
    add(
        "--recover", metavar="NAME", default="", help="print a link that logs this account in as administrator, and end"
    )
    return flags


DESCRIPTION = "TensorBoards as a service: people make, find, open, stop, share and delete them after a login."
