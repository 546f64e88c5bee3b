"""Colours of runs: stable and distinguishable (checks 5 and 6)."""

import itertools
import math

from playwright.sync_api import expect

from support.board_process import BoardProcess
from support.chart_cards import find_card, hover, tooltip_rows
from support.page_driver import PageDriver
from support.run_colours import SWATCH_COLOUR, swatch_colours
from support.settled_pages import follow_fragment, reload, settle

# Machado, Oliveira and Fernandes 2009, severity 1.0, on linear RGB.
DEFICIENCIES = {
    "normal": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protan": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deutan": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritan": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}


def test_a_run_keeps_its_colour(driver: PageDriver, sweep: BoardProcess) -> None:
    """Check 5: after reloading, filtering, and hiding others."""
    page = driver.open(sweep)
    first = swatch_colours(page)

    reload(page)
    assert swatch_colours(page) == first

    page.get_by_role("checkbox", name="lr_1e-3").click()
    settle(page)
    assert swatch_colours(page)["baseline"] == first["baseline"]

    filtered = driver.open(sweep, "&runFilter=base")
    assert swatch_colours(filtered) == {"baseline": first["baseline"]}


def test_a_run_has_its_colour_on_every_page(driver: PageDriver, sweep: BoardProcess) -> None:
    """Check 5: tables, tooltips, and all pages."""
    page = driver.open(sweep, "&tipRows=20")
    hover(page, find_card(page, "train/loss"), 0.5)
    tooltip_rows(page)
    settle(page)
    colours = [
        swatch_colours(page)["baseline"],
        page.locator("[data-testid=tip] tr[data-run=baseline]").evaluate(SWATCH_COLOUR),
        swatch_colours(driver.open(sweep, "#runs"))["baseline"],
    ]
    for query, place in (
        ("&compare=baseline,big/seed0#compare", "[data-testid=compare-table] th[data-run=baseline]"),
        ("#run/baseline", "main header, main h1, main h2"),
    ):
        other = driver.open(sweep, query)
        shown = other.locator(place).filter(has=other.locator("[class*=swatch]")).first
        expect(shown).to_be_visible()
        colours.append(shown.evaluate(SWATCH_COLOUR))

    assert colours == [colours[0]] * 5


def test_ten_colours_are_distinguishable(driver: PageDriver, hundred_tags: BoardProcess) -> None:
    """Check 6: CIEDE2000 of at least 10 for every pair, in both themes, also with colour vision deficiency."""
    page = driver.open(hundred_tags)
    counts, alike = {}, {}
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        expect(page.locator("html")).to_have_attribute("data-theme", scheme)
        settle(page)
        colours = [rgb(text) for text in swatch_colours(page).values()]
        counts[scheme] = len(colours)
        for deficiency, matrix in DEFICIENCIES.items():
            seen = [lab(simulate(colour, matrix)) for colour in colours]
            apart = min(delta_e(a, b) for a, b in itertools.combinations(seen, 2))
            if apart < 10:
                alike[scheme, deficiency] = apart

    assert counts == {"light": 10, "dark": 10}
    assert alike == {}


Triple = tuple[float, float, float]


def rgb(text: str) -> Triple:
    red, green, blue = (float(part) / 255 for part in text.removeprefix("rgb(").removesuffix(")").split(","))
    return red, green, blue


def simulate(colour: Triple, matrix: tuple[Triple, Triple, Triple]) -> Triple:
    """Linear RGB as an eye of that kind sees it."""
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in colour]
    red, green, blue = (
        min(1.0, max(0.0, sum(m * part for m, part in zip(row, linear, strict=True)))) for row in matrix
    )
    return red, green, blue


def lab(linear: Triple) -> Triple:
    """CIE Lab (D65) of linear sRGB."""
    to_xyz = ((0.4124564, 0.3575761, 0.1804375), (0.2126729, 0.7151522, 0.0721750), (0.0193339, 0.1191920, 0.9503041))
    xyz = [sum(m * part for m, part in zip(row, linear, strict=True)) for row in to_xyz]
    x, y, z = (
        t ** (1 / 3) if t > 216 / 24389 else (24389 / 27 * t + 16) / 116
        for t in (value / white for value, white in zip(xyz, (0.95047, 1.0, 1.08883), strict=True))
    )
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def delta_e(first: Triple, second: Triple) -> float:
    """CIEDE2000 (Sharma, Wu and Dalal 2005)."""
    (l1, a1, b1), (l2, a2, b2) = first, second
    mean_c = (math.hypot(a1, b1) + math.hypot(a2, b2)) / 2
    g = 0.5 * (1 - math.sqrt(mean_c**7 / (mean_c**7 + 25**7)))
    a1, a2 = a1 * (1 + g), a2 * (1 + g)
    c1, c2 = math.hypot(a1, b1), math.hypot(a2, b2)
    h1, h2 = math.degrees(math.atan2(b1, a1)) % 360, math.degrees(math.atan2(b2, a2)) % 360
    turn = (h2 - h1 + 180) % 360 - 180 if c1 * c2 else 0.0
    dl, dc, dh = l2 - l1, c2 - c1, 2 * math.sqrt(c1 * c2) * math.sin(math.radians(turn / 2))
    ml, mc = (l1 + l2) / 2, (c1 + c2) / 2
    mh = (h1 + turn / 2) % 360 if c1 * c2 else h1 + h2
    t = (
        1
        - 0.17 * math.cos(math.radians(mh - 30))
        + 0.24 * math.cos(math.radians(2 * mh))
        + 0.32 * math.cos(math.radians(3 * mh + 6))
        - 0.20 * math.cos(math.radians(4 * mh - 63))
    )
    sl = 1 + 0.015 * (ml - 50) ** 2 / math.sqrt(20 + (ml - 50) ** 2)
    sc, sh = 1 + 0.045 * mc, 1 + 0.015 * mc * t
    bend = -2 * math.sqrt(mc**7 / (mc**7 + 25**7)) * math.sin(math.radians(60 * math.exp(-(((mh - 275) / 25) ** 2))))
    return math.sqrt((dl / sl) ** 2 + (dc / sc) ** 2 + (dh / sh) ** 2 + bend * (dc / sc) * (dh / sh))


SWATCHES = """(run) => {
    const spots = [...document.querySelectorAll('main [data-run] span[aria-hidden][style*=background]')];
    const own = spots.filter((spot) => spot.closest('[data-run]').dataset.run === run);
    return [...new Set(own.map((spot) => getComputedStyle(spot).backgroundColor))];
}"""


COLOURED_RUNS = dict.fromkeys(("images", "audio", "text", "histograms", "pr_curves", "mesh"), "b")
COLOURED_RUNS |= {"hparams": "trials/trial_1"}
"""A run that the page of each kind has."""


def test_a_run_has_its_colour_on_pages_of_kinds(driver: PageDriver, kinds: BoardProcess) -> None:
    """Check 5, also with another run hidden."""
    page = driver.open(kinds, "&hide=a")
    expected, shown = {}, {}
    for kind, run in COLOURED_RUNS.items():
        follow_fragment(page, kind)
        expected[kind] = [swatch_colours(page)[run]]
        shown[kind] = page.evaluate(SWATCHES, run)

    assert shown == expected
