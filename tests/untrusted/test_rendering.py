"""What one answer may cost, and what is shown when it has cost so much."""

import pytest

from lightboard.untrusted import rendering
from lightboard.untrusted.markdown import START_STEPS
from lightboard.untrusted.rendering import ANSWER_WORK, Budget, plain_html


@pytest.fixture(autouse=True)
def empty_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing was rendered before."""
    monkeypatch.setattr(rendering, "cache", rendering.LruCache(1 << 20, lambda found: len(found.html)))


def test_a_text_that_takes_too_much_is_plain() -> None:
    """To the letter, and it says so."""
    text = "![" * 5_000

    found = Budget().render(text)

    assert (found.html, found.plain) == (plain_html(text), True)


def test_a_budget_is_spent_text_by_text() -> None:
    """The first ones are rendered, the others plain; the answer takes no more than it may."""
    texts = [f"*{number}* " + "a*b*c " * 200 for number in range(100)]
    budget = Budget(20_000)

    found = [budget.render(text).plain for text in texts]

    rendered = found.index(True)
    assert 0 < rendered < 100
    assert found == [False] * rendered + [True] * (100 - rendered)
    assert budget.left == 0


def test_answers_do_not_depend_on_what_was_asked_before() -> None:
    """A text out of the cache costs as much as one that was just rendered."""
    texts = [f"*{number}* " + "a*b*c " * 200 for number in range(50)]

    def answer() -> list[tuple[str, bool]]:
        budget = Budget(20_000)
        return [budget.render(text)[::2] for text in texts]  # type: ignore[misc]

    first = answer()
    Budget().render(texts[-1])

    assert answer() == first


def test_a_text_is_rendered_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """However many answers have it, and however often."""
    asked = []
    monkeypatch.setattr(
        rendering, "rendered", lambda text, most: asked.append(text) or rendering.Rendered(text, 1, False)
    )

    for _ in range(3):
        budget = Budget()
        assert [budget.render("a").html for _ in range(3)] == ["a"] * 3
        assert budget.left == ANSWER_WORK - 1

    assert asked == ["a"]


def test_the_cache_is_bounded_in_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was used longest ago goes."""
    small = rendering.LruCache[rendering.Rendered](1_000, lambda found: len(found.html))
    monkeypatch.setattr(rendering, "cache", small)

    for number in range(100):
        Budget().render(f"{number} " + "word " * 40)

    assert len(small) * 200 <= 1_200


def test_small_texts_cost_something_too() -> None:
    """A hundred thousand of them are no small answer."""
    budget = Budget(10 * START_STEPS)
    plain = [budget.render(str(number)).plain for number in range(20)]

    assert plain.count(False) <= 10


def test_json_is_no_markdown() -> None:
    """It keeps its lines and costs nothing."""
    budget = Budget(0)

    found = budget.render_laid_out('{\n  "a": "*b*"\n}')

    assert (found.html, found.plain) == ('<pre><code>{\n  "a": "*b*"\n}</code></pre>', False)


def test_a_very_long_paragraph_is_shown_as_written() -> None:
    """And the flag says so; the others are rendered."""
    found = Budget().render("*a*\n\n" + "*b* " * 20_000)

    assert found.plain
    assert found.html.startswith("<p><em>a</em></p>\n<p>*b* *b* ")


@pytest.mark.parametrize("text", ["x" * 100_000, "lines without marks\n" * 5000])
def test_a_very_long_paragraph_without_marks_is_what_it_was_meant_to_be(text: str) -> None:
    """Nothing was left out, so nothing is said of it, as in TensorBoard."""
    found = Budget().render(text)

    assert (found.html, found.plain) == (f"<p>{text.rstrip()}</p>", False)
