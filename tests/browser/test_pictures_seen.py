"""What charts show beyond lines of runs, read off pictures: groups with bands, single points, log x, a tag as x."""

import pathlib
import re
import xml.etree.ElementTree as ET

import logs
import numpy as np
from cards import card, hover_step, tip_rows
from served import Board, Serving
from taking import SVG, take, texts
from visitor import Visitor

BIG = [logs.SWEEP.index(name) for name in logs.SWEEP if name.startswith("big/")]


def members(tag: str) -> logs.Floats:
    """Values of the big runs of the sweep, a row each."""
    return np.array([logs.decay(run, logs.SWEEP_TAGS.index(tag), 1_000) for run in BIG])


def numbers(path: str) -> list[tuple[float, float]]:
    """The places a path of relative lines passes through."""
    start, *moves = re.findall(r"[Ml][^Mlz]+", path)
    at = [float(part) for part in start[1:].split()]
    places = [(at[0], at[1])]
    for move in moves:
        dx, dy = (float(part) for part in re.findall(r"-?[\d.]+(?:e-?\d+)?", move[1:]))
        places.append((places[-1][0] + dx, places[-1][1] + dy))
    return places


def test_a_group_is_the_mean_of_its_runs(visitor: Visitor, sweep: Board) -> None:
    """The tip tells mean and standard deviation, equal to NumPy's, and how many runs they are of."""
    page = visitor.open(sweep, "&smoothing=0&group=mean,sd,name:%5E(big)")
    loss = card(page, "train/loss")
    hover_step(page, loss, 5_000)
    row = next(row for row in tip_rows(page) if row["run"].startswith("big"))
    at = members("train/loss")[:, 500]
    np.testing.assert_allclose(float(row["value"]), at.mean(), rtol=0, atol=1e-6)
    said = page.get_by_test_id("tip").locator("tbody tr", has_text="±").inner_text()
    spread = float(said.split("±")[1].split()[0])
    np.testing.assert_allclose(spread, at.std(), rtol=5e-3)
    assert re.search(r"\b3\b", said)


def test_the_band_is_drawn_where_numpy_has_it(visitor: Visitor, sweep: Board, tmp_path: pathlib.Path) -> None:
    """In the picture the edges of the band lie at mean ± σ, below the line."""
    page = visitor.open(sweep, "&smoothing=0&group=mean,sd,name:%5E(big)&ignoreOutliers=false")
    svg = take(page, card(page, "train/loss"), "Picture as SVG", tmp_path).read_text()
    assert texts(svg)[1] == "mean of groups · band ± σ"
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


def test_members_are_drawn_on_demand(visitor: Visitor, sweep: Board, tmp_path: pathlib.Path) -> None:
    """A group alone hides its runs; with members they stand beside it."""
    page = visitor.open(sweep, "&group=mean,sd,members,name:%5E(big)")
    said = texts(take(page, card(page, "train/loss"), "Picture as SVG", tmp_path).read_text())
    assert {"big (3)", "big/seed0", "big/seed1", "big/seed2"} <= set(said)


def test_single_points_are_a_strip_with_names_and_values(
    visitor: Visitor, serving: Serving, tmp_path: pathlib.Path
) -> None:
    """One point of each run: a row for each with its value, and no line."""
    for run, value in enumerate((0.5, 0.75, 0.625)):
        records = {"test/accuracy": logs.scalars("test/accuracy", [100], np.array([logs.START]), np.array([value]))}
        logs.write_run(tmp_path / "logs" / f"run_{run}", records)
    page = visitor.open(serving(tmp_path / "logs"))
    svg = take(page, card(page, "test/accuracy"), "Picture as SVG", tmp_path).read_text()
    said = texts(svg)
    assert [text for text in said if text.startswith("run_")] == ["run_0", "run_1", "run_2"]
    assert [text for text in said if text in ("0.5", "0.75", "0.625")][:3] == ["0.5", "0.75", "0.625"]
    assert card(page, "test/accuracy").get_attribute("data-drawn") == "3"


def test_log_x_begins_behind_zero_and_says_so(visitor: Visitor, sweep: Board, tmp_path: pathlib.Path) -> None:
    """Ticks are powers of ten; the points at step 0 are counted, not hidden in silence."""
    page = visitor.open(sweep, "&logX=true")
    said = texts(take(page, card(page, "train/loss"), "Picture as SVG", tmp_path).read_text())
    assert {"10", "100", "1000"} <= set(said)
    assert "6 ≤ 0 not shown" in said


def test_a_tag_can_be_x(visitor: Visitor, sweep: Board, tmp_path: pathlib.Path) -> None:
    """Each point stands at the other tag's value of its step, in the order of the steps."""
    page = visitor.open(sweep, "&smoothing=0&axis=tag&xTag=train/lr&runs=none&show=baseline&ignoreOutliers=false")
    svg = take(page, card(page, "train/loss"), "Picture as SVG", tmp_path).read_text()
    root = ET.fromstring(svg)
    line = next(path for path in root.iter(f"{SVG}path") if path.get("stroke-width") == "1.5")
    across = np.array([x for x, _ in numbers(line.get("d", ""))])
    x = logs.decay(0, logs.SWEEP_TAGS.index("train/lr"), 1_000)
    left, right = across.min(), across.max()
    np.testing.assert_allclose(across, left + (x - x.min()) / np.ptp(x) * (right - left), atol=0.05)
    assert texts(svg)[2] == "train/lr"
