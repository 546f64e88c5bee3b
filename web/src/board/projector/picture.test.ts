import { expect, test } from "vitest";
import { coloringOf } from "./coloring";
import { type Picture, svgOf } from "./picture";
import { HIDDEN } from "./splat";

const THEME = { text: "#14181f", paper: "#ffffff", accent: "#2f5bea", font: "400 11px Inter" };
const PICTURE: Picture = {
  title: "words <1>",
  legendTitle: "kind",
  width: 100,
  height: 80,
  points: {
    x: Float32Array.of(10, 20, 30, -50),
    y: Float32Array.of(10, 20, 30, 10),
    far: new Float32Array(4),
    codes: Uint8Array.of(0, 1, 0, 0),
    states: Uint8Array.of(0, 0, HIDDEN, 0),
  },
  solid: false,
  coloring: coloringOf(
    { kind: "category", codes: Uint16Array.of(0, 1, 0, 0), labels: ["cat", "dog"] },
    4,
    "light",
  ),
  labels: [{ text: "a & b", left: 20, middle: 30 }],
  theme: THEME,
};
const measure = (text: string) => 6 * text.length;

test("an SVG has its points, labels, title and legend, and is well-formed", () => {
  const svg = svgOf(PICTURE, measure, null);
  const texts = [...svg.matchAll(/<text[^>]*>([^<]*)</g)].map(([, text]) => text);
  expect(texts).toEqual(["a &amp; b", "words &lt;1&gt;", "kind", "cat 3", "dog 1"]);
  // Two points in sight and two spots of the legend; one is hidden, one outside.
  expect(svg.match(/<path/g)?.length).toBe(4);
  expect(svg).toContain("<title>words &lt;1&gt;</title>");
});

test("very many points stand in it as an image", () => {
  const svg = svgOf(PICTURE, measure, "data:image/png;base64,AAAA");
  expect([svg.match(/<path/g)?.length, svg.includes('href="data:image/png;base64,AAAA"')]).toEqual([2, true]);
});
