"""The check that keeps private words out of names and prose."""

import importlib.util
import pathlib
from types import ModuleType

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[1]


@pytest.fixture(scope="module")
def words() -> ModuleType:
    """scripts/check_words.py, which is no package."""
    spec = importlib.util.spec_from_file_location("check_words", ROOT / "scripts" / "check_words.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


BANNED = "gizmo: thread pool\n"


def test_the_list_has_words_and_what_to_write_instead(words: ModuleType) -> None:
    """Comments and empty lines do not count."""
    assert words.banned_words("# a comment\n\ngizmo: thread pool\n") == {"gizmo": "thread pool"}


@pytest.mark.parametrize(
    "name", ["gizmo", "_own_gizmo", "GizmoSize", "GIZMO_SIZE", "newGizmo", "the gizmo's", "test_gizmo.py"]
)
def test_a_word_is_found_in_every_form_of_a_name(words: ModuleType, name: str) -> None:
    """In snake case, camel case, constants and prose."""
    assert list(words.find_words(f"one\n{name}", words.banned_words(BANNED))) == [(2, "gizmo")]


@pytest.mark.parametrize("name", ["sgizmo", "gizmoed", "GIZMOS", "Mosgizmo"])
def test_parts_of_other_words_do_not_count(words: ModuleType, name: str) -> None:
    """Only whole words of a name are compared."""
    assert list(words.find_words(name, words.banned_words(BANNED))) == []
