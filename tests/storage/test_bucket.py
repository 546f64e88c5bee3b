"""Client settings for bucket URLs. For vendors without a test server they are all that is checked."""

import pathlib
from datetime import timedelta

import obstore
import pytest

from lightboard.errors import UsageError
from lightboard.storage.aws_profile import with_profile
from lightboard.storage.bucket import (
    OPTIONS,
    VARIABLES,
    VENDORS,
    Bucket,
    environment_options,
    parse_bucket,
    without_environment,
)
from lightboard.storage.objects import ObjectStorage, open_bucket

PAGE = pathlib.Path(__file__).parents[2] / "docs" / "object-stores.md"
PAIR = {"access_key_id": "who", "secret_access_key": "quiet"}
SIGNED = {"access_key_id": "who", "secret_access_key": "quiet"}


def address_of(storage: ObjectStorage, path: str) -> str:
    """The URL of a request for an object."""
    return obstore.sign(storage._store, "GET", storage._key(path), timedelta(minutes=1)).partition("?")[0]


def test_s3_urls_default_to_amazon():
    """In the region that was given."""
    assert parse_bucket("s3://logs/a/b/", {**PAIR, "region": "eu-west-1"}) == Bucket(
        "s3", "logs", "a/b", "s3://logs/a/b", {"skip_signature": False, "region": "eu-west-1"}, SIGNED
    )


def test_s3_endpoints_are_set_under_both_names():
    """Otherwise the client would prefer an environment variable."""
    bucket = parse_bucket("s3://logs", {**PAIR, "session_token": "t", "endpoint": "http://host:9000/"})
    assert bucket == Bucket(
        "s3",
        "logs",
        "",
        "s3://logs",
        {
            "skip_signature": False,
            "region": "us-east-1",
            "endpoint": "http://host:9000",
            "aws_endpoint_url_s3": "http://host:9000",
        },
        {**SIGNED, "token": "t"},
    )


@pytest.mark.parametrize(
    ("region", "host"), [("eu-west-1", "s3.eu-west-1.amazonaws.com"), ("cn-north-1", "s3.cn-north-1.amazonaws.com.cn")]
)
def test_options_override_endpoints_of_the_environment(region, host, monkeypatch):
    """Regions of China have their own domain."""
    monkeypatch.setenv("AWS_ENDPOINT_URL_S3", "http://127.0.0.1:1")
    storage = open_bucket(without_environment(parse_bucket("s3://logs/a", {**PAIR, "region": region})))
    assert address_of(storage, "50% f") == f"https://{host}/logs/a/50%25%20f"


@pytest.mark.parametrize(
    ("url", "options"),
    [
        ("oss://logs/a", {"region": "cn-hangzhou"}),
        ("oss://logs/a", {"region": "oss-cn-hangzhou"}),
        ("oss://logs/a", {"endpoint": "oss-cn-hangzhou.aliyuncs.com"}),
        ("oss://logs/a", {"endpoint": "https://logs.oss-cn-hangzhou.aliyuncs.com"}),
        ("oss://logs.oss-cn-hangzhou.aliyuncs.com/a", {}),
    ],
)
def test_oss_uses_virtual_hosted_requests(url, options):
    """OSS accepts no other kind of S3 request."""
    bucket = parse_bucket(url, {**PAIR, **options})
    endpoint = "https://logs.oss-cn-hangzhou.aliyuncs.com"
    assert bucket == Bucket(
        "oss",
        "logs",
        "a",
        url,
        {
            "skip_signature": False,
            "region": "cn-hangzhou",
            "endpoint": endpoint,
            "aws_endpoint_url_s3": endpoint,
            "virtual_hosted_style_request": True,
        },
        SIGNED,
    )
    assert address_of(open_bucket(bucket), "f") == f"{endpoint}/a/f"


def test_oss_internal_endpoints_keep_the_region():
    """The host has the suffix -internal."""
    bucket = parse_bucket("oss://logs.oss-cn-beijing-internal.aliyuncs.com/a", PAIR)
    found = (bucket.config["region"], bucket.config["endpoint"])
    assert found == ("cn-beijing", "https://logs.oss-cn-beijing-internal.aliyuncs.com")


