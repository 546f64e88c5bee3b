/** The colours of boxes by the values of a file. */

import type { GraphBox } from "../../api/graphs";
import { rampColor } from "../../lib/ramp";
import { type ColorScheme, slotColor } from "../runs/slot";
import type { Paints } from "./coloring";
import type { BoxData, NodeData } from "./node-data";

const MOST_ITEMS = 9;
const RAMP_STOPS = 6;

/** A colour of its own comes before thresholds, these before a gradient; otherwise numbers are on a ramp, texts in slots. */
export function dataPaints(
  data: NodeData,
  of: (box: GraphBox) => BoxData | null,
  scheme: ColorScheme,
): Paints {
  const { thresholds, range } = data;
  const texts = [
    ...new Set([...data.values.values()].flatMap(({ value }) => (typeof value === "string" ? [value] : []))),
  ];
  const slots = new Map(texts.slice(0, MOST_ITEMS).map((text, at) => [text, slotColor(at, scheme)]));
  const colorAt = (value: number) => {
    const step = thresholds.find(({ upTo }) => value <= upTo);
    if (thresholds.length > 0) return step?.color ?? null;
    const [from, to] = range ?? [0, 0];
    return alongGradient(data.gradient, to > from ? (value - from) / (to - from) : 1, scheme);
  };
  const items = [...slots].map(([label, color]) => ({ label, color }));
  const steps = thresholds.map(({ upTo, color }) => ({ label: `≤ ${upTo}`, color }));
  return {
    colorOf: (box) => {
      const found = of(box);
      if (!found) return null;
      if (found.color !== null) return found.color;
      if (typeof found.value === "number") return colorAt(found.value);
      return found.value === null ? null : (slots.get(found.value) ?? null);
    },
    legend:
      range && thresholds.length === 0
        ? {
            kind: "ramp",
            from: range[0],
            to: range[1],
            colors: stops((part) => alongGradient(data.gradient, part, scheme)),
          }
        : { kind: "items", items: [...steps, ...items], others: texts.length > items.length },
  };
}

function stops(colorAt: (part: number) => string): string[] {
  return Array.from({ length: RAMP_STOPS }, (_, at) => colorAt(at / (RAMP_STOPS - 1)));
}

function alongGradient(gradient: NodeData["gradient"], part: number, scheme: ColorScheme): string {
  const [first, last] = [gradient[0], gradient.at(-1)];
  if (!first || !last) return rampColor(part, scheme);
  const next = gradient.findIndex(({ stop }) => stop >= part);
  if (next <= 0) return (next === 0 ? first : last).color;
  const [before, after] = [gradient[next - 1]!, gradient[next]!];
  const share = (part - before.stop) / (after.stop - before.stop);
  return `color-mix(in srgb, ${after.color} ${Math.round(share * 100)}%, ${before.color})`;
}
