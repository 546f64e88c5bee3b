"""Which client settings an address leads to: for vendors that no test can ask, they are all that is shown."""

import pathlib
from datetime import timedelta

import obstore
import pytest

from lightboard.errors import UsageError
from lightboard.storage.aws_profile import with_profile
from lightboard.storage.bucket import OPTIONS, VARIABLES, VENDORS, Bucket, bucket_of, environment_options, isolated
from lightboard.storage.objects import ObjectStorage, open_bucket

PAGE = pathlib.Path(__file__).parents[2] / "docs" / "object-stores.md"
PAIR = {"access_key_id": "who", "secret_access_key": "quiet"}
SIGNED = {"access_key_id": "who", "secret_access_key": "quiet"}


def address_of(storage: ObjectStorage, path: str) -> str:
    """Where a request for an object would go."""
    return obstore.sign(storage._store, "GET", storage._key(path), timedelta(minutes=1)).partition("?")[0]


def test_s3_without_an_endpoint():
    """Amazon's own, in the region that was given."""
    assert bucket_of("s3://logs/a/b/", {**PAIR, "region": "eu-west-1"}) == Bucket(
        "s3", "logs", "a/b", "s3://logs/a/b", {"skip_signature": False, "region": "eu-west-1"}, SIGNED
    )


def test_s3_at_an_endpoint():
    """The client would prefer a variable to the endpoint unless it stands under both names."""
    bucket = bucket_of("s3://logs", {**PAIR, "session_token": "t", "endpoint": "http://host:9000/"})
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
def test_options_alone_lead_to_amazon(region, host, monkeypatch):
    """Even where the environment names another server."""
    monkeypatch.setenv("AWS_ENDPOINT_URL_S3", "http://127.0.0.1:1")
    storage = open_bucket(isolated(bucket_of("s3://logs/a", {**PAIR, "region": region})))
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
def test_oss_is_s3_with_the_bucket_in_the_host(url, options):
    """It takes no other form of address."""
    bucket = bucket_of(url, {**PAIR, **options})
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


def test_oss_inside_the_cloud():
    """An internal endpoint is another host of the same region."""
    bucket = bucket_of("oss://logs.oss-cn-beijing-internal.aliyuncs.com/a", PAIR)
    found = (bucket.config["region"], bucket.config["endpoint"])
    assert found == ("cn-beijing", "https://logs.oss-cn-beijing-internal.aliyuncs.com")


def test_google_with_a_key_of_its_own():
    """A service account's key in JSON, or a token."""
    bucket = bucket_of("gs://logs/a", {"service_account_key": '{"a": 1}'})
    assert bucket == Bucket("gs", "logs", "a", "gs://logs/a", {"service_account_key": '{"a": 1}'}, None)
    bucket = bucket_of("gs://logs/a", {"token": "t"})
    assert bucket == Bucket("gs", "logs", "a", "gs://logs/a", {}, {"token": "t"})
    assert open_bucket(bucket).url == "gs://logs/a"


def test_azure_in_its_forms():
    """The account stands in the address or in the options."""
    options = {"account_name": "me", "account_key": "a2V5"}
    config, credential = {"account_name": "me"}, {"access_key": "a2V5"}
    for url in ("az://box/a", "azure://box/a", "abfs://box/a", "abfss://box@me.dfs.core.windows.net/a"):
        assert bucket_of(url, options) == Bucket("az", "box", "a", url, config, credential)
    signed = bucket_of("az://box/a", {"account_name": "me", "sas_token": "?sv=1&sig=x"})
    assert signed == Bucket("az", "box", "a", "az://box/a", config, {"sas_token": "sv=1&sig=x"})
    assert open_bucket(signed).url == "az://box/a"


@pytest.mark.parametrize("url", ["s3://logs", "gs://logs", "az://logs", "oss://logs"])
def test_anonymous_everywhere(url):
    """Public data needs no account."""
    options = {"az": {"account_name": "me"}, "oss": {"region": "cn-hangzhou"}}.get(url.partition(":")[0], {})
    bucket = isolated(bucket_of(url, {"anonymous": "true", **options}))
    assert (bucket.config["skip_signature"], bucket.credential) == (True, None)
    assert open_bucket(bucket).url == url


@pytest.mark.parametrize(
    ("url", "options", "said"),
    [
        ("s3://", PAIR, "names no bucket"),
        ("s3:///a", PAIR, "names no bucket"),
        ("s3://a b/c", PAIR, "names no bucket"),
        ("s3://logs/a//b", PAIR, "no part of a key can be empty"),
        ("s3://logs/../b", PAIR, "no part of a key can be empty"),
        ("s3://who:secret@logs/a", {}, "s3://***@logs/a: credentials do not belong into an address"),
        ("az://box/a?sig=secret", {}, "az://box/a?sig=***: the address of a bucket takes no query"),
        ("s3://logs", {"acces_key": "secret"}, "takes no option acces_key"),
        ("s3://logs", {"access_key_id": "who"}, "half of a key pair is missing"),
        ("s3://logs", {**PAIR, "secret_access_key": "sec\nret"}, "secret_access_key for s3://logs holds characters"),
        ("s3://logs", {**PAIR, "region": "a/b"}, "is no region"),
        ("s3://logs", {**PAIR, "endpoint": "ftp://host"}, "is no endpoint"),
        ("s3://logs", {**PAIR, "endpoint": "https://a:secret@host"}, "https://***@host is no endpoint"),
        ("s3://logs", {**PAIR, "endpoint": "http://host:port"}, "is no endpoint"),
        ("az://box", {"account_key": "secret"}, "in which storage account?"),
        ("oss://logs", PAIR, "in which region?"),
        ("oss://logs", {"region": "cn-hangzhou"}, "no credentials for oss://logs"),
    ],
)
def test_what_makes_no_sense_is_said_without_secrets(url, options, said):
    """One line that names it, and a hint."""
    with pytest.raises(UsageError) as caught:
        bucket_of(url, options)
    error = caught.value
    text = f"{error.message} {error.hint}"
    assert (said in error.message, [word for word in ("secret@", "=secret", "sec\n") if word in text]) == (True, [])
    assert error.hint


def test_options_without_credentials_are_not_completed():
    """What the hub passes for one user is never mixed with what the process itself may do."""
    with pytest.raises(UsageError, match="no credentials were given for s3://logs"):
        isolated(bucket_of("s3://logs", {}))


def test_a_bucket_does_not_print_its_secrets():
    """Neither in logs nor in tracebacks."""
    bucket = bucket_of("az://box", {"account_name": "me", "account_key": "quiet"})
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
def test_variables_are_options(url, environ, options):
    """Those of the vendor's own tools, and of no other vendor."""
    assert environment_options(url, environ) == options


def test_the_aws_profile_completes_the_environment(tmp_path):
    """Keys come from one place, the region and the endpoint from wherever they are."""
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


def test_a_broken_profile_says_nothing(tmp_path):
    """It may be there for other tools."""
    (tmp_path / "config").write_bytes(b"no section\xff")
    assert with_profile({}, {"AWS_CONFIG_FILE": str(tmp_path / "config"), "AWS_SHARED_CREDENTIALS_FILE": "/none"}) == {}


def test_the_docs_name_every_scheme_option_and_variable():
    """And nobody has to read the source for them."""
    page = PAGE.read_text()
    options = {option for options in OPTIONS.values() for option in options}
    variables = {name for options in VARIABLES.values() for names in options.values() for name in names}
    wanted = {f"`{scheme}://" for scheme in VENDORS} | {f"`{name}" for name in options | variables}
    assert sorted(word for word in wanted if word not in page) == []
