"""YAML is read as what was written."""

from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from ruamel.yaml import YAML

from lightboard.cli.yaml_text import yaml_text

WORDS = st.sampled_from(
    ("no", "On", "NULL", "~", "", " ", "a: b", "a:", "- a", "#a", "a #b", "1e5", "0x10", "2026-11-28", "12:30", ".inf",
     "a\nb", "\u2028", "\x85", "\ufeffa", "👩\u200d💻", "!a", "&a", "*a", "%a", "a ", "=", "<<", "? a", "|", "'", '"')
)  # fmt: skip
TEXTS = WORDS | st.text(st.characters(exclude_categories=("Cs",)), max_size=12)
SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | TEXTS
VALUES = st.recursive(SCALARS, lambda each: st.lists(each, max_size=3) | st.dictionaries(TEXTS, each, max_size=3))


@given(VALUES)
def test_readers_of_both_versions_find_the_values(value: Any) -> None:
    """YAML 1.1, which most readers implement, and 1.2."""
    text = yaml_text(value)
    assert (yaml.safe_load(text), YAML(typ="safe", pure=True).load(text)) == (value, value)


def test_the_style_is_that_of_kubectl() -> None:
    """Blocks, and quotes only where they are needed."""
    value = {
        "name": "mnist", "link": "http://127.0.0.1:8080/tb/x/", "note": "an off day", "empty": [], "rate": 1e-05,
        "sources": [{"text": "storage:runs", "tags": ["kind:project", "12"]}, {"text": "a: b"}],
        "life": {"secs": 60.0, "until": None},
    }  # fmt: skip

    assert yaml_text([value, 3]).splitlines() == [
        "- name: mnist",
        "  link: http://127.0.0.1:8080/tb/x/",
        "  note: an off day",
        "  empty: []",
        "  rate: 1.0e-05",
        "  sources:",
        "    - text: storage:runs",
        "      tags:",
        "        - kind:project",
        '        - "12"',
        '    - text: "a: b"',
        "  life:",
        "    secs: 60.0",
        "    until: null",
        "- 3",
    ]


@pytest.mark.parametrize(
    ("value", "text"), [(float("nan"), ".nan"), (float("-inf"), "-.inf"), ("обучение", '"обучение"')]
)
def test_scalars(value: Any, text: str) -> None:
    """Numbers that JSON does not have, and text of other alphabets, which stays readable."""
    assert yaml_text(value) == text
