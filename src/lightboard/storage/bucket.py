"""From an address, and options or an environment, to a bucket and the settings of its client. Pure: asks nobody.

Keys in addresses are taken as they stand, as the vendors' own tools do: `%20` is three characters. Options are text,
named alike for all vendors (`OPTIONS`); the environment is only another way to give them. Not here: the client.
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
"""Whose object store a scheme names."""

_KEYS = frozenset({"access_key_id", "secret_access_key", "session_token", "region", "endpoint", "anonymous"})

OPTIONS: dict[Vendor, frozenset[str]] = {
    "s3": _KEYS | {"virtual_hosted"},
    "oss": _KEYS,
    "gs": frozenset({"service_account_key", "token", "endpoint", "anonymous"}),
    "az": frozenset({"account_name", "account_key", "sas_token", "token", "endpoint", "anonymous"}),
}
"""What `options` may hold; `anonymous` and `virtual_hosted` are "true" or "false"."""

VARIABLES: dict[Vendor, dict[str, tuple[str, ...]]] = {
    "s3": {
        "access_key_id": ("AWS_ACCESS_KEY_ID",),
        "secret_access_key": ("AWS_SECRET_ACCESS_KEY",),
        "session_token": ("AWS_SESSION_TOKEN",),
        "region": ("AWS_REGION", "AWS_DEFAULT_REGION"),
        # The last one is what TensorFlow and TensorBoard read.
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
    # What is not listed, such as GOOGLE_APPLICATION_CREDENTIALS or a federated identity, the client reads by itself.
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
_PLAIN = re.compile(r"[!-~]+")
_OSS_HOST = re.compile(r"(?:^|\.)oss-([a-z0-9-]+?)(?:-internal)?\.aliyuncs")
_DEFAULT_REGION = "us-east-1"


@dataclass(frozen=True)
class Bucket:
    """A bucket, the key prefix `top` in it, and how to reach it; `url` is the address as it may be shown.

    `credential` is what requests are signed with; None leaves it to the client to find one. Neither is ever printed.
    """

    vendor: Vendor
    name: str
    top: str
    url: str
    config: Mapping[str, str | bool] = field(default_factory=dict, repr=False)
    credential: Mapping[str, str] | None = field(default=None, repr=False)

    @property
    def plain_http(self) -> bool:
        """Whether whoever chose the endpoint chose it without encryption."""
        return str(self.config.get("endpoint", self.config.get("base_url", ""))).startswith("http://")


def bucket_of(text: str, options: Mapping[str, str]) -> Bucket:
    """The bucket that the address names, reached with these options.

    Raises UsageError, never with a secret in it, for an address or option that makes no sense and where one is missing.
    """
    scheme, _, rest = text.partition("://")
    scheme = scheme.lower()
    vendor = VENDORS[scheme]
    place, _, key = rest.partition("/")
    if "?" in rest:
        raise UsageError(f"{redacted(text)}: the address of a bucket takes no query", hint=_HINTS[vendor])
    if "@" in place and not scheme.startswith("abfs"):
        raise UsageError(f"{redacted(text)}: credentials do not belong into an address", hint=_HINTS[vendor])
    given = _checked(vendor, options, text)
    name = _place(vendor, place, given)
    if not _NAME.fullmatch(name):
        raise UsageError(f"{text} names no bucket", hint=f"write {scheme}://BUCKET/FOLDER")
    top = key.strip("/")
    if top and any(part in ("", ".", "..") for part in top.split("/")):
        raise UsageError(f"{text}: no part of a key can be empty, '.' or '..'", hint=f"write {scheme}://BUCKET/FOLDER")
    url = f"{scheme}://{place}/{top}".rstrip("/")
    config, credential = _BUILDERS[vendor](url, name, given)
    return Bucket(vendor, name, top, url, config, credential)


def environment_options(text: str, environ: Mapping[str, str]) -> dict[str, str]:
    """The options that the variables of the vendor's own tools give for this address; empty ones count as unset."""
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


def redacted(text: str) -> str:
    """An address fit to show: without user, password and the values of a query."""
    head, question, query = text.partition("?")
    scheme, mark, rest = head.partition("://")
    place, slash, path = rest.partition("/")
    user, at, host = place.rpartition("@")
    # In abfs:// what stands before the @ is the container.
    if at and not (scheme.lower().startswith("abfs") and ":" not in user):
        place = f"***@{host}"
    if question:
        query = "&".join(re.sub(r"(?<==).*|^[^=]+$", "***", part, flags=re.DOTALL) for part in query.split("&"))
    return f"{scheme}{mark}{place}{slash}{path}{question}{query}" if mark else text


# Inside

_HINTS: dict[Vendor, str] = {
    "s3": "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_SKIP_SIGNATURE=true for a public bucket",
    "oss": "set OSS_ACCESS_KEY_ID and OSS_ACCESS_KEY_SECRET, or OSS_SKIP_SIGNATURE=true for a public bucket",
    "gs": "set GOOGLE_APPLICATION_CREDENTIALS, or GOOGLE_SKIP_SIGNATURE=true for a public bucket",
    "az": "set AZURE_STORAGE_ACCOUNT and AZURE_STORAGE_KEY, or AZURE_SKIP_SIGNATURE=true for a public container",
}


