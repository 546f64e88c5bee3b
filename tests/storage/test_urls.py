"""From what people type to a storage."""

import pytest

from lightboard.errors import UsageError
from lightboard.storage.urls import open_storage


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


@pytest.mark.parametrize("text", ["s3://bucket/x", "gs://bucket", "HTTP://host/x", "made-up://x"])
def test_unknown_scheme_is_one_clear_error(text):
    """An address nobody can read is refused by name, with a hint."""
    with pytest.raises(UsageError) as caught:
        open_storage(text)
    assert (text in caught.value.message, caught.value.hint != "") == (True, True)


def test_file_url_of_another_machine_is_refused():
    """`file://host/x` is not a folder of this machine."""
    with pytest.raises(UsageError, match="another machine"):
        open_storage("file://host/x")
