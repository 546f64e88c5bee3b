/** Reads the colours of the page for a canvas, which cannot read custom properties itself. */

import type { ColorScheme } from "../lib/color-scheme";
import type { ChartTheme } from "./model";

/** The theme at an element. Read it again when the page's theme changes. */
export function readTheme(element: Element): ChartTheme {
  const style = getComputedStyle(element);
  const read = (name: string) => style.getPropertyValue(name).trim();
  return {
    surface: read("--surface"),
    line: read("--line"),
    grid: read("--grid"),
    axis: read("--axis"),
    axisText: read("--axis-text"),
    text: read("--text"),
    text2: read("--text-2"),
    cursor: read("--cursor"),
    accent: read("--accent"),
    bandAlpha: Number(read("--band")) || 0.16,
    rawAlpha: Number(read("--raw")) || 0.22,
    dimAlpha: Number(read("--dim")) || 0.28,
    font: style.fontFamily,
  };
}

/** The theme of a color scheme, whichever the page has: exports are light even if the page is dark. */
export function readSchemeTheme(scheme: ColorScheme): ChartTheme {
  return inScheme(scheme, readTheme);
}

/** The values of custom properties in a color scheme. */
export function readSchemeColors<Name extends string>(
  scheme: ColorScheme,
  properties: Readonly<Record<Name, string>>,
): Record<Name, string> {
  return inScheme(scheme, (element) => {
    const style = getComputedStyle(element);
    const read = Object.entries<string>(properties).map(([name, property]) => [
      name,
      style.getPropertyValue(property).trim(),
    ]);
    return Object.fromEntries(read);
  });
}

function inScheme<Read>(scheme: ColorScheme, read: (element: Element) => Read): Read {
  const probe = document.createElement("div");
  probe.dataset.theme = scheme;
  document.body.append(probe);
  const found = read(probe);
  probe.remove();
  return found;
}
