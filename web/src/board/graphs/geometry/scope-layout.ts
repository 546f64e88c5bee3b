/**
 * The layout of one scope: its flow from top to bottom, unconnected boxes in a grid below, and what is set aside in a strip
 * at the right. Open boxes are laid out before, and lines end at their ports.
 */

import type { Arrange, Link } from "./arrangement";
import { curveThrough, pointOn } from "./curve";
import { type Point, type Rect, type Size, shifted } from "./shapes";

/** What a layout needs to know of a scope, as plain data for the worker. */
export interface ScopeInput {
  /** Size of each box while it is closed. */
  sizes: readonly Size[];
  /** Indices of boxes that are set aside. */
  aside: readonly number[];
  links: readonly Link[];
  /** Indices of the boxes with a line from the upper port, and to the lower port. */
  incoming: readonly number[];
  outgoing: readonly number[];
  /** The scopes of boxes that are open. */
  open: readonly { box: number; scope: ScopeInput }[];
  /** Width and height of the heading; null for the whole graph. */
  head: Size | null;
}

/** Positions are relative to the upper left corner of the scope. */
export interface ScopeLayout {
  size: Size;
  boxes: readonly Rect[];
  /** Points of each link, from its source to its target. */
  links: readonly (readonly Point[])[];
  labels: readonly (Point | null)[];
  /** Lines from the upper port, and to the lower one, in the order of the input. */
  incoming: readonly (readonly Point[])[];
  outgoing: readonly (readonly Point[])[];
  /** Where lines from outside enter and leave; null without. */
  entry: Point | null;
  exit: Point | null;
  /** The part of the scope for what is set aside. */
  strip: Rect | null;
  open: readonly { box: number; layout: ScopeLayout }[];
}

const PADDING = 18;
const GAP = 14;
const STRIP_GAP = 36;
const STRIP_HEIGHT = 220;
/** Width to height of a grid. */
const GRID_RATIO = 1.8;
const END_GAP = 14;
/** How far along its line a label is, and its distance from it. */
const LABEL_PART = 0.35;
const LABEL_GAP = 6;
const PORT: Size = { width: 2, height: 2 };

