/** The colours of boxes by what they stand for, and their legend. */

import type { GraphBox, GraphSummary } from "../../api/graphs";
import { rampColor } from "../../lib/ramp";
import { type ColorScheme, slotColor } from "../runs/slot";
import type { GraphColoring } from "../view/graphs-view";

export interface Paints {
  /** Null for a plain box. */
  colorOf(box: GraphBox): string | null;
  legend: Legend;
}

export type Legend =
  | { kind: "none" }
  | { kind: "items"; items: readonly { label: string; color: string }[]; others: boolean }
  | { kind: "ramp"; from: number; to: number; colors: readonly string[] };

const MAX_ITEMS = 9;
const RAMP_STOPS = 6;

/** Slots of repeated structures: what has a colour keeps it, whatever is opened or closed. */
export class StructureSlots {
  readonly #slots = new Map<string, number>();

  /** Gives a slot to each structure that occurs more than once. */
  learn(boxes: readonly GraphBox[]): void {
    const times = new Map<string, number>();
    for (const box of boxes) {
      if (!box.opens) continue;
      times.set(box.digest, (times.get(box.digest) ?? 0) + (box.kind === "stack" ? 2 : 1));
    }
    for (const [digest, count] of times) {
      if (count > 1 && !this.#slots.has(digest)) this.#slots.set(digest, this.#slots.size);
    }
  }

  of(digest: string): number | undefined {
    return this.#slots.get(digest);
  }
}

export function paintsOf(
  coloring: GraphColoring,
  boxes: readonly GraphBox[],
  summary: GraphSummary | undefined,
  structures: StructureSlots,
  scheme: ColorScheme,
): Paints {
  if (coloring === "structure") {
    structures.learn(boxes);
    return {
      colorOf: ({ opens, digest }) => {
        const slot = opens ? structures.of(digest) : undefined;
        return slot === undefined ? null : slotColor(slot, scheme);
      },
      legend: { kind: "none" },
    };
  }
  if (coloring === "difference" || coloring === "data")
    return { colorOf: () => null, legend: { kind: "none" } };
  if (coloring === "op") {
    const ops = (summary?.ops ?? []).map(({ op }) => op).filter((op) => op !== "Const" && op !== "NoOp");
    return byName(ops, (box) => (box.kind === "constant" ? "" : box.op), scheme);
  }
  if (coloring === "device") return byName(summary?.devices ?? [], ({ device }) => device, scheme);
  return byNumber(boxes, (box) => numberOf(box[coloring]), scheme);
}

function numberOf(value: GraphBox["time"]): number | null {
  const known = value === null ? null : Number(value);
  return known !== null && Number.isFinite(known) && known > 0 ? known : null;
}

function byName(names: readonly string[], nameOf: (box: GraphBox) => string, scheme: ColorScheme): Paints {
  const shown = names.filter((name) => name !== "").slice(0, MAX_ITEMS);
  const colors = new Map(shown.map((label, at) => [label, slotColor(at, scheme)]));
  return {
    colorOf: (box) => colors.get(nameOf(box)) ?? null,
    legend: {
      kind: "items",
      items: [...colors].map(([label, color]) => ({ label, color })),
      others: names.length > shown.length,
    },
  };
}

/** Along a ramp, by the logarithm. */
function byNumber(
  boxes: readonly GraphBox[],
  amountOf: (box: GraphBox) => number | null,
  scheme: ColorScheme,
): Paints {
  const values = boxes.map(amountOf).filter((value) => value !== null);
  if (values.length === 0) return { colorOf: () => null, legend: { kind: "none" } };
  const [from, to] = [Math.min(...values), Math.max(...values)];
  const span = Math.log(to / from);
  return {
    colorOf: (box) => {
      const value = amountOf(box);
      if (value === null) return null;
      return rampColor(span === 0 ? 1 : Math.log(value / from) / span, scheme);
    },
    legend: {
      kind: "ramp",
      from,
      to,
      colors: Array.from({ length: RAMP_STOPS }, (_, at) => rampColor(at / (RAMP_STOPS - 1), scheme)),
    },
  };
}
