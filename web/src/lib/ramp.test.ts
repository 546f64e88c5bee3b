import { expect, test } from "vitest";
import { rampColor } from "./ramp";

const PARTS = [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1];
const PAPER = { light: "#ffffff", dark: "#15181e" } as const;

/** Relative luminance as WCAG has it. */
function luminance(color: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}

function contrast(a: string, b: string): number {
  const [dark, light] = [luminance(a), luminance(b)].toSorted((x, y) => x - y);
  return (light! + 0.05) / (dark! + 0.05);
}

test.each(["light", "dark"] as const)("every colour stands out from the paper, %s", (scheme) => {
  const contrasts = PARTS.map((part) => contrast(rampColor(part, scheme), PAPER[scheme]));
  expect(Math.min(...contrasts)).toBeGreaterThanOrEqual(3);
});

test.each(["light", "dark"] as const)(
  "lightness rises steadily, so that it is read without colours, %s",
  (scheme) => {
    const rising = PARTS.map((part) => luminance(rampColor(part, scheme)));
    expect(rising).toEqual(rising.toSorted((a, b) => a - b));
  },
);

test("outside its ends it stays at them", () => {
  expect([rampColor(-1, "light"), rampColor(2, "dark")]).toEqual([
    rampColor(0, "light"),
    rampColor(1, "dark"),
  ]);
});
