"""How many examples a test of properties tries, if other than the profile says."""

import hypothesis

SUITE_EXAMPLES = 100
"""Those that the profile of the suite tries. Others have fewer or more."""


def examples(count: int) -> hypothesis.settings:
    """As many as `count` in the suite; in other profiles fewer or more by the same factor as in every test."""
    profile = hypothesis.settings.get_current_profile_name()
    factor = hypothesis.settings.get_profile(profile).max_examples / SUITE_EXAMPLES
    return hypothesis.settings(max_examples=max(1, round(count * factor)))
