"""Opening storages by URL."""

import sys

import pytest

from lightboard.errors import UsageError
from lightboard.storage.urls import is_known, open_storage, redact_url


@pytest.mark.parametrize(
    ("text", "url"),
    [
        ("/srv/runs", "/srv/runs"),
        ("/srv/runs/", "/srv/runs"),
        ("/srv/a:b", "/srv/a:b"),
        ("file:///srv/runs", "/srv/runs"),
        ("file://localhost/srv/my%20runs", "/srv/my runs"),
    ],
)
def test_paths_and_file_urls_are_local(text, url):
    """File URLs are percent-decoded."""
    assert open_storage(text).url == url


@pytest.mark.parametrize("text", ["hdfs://bucket/x", "HTTP://host/x", "made-up://x"])
def test_unknown_schemes_are_usage_errors(text):
    """They name the URL and have a hint."""
    with pytest.raises(UsageError) as caught:
        open_storage(text)
    assert (text in caught.value.message, caught.value.hint != "") == (True, True)


def test_file_urls_of_other_machines_are_refused():
    """`file://host/x` is not a local folder."""
    with pytest.raises(UsageError, match="another machine"):
        open_storage("file://host/x")


@pytest.mark.parametrize("scheme", ["s3", "gs", "az", "azure", "abfs", "abfss", "oss"])
def test_object_stores_need_the_extra(scheme, monkeypatch):
    """The hint says what to install."""
    monkeypatch.setitem(sys.modules, "obstore", None)
    monkeypatch.delitem(sys.modules, "lightboard.storage.objects", raising=False)
    options = {"account_name": "a"} if scheme.startswith("a") else {}
    options |= {"endpoint": "https://oss-cn-hangzhou.aliyuncs.com"} if scheme == "oss" else {}
    with pytest.raises(UsageError) as caught:
        open_storage(f"{scheme}://bucket/x", {"anonymous": "true", **options})
    assert (caught.value.message, caught.value.hint) == (
        f"{scheme}:// needs lightboard[objects]",
        "pip install 'lightboard[objects]'",
    )


def test_schemes_are_checked_without_opening():
    """Forms validate URLs that way."""
    texts = ["s3://b/x", "GS://b", "az://c", "abfss://c@a.dfs.core.windows.net/x", "oss://b/x", "file:///x"]
    assert [is_known(text) for text in [*texts, "hdfs://x", "/srv", "s3:/b"]] == [True] * 6 + [False] * 3


@pytest.mark.parametrize(
    ("url", "fit"),
    [
        ("s3://bucket/a%20b/c+d", "s3://bucket/a%20b/c+d"),
        ("https://user:secret@host:1/a", "https://***@host:1/a"),
        ("s3://token@bucket/a", "s3://***@bucket/a"),
        ("abfs://box@account.dfs.core.windows.net/a", "abfs://box@account.dfs.core.windows.net/a"),
        ("abfs://box:secret@account/a", "abfs://***@account/a"),
        ("az://box/a?sv=1&sig=secret", "az://box/a?sv=***&sig=***"),
        ("az://box/a?secret", "az://box/a?***"),
        ("s3://a/b@c?d=e=f", "s3://a/b@c?d=***"),
        ("/srv/a?b@c", "/srv/a?b@c"),
    ],
)
def test_urls_are_redacted(url, fit):
    """Users, passwords and query values; keys and containers stay."""
    assert redact_url(url) == fit