def test_google_takes_a_key_or_a_token():
    """The key of a service account in JSON, or an access token."""
    bucket = parse_bucket("gs://logs/a", {"service_account_key": '{"a": 1}'})
    assert bucket == Bucket("gs", "logs", "a", "gs://logs/a", {"service_account_key": '{"a": 1}'}, None)
    bucket = parse_bucket("gs://logs/a", {"token": "t"})
    assert bucket == Bucket("gs", "logs", "a", "gs://logs/a", {}, {"token": "t"})
    assert open_bucket(bucket).url == "gs://logs/a"


def test_azure_urls_in_all_forms():
    """The account is in the URL or in the options."""
    options = {"account_name": "me", "account_key": "a2V5"}
    config, credential = {"account_name": "me"}, {"access_key": "a2V5"}
    for url in ("az://box/a", "azure://box/a", "abfs://box/a", "abfss://box@me.dfs.core.windows.net/a"):
        assert parse_bucket(url, options) == Bucket("az", "box", "a", url, config, credential)
    signed = parse_bucket("az://box/a", {"account_name": "me", "sas_token": "?sv=1&sig=x"})
    assert signed == Bucket("az", "box", "a", "az://box/a", config, {"sas_token": "sv=1&sig=x"})
    assert open_bucket(signed).url == "az://box/a"


@pytest.mark.parametrize("url", ["s3://logs", "gs://logs", "az://logs", "oss://logs"])
def test_every_vendor_allows_anonymous_access(url):
    """Public data needs no account."""
    options = {"az": {"account_name": "me"}, "oss": {"region": "cn-hangzhou"}}.get(url.partition(":")[0], {})
    bucket = without_environment(parse_bucket(url, {"anonymous": "true", **options}))
    assert (bucket.config["skip_signature"], bucket.credential) == (True, None)
    assert open_bucket(bucket).url == url


@pytest.mark.parametrize(
    ("url", "options", "said"),
    [
        ("s3://", PAIR, "does not name a bucket"),
        ("s3:///a", PAIR, "does not name a bucket"),
        ("s3://a b/c", PAIR, "does not name a bucket"),
        ("s3://logs/a//b", PAIR, "no part of a key can be empty"),
        ("s3://logs/../b", PAIR, "no part of a key can be empty"),
        ("s3://who:secret@logs/a", {}, "s3://***@logs/a: credentials are not allowed in a URL"),
        ("az://box/a?sig=secret", {}, "az://box/a?sig=***: the URL of a bucket cannot have a query"),
        ("s3://logs", {"acces_key": "secret"}, "takes no option acces_key"),
        ("s3://logs", {"access_key_id": "who"}, "the access key ID or the secret key is missing"),
        (
            "s3://logs",
            {**PAIR, "secret_access_key": "sec\nret"},
            "secret_access_key for s3://logs contains invalid characters",
        ),
        ("s3://logs", {**PAIR, "region": "a/b"}, "is not a valid region"),
        ("s3://logs", {**PAIR, "endpoint": "ftp://host"}, "is not a valid endpoint"),
        ("s3://logs", {**PAIR, "endpoint": "https://a:secret@host"}, "https://***@host is not a valid endpoint"),
        ("s3://logs", {**PAIR, "endpoint": "http://host:port"}, "is not a valid endpoint"),
        ("az://box", {"account_key": "secret"}, "the storage account is missing"),
        ("oss://logs", PAIR, "the region is missing"),
        ("oss://logs", {"region": "cn-hangzhou"}, "no credentials for oss://logs"),
    ],
)
def test_errors_contain_no_secrets(url, options, said):
    """One line that names the problem, and a hint."""
    with pytest.raises(UsageError) as caught:
        parse_bucket(url, options)
    error = caught.value
    text = f"{error.message} {error.hint}"
    assert (said in error.message, [word for word in ("secret@", "=secret", "sec\n") if word in text]) == (True, [])
    assert error.hint


def test_missing_credentials_are_not_taken_from_the_environment():
    """The credentials of the hub process must not serve an account's source."""
    with pytest.raises(UsageError, match="no credentials were given for s3://logs"):
        without_environment(parse_bucket("s3://logs", {}))


