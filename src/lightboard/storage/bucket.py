"""Parses the URL of a bucket and the options or environment into the settings of a client. Sends no requests.

Keys in URLs are literal, as in the vendors' own tools: `%20` is three characters. Options are strings with the same
names for all vendors (`OPTIONS`); they can also come from the environment.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal
from urllib.parse import urlsplit

from lightboard.errors import UsageError

Vendor = Literal["s3", "gs", "az", "oss"]

VENDORS: dict[str, Vendor] = {
    "s3": "s3",
    "gs": "gs",
    "az": "az",
    "azure": "az",
    "abfs": "az",
    "abfss": "az",
    "oss": "oss",
}
"""The object store of each URL scheme."""

_KEYS = frozenset({"access_key_id", "secret_access_key", "session_token", "region", "endpoint", "anonymous"})

OPTIONS: dict[Vendor, frozenset[str]] = {
    "s3": _KEYS | {"virtual_hosted"},
    "oss": _KEYS,
    "gs": frozenset({"service_account_key", "token", "endpoint", "anonymous"}),
    "az": frozenset({"account_name", "account_key", "sas_token", "token", "endpoint", "anonymous"}),
}
"""The allowed options. `anonymous` and `virtual_hosted` are "true" or "false"."""

VARIABLES: dict[Vendor, dict[str, tuple[str, ...]]] = {
    "s3": {
        "access_key_id": ("AWS_ACCESS_KEY_ID",),
        "secret_access_key": ("AWS_SECRET_ACCESS_KEY",),
        "session_token": ("AWS_SESSION_TOKEN",),
        "region": ("AWS_REGION", "AWS_DEFAULT_REGION"),
        # TensorFlow and TensorBoard read the last one.
        "endpoint": ("AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL", "AWS_ENDPOINT", "S3_ENDPOINT"),
        "anonymous": ("AWS_SKIP_SIGNATURE", "AWS_NO_SIGN_REQUEST"),
        "virtual_hosted": ("AWS_VIRTUAL_HOSTED_STYLE_REQUEST",),
    },
    "oss": {
        "access_key_id": ("OSS_ACCESS_KEY_ID", "ALIBABA_CLOUD_ACCESS_KEY_ID"),
        "secret_access_key": ("OSS_ACCESS_KEY_SECRET", "ALIBABA_CLOUD_ACCESS_KEY_SECRET"),
        "session_token": ("OSS_SESSION_TOKEN", "ALIBABA_CLOUD_SECURITY_TOKEN"),
        "region": ("OSS_REGION",),
        "endpoint": ("OSS_ENDPOINT",),
        "anonymous": ("OSS_SKIP_SIGNATURE",),
    },
    # The client itself reads others, such as GOOGLE_APPLICATION_CREDENTIALS or a federated identity.
    "gs": {"anonymous": ("GOOGLE_SKIP_SIGNATURE",)},
    "az": {
        "account_name": ("AZURE_STORAGE_ACCOUNT", "AZURE_STORAGE_ACCOUNT_NAME"),
        "account_key": ("AZURE_STORAGE_KEY", "AZURE_STORAGE_ACCOUNT_KEY"),
        "sas_token": ("AZURE_STORAGE_SAS_TOKEN",),
        "endpoint": ("AZURE_STORAGE_ENDPOINT",),
        "anonymous": ("AZURE_SKIP_SIGNATURE",),
    },
}

_CONNECTION_STRING = {"AccountName": "account_name", "AccountKey": "account_key", "SharedAccessSignature": "sas_token"}
_CONNECTION_STRING |= {"BlobEndpoint": "endpoint"}

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
_REGION = re.compile(r"[A-Za-z0-9-]+")
_PRINTABLE = re.compile(r"[!-~]+")
_OSS_HOST = re.compile(r"(?:^|\.)oss-([a-z0-9-]+?)(?:-internal)?\.aliyuncs")
_DEFAULT_REGION = "us-east-1"


@dataclass(frozen=True)
class Bucket:
    """A bucket, the key prefix `top` in it, and the client settings. `url` can be displayed.

    `credential` signs the requests; with None the client finds one. Neither settings nor credential are ever printed.
    """

    vendor: Vendor
    name: str
    top: str
    url: str
    config: Mapping[str, str | bool] = field(default_factory=dict, repr=False)
    credential: Mapping[str, str] | None = field(default=None, repr=False)

    @property
    def plain_http(self) -> bool:
        """Whether the endpoint was explicitly configured without encryption."""
        return str(self.config.get("endpoint", self.config.get("base_url", ""))).startswith("http://")


def parse_bucket(text: str, options: Mapping[str, str]) -> Bucket:
    """Parse the URL of a bucket.

    Raises UsageError for an invalid URL or option, or a missing option. The message contains no secrets.
    """
    scheme, _, rest = text.partition("://")
    scheme = scheme.lower()
    vendor = VENDORS[scheme]
    host_part, _, key = rest.partition("/")
    if "?" in rest:
        raise UsageError(f"{redact(text)}: the URL of a bucket cannot have a query", hint=_HINTS[vendor])
    if "@" in host_part and not scheme.startswith("abfs"):
        raise UsageError(f"{redact(text)}: credentials are not allowed in a URL", hint=_HINTS[vendor])
    given = _validate_options(vendor, options, text)
    name = _parse_host(vendor, host_part, given)
    if not _NAME.fullmatch(name):
        raise UsageError(f"{text} does not name a bucket", hint=f"write {scheme}://BUCKET/FOLDER")
    top = key.strip("/")
    if top and any(part in ("", ".", "..") for part in top.split("/")):
        raise UsageError(f"{text}: no part of a key can be empty, '.' or '..'", hint=f"write {scheme}://BUCKET/FOLDER")
    url = f"{scheme}://{host_part}/{top}".rstrip("/")
    config, credential = _BUILDERS[vendor](url, name, given)
    return Bucket(vendor, name, top, url, config, credential)


def environment_options(text: str, environ: Mapping[str, str]) -> dict[str, str]:
    """The options from the environment variables of the vendor's own tools. Empty variables count as unset."""
    vendor = VENDORS[text.partition("://")[0].lower()]
    found = {
        option: value
        for option, names in VARIABLES[vendor].items()
        if (value := next((environ[name] for name in names if environ.get(name)), ""))
    }
    if vendor == "az":
        parts = [part.partition("=") for part in environ.get("AZURE_STORAGE_CONNECTION_STRING", "").split(";")]
        found = {_CONNECTION_STRING[name]: value for name, _, value in parts if name in _CONNECTION_STRING} | found
    if vendor == "s3" and found.get("endpoint") == environ.get("S3_ENDPOINT") and environ.get("S3_USE_HTTPS") == "0":
        found["endpoint"] = _with_scheme(found.get("endpoint", ""), "http")
    return found


