"""Nothing lies over anything else and nothing is cut, at any usual width, in any language (checks 4 and 29)."""

import pytest
from served import Board
from visitor import Visitor

PAGES = {
    "time series": "&pinned=eval/loss&join=train/loss;eval/loss#timeseries",
    "groups": "&group=mean,sd,config:lr&runColorGroup=config:lr#timeseries",
    "runs": "#runs",
    "compare": "&compare=baseline,big/seed0,big/seed1#compare",
    "run": "#run/big/seed0",
}

FAULTS = """() => {
    const seen = (part) => {
        const style = getComputedStyle(part);
        const box = part.getBoundingClientRect();
        return box.width > 1 && box.height > 1 && style.visibility === 'visible' && +style.opacity > 0 &&
            box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth;
    };
    const named = (part) => `${part.tagName.toLowerCase()} ${part.dataset.testid ?? ''} ` +
        `"${(part.innerText || part.getAttribute('aria-label') || '').slice(0, 40)}"`;
    const inFlow = (part) => !['absolute', 'fixed', 'sticky'].includes(getComputedStyle(part).position);
    const faults = [];
    for (const part of document.body.querySelectorAll('*')) {
        if (part.closest('svg, canvas, [hidden]') || !seen(part)) continue;
        const style = getComputedStyle(part);
        const scrolls = ['auto', 'scroll'].includes(style.overflowX);
        const told = style.textOverflow === 'ellipsis';
        if (part.clientWidth > 0 && part.scrollWidth > part.clientWidth + 1 && !scrolls && !told &&
            style.overflowX !== 'visible' && style.display !== 'inline' && !part.closest('table, [role=grid]'))
            faults.push(`cut: ${named(part)}`);
        if (scrolls && part.scrollWidth > part.clientWidth + 1 && !part.querySelector('table, [role=grid]') &&
            !part.closest('table, [role=grid]') && part.getAttribute('role') !== 'grid')
            faults.push(`scrolls sideways: ${named(part)}`);
        const children = [...part.children].filter((child) => seen(child) && inFlow(child) &&
            getComputedStyle(child).display !== 'inline');
        for (let i = 1; i < children.length; i++) {
            const [a, b] = [children[i - 1], children[i]].map((child) => child.getBoundingClientRect());
            const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
            const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
            if (across > 1.5 && down > 1.5) faults.push(`overlap: ${named(children[i - 1])} and ${named(children[i])}`);
        }
    }
    if (document.documentElement.scrollWidth > innerWidth) faults.push('the page scrolls sideways');
    return faults;
}"""


@pytest.mark.parametrize("language", ["en", "zh", "ru"])
@pytest.mark.parametrize("width", [1440, 1280, 1024, 390])
@pytest.mark.parametrize("name", PAGES)
def test_nothing_is_cut_or_overlapping(visitor: Visitor, sweep: Board, name: str, width: int, language: str) -> None:
    """Boxes beside each other do not meet, text is whole or says that it is not, only tables scroll sideways."""
    page = visitor.open(sweep, f"&lang={language}{PAGES[name]}", width=width, ready=False)
    page.wait_for_selector("[data-testid=card], [data-testid=run-row], main table", state="attached")

    assert page.evaluate(FAULTS) == []