def credentials_hint(vendor: Vendor) -> str:
    """How to give credentials for this vendor."""
    return _HINTS[vendor]


Built = tuple[dict[str, str | bool], dict[str, str] | None]


def _checked(vendor: Vendor, options: Mapping[str, str], text: str) -> dict[str, str]:
    unknown = sorted(options.keys() - OPTIONS[vendor])
    if unknown:
        raise UsageError(
            f"{redacted(text)} takes no option {', '.join(unknown)}",
            hint=f"it takes {', '.join(sorted(OPTIONS[vendor]))}",
        )
    given = {name: value.strip() for name, value in options.items() if value.strip()}
    for name, value in given.items():
        # They travel in headers and addresses, where a stray character would be an error far from its cause.
        if name != "service_account_key" and not _PLAIN.fullmatch(value):
            raise UsageError(f"{name} for {redacted(text)} holds characters it cannot have", hint="look at it again")
    if not _REGION.fullmatch(given.get("region", "x")):
        raise UsageError(f"{given['region']!r} is no region", hint="regions look like eu-central-1")
    if "endpoint" in given:
        given["endpoint"] = _endpoint(given["endpoint"])
    return given


def _endpoint(text: str) -> str:
    endpoint = _with_scheme(text, "https").rstrip("/")
    parts = urlsplit(endpoint)
    try:
        fine = parts.scheme in ("http", "https") and parts.hostname and not parts.query and parts.port != 0
    except ValueError:  # a port that is no number
        fine = False
    if (
        not fine
        or "@" in parts.netloc
        or not re.fullmatch(r"\[[0-9a-fA-F:.]+\](:\d+)?|[\w.-]+(:\d+)?", parts.netloc, re.ASCII)
    ):
        raise UsageError(f"{redacted(endpoint)} is no endpoint", hint="write https://HOST or http://HOST:PORT")
    return endpoint


def _with_scheme(text: str, scheme: str) -> str:
    return text if "://" in text or not text else f"{scheme}://{text}"


def _place(vendor: Vendor, place: str, given: dict[str, str]) -> str:
    """The bucket in the first part of an address; what else stands there goes into the options."""
    if vendor == "az" and "@" in place:
        name, _, host = place.partition("@")
        given["account_name"] = host.partition(".")[0]
        return name
    name, dot, host = place.partition(".")
    if vendor == "oss" and dot and _OSS_HOST.search(host):
        # As platforms write it: oss://BUCKET.ENDPOINT/KEY.
        given["endpoint"] = _endpoint(host)
        return name
    return place


def _true(given: Mapping[str, str], option: str) -> bool:
    return given.get(option, "").lower() in ("1", "true", "yes", "on")


def _key_pair(url: str, vendor: Vendor, given: Mapping[str, str]) -> dict[str, str] | None:
    if _true(given, "anonymous"):
        return None
    identity, secret = given.get("access_key_id"), given.get("secret_access_key")
    if bool(identity) != bool(secret):
        raise UsageError(f"{url}: half of a key pair is missing", hint=_HINTS[vendor])
    if not identity or not secret:
        return None
    token = given.get("session_token")
    return {"access_key_id": identity, "secret_access_key": secret, **({"token": token} if token else {})}


def _s3(url: str, _name: str, given: Mapping[str, str]) -> Built:
    config: dict[str, str | bool] = {"skip_signature": _true(given, "anonymous")}
    config["region"] = given.get("region", _DEFAULT_REGION)
    if "endpoint" in given:
        # Under both names: the client would let a variable of the second one win over the first.
        config["endpoint"] = config["aws_endpoint_url_s3"] = given["endpoint"]
    if "virtual_hosted" in given:
        config["virtual_hosted_style_request"] = _true(given, "virtual_hosted")
    return config, _key_pair(url, "s3", given)


def _oss(url: str, name: str, given: Mapping[str, str]) -> Built:
    """OSS speaks S3 where the bucket stands in the host's name."""
    region = given.get("region", "").removeprefix("oss-")
    endpoint = given.get("endpoint") or (f"https://oss-{region}.aliyuncs.com" if region else "")
    if not endpoint:
        raise UsageError(
            f"{url}: in which region?", hint="set OSS_REGION or OSS_ENDPOINT, or write oss://BUCKET.ENDPOINT"
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


def _gs(_url: str, _name: str, given: Mapping[str, str]) -> Built:
    config: dict[str, str | bool] = {"skip_signature": True} if _true(given, "anonymous") else {}
    if "endpoint" in given:
        config["base_url"] = given["endpoint"]
    if "service_account_key" in given:
        config["service_account_key"] = given["service_account_key"]
    return config, {"token": given["token"]} if "token" in given else None


def _az(url: str, _name: str, given: Mapping[str, str]) -> Built:
    if "account_name" not in given:
        raise UsageError(f"{url}: in which storage account?", hint="set AZURE_STORAGE_ACCOUNT")
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


def isolated(bucket: Bucket) -> Bucket:
    """The bucket as reached by its options alone, whatever variables the process has.

    Raises UsageError where the options hold no credentials and do not say that none are wanted.
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
