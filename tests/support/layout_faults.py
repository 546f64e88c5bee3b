"""What is wrong with where things stand in a page, told by the page itself."""

from collections.abc import Iterable

from playwright.sync_api import Page

from support.settled_pages import settle

KIND_PAGES = (
    *("images", "audio", "text", "histograms", "pr_curves", "hparams"),
    *("mesh", "custom_scalars", "projector", "other"),
)
"""Names of the pages of data kinds, as they stand in the address."""

LAYOUT_FAULTS = """() => {
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
        // What a program prints in a terminal is a picture, whether or not it is one of a canvas.
        if (part.closest('svg, canvas, .xterm-screen, [hidden]') || !seen(part)) continue;
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


def find_layout_faults(page: Page, widths: Iterable[int], *, allowed: str | None = None) -> dict[int, list[str]]:
    """What is cut, overlaps or scrolls sideways, by width where there is any. The page stays at the last width.

    Faults that contain `allowed` are left out.
    """
    found = {}
    for width in widths:
        page.set_viewport_size({"width": width, "height": 900})
        settle(page)
        faults: list[str] = page.evaluate(LAYOUT_FAULTS)
        found[width] = [fault for fault in faults if allowed is None or allowed not in fault]
    return {width: faults for width, faults in found.items() if faults}
