"""From what people type to a storage."""

import sys

import pytest

from lightboard.errors import UsageError
from lightboard.storage.urls import is_known, open_storage, shown


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
def test_path_and_file_url_are_local(text, url):
    """Paths and file URLs open the folder they name."""
    assert open_storage(text).url == url


@pytest.mark.parametrize("text", ["hdfs://bucket/x", "HTTP://host/x", "made-up://x"])
def test_unknown_scheme_is_one_clear_error(text):
    """An address nobody can read is refused by name, with a hint."""
    with pytest.raises(UsageError) as caught:
        open_storage(text)
    assert (text in caught.value.message, caught.value.hint != "") == (True, True)


def test_file_url_of_another_machine_is_refused():
    """`file://host/x` is not a folder of this machine."""
    with pytest.raises(UsageError, match="another machine"):
        open_storage("file://host/x")


@pytest.mark.parametrize("scheme", ["s3", "gs", "az", "azure", "abfs", "abfss", "oss"])
def test_without_the_extra_an_object_store_is_one_clear_error(scheme, monkeypatch):
    """What to install, not a traceback."""
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


def test_known_schemes_are_told_without_loading_anything():
    """A form can refuse an address before anybody opens it."""
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
def test_shown_addresses_hold_no_secret(url, fit):
    """User, password and what a query says are left out; keys and containers are not."""
    assert shown(url) == fit
