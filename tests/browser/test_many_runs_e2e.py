"""Ten thousand runs in the run table (check 18; timings are in bench/)."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from support import scalar_logs
from support.board_process import BoardProcess, serve_logs
from support.page_driver import PageDriver
from support.settled_pages import settle

ROWS = "[data-testid=run-row], [data-testid=group-row]"
MAX_ROWS = 80


@pytest.fixture(scope="module")
def crowd(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BoardProcess]:
    """F4: a board over 10,000 runs in ten folders."""
    yield from serve_logs(tmp_path_factory.mktemp("f4") / "runs", scalar_logs.crowd)


def opened(driver: PageDriver, board: BoardProcess, query: str = "") -> Page:
    """The page once every run is known."""
    page = driver.open(board, query)
    expect(page.get_by_role("button", name="Runs 50/10,000")).to_be_visible()
    return page


def test_only_the_latest_runs_are_on_by_default(driver: PageDriver, crowd: BoardProcess) -> None:
    """Fifty, with a way to show all."""
    page = opened(driver, crowd)

    expect(page.get_by_text("Many runs: only the 50 most recently active are visible.")).to_be_visible()
    expect(page.get_by_role("button", name="Show all")).to_be_visible()
    expect(page.get_by_test_id("group-row").first).to_have_attribute("data-count", "1000")


def test_rows_are_virtualized(driver: PageDriver, crowd: BoardProcess) -> None:
    """At most eighty, all in place."""
    page = opened(driver, crowd)
    most = page.evaluate(
        """async (rows) => {
            const scroll = document.querySelector('[role=grid]').parentElement;
            let most = 0;
            for (let y = 0; y < scroll.scrollHeight; y += scroll.scrollHeight / 40) {
                scroll.scrollTop = y;
                await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
                most = Math.max(most, document.querySelectorAll(rows).length);
            }
            scroll.scrollTop = scroll.scrollHeight;
            return most;
        }""",
        ROWS,
    )

    assert 0 < most <= MAX_ROWS
    expect(page.locator('[data-run="sweep_9/run_09999"]')).to_be_in_viewport()


def test_all_runs_can_be_drawn(driver: PageDriver, crowd: BoardProcess) -> None:
    """In one card."""
    page = opened(driver, crowd, "&tree=false&smoothing=0")
    page.get_by_role("button", name="Show all").click()
    card = page.get_by_test_id("card").first

    expect(card).to_have_attribute("data-drawn", "200000", timeout=60_000)
    inked = card.locator("canvas").first.evaluate(
        """(canvas) => {
            const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
            return data.some((value) => value > 0);
        }"""
    )
    assert inked


def test_rows_stay_in_dom_order(driver: PageDriver, crowd: BoardProcess) -> None:
    """For Tab and screen readers."""
    page = opened(driver, crowd, "&tree=false")
    page.locator(ROWS).first.hover()
    for _ in range(6):
        page.mouse.wheel(0, 700)
        settle(page)
    page.mouse.wheel(0, -100)
    expect(page.locator('[data-run="sweep_0/run_01500"]')).to_be_attached()

    page.wait_for_function(
        """(rows) => {
            const places = [...document.querySelectorAll(rows)].map((row) => +row.getAttribute('aria-rowindex'));
            return places.length > 20 && places.every((place, i) => i === 0 || place === places[i - 1] + 1);
        }""",
        arg=ROWS,
    )


def test_ten_thousand_runs_can_be_filtered(driver: PageDriver, crowd: BoardProcess) -> None:
    """The box of the head speaks for those the filter leaves; rows beside them are folders."""
    page = opened(driver, crowd, "&tree=false")
    for text, left in (("run_0012", 10), ("lr<5e-4 seed=2", 1334), ("/_09\\d+3$/", 100)):
        page.get_by_role("combobox", name="Filter runs").fill(text)

        expect(page.get_by_role("grid"), text).to_have_attribute("aria-rowcount", str(left + 1))


def test_ten_thousand_runs_can_be_sorted_by_a_metric(driver: PageDriver, crowd: BoardProcess) -> None:
    """The least comes first, whatever folder it stands in."""
    page = opened(driver, crowd, "&tree=false&table=metric:eval/loss:last")
    page.locator("[data-column='metric:eval/loss:last']").get_by_role("button").click()
    expect(page.locator("[data-column='metric:eval/loss:last']")).to_have_attribute("aria-sort", "ascending")
    least = min(range(10), key=lambda shape: float(scalar_logs.decay(shape, 0, 20)[-1]))

    expect(page.locator("[aria-rowindex='2']")).to_have_attribute("data-run", f"sweep_{least}/run_0000{least}")


def test_filtered_runs_are_drawn_even_if_off(driver: PageDriver, crowd: BoardProcess) -> None:
    """Few of ten thousand are on: those found are as well, and the note about the many is gone."""
    page = opened(driver, crowd, "&tree=false")
    page.get_by_role("combobox", name="Filter runs").fill("run_0012")

    expect(page.get_by_role("button", name="Runs 10/10,000")).to_be_visible()
    expect(page.get_by_text("Many runs:")).not_to_be_visible()
    expect(page.locator("[data-testid=card]").first).to_have_attribute("data-held", "200")