export function layOutScope(
  input: ScopeInput,
  open: ReadonlyMap<number, ScopeLayout>,
  arrange: Arrange,
): ScopeLayout {
  const sizes = input.sizes.map((size, at) => open.get(at)?.size ?? size);
  const aside = new Set(input.aside);
  const inFlow = flowing(input, aside);
  const flow = arrangeFlow(input, sizes, inFlow, arrange);
  const loose = sizes.map((_, at) => at).filter((at) => !aside.has(at) && !inFlow.includes(at));
  const grid = gridOf(loose, sizes);
  const top = PADDING / 2 + (input.head?.height ?? PADDING / 2);
  const gridTop =
    flow.size.height > 0 && grid.size.height > 0 ? flow.size.height + 2 * GAP : flow.size.height;
  const bodyWidth = Math.max(flow.size.width, grid.size.width);
  const bodyHeight = gridTop + grid.size.height;
  const strip = stripOf(input.aside, sizes, Math.max(bodyHeight, STRIP_HEIGHT));
  const stripWidth = strip.size.width > 0 ? strip.size.width + STRIP_GAP : 0;
  const width = Math.max(bodyWidth + stripWidth + 2 * PADDING, input.head?.width ?? 0);
  const height = top + Math.max(bodyHeight, strip.size.height) + PADDING;
  const left = PADDING + Math.max(0, width - 2 * PADDING - bodyWidth - stripWidth) / 2;

  const flowLeft = left + (bodyWidth - flow.size.width) / 2;
  const boxes: Rect[] = sizes.map((size) => ({ x: 0, y: 0, ...size }));
  const put = (at: number, { x, y }: Point) => Object.assign(boxes[at]!, { x, y });
  for (const [at, place] of flow.places) put(at, shifted(place, flowLeft, top));
  const gridLeft = left + (bodyWidth - grid.size.width) / 2;
  for (const [at, place] of grid.places) put(at, shifted(place, gridLeft, top + gridTop));
  const stripLeft = width - PADDING - strip.size.width;
  for (const [at, place] of strip.places) put(at, shifted(place, stripLeft, top));

  const move = (points: readonly Point[]) => points.map((point) => shifted(point, flowLeft, top));
  const inner = flow.links.map(move);
  // Ports are in the middle, where lines from outside arrive.
  const entry = flow.hasEntry ? { x: width / 2, y: 0 } : null;
  const exit = flow.hasExit ? { x: width / 2, y: height } : null;
  const ranks = boxes.map((box, at) => flow.rankHeights.get(at) ?? box.height);
  const ends = new LineEnds(boxes, open, ranks);
  for (const [at, link] of input.links.entries()) ends.add(link.source, link.target, inner[at]!);
  for (const [at, box] of input.incoming.entries()) {
    ends.add(null, box, [{ x: width / 2, y: top }, ...move(flow.incoming[at]!)]);
  }
  for (const [at, box] of input.outgoing.entries()) {
    ends.add(box, null, [...move(flow.outgoing[at]!), { x: width / 2, y: height - PADDING }]);
  }
  const lines = ends.lines();
  const links = lines.slice(0, input.links.length);
  const incoming = lines.slice(links.length, links.length + input.incoming.length);
  const outgoing = lines.slice(links.length + input.incoming.length);
  return {
    size: { width, height },
    boxes,
    links,
    labels: flow.labels.map((at, link) => {
      const label = input.links[link]!.label;
      return at && label && labelPlace(links[link]!, shifted(at, flowLeft, top), label);
    }),
    incoming: incoming.map((points) => [entry!, ...points]),
    outgoing: outgoing.map((points) => [...points, exit!]),
    entry,
    exit,
    strip:
      strip.size.width > 0
        ? {
            x: stripLeft - STRIP_GAP / 2,
            y: top,
            width: strip.size.width + STRIP_GAP / 2,
            height: strip.size.height,
          }
        : null,
    open: [...open].map(([box, layout]) => ({ box, layout })),
  };
}

/**
 * Beside the upper part of a line that goes straight to the next rank, on the side to which it goes, so that lines that part
 * keep their labels apart; in the room that the layout has left otherwise.
 */
function labelPlace(line: readonly Point[], place: Point, { width }: Size): Point {
  const [start, end] = [line[0]!, line.at(-1)!];
  const across = end.x - start.x;
  if (line.length > 2 || Math.abs(across) < width / 2) return place;
  const { x, y } = pointOn(curveThrough(line), LABEL_PART);
  return { x: x + Math.sign(across) * (width / 2 + LABEL_GAP), y };
}

/** The boxes with lines. */
function flowing({ links, incoming, outgoing }: ScopeInput, aside: ReadonlySet<number>): number[] {
  const found = new Set([
    ...links.flatMap(({ source, target }) => [source, target]),
    ...incoming,
    ...outgoing,
  ]);
  return [...found].filter((at) => !aside.has(at)).sort((a, b) => a - b);
}

interface Block {
  size: Size;
  /** The upper left corners of its boxes, by their indices. */
  places: ReadonlyMap<number, Point>;
}

interface FlowBlock extends Block {
  links: readonly (readonly Point[])[];
  labels: readonly (Point | null)[];
  incoming: readonly (readonly Point[])[];
  outgoing: readonly (readonly Point[])[];
  /** The heights of the ranks that the boxes are in. */
  rankHeights: ReadonlyMap<number, number>;
  hasEntry: boolean;
  hasExit: boolean;
}

