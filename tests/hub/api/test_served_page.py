"""What the hub changes in responses of the web page of a job."""

import pytest

from lightboard.hub.api.served_page import outer_location


@pytest.mark.parametrize(
    ("location", "outer"),
    [
        ("/a?b=c#d", "/http/job-1/a?b=c#d"),
        ("http://hub.test/a", "/http/job-1/a"),
        ("/http/job-1/a", "/http/job-1/a"),
        ("a/b", "a/b"),
        ("https://other.test/a", "https://other.test/a"),
        ("//other.test/a", "//other.test/a"),
        ("http://[", "http://["),
    ],
)
def test_redirects_of_a_server_that_does_not_know_its_path(location: str, outer: str) -> None:
    """Stay below it, unless they lead to another site."""
    assert outer_location(location, "hub.test", "/http/job-1") == outer
