/**
 * Draws a picture of a graph with a pen, for the screen and for files. Data flows from top to bottom, as code and the
 * outline for screen readers are read.
 */

import type { ChartTheme } from "../../chart/model";
import { fontOf, type Pen } from "../../chart/pen";
import { LABEL_PX, MARK_WIDTH, NOTE_PX, TEXT_MARGIN, type TextWidths, TITLE_PX } from "./box-size";
import { type Camera, toScreen, viewOf } from "./geometry/camera";
import { arrivalOf, type Curve, curveBetween, loopAt } from "./geometry/curve";
import { HEAD_HEIGHT, SIGN_SIZE, type Sign, signsOf } from "./geometry/hit-test";
import { type Neighbors, NO_NEIGHBORS } from "./geometry/neighbors";
import type { Picture, PlacedBox, Wire } from "./geometry/picture";
import { overlaps, type Rect, type Size } from "./geometry/shapes";
import type { BoxMark } from "./marks";

export interface DrawOptions {
  camera: Camera;
  view: Size;
  theme: ChartTheme;
  widths: TextWidths;
  colorOf(placed: PlacedBox): string | null;
  /** How a box differs from another graph; null if it does not. */
  markOf(placed: PlacedBox): BoxMark | null;
  /** The box whose connections stand out; -1 for none. */
  focus: number;
  neighbors: Neighbors;
  selected: number;
  /** The box with the keyboard focus; -1 for none. */
  active: number;
  /** The line under the pointer; -1 for none. */
  wire: number;
  /** How far lines have faded in after a change, 0 to 1. */
  wireAlpha: number;
}

export const NO_FOCUS = {
  focus: -1,
  neighbors: NO_NEIGHBORS,
  selected: -1,
  active: -1,
  wire: -1,
  wireAlpha: 1,
};

const LEAST_TEXT_PX = 6.5;
const ROUND = { op: 6, scope: 9, input: 14 } as const;
const STACK_STEP = 4;
const TINT = { closed: 0.16, open: 0.05, depth: 0.025 } as const;
export const WIRE_ALPHA = 0.5;
const DIMMED_WIRE_ALPHA = 0.16;
const STUB = 13;
/** Signs of differences stay readable in small pictures, where they are drawn larger than the rest. */
/** `inside`: how far a badge reaches into its box, above the text. */
const BADGE = { height: 14, gap: 4.5, textPx: 10, leastPx: 8, mostScale: 2.5, inside: 5 } as const;
/** Boxes with a second line of text are at least so high. */
const NOTED_HEIGHT = 36;

export function drawGraph(pen: Pen, picture: Picture, options: DrawOptions): void {
  new GraphDrawing(pen, picture, options).draw();
}

/** Width of a line: thicker for larger tensors, by the number of digits. */
export function wireWidth({ elements, control }: Pick<Wire, "elements" | "control">): number {
  if (control || elements === null || elements <= 1) return 1;
  return Math.min(5, 1 + 0.5 * Math.log10(elements));
}

/** The line of a box that is set aside, which is not drawn until the box is pointed at. */
function hiddenCurve(from: Rect, to: Rect): Curve {
  return from === to ? loopAt(from) : curveBetween(from, to);
}

class GraphDrawing {
  readonly #seen: Rect;
  readonly #scale: number;
  readonly #wiresIn = new Map<number, number[]>();
  readonly #stripsIn = new Map<number, Rect>();