def redact(text: str) -> str:
    """A URL for display: without user, password and the values of a query."""
    head, question, query = text.partition("?")
    scheme, mark, rest = head.partition("://")
    host_part, slash, path = rest.partition("/")
    user, at, host = host_part.rpartition("@")
    # In abfs:// the part before the @ is the container.
    if at and not (scheme.lower().startswith("abfs") and ":" not in user):
        host_part = f"***@{host}"
    if question:
        query = "&".join(re.sub(r"(?<==).*|^[^=]+$", "***", part, flags=re.DOTALL) for part in query.split("&"))
    return f"{scheme}{mark}{host_part}{slash}{path}{question}{query}" if mark else text


# Internals

_HINTS: dict[Vendor, str] = {
    "s3": "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_SKIP_SIGNATURE=true for a public bucket",
    "oss": "set OSS_ACCESS_KEY_ID and OSS_ACCESS_KEY_SECRET, or OSS_SKIP_SIGNATURE=true for a public bucket",
    "gs": "set GOOGLE_APPLICATION_CREDENTIALS, or GOOGLE_SKIP_SIGNATURE=true for a public bucket",
    "az": "set AZURE_STORAGE_ACCOUNT and AZURE_STORAGE_KEY, or AZURE_SKIP_SIGNATURE=true for a public container",
}


def credentials_hint(vendor: Vendor) -> str:
    """How to provide credentials for this vendor."""
    return _HINTS[vendor]


ClientSettings = tuple[dict[str, str | bool], dict[str, str] | None]


def _validate_options(vendor: Vendor, options: Mapping[str, str], text: str) -> dict[str, str]:
    unknown = sorted(options.keys() - OPTIONS[vendor])
    if unknown:
        raise UsageError(
            f"{redact(text)} takes no option {', '.join(unknown)}",
            hint=f"it takes {', '.join(sorted(OPTIONS[vendor]))}",
        )
    given = {name: value.strip() for name, value in options.items() if value.strip()}
    for name, value in given.items():
        # They become parts of headers and URLs, where an invalid character would cause a confusing error.
        if name != "service_account_key" and not _PRINTABLE.fullmatch(value):
            raise UsageError(
                f"{name} for {redact(text)} contains invalid characters", hint="check it for spaces and line breaks"
            )
    if not _REGION.fullmatch(given.get("region", "x")):
        raise UsageError(f"{given['region']!r} is not a valid region", hint="regions look like eu-central-1")
    if "endpoint" in given:
        given["endpoint"] = _endpoint(given["endpoint"])
    return given


def _endpoint(text: str) -> str:
    endpoint = _with_scheme(text, "https").rstrip("/")
    parts = urlsplit(endpoint)
    try:
        fine = parts.scheme in ("http", "https") and parts.hostname and not parts.query and parts.port != 0
    except ValueError:  # invalid port
        fine = False
    if (
        not fine
        or "@" in parts.netloc
        or not re.fullmatch(r"\[[0-9a-fA-F:.]+\](:\d+)?|[\w.-]+(:\d+)?", parts.netloc, re.ASCII)
    ):
        raise UsageError(f"{redact(endpoint)} is not a valid endpoint", hint="write https://HOST or http://HOST:PORT")
    return endpoint


def _with_scheme(text: str, scheme: str) -> str:
    return text if "://" in text or not text else f"{scheme}://{text}"


