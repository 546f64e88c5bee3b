"""Which hub and token a client uses."""

import pathlib
import stat
import subprocess

import pytest

from lightboard.client.settings import DEFAULT_URL, Login, find_login, forget_login, keep_login
from lightboard.errors import UsageError


@pytest.fixture(autouse=True)
def nobody(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A user who never logged in."""
    monkeypatch.setenv("LIGHTBOARD_HOME", str(tmp_path))
    for name in ("URL", "TOKEN", "PROJECT", "JOB_URL", "JOB_TOKEN"):
        monkeypatch.delenv(f"LIGHTBOARD_{name}", raising=False)


def test_a_missing_token_is_explained() -> None:
    """One line with a way out."""
    with pytest.raises(UsageError) as caught:
        find_login()
    assert (caught.value.message, caught.value.hint) == (
        f"not logged in to {DEFAULT_URL}",
        "run lightboard login, or set LIGHTBOARD_TOKEN",
    )


def test_arguments_override_the_environment_and_the_file(monkeypatch: pytest.MonkeyPatch) -> None:
    """In this order."""
    keep_login(Login(url="http://hub", token="kept", project="kept"))
    assert find_login() == Login(url="http://hub", token="kept", project="kept")

    monkeypatch.setenv("LIGHTBOARD_TOKEN", "set")
    assert find_login() == Login(url="http://hub", token="set", project="kept")
    assert find_login("http://hub/", "given", "given") == Login(url="http://hub", token="given", project="given")


def test_stored_tokens_are_sent_to_their_hub_only() -> None:
    """Whoever is talked into another address gives nothing away."""
    keep_login(Login(url="http://hub", token="kept"))

    with pytest.raises(UsageError, match="not logged in to http://other"):
        find_login("http://other")


def test_a_job_of_a_hub_has_its_own_token(monkeypatch: pytest.MonkeyPatch) -> None:
    """For that hub, and where nobody has logged in."""
    monkeypatch.setenv("LIGHTBOARD_JOB_URL", "http://own")
    monkeypatch.setenv("LIGHTBOARD_JOB_TOKEN", "job")
    assert find_login() == Login(url="http://own", token="job")
    with pytest.raises(UsageError, match="not logged in to http://other"):
        find_login("http://other")

    keep_login(Login(url="http://hub", token="kept"))
    assert find_login() == Login(url="http://hub", token="kept")
    assert find_login("http://own") == Login(url="http://own", token="job")


def test_the_file_is_private() -> None:
    """It holds a secret."""
    assert stat.S_IMODE(keep_login(Login(url="http://hub", token="kept")).stat().st_mode) == 0o600


def test_readable_login_files_are_refused_with_a_fix() -> None:
    """The hint is a shell command."""
    file = keep_login(Login(url="http://hub", token="kept"))
    file.chmod(0o640)

    with pytest.raises(UsageError, match=r"login\.json \(mode 0640\) is open to other users") as refused:
        find_login("http://hub")
    subprocess.run(refused.value.hint, shell=True, check=True)

    assert find_login("http://hub").token == "kept"


def test_logout_removes_the_login() -> None:
    """Repeatedly."""
    keep_login(Login(url="http://hub", token="kept"))

    assert (forget_login(), forget_login()) == (True, False)


def test_broken_files_are_named() -> None:
    """Not treated as logged out."""
    file = keep_login(Login(url="http://hub", token="kept"))
    file.write_text("{")

    with pytest.raises(UsageError, match=r"login\.json cannot be read"):
        find_login()


@pytest.mark.parametrize("url", ["hub:8080", "ftp://hub", "javascript:1"])
def test_invalid_urls_are_refused(url: str) -> None:
    """Before a token is sent."""
    with pytest.raises(UsageError, match="is not the URL of a hub"):
        find_login(url, "token")