function arrangeFlow(
  { links, incoming, outgoing }: ScopeInput,
  sizes: readonly Size[],
  inFlow: readonly number[],
  arrange: Arrange,
): FlowBlock {
  if (inFlow.length === 0) {
    const none: readonly never[] = [];
    const size = { width: 0, height: 0 };
    return {
      size,
      places: new Map(),
      links: none,
      labels: none,
      incoming: none,
      outgoing: none,
      rankHeights: new Map(),
      hasEntry: false,
      hasExit: false,
    };
  }
  const placeOf = new Map(inFlow.map((box, at) => [box, at]));
  const boxes = inFlow.map((at) => sizes[at]!);
  const entry = incoming.length > 0 ? boxes.push(PORT) - 1 : -1;
  const exit = outgoing.length > 0 ? boxes.push(PORT) - 1 : -1;
  const line = (source: number, target: number, hidden = false): Link => ({
    source,
    target,
    label: null,
    hidden,
  });
  const inner = links.map((link) => ({
    ...link,
    source: placeOf.get(link.source)!,
    target: placeOf.get(link.target)!,
  }));
  const fromEntry = incoming.map((box) => line(entry, placeOf.get(box)!));
  const toExit = outgoing.map((box) => line(placeOf.get(box)!, exit));
  const all = [...inner, ...fromEntry, ...toExit];
  // Ports are above and below everything.
  const targets = new Set(all.map(({ target }) => target));
  const sources = new Set(all.map(({ source }) => source));
  const hidden = inFlow.flatMap((_, at) => [
    ...(entry >= 0 && !targets.has(at) ? [line(entry, at, true)] : []),
    ...(exit >= 0 && !sources.has(at) ? [line(at, exit, true)] : []),
  ]);
  const arranged = arrange(boxes, [...all, ...hidden]);
  const corner = (at: number): Point => {
    const { x, y } = arranged.boxes[at]!;
    return { x: x - boxes[at]!.width / 2, y: y - boxes[at]!.height / 2 };
  };
  const ranks = rankHeights(arranged.boxes, boxes);
  const routes = arranged.links.map((points) => routeAround(points, ranks));
  return {
    size: arranged.size,
    places: new Map(inFlow.map((box, at) => [box, corner(at)])),
    links: routes.slice(0, inner.length),
    labels: arranged.labels.slice(0, inner.length),
    incoming: routes.slice(inner.length, inner.length + fromEntry.length),
    outgoing: routes.slice(inner.length + fromEntry.length, all.length),
    rankHeights: new Map(inFlow.map((box, at) => [box, ranks.get(Math.round(arranged.boxes[at]!.y))!])),
    hasEntry: entry >= 0,
    hasExit: exit >= 0,
  };
}

/** The height of each rank by the middle of its boxes. */
function rankHeights(middles: readonly Point[], sizes: readonly Size[]): ReadonlyMap<number, number> {
  const heights = new Map<number, number>();
  for (const [at, { y }] of middles.entries()) {
    const rank = Math.round(y);
    heights.set(rank, Math.max(heights.get(rank) ?? 0, sizes[at]!.height));
  }
  return heights;
}

/**
 * A line passes ranks upright, beside their boxes, and is free between them. Of the points that a layout gives, those
 * between ranks are left out, since a line that bends at each of them is hard to follow.
 */
function routeAround(points: readonly Point[], ranks: ReadonlyMap<number, number>): readonly Point[] {
  const up = points.length > 1 && points[0]!.y > points.at(-1)!.y;
  return points.flatMap(({ x, y }) => {
    const height = ranks.get(Math.round(y));
    if (height === undefined) return [];
    const half = up ? -height / 2 : height / 2;
    return [
      { x, y: y - half },
      { x, y: y + half },
    ];
  });
}

/** Boxes in rows. */
function gridOf(boxes: readonly number[], sizes: readonly Size[]): Block {
  const area = boxes.reduce((sum, at) => sum + (sizes[at]!.width + GAP) * (sizes[at]!.height + GAP), 0);
  const most = Math.max(Math.sqrt(area * GRID_RATIO), ...boxes.map((at) => sizes[at]!.width));
  const places = new Map<number, Point>();
  let [x, y, row, width] = [0, 0, 0, 0];
  for (const at of boxes) {
    const size = sizes[at]!;
    if (x > 0 && x + size.width > most) [x, y, row] = [0, y + row + GAP, 0];
    places.set(at, { x, y });
    width = Math.max(width, x + size.width);
    row = Math.max(row, size.height);
    x += size.width + GAP;
  }
  return { size: { width, height: y + row }, places };
}