  constructor(
    private readonly pen: Pen,
    private readonly picture: Picture,
    private readonly options: DrawOptions,
  ) {
    this.#seen = viewOf(options.camera, options.view);
    this.#scale = options.camera.scale;
    for (const [at, { scope, curve, bounds }] of picture.wires.entries()) {
      if (curve.length === 0 || !overlaps(bounds, this.#seen)) continue;
      const known = this.#wiresIn.get(scope);
      if (known) known.push(at);
      else this.#wiresIn.set(scope, [at]);
    }
    for (const { scope, rect } of picture.strips) this.#stripsIn.set(scope, rect);
  }

  draw(): void {
    const { boxes } = this.picture;
    this.pen.lineJoin = "round";
    this.pen.lineCap = "butt";
    this.pen.textBaseline = "middle";
    this.#inside(-1);
    for (const [at, placed] of boxes.entries()) {
      if (!overlaps(grown(placed.rect, 2 * STUB), this.#seen)) continue;
      if (placed.open) {
        this.#frame(placed);
        this.#inside(at);
        this.#heading(placed);
      } else this.#closed(placed);
      const mark = this.options.markOf(placed);
      if (mark) this.#mark(placed, mark);
    }
    this.#standOut();
    this.pen.globalAlpha = 1;
  }

  /** What lies between the boxes of a scope. */
  #inside(scope: number): void {
    const strip = this.#stripsIn.get(scope);
    if (strip) this.#stripLine(strip);
    const { focus, wire } = this.options;
    // What is in an open box is still to be read.
    const dimmed = wire >= 0 || this.picture.boxes[focus]?.open === false;
    for (const at of this.#wiresIn.get(scope) ?? []) {
      if (this.#isLit(at)) continue;
      this.#wire(this.picture.wires[at]!, this.options.theme.cursor, dimmed ? DIMMED_WIRE_ALPHA : WIRE_ALPHA);
    }
    this.#ports(scope);
  }

  #isLit(wire: number): boolean {
    return wire === this.options.wire || this.options.neighbors.wires.has(wire);
  }

  /** The lines and neighbours of the focused box, above everything else. */
  #standOut(): void {
    const { theme, focus, neighbors, selected, active, wire } = this.options;
    const { boxes, wires } = this.picture;
    const lit = new Set(neighbors.wires);
    if (wire >= 0) lit.add(wire);
    for (const at of lit) {
      const line = wires[at]!;
      const hidden = line.curve.length === 0;
      const curve = hidden ? hiddenCurve(boxes[line.source]!.rect, boxes[line.target]!.rect) : line.curve;
      this.#wire({ ...line, curve }, theme.accent, 1, hidden ? [4, 3] : undefined);
    }
    for (const { box, incoming } of neighbors.far) {
      const [from, to] = incoming ? [box, focus] : [focus, box];
      const curve = curveBetween(boxes[from]!.rect, boxes[to]!.rect);
      const line = { curve, elements: null, control: false, label: null };
      this.#wire(line, theme.accent, 0.9, [4, 3]);
    }
    const ring = (at: number, width: number, offset: number) => {
      const placed = boxes[at];
      if (!placed) return;
      this.#outline(placed, offset);
      this.#stroke(theme.accent, width);
    };
    for (const at of [...neighbors.inputs, ...neighbors.outputs]) ring(at, 1.25, 0);
    if (focus !== selected) ring(focus, 1.5, 0);
    ring(selected, boxes[selected]?.open ? 1.5 : 2.25, 0);
    if (active !== selected) ring(active, 1.5, 3 / this.#scale);
  }

  // Boxes.

  #frame(placed: PlacedBox): void {
    const { theme } = this.options;
    const color = this.options.colorOf(placed);
    this.#outline(placed, 0);
    this.#fill(theme.surface, 0.55);
    this.#fill(color ?? theme.text, color ? TINT.open : TINT.depth);
    this.#stroke(color ?? theme.axis, 1, color ? 0.75 : 1);
  }

  /** An outline, and a badge with signs on its upper border, at the side where no line enters. */
  #mark(placed: PlacedBox, { color, parts }: BoxMark): void {
    const { theme, widths } = this.options;
    const { rect } = placed;
    if (color) {
      this.#outline(placed, 1);
      this.#stroke(color, placed.open ? 1.75 : 2);
    }
    const scale = Math.max(1, BADGE.leastPx / (BADGE.textPx * this.#scale));
    if (scale > BADGE.mostScale) return;
    const texts = parts.map((part) => ({ ...part, width: widths.of(part.text, BADGE.textPx, 600) * scale }));
    const gap = BADGE.gap * scale;
    const width = texts.reduce((sum, part) => sum + part.width + gap, gap);
    const height = BADGE.height * scale;
    const left = placed.aside ? rect.x + rect.width - width + gap : rect.x - gap;
    const badge = { x: left, y: rect.y + BADGE.inside - height, width, height };
    this.pen.beginPath();
    this.#path(badge, height / 2);
    this.#fill(theme.surface, 1);
    this.#stroke(color ?? theme.axis, 1);
    let x = badge.x + gap;
    for (const part of texts) {
      this.#text(part.text, x, badge.y + height / 2 + 0.5, BADGE.textPx * scale, 600, part.color, "left");
      x += part.width + gap;
    }
  }

  #heading(placed: PlacedBox): void {
    const { theme, widths } = this.options;
    const { rect, text } = placed;
    const y = rect.y + HEAD_HEIGHT / 2 + 1;
    const width = widths.of(text.title, TITLE_PX, 600);
    const hasNote = text.note !== "" && this.#scale * NOTE_PX >= LEAST_TEXT_PX;
    const noted = hasNote ? widths.of(text.note, NOTE_PX, 400) + 8 : 0;
    // The title stays in view while the left side of its box is out of it.
    const [left, right] = [rect.x + TEXT_MARGIN, rect.x + rect.width - 2 * TEXT_MARGIN - SIGN_SIZE];
    const x = Math.max(left, Math.min(this.#seen.x + TEXT_MARGIN, right - width - noted));
    this.#clear({ x: x - 3, y: y - 9, width: width + noted + 6, height: 18 });
    this.#text(text.title, x, y, TITLE_PX, 600, theme.text, "left");
    if (hasNote) this.#text(text.note, x + width + 8, y, NOTE_PX, 400, theme.axisText, "left");
    this.#signs(placed);
  }

  /** Lines must not cross a heading. */
  #clear(rect: Rect): void {
    if (this.#scale * TITLE_PX < LEAST_TEXT_PX) return;
    this.pen.beginPath();
    this.#path(rect, 4);
    this.#fill(this.options.theme.surface, 0.85);
  }

  #closed(placed: PlacedBox): void {
    if (placed.aside && !placed.box.opens) {
      this.#asideItem(placed);
      return;
    }
    const { theme } = this.options;
    const { box, rect } = placed;
    const color = this.options.colorOf(placed);
    if (box.kind === "stack") this.#stackBehind(placed, color);
    this.#outline(placed, 0);
    this.#fill(theme.surface, 1);
    if (color) this.#fill(color, TINT.closed);
    else if (box.opens) this.#fill(theme.text, TINT.open);
    const dashes = box.kind === "rest" || box.kind === "call" ? [4, 3] : undefined;
    this.#stroke(color ?? theme.axis, box.opens ? 1.25 : 1, color ? 0.85 : 1, dashes);
    this.#boxText(placed, rect);
    this.#signs(placed);
    this.#stubs(placed);
  }

  #stackBehind(placed: PlacedBox, color: string | null): void {
    const { theme } = this.options;
    for (const step of [2, 1]) {
      const rect = {
        ...placed.rect,
        x: placed.rect.x + step * STACK_STEP,
        y: placed.rect.y + step * STACK_STEP,
      };
      this.#outline({ ...placed, rect }, 0);
      this.#fill(theme.surface, 1);
      this.#fill(color ?? theme.text, color ? TINT.closed / 2 : TINT.depth);
      this.#stroke(color ?? theme.axis, 1, 0.7);
    }
  }

  #boxText({ box, text }: PlacedBox, rect: Rect): void {
    const { theme } = this.options;
    const sign = box.opens ? 9 : 0;
    const x = rect.x + rect.width / 2 - sign;
    const middle = rect.y + rect.height / 2;
    const hasNote = text.note !== "" && rect.height >= NOTED_HEIGHT && this.#scale * NOTE_PX >= LEAST_TEXT_PX;
    const [up, down] = hasNote ? [-7.5, 8] : [0, 0];
    // Text is not scaled down as far as boxes are: what is left must not touch the sign.
    const room = rect.width - (box.opens ? 30 : 8);
    this.#text(text.title, x, middle + up, TITLE_PX, box.opens ? 600 : 500, theme.text, "center", room);
    if (hasNote) this.#text(text.note, x, middle + down, NOTE_PX, 400, theme.axisText, "center");
  }

  /** A constant is a ring, a variable a disc, and anything else a square. */
  #asideItem(placed: PlacedBox): void {
    const { theme } = this.options;
    const { rect, box, text, links } = placed;
    const y = rect.y + rect.height / 2;
    const x = rect.x + 5;
    const color = this.options.colorOf(placed) ?? theme.cursor;
    this.pen.beginPath();
    if (box.kind === "constant" || box.kind === "variable") {
      const at = this.#at(x, y);
      this.pen.arc(at.x, at.y, 3.5 * this.#scale, 0, 2 * Math.PI);
    } else this.#path({ x: x - 3.5, y: y - 3.5, width: 7, height: 7 }, 1.5);
    if (box.kind === "constant") this.#stroke(color, 1.25);
    else this.#fill(color, 1);
    const [up, down] = text.note === "" ? [0, 0] : [-6.5, 7];
    this.#text(text.title, rect.x + MARK_WIDTH, y + up, NOTE_PX, 400, theme.text2, "left");
    this.#text(text.note, rect.x + MARK_WIDTH, y + down, LABEL_PX, 400, theme.axisText, "left");
    if (links > 1) {
      this.#text(`×${links}`, rect.x + rect.width - 2, y + up, LABEL_PX, 400, theme.axisText, "right");
    }
  }

  /** Short lines for what is set aside or beyond the border, with their number. */
  #stubs({ rect, stubs }: PlacedBox): void {
    if (this.#scale < 0.3) return;
    const { theme } = this.options;
    for (const { incoming, others, outside } of stubs) {
      const y = rect.y + rect.height / 2;
      const edge = incoming ? rect.x : rect.x + rect.width;
      const end = incoming ? edge - STUB : edge + STUB;
      const [from, to] = [this.#at(edge, y), this.#at(end, y)];
      this.pen.beginPath();
      this.pen.moveTo(from.x, from.y);
      this.pen.lineTo(to.x, to.y);
      this.#stroke(theme.cursor, 1, WIRE_ALPHA);
      this.pen.beginPath();
      this.pen.arc(to.x, to.y, 2.5 * this.#scale, 0, 2 * Math.PI);
      if (others.length > 0) this.#fill(theme.cursor, 0.8);
      else this.#stroke(theme.cursor, 1, 0.8);
      const number = others.length + outside;
      if (number < 2) continue;
      const beside = incoming ? end - 5 : end + 5;
      this.#text(String(number), beside, y, LABEL_PX - 1, 400, theme.axisText, incoming ? "right" : "left");
    }
  }

  #signs(placed: PlacedBox): void {
    if (this.#scale < 0.45) return;
    for (const { sign, rect } of signsOf(placed)) {
      const x = rect.x + rect.width / 2 - (placed.open ? 0 : 2);
      this.#sign(sign, placed.open, x, rect.y + rect.height / 2);
    }
  }

  #sign(sign: Sign, open: boolean, x: number, y: number): void {
    const { pen } = this;
    const line = (...points: readonly (readonly [number, number])[]) => {
      for (const [at, [dx, dy]] of points.entries()) {
        const place = this.#at(x + dx, y + dy);
        if (at === 0) pen.moveTo(place.x, place.y);
        else pen.lineTo(place.x, place.y);
      }
    };
    pen.beginPath();
    if (sign === "toggle") {
      line([-4, 0], [4, 0]);
      if (!open) line([0, -4], [0, 4]);
    } else if (sign === "next") line([-2, -4], [2, 0], [-2, 4]);
    else line([2, -4], [-2, 0], [2, 4]);
    this.#stroke(this.options.theme.text2, 1.4, 0.9);
  }

  // Lines.

  #wire(
    { curve, elements, control, label }: Pick<Wire, "curve" | "elements" | "control" | "label">,
    color: string,
    alpha: number,
    dashes: readonly number[] | undefined = control ? [3, 3] : undefined,
  ): void {
    const shown = alpha * this.options.wireAlpha;
    const width = wireWidth({ elements, control });
    this.#curve(curve);
    this.#stroke(color, width, shown, dashes);
    if (this.#scale > 0.25) this.#arrow(curve, width, color, shown);
    if (label) {
      const { theme } = this.options;
      this.pen.globalAlpha = this.options.wireAlpha;
      this.#text(label.text, label.at.x, label.at.y, LABEL_PX, 400, theme.axisText, "center");
    }
  }

  #curve(curve: Curve): void {
    this.pen.beginPath();
    const start = this.#at(curve[0]!, curve[1]!);
    this.pen.moveTo(start.x, start.y);
    for (let at = 2; at + 5 < curve.length; at += 6) {
      const [a, b, to] = [0, 2, 4].map((step) => this.#at(curve[at + step]!, curve[at + step + 1]!));
      this.pen.bezierCurveTo(a!.x, a!.y, b!.x, b!.y, to!.x, to!.y);
    }
  }

  #arrow(curve: Curve, width: number, color: string, alpha: number): void {
    const direction = arrivalOf(curve);
    const [x, y] = [curve.at(-2)!, curve.at(-1)!];
    const [length, half] = [5 + width, 2.5 + width * 0.6];
    const back = { x: x - direction.x * length, y: y - direction.y * length };
    const corners = [
      this.#at(x, y),
      this.#at(back.x - direction.y * half, back.y + direction.x * half),
      this.#at(back.x + direction.y * half, back.y - direction.x * half),
    ];
    this.pen.beginPath();
    for (const [at, corner] of corners.entries()) {
      if (at === 0) this.pen.moveTo(corner.x, corner.y);
      else this.pen.lineTo(corner.x, corner.y);
    }
    this.pen.closePath();
    this.#fill(color, Math.min(1, alpha + 0.2));
  }

  /** Where lines enter and leave an open box. */
  #ports(scope: number): void {
    const { theme, wireAlpha } = this.options;
    const ports = new Map<string, { x: number; y: number }>();
    for (const at of this.#wiresIn.get(scope) ?? []) {
      const { source, target, curve } = this.picture.wires[at]!;
      if (source === -1) ports.set("entry", this.#at(curve[0]!, curve[1]!));
      if (target === -1) ports.set("exit", this.#at(curve.at(-2)!, curve.at(-1)!));
    }
    for (const { x, y } of ports.values()) {
      this.pen.beginPath();
      this.pen.arc(x, y, 3.5 * this.#scale, 0, 2 * Math.PI);
      this.#fill(theme.surface, wireAlpha);
      this.#stroke(theme.cursor, 1.25, wireAlpha);
    }
  }

  #stripLine({ x, y, height }: Rect): void {
    const [top, bottom] = [this.#at(x, y), this.#at(x, y + height)];
    this.pen.beginPath();
    this.pen.moveTo(top.x, top.y);
    this.pen.lineTo(bottom.x, bottom.y);
    this.#stroke(this.options.theme.axis, 1, 0.8, [2, 4]);
  }

  // Shapes in pixels.

  #at(x: number, y: number): { x: number; y: number } {
    return toScreen(this.options.camera, this.options.view, { x, y });
  }

  #outline({ box, rect }: Pick<PlacedBox, "box" | "rect">, offset: number): void {
    this.pen.beginPath();
    const round = box.opens ? ROUND.scope : box.kind === "input" ? ROUND.input : ROUND.op;
    this.#path(grown(rect, offset), round + offset);
  }

  #path(rect: Rect, round: number): void {
    const { x, y } = this.#at(rect.x, rect.y);
    const [width, height] = [rect.width * this.#scale, rect.height * this.#scale];
    roundedRect(this.pen, { x, y, width, height }, Math.min(round * this.#scale, width / 2, height / 2));
  }

  #fill(color: string, alpha: number): void {
    this.pen.fillStyle = color;
    this.pen.globalAlpha = alpha;
    this.pen.fill();
    this.pen.globalAlpha = 1;
  }

  /** Lines do not get thinner than a third of a pixel, and no thicker than four times their width. */
  #stroke(color: string, width: number, alpha = 1, dashes?: readonly number[]): void {
    this.pen.strokeStyle = color;
    this.pen.lineWidth = Math.max(0.35, width * Math.min(1.6, Math.max(0.3, this.#scale)));
    this.pen.globalAlpha = alpha;
    if (dashes) this.pen.setLineDash(dashes.map((length) => length * Math.max(0.5, this.#scale)));
    this.pen.stroke();
    if (dashes) this.pen.setLineDash([]);
    this.pen.globalAlpha = 1;
  }

  /** Text that is too small to be read is left out, unless there is room to write it larger. */
  #text(
    text: string,
    x: number,
    y: number,
    px: number,
    weight: number,
    color: string,
    align: CanvasTextAlign,
    room = 0,
  ): void {
    if (text === "") return;
    const natural = px * this.#scale;
    const widest = room > 0 ? (room * px) / this.options.widths.of(text, px, weight) : 0;
    const size = natural >= 10 ? natural : Math.max(natural, Math.min(10, widest * this.#scale));
    if (size < LEAST_TEXT_PX) return;
    const at = this.#at(x, y);
    this.pen.font = fontOf(this.options.theme, Math.round(size * 10) / 10, weight);
    this.pen.textAlign = align;
    this.pen.fillStyle = color;
    this.pen.fillText(text, at.x, at.y);
  }
}

function grown({ x, y, width, height }: Rect, by: number): Rect {
  return { x: x - by, y: y - by, width: width + 2 * by, height: height + 2 * by };
}

/** Distance of control points that makes a cubic curve a quarter of a circle. */
const QUARTER = 0.5523;

function roundedRect(pen: Pen, { x, y, width, height }: Rect, round: number): void {
  const [right, bottom, pull] = [x + width, y + height, round * (1 - QUARTER)];
  pen.moveTo(x + round, y);
  pen.lineTo(right - round, y);
  pen.bezierCurveTo(right - pull, y, right, y + pull, right, y + round);
  pen.lineTo(right, bottom - round);
  pen.bezierCurveTo(right, bottom - pull, right - pull, bottom, right - round, bottom);
  pen.lineTo(x + round, bottom);
  pen.bezierCurveTo(x + pull, bottom, x, bottom - pull, x, bottom - round);
  pen.lineTo(x, y + round);
  pen.bezierCurveTo(x, y + pull, x + pull, y, x + round, y);
  pen.closePath();
}