def _parse_host(vendor: Vendor, host_part: str, given: dict[str, str]) -> str:
    """The bucket in the host part of a URL; adds the rest of the host to the options."""
    if vendor == "az" and "@" in host_part:
        name, _, host = host_part.partition("@")
        given["account_name"] = host.partition(".")[0]
        return name
    name, dot, host = host_part.partition(".")
    if vendor == "oss" and dot and _OSS_HOST.search(host):
        # Some platforms write oss://BUCKET.ENDPOINT/KEY.
        given["endpoint"] = _endpoint(host)
        return name
    return host_part


def _true(given: Mapping[str, str], option: str) -> bool:
    return given.get(option, "").lower() in ("1", "true", "yes", "on")


def _key_pair(url: str, vendor: Vendor, given: Mapping[str, str]) -> dict[str, str] | None:
    if _true(given, "anonymous"):
        return None
    identity, secret = given.get("access_key_id"), given.get("secret_access_key")
    if bool(identity) != bool(secret):
        raise UsageError(f"{url}: the access key ID or the secret key is missing", hint=_HINTS[vendor])
    if not identity or not secret:
        return None
    token = given.get("session_token")
    return {"access_key_id": identity, "secret_access_key": secret, **({"token": token} if token else {})}


def _s3(url: str, _name: str, given: Mapping[str, str]) -> ClientSettings:
    config: dict[str, str | bool] = {"skip_signature": _true(given, "anonymous")}
    config["region"] = given.get("region", _DEFAULT_REGION)
    if "endpoint" in given:
        # Set both names, because the environment variable of the second one would override the first.
        config["endpoint"] = config["aws_endpoint_url_s3"] = given["endpoint"]
    if "virtual_hosted" in given:
        config["virtual_hosted_style_request"] = _true(given, "virtual_hosted")
    return config, _key_pair(url, "s3", given)


def _oss(url: str, name: str, given: Mapping[str, str]) -> ClientSettings:
    """OSS is compatible with S3 if the bucket is in the host name."""
    region = given.get("region", "").removeprefix("oss-")
    endpoint = given.get("endpoint") or (f"https://oss-{region}.aliyuncs.com" if region else "")
    if not endpoint:
        raise UsageError(
            f"{url}: the region is missing", hint="set OSS_REGION or OSS_ENDPOINT, or write oss://BUCKET.ENDPOINT"
        )
    protocol, _, host = endpoint.partition("://")
    if not region:
        found = _OSS_HOST.search(host)
        region = found[1] if found else _DEFAULT_REGION
    if not host.startswith(f"{name}."):
        endpoint = f"{protocol}://{name}.{host}"
    credential = _key_pair(url, "oss", given)
    if credential is None and not _true(given, "anonymous"):
        raise UsageError(f"no credentials for {url}", hint=_HINTS["oss"])
    return {
        "skip_signature": credential is None,
        "region": region,
        "endpoint": endpoint,
        "aws_endpoint_url_s3": endpoint,
        "virtual_hosted_style_request": True,
    }, credential


def _gs(_url: str, _name: str, given: Mapping[str, str]) -> ClientSettings:
    config: dict[str, str | bool] = {"skip_signature": True} if _true(given, "anonymous") else {}
    if "endpoint" in given:
        config["base_url"] = given["endpoint"]
    if "service_account_key" in given:
        config["service_account_key"] = given["service_account_key"]
    return config, {"token": given["token"]} if "token" in given else None


def _az(url: str, _name: str, given: Mapping[str, str]) -> ClientSettings:
    if "account_name" not in given:
        raise UsageError(f"{url}: the storage account is missing", hint="set AZURE_STORAGE_ACCOUNT")
    config: dict[str, str | bool] = {"account_name": given["account_name"]}
    if _true(given, "anonymous"):
        config["skip_signature"] = True
    if "endpoint" in given:
        config["endpoint"] = given["endpoint"]
    names = {"account_key": "access_key", "sas_token": "sas_token", "token": "token"}
    credential = next(
        ({name: given[option].removeprefix("?")} for option, name in names.items() if option in given), None
    )
    return config, None if _true(given, "anonymous") else credential


_BUILDERS = {"s3": _s3, "oss": _oss, "gs": _gs, "az": _az}


def without_environment(bucket: Bucket) -> Bucket:
    """The bucket with these options only, independent of environment variables.

    Raises UsageError if the options have no credentials and are not anonymous.
    """
    config = dict(bucket.config)
    if bucket.credential is None and not config.get("skip_signature") and "service_account_key" not in config:
        raise UsageError(f"no credentials were given for {bucket.url}", hint="give a key, or say that it is public")
    if bucket.vendor == "s3":
        region = str(config["region"])
        host = f"s3.{region}.amazonaws.com{'.cn' if region.startswith('cn-') else ''}"
        config.setdefault("endpoint", f"https://{host}")
        config["aws_endpoint_url_s3"] = config["endpoint"]
        config.setdefault("virtual_hosted_style_request", False)
    return Bucket(bucket.vendor, bucket.name, bucket.top, bucket.url, config, bucket.credential)
