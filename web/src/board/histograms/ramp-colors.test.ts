import { expect, test } from "vitest";
import { channelsOf, colorAt, heightAt, rampColors, SHADES } from "./ramp-colors";

const LIGHT = { surface: "#fff", accent: "#2f5bea", text: "#14181f" };
const DARK = { surface: "#15181e", accent: "#7c9bff", text: "#e8eaee" };

function luminance(color: string): number {
  const [r, g, b] = channelsOf(color).map((channel) => channel ** 2.2) as [number, number, number];
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

test("the ramp begins with the paper and goes steadily away from it, in both themes", () => {
  for (const [theme, sign] of [
    [LIGHT, -1],
    [DARK, 1],
  ] as const) {
    const colors = rampColors(theme);
    expect(colors).toHaveLength(SHADES);
    expect(luminance(colors[0]!)).toBeCloseTo(luminance(theme.surface), 2);
    const steps = colors.slice(1).map((shade, at) => sign * (luminance(shade) - luminance(colors[at]!)));
    expect(Math.min(...steps)).toBeGreaterThan(-1e-3);
  }
});

test("nothing has no shade, something has one, and the top has the last", () => {
  for (const log of [false, true]) {
    expect([0, 1e-9, 0.1, 5].map((mass) => colorAt(mass, 0.1, log))).toEqual([0, 1, SHADES - 1, SHADES - 1]);
  }
  expect(colorAt(0.001, 0.1, true)).toBeGreaterThan(colorAt(0.001, 0.1, false));
});

test("heights are in proportion, or logarithmic", () => {
  expect([0, 0.05, 0.1].map((mass) => heightAt(mass, 0.1, false))).toEqual([0, 0.5, 1]);
  expect(heightAt(0.1, 0.1, true)).toBeCloseTo(1);
  expect(heightAt(0.01, 0.1, true)).toBeGreaterThan(0.5);
});

test("short colours are read too", () => {
  expect(channelsOf("#f0a")).toEqual([1, 0, 170 / 255]);
});
