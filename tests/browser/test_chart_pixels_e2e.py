"""Pixels of charts: bands, single points, log x, tags as x."""

import pathlib
import re
import xml.etree.ElementTree as ET

import numpy as np

from support import scalar_logs
from support.board_process import BoardProcess, BoardStarter
from support.chart_cards import find_card, hover_step, tooltip_rows
from support.downloads import SVG, download_from_menu, svg_texts
from support.page_driver import PageDriver

BIG = [scalar_logs.SWEEP.index(name) for name in scalar_logs.SWEEP if name.startswith("big/")]


def members(tag: str) -> scalar_logs.Floats:
    """Values of the big runs of the sweep, a row each."""
    return np.array([scalar_logs.decay(run, scalar_logs.SWEEP_TAGS.index(tag), 1_000) for run in BIG])


def numbers(path: str) -> list[tuple[float, float]]:
    """The places a path of relative lines passes through."""
    start, *moves = re.findall(r"[Ml][^Mlz]+", path)
    at = [float(part) for part in start[1:].split()]
    places = [(at[0], at[1])]
    for move in moves:
        dx, dy = (float(part) for part in re.findall(r"-?[\d.]+(?:e-?\d+)?", move[1:]))
        places.append((places[-1][0] + dx, places[-1][1] + dy))
    return places


def test_group_tooltips_equal_numpy(driver: PageDriver, sweep: BoardProcess) -> None:
    """Mean, standard deviation and count."""
    page = driver.open(sweep, "&smoothing=0&group=mean,sd,name:%5E(big)")
    loss = find_card(page, "train/loss")
    hover_step(page, loss, 5_000)
    row = next(row for row in tooltip_rows(page) if row["run"].startswith("big"))
    at = members("train/loss")[:, 500]
    np.testing.assert_allclose(float(row["value"]), at.mean(), rtol=0, atol=1e-6)
    said = page.get_by_test_id("tip").locator("tbody tr", has_text="±").inner_text()
    spread = float(said.split("±")[1].split()[0])
    np.testing.assert_allclose(spread, at.std(), rtol=5e-3)
    assert re.search(r"\b3\b", said)


def test_bands_are_drawn_at_numpys_values(driver: PageDriver, sweep: BoardProcess, tmp_path: pathlib.Path) -> None:
    """At mean ± σ, below the line."""
    page = driver.open(sweep, "&smoothing=0&group=mean,sd,name:%5E(big)&ignoreOutliers=false")
    svg = download_from_menu(page, find_card(page, "train/loss"), "Image as SVG", tmp_path).read_text()
    assert svg_texts(svg)[1] == "mean of groups · band ± σ"
    root = ET.fromstring(svg)
    ticks = [(float(text.text or ""), text) for text in root.iter(f"{SVG}text") if text.get("text-anchor") == "end"]
    (low, at_low), (high, at_high) = ticks[0], ticks[-1]
    low_px, high_px = float(at_low.get("y", "")), float(at_high.get("y", ""))
    # Text stands by its foot, lines by their middle.
    foot = 0.355 * 11
    pixel = lambda value: low_px - foot + (value - low) * (high_px - low_px) / (high - low)  # noqa: E731
    bands = [path for path in root.iter(f"{SVG}path") if path.get("opacity") == ".14"]
    places = numbers(bands[0].get("d", ""))
    values = members("train/loss")
    upper, lower = values.mean(0) + values.std(0), values.mean(0) - values.std(0)
    expected = [*map(pixel, upper), *map(pixel, lower[::-1])]
    assert len(bands) == 1
    np.testing.assert_allclose([y for _, y in places], expected, atol=0.05)


def test_members_are_drawn_on_demand(driver: PageDriver, sweep: BoardProcess, tmp_path: pathlib.Path) -> None:
    """Beside the group."""
    page = driver.open(sweep, "&group=mean,sd,members,name:%5E(big)")
    said = svg_texts(download_from_menu(page, find_card(page, "train/loss"), "Image as SVG", tmp_path).read_text())
    assert {"big (3)", "big/seed0", "big/seed1", "big/seed2"} <= set(said)


def test_single_points_are_listed(driver: PageDriver, start_board: BoardStarter, tmp_path: pathlib.Path) -> None:
    """A row for each run, without a line."""
    for run, value in enumerate((0.5, 0.75, 0.625)):
        records = {
            "test/accuracy": scalar_logs.scalars(
                "test/accuracy", [100], np.array([scalar_logs.START]), np.array([value])
            )
        }
        scalar_logs.write_run(tmp_path / "logs" / f"run_{run}", records)
    page = driver.open(start_board(tmp_path / "logs"))
    svg = download_from_menu(page, find_card(page, "test/accuracy"), "Image as SVG", tmp_path).read_text()
    said = svg_texts(svg)
    assert [text for text in said if text.startswith("run_")] == ["run_0", "run_1", "run_2"]
    assert [text for text in said if text in ("0.5", "0.75", "0.625")][:3] == ["0.5", "0.75", "0.625"]
    assert find_card(page, "test/accuracy").get_attribute("data-drawn") == "3"


def test_log_x_excludes_zero_and_says_so(driver: PageDriver, sweep: BoardProcess, tmp_path: pathlib.Path) -> None:
    """Ticks are powers of ten; omitted points are counted."""
    page = driver.open(sweep, "&logX=true")
    said = svg_texts(download_from_menu(page, find_card(page, "train/loss"), "Image as SVG", tmp_path).read_text())
    assert {"10", "100", "1000"} <= set(said)
    assert "6 ≤ 0 not shown" in said


def test_a_tag_can_be_x(driver: PageDriver, sweep: BoardProcess, tmp_path: pathlib.Path) -> None:
    """In step order."""
    page = driver.open(sweep, "&smoothing=0&axis=tag&xTag=train/lr&runs=none&show=baseline&ignoreOutliers=false")
    svg = download_from_menu(page, find_card(page, "train/loss"), "Image as SVG", tmp_path).read_text()
    root = ET.fromstring(svg)
    line = next(path for path in root.iter(f"{SVG}path") if path.get("stroke-width") == "1.5")
    across = np.array([x for x, _ in numbers(line.get("d", ""))])
    x = scalar_logs.decay(0, scalar_logs.SWEEP_TAGS.index("train/lr"), 1_000)
    left, right = across.min(), across.max()
    np.testing.assert_allclose(across, left + (x - x.min()) / np.ptp(x) * (right - left), atol=0.05)
    assert svg_texts(svg)[2] == "train/lr"