def test_repr_of_a_bucket_contains_no_secrets():
    """It ends up in logs and tracebacks."""
    bucket = parse_bucket("az://box", {"account_name": "me", "account_key": "quiet"})
    assert repr(bucket) == "Bucket(vendor='az', name='box', top='', url='az://box')"


@pytest.mark.parametrize(
    ("url", "environ", "options"),
    [
        (
            "s3://b",
            {
                "AWS_ACCESS_KEY_ID": "who",
                "AWS_SECRET_ACCESS_KEY": "quiet",
                "AWS_DEFAULT_REGION": "r",
                "AWS_REGION": "",
                "AWS_ENDPOINT_URL": "http://a",
                "OSS_ENDPOINT": "other",
            },
            {**PAIR, "region": "r", "endpoint": "http://a"},
        ),
        ("s3://b", {"S3_ENDPOINT": "host:1", "S3_USE_HTTPS": "0"}, {"endpoint": "http://host:1"}),
        (
            "oss://b",
            {"OSS_ACCESS_KEY_ID": "who", "OSS_ACCESS_KEY_SECRET": "quiet", "OSS_REGION": "r", "AWS_REGION": "other"},
            {**PAIR, "region": "r"},
        ),
        (
            "oss://b",
            {"ALIBABA_CLOUD_ACCESS_KEY_ID": "who", "ALIBABA_CLOUD_ACCESS_KEY_SECRET": "quiet", "OSS_ENDPOINT": "e"},
            {**PAIR, "endpoint": "e"},
        ),
        (
            "az://b",
            {"AZURE_STORAGE_ACCOUNT": "me", "AZURE_STORAGE_KEY": "k"},
            {"account_name": "me", "account_key": "k"},
        ),
        (
            "abfs://b",
            {"AZURE_STORAGE_CONNECTION_STRING": "AccountName=me;AccountKey=a==;EndpointSuffix=core.windows.net"},
            {"account_name": "me", "account_key": "a=="},
        ),
        ("gs://b", {"GOOGLE_SKIP_SIGNATURE": "true"}, {"anonymous": "true"}),
    ],
)
def test_environment_variables_become_options(url, environ, options):
    """Those of the vendor's own tools, and of no other vendor."""
    assert environment_options(url, environ) == options


def test_aws_profiles_complete_the_environment(tmp_path):
    """Keys come from one place, region and endpoint from either."""
    (tmp_path / "credentials").write_text(
        "[default]\naws_access_key_id = who\naws_secret_access_key = quiet\n[two]\naws_access_key_id = 2\n"
    )
    (tmp_path / "config").write_text("[default]\nregion = r1\n[profile two]\nregion = r2\nendpoint_url = http://two\n")
    environ = {
        "AWS_SHARED_CREDENTIALS_FILE": str(tmp_path / "credentials"),
        "AWS_CONFIG_FILE": str(tmp_path / "config"),
    }
    assert with_profile({}, environ) == {**PAIR, "region": "r1"}
    assert with_profile({}, {**environ, "AWS_PROFILE": "two"}) == {
        "access_key_id": "2",
        "region": "r2",
        "endpoint": "http://two",
    }
    assert with_profile({"access_key_id": "x", "region": "r"}, environ) == {"access_key_id": "x", "region": "r"}


def test_broken_aws_profiles_are_ignored(tmp_path):
    """They may be meant for other tools."""
    (tmp_path / "config").write_bytes(b"no section\xff")
    assert with_profile({}, {"AWS_CONFIG_FILE": str(tmp_path / "config"), "AWS_SHARED_CREDENTIALS_FILE": "/none"}) == {}


def test_the_docs_list_schemes_options_and_variables():
    """In object-stores.md."""
    page = PAGE.read_text()
    options = {option for options in OPTIONS.values() for option in options}
    variables = {name for options in VARIABLES.values() for names in options.values() for name in names}
    expected = {f"`{scheme}://" for scheme in VENDORS} | {f"`{name}" for name in options | variables}
    assert sorted(word for word in expected if word not in page) == []
