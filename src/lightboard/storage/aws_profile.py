"""Reads keys, region and endpoint of the selected profile from `~/.aws/credentials` and `~/.aws/config`.

Only plain values. Single sign-on, roles and credential processes are not supported.
"""

import configparser
import os
from collections.abc import Mapping

_NAMES = {
    "aws_access_key_id": "access_key_id",
    "aws_secret_access_key": "secret_access_key",
    "aws_session_token": "session_token",
    "region": "region",
    "endpoint_url": "endpoint",
}
_KEYS = ("access_key_id", "secret_access_key", "session_token")


def with_profile(given: Mapping[str, str], environ: Mapping[str, str]) -> dict[str, str]:
    """The `given` options completed from the profile. Like in the AWS tools, keys are used together or not at all."""
    found = profile_options(environ)
    if "access_key_id" in given or environ.get("AWS_WEB_IDENTITY_TOKEN_FILE"):
        found = {name: value for name, value in found.items() if name not in _KEYS}
    return found | dict(given)


def profile_options(environ: Mapping[str, str]) -> dict[str, str]:
    """The options of the profile; empty if the files cannot be read."""
    name = environ.get("AWS_PROFILE") or environ.get("AWS_DEFAULT_PROFILE") or "default"
    home = os.path.join(os.path.expanduser("~"), ".aws")
    config = environ.get("AWS_CONFIG_FILE") or os.path.join(home, "config")
    credentials = environ.get("AWS_SHARED_CREDENTIALS_FILE") or os.path.join(home, "credentials")
    section = name if name == "default" else f"profile {name}"
    return _section(config, section) | _section(credentials, name)


def _section(path: str, name: str) -> dict[str, str]:
    parser = configparser.RawConfigParser(strict=False)
    try:
        parser.read(os.path.expanduser(path), encoding="utf-8")
    except (configparser.Error, UnicodeDecodeError, OSError):
        return {}
    if not parser.has_section(name):
        return {}
    return {option: value for key, option in _NAMES.items() if (value := (parser.get(name, key, fallback="") or ""))}
