import { describe, expect, test } from "vitest";
import { arrangeByDagre } from "./dagre";
import { bridgeOf, inputOf, layoutOf, openOf, SIZE, scopeOf } from "./graph.fixture";
import { NestedLayouts } from "./nested-layout";
import type { ScopeInput } from "./scope-layout";
import { overlaps } from "./shapes";

const HEAD = { width: 100, height: 30 };

describe("one scope", () => {
  test("a line leaves a box in the middle below and meets the next in the middle above", () => {
    const { boxes, links } = layoutOf(inputOf(openOf(scopeOf("", "a b", "a-b"))));
    const [a, b] = [boxes[0]!, boxes[1]!];
    expect(links).toEqual([
      [
        { x: a.x + SIZE.width / 2, y: a.y + SIZE.height },
        { x: b.x + SIZE.width / 2, y: b.y },
      ],
    ]);
  });

  test("lines at one side stand side by side in the order of their other ends", () => {
    const { links } = layoutOf(inputOf(openOf(scopeOf("", "a b c", "a-c b-c"))));
    const ends = links.map((points) => points.at(-1)!.x);
    expect(ends[1]! - ends[0]!).toBe(14);
  });

  test("labels of lines that part lie apart", () => {
    const input = inputOf(openOf(scopeOf("", "a b c", "a-b a-c")));
    const label = { width: 30, height: 14 };
    const labelled = { ...input, links: input.links.map((link) => ({ ...link, label })) };
    const { labels } = new NestedLayouts(arrangeByDagre).layOut(labelled);
    const [left, right] = labels.map((at) => at!.x).sort((a, b) => a - b);
    expect(right! - left!).toBeGreaterThan(label.width);
  });

  test("a line of a cycle goes up", () => {
    const { boxes, links } = layoutOf(inputOf(openOf(scopeOf("", "a b", "a-b b-a"))));
    const [start, end] = [links[1]![0]!, links[1]!.at(-1)!];
    expect([start.y, end.y]).toEqual([boxes[1]!.y, boxes[0]!.y + SIZE.height]);
  });

  test("lines from outside start at the upper border, those to the outside end at the lower one", () => {
    const scope = scopeOf("s", "a b", "a-b", [bridgeOf(0, true), bridgeOf(1, false)]);
    const { entry, exit, incoming, outgoing, size } = layoutOf(inputOf(openOf(scope), HEAD));
    expect(entry?.y).toBe(0);
    expect(incoming[0]![0]).toEqual(entry);
    expect(exit?.y).toBe(size.height);
    expect(outgoing[0]!.at(-1)).toEqual(exit);
  });

  test("what is set aside stands right of everything else", () => {
    const { boxes, strip, size } = layoutOf(inputOf(openOf(scopeOf("", "a b c=", "a-b c-b"))));
    expect(boxes[2]!.x).toBeGreaterThan(boxes[1]!.x + SIZE.width);
    expect(boxes[2]!.x + SIZE.width).toBeLessThan(size.width);
    expect(strip!.x).toBeLessThan(boxes[2]!.x);
  });

  test("boxes without lines fill rows instead of one long line", () => {
    const names = Array.from({ length: 40 }, (_, at) => `b${at}`).join(" ");
    const { size } = layoutOf(inputOf(openOf(scopeOf("", names))));
    expect(size.width / size.height).toBeLessThan(6);
    expect(size.width / size.height).toBeGreaterThan(1);
  });

  test("is as wide as its heading", () => {
    const input = { ...inputOf(openOf(scopeOf("s", "a"))), head: { width: 400, height: 30 } };
    expect(layoutOf(input).size.width).toBe(400);
  });
});

describe("scopes inside one another", () => {
  const inside = scopeOf("layer", "a b", "a-b", [bridgeOf(0, true)]);
  const whole = scopeOf("", "x layer/ y", "x-layer layer-y");
  const opened = () => openOf(whole, { 1: { member: null, inside: openOf(inside) } });

  test("an open box has the size of its contents, and lines end at its port", () => {
    const { boxes, open, links } = layoutOf(inputOf(opened()));
    const { layout } = open[0]!;
    const { x, y, width, height } = boxes[1]!;
    expect({ width, height }).toEqual(layout.size);
    expect(links[0]!.at(-1)).toEqual({ x: x + layout.entry!.x, y });
  });

  test("only what has changed is laid out again, with what is around it", () => {
    const layouts = new NestedLayouts(arrangeByDagre);
    const input = inputOf(opened());
    const first = layouts.layOut(input);
    expect(layouts.made).toBe(2);
    expect(layouts.layOut(structuredClone(input))).toBe(first);
    const changed: ScopeInput = { ...input, sizes: [{ width: 90, height: 20 }, ...input.sizes.slice(1)] };
    layouts.layOut(changed);
    expect(layouts.made).toBe(3);
  });

  test("equal scopes are laid out once", () => {
    const model = scopeOf("", "p/ q/", "p-q");
    const copy = (path: string) => ({ member: null, inside: openOf(scopeOf(path, "a b c", "a-b b-c")) });
    const layouts = new NestedLayouts(arrangeByDagre);
    layouts.layOut(inputOf(openOf(model, { 0: copy("p"), 1: copy("q") })));
    expect(layouts.made).toBe(2);
  });
});

describe("with dagre", () => {
  const layouts = new NestedLayouts(arrangeByDagre);

  test("data flows down, and boxes do not overlap", () => {
    const scope = scopeOf("", "a b c d e", "a-b a-c b-d c-d a-d d-e");
    const { boxes } = layouts.layOut(inputOf(openOf(scope)));
    for (const { source, target } of scope.edges) expect(boxes[source]!.y).toBeLessThan(boxes[target]!.y);
    for (const [at, box] of boxes.entries()) {
      for (const other of boxes.slice(at + 1)) expect(overlaps(box, other)).toBe(false);
    }
  });

  test("ports are above and below everything", () => {
    const scope = scopeOf("s", "a b c", "a-b b-c", [bridgeOf(2, true), bridgeOf(0, false)]);
    const { boxes, incoming, outgoing } = layouts.layOut(inputOf(openOf(scope), HEAD));
    expect(incoming[0]![1]!.y).toBeLessThan(boxes[0]!.y);
    expect(outgoing[0]!.at(-2)!.y).toBeGreaterThan(boxes[2]!.y + SIZE.height);
  });

  test("lines stay beside higher boxes of their rank", () => {
    const inside = scopeOf("big", "p q r", "p-q q-r");
    const scope = scopeOf("", "a big/ small z", "a-big a-small big-z small-z");
    const { boxes, links } = layouts.layOut(
      inputOf(openOf(scope, { 1: { member: null, inside: openOf(inside) } })),
    );
    const [big, line] = [boxes[1]!, links[3]!];
    expect(line[1]).toEqual({ x: line[0]!.x, y: big.y + big.height });
  });

  test("several edges between the same boxes keep their own lines", () => {
    const scope = scopeOf("", "a b", "a-b a-b");
    expect(layouts.layOut(inputOf(openOf(scope))).links.length).toBe(2);
  });
});