/** Boxes in columns that are at most so high, aligned at the left. */
function stripOf(boxes: readonly number[], sizes: readonly Size[], most: number): Block {
  const places = new Map<number, Point>();
  let [x, y, column, height] = [0, 0, 0, 0];
  for (const at of boxes) {
    const size = sizes[at]!;
    if (y > 0 && y + size.height > most) [x, y, column] = [x + column + GAP, 0, 0];
    places.set(at, { x, y });
    height = Math.max(height, y + size.height);
    column = Math.max(column, size.width);
    y += size.height + GAP / 2;
  }
  return { size: { width: x + column, height }, places };
}

interface Line {
  source: number | null;
  target: number | null;
  points: readonly Point[];
}

/**
 * Where lines leave and meet boxes: side by side in the order of where they come from, so that they do not cross; all in
 * one place at the port of an open box.
 */
class LineEnds {
  readonly #lines: Line[] = [];

  constructor(
    private readonly boxes: readonly Rect[],
    private readonly open: ReadonlyMap<number, ScopeLayout>,
    /** The height of the rank of each box: lines leave it upright, beside higher boxes. */
    private readonly ranks: readonly number[],
  ) {}

  /** A null end is already among the points. */
  add(source: number | null, target: number | null, points: readonly Point[]): void {
    this.#lines.push({ source, target, points });
  }

  lines(): readonly (readonly Point[])[] {
    const sides = new Map<string, { line: number; toward: number }[]>();
    const join = (box: number, below: boolean, line: number, toward: number) => {
      const key = `${box} ${below}`;
      sides.set(key, [...(sides.get(key) ?? []), { line, toward }]);
    };
    for (const [at, { source, target, points }] of this.#lines.entries()) {
      const down = this.#isDown(this.#lines[at]!);
      if (source !== null) join(source, down, at, (points[0] ?? this.#middle(target!)).x);
      if (target !== null) join(target, !down, at, (points.at(-1) ?? this.#middle(source!)).x);
    }
    const ends = this.#lines.map((): { source?: Point; target?: Point } => ({}));
    for (const [key, all] of sides) {
      const [box, below] = key.split(" ") as [string, string];
      all.sort((a, b) => a.toward - b.toward);
      const spots = this.#spots(Number(box), below === "true", all.length);
      for (const [place, { line }] of all.entries()) {
        const isSource = this.#lines[line]!.source === Number(box);
        ends[line]![isSource ? "source" : "target"] = spots[place]!;
      }
    }
    return this.#lines.map(({ points }, at) => {
      const { source, target } = ends[at]!;
      const line = this.#lines[at]!;
      const down = this.#isDown(line);
      return [
        ...(source ? [source, ...this.#toRankEdge(line.source!, source, down)] : []),
        ...points,
        ...(target ? [...this.#toRankEdge(line.target!, target, !down), target] : []),
      ];
    });
  }

  /** Where a line leaves the rank of a box, if the box is lower than others there. */
  #toRankEdge(box: number, { x }: Point, below: boolean): Point[] {
    const { y, height } = this.boxes[box]!;
    const more = (this.ranks[box]! - height) / 2;
    if (more < 2) return [];
    return [{ x, y: below ? y + height + more : y - more }];
  }

  /** Lines of a cycle go up. */
  #isDown({ source, target }: Line): boolean {
    return source === null || target === null || this.#middle(source).y <= this.#middle(target).y;
  }

  #middle(box: number): Point {
    const { x, y, width, height } = this.boxes[box]!;
    return { x: x + width / 2, y: y + height / 2 };
  }

  #spots(box: number, below: boolean, count: number): Point[] {
    const rect = this.boxes[box]!;
    const layout = this.open.get(box);
    const y = below ? rect.y + rect.height : rect.y;
    const port = layout && (below ? layout.exit : layout.entry);
    const middle = rect.x + (port?.x ?? rect.width / 2);
    const gap = layout ? 0 : Math.min(END_GAP, (rect.width - 16) / count);
    return Array.from({ length: count }, (_, at) => ({ x: middle + (at - (count - 1) / 2) * gap, y }));
  }
}
