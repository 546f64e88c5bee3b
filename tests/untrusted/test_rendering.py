"""The work budget of a response, and what is shown beyond it."""

import pytest

from lightboard.untrusted import rendering
from lightboard.untrusted.markdown import START_STEPS
from lightboard.untrusted.rendering import RESPONSE_WORK, Budget, plain_html


@pytest.fixture(autouse=True)
def empty_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    """An empty cache for each test."""
    monkeypatch.setattr(rendering, "cache", rendering.LruCache(1 << 20, lambda found: len(found.html)))


def test_expensive_texts_are_shown_as_plain_text() -> None:
    """With the original characters, and marked as such."""
    text = "![" * 5_000

    found = Budget().render(text)

    assert (found.html, found.plain) == (plain_html(text), True)


def test_a_budget_is_spent_text_by_text() -> None:
    """The first texts are rendered, the others are plain."""
    texts = [f"*{number}* " + "a*b*c " * 200 for number in range(100)]
    budget = Budget(20_000)

    found = [budget.render(text).plain for text in texts]

    rendered = found.index(True)
    assert 0 < rendered < 100
    assert found == [False] * rendered + [True] * (100 - rendered)
    assert budget.left == 0


def test_responses_do_not_depend_on_the_cache() -> None:
    """Cached texts cost as much as new ones."""
    texts = [f"*{number}* " + "a*b*c " * 200 for number in range(50)]

    def answer() -> list[tuple[str, bool]]:
        budget = Budget(20_000)
        return [budget.render(text)[::2] for text in texts]  # type: ignore[misc]

    first = answer()
    Budget().render(texts[-1])

    assert answer() == first


def test_equal_texts_are_rendered_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Within a response and across responses."""
    rendered_texts = []
    monkeypatch.setattr(
        rendering,
        "render_html",
        lambda text, most: rendered_texts.append(text) or rendering.RenderedHtml(text, 1, False),
    )

    for _ in range(3):
        budget = Budget()
        assert [budget.render("a").html for _ in range(3)] == ["a"] * 3
        assert budget.left == RESPONSE_WORK - 1

    assert rendered_texts == ["a"]


def test_the_cache_is_limited_in_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    """The least recently used texts are dropped."""
    small = rendering.LruCache[rendering.RenderedHtml](1_000, lambda found: len(found.html))
    monkeypatch.setattr(rendering, "cache", small)

    for number in range(100):
        Budget().render(f"{number} " + "word " * 40)

    assert len(small) * 200 <= 1_200


def test_small_texts_have_a_minimum_cost() -> None:
    """A hundred thousand of them are a large response."""
    budget = Budget(10 * START_STEPS)
    plain = [budget.render(str(number)).plain for number in range(20)]

    assert plain.count(False) <= 10


def test_json_costs_nothing() -> None:
    """It is shown as code."""
    budget = Budget(0)

    found = budget.render_keeping_json('{\n  "a": "*b*"\n}')

    assert (found.html, found.plain) == ('<pre><code>{\n  "a": "*b*"\n}</code></pre>', False)


def test_very_long_paragraphs_are_not_formatted() -> None:
    """The result is marked as plain; other paragraphs are rendered."""
    found = Budget().render("*a*\n\n" + "*b* " * 20_000)

    assert found.plain
    assert found.html.startswith("<p><em>a</em></p>\n<p>*b* *b* ")


@pytest.mark.parametrize("text", ["x" * 100_000, "lines without marks\n" * 5000])
def test_very_long_paragraphs_without_markup_are_complete(text: str) -> None:
    """They are not marked as plain, because no formatting was lost. As in TensorBoard."""
    found = Budget().render(text)

    assert (found.html, found.plain) == (f"<p>{text.rstrip()}</p>", False)
