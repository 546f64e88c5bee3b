import { describe, expect, test } from "vitest";
import { loopAt } from "./curve";
import { openModel, openOf, pictureOf, scopeOf } from "./graph.fixture";
import { boxAt, signAt, signsOf, wireAt } from "./hit-test";
import { neighborsOf } from "./neighbors";
import { outlineOf } from "./outline";
import { liesIn, placeOf } from "./picture";
import { centerOf, contains } from "./shapes";
import { pictureBetween, startsOf } from "./transition";

const picture = openModel();
const at = (path: string) => picture.places.get(path)!;
const paths = (places: Iterable<number>) => [...places].map((place) => picture.boxes[place]!.box.path);

describe("the picture", () => {
  test("has open boxes before what is in them", () => {
    expect(picture.boxes.map(({ box, depth, open, aside }) => [box.path, depth, open, aside])).toEqual([
      ["x", 0, false, false],
      ["layer", 0, true, false],
      ["layer/a", 1, false, false],
      ["layer/b", 1, false, false],
      ["layer/c", 1, false, true],
      ["y", 0, false, false],
    ]);
  });

  test("has everything inside of what is around it", () => {
    for (const { rect, parent } of picture.boxes) {
      const around = picture.boxes[parent]?.rect ?? { x: 0, y: 0, ...picture.size };
      expect(
        contains(around, rect) && contains(around, { x: rect.x + rect.width, y: rect.y + rect.height }),
      ).toBe(true);
    }
  });

  test("draws no lines to what is set aside", () => {
    const drawn = picture.wires.map(({ source, target, curve }) => [source, target, curve.length > 0]);
    expect(drawn).toEqual([
      [at("layer/a"), at("layer/b"), true],
      [at("layer/c"), at("layer/b"), false],
      [-1, at("layer/a"), true],
      [at("layer/b"), -1, true],
      [at("x"), at("layer"), true],
      [at("layer"), at("y"), true],
    ]);
  });

  test("shows a path by the innermost box that it has", () => {
    expect(paths([placeOf(picture, "layer/a"), placeOf(picture, "layer/a/b/c")])).toEqual([
      "layer/a",
      "layer/a",
    ]);
    expect(placeOf(picture, "elsewhere/a")).toBe(-1);
    expect(liesIn(picture, at("layer/a"), at("layer"))).toBe(true);
    expect(liesIn(picture, at("x"), at("layer"))).toBe(false);
  });
});

describe("the neighbours of a box", () => {
  test("are those in its scope, what is set aside, and known ones elsewhere", () => {
    const { inputs, outputs, wires, far } = neighborsOf(picture, at("layer/b"));
    expect([paths(inputs), paths(outputs)]).toEqual([["layer/a", "layer/c"], ["y"]]);
    expect([...wires]).toEqual([0, 1, 3]);
    expect(far).toEqual([{ box: at("y"), incoming: false }]);
  });

  test("no box has none", () => {
    expect(neighborsOf(picture, -1).wires.size).toBe(0);
  });
});

describe("what is under the pointer", () => {
  test("the innermost box", () => {
    const { rect } = picture.boxes[at("layer/a")]!;
    expect(boxAt(picture, centerOf(rect))).toBe(at("layer/a"));
    expect(boxAt(picture, { x: -5, y: 0 })).toBe(-1);
  });

  test("a line that is near enough", () => {
    const straight = pictureOf(openOf(scopeOf("", "a b", "a-b")));
    const { bounds } = straight.wires[0]!;
    const beside = { x: bounds.x + 4, y: bounds.y + bounds.height / 2 };
    expect([wireAt(straight, beside, 5), wireAt(straight, beside, 3)]).toEqual([0, -1]);
  });

  test("the sign that closes an open box, in its heading", () => {
    const layer = picture.boxes[at("layer")]!;
    const [sign] = signsOf(layer);
    expect(signAt(layer, centerOf(sign!.rect))).toBe("toggle");
    expect(signAt(layer, { x: layer.rect.x + 4, y: layer.rect.y + 4 })).toBe(null);
    expect(signsOf(picture.boxes[at("x")]!)).toEqual([]);
  });

  test("the signs of a stack that change its member", () => {
    const layer = picture.boxes[at("layer")]!;
    expect(signsOf({ ...layer, member: 0 }).map(({ sign }) => sign)).toEqual(["toggle", "next", "previous"]);
  });
});

test("the outline goes from top to bottom, what is set aside last", () => {
  expect(
    outlineOf(picture).map(({ at, level, position, size }) => [paths([at])[0], level, position, size]),
  ).toEqual([
    ["x", 1, 1, 3],
    ["layer", 1, 2, 3],
    ["layer/a", 2, 1, 3],
    ["layer/b", 2, 2, 3],
    ["layer/c", 2, 3, 3],
    ["y", 1, 3, 3],
  ]);
});

describe("from one picture to the next", () => {
  const before = pictureOf(openOf(scopeOf("", "x layer/ y", "x-layer layer-y")));

  test("boxes start where they were, and new ones in the box around them", () => {
    const starts = startsOf(before, picture);
    const was = before.boxes.map(({ rect }) => rect);
    expect([starts[at("x")], starts[at("layer")], starts[at("y")]]).toEqual(was);
    expect(contains(was[1]!, starts[at("layer/a")]!)).toBe(true);
  });

  test("and arrive at their places", () => {
    const starts = startsOf(before, picture);
    expect(pictureBetween(starts, picture, 0).boxes.map(({ rect }) => rect)).toEqual(starts);
    expect(pictureBetween(starts, picture, 1)).toBe(picture);
  });
});

describe("a box that is its own input", () => {
  const looped = pictureOf(openOf(scopeOf("", "x state y", "x-state state-state state-y")));
  const state = looped.places.get("state")!;
  const loop = looped.wires.findIndex(({ source, target }) => source === target);

  test("has a loop at its lower right corner, which the pointer finds", () => {
    const { x, y, width, height } = looped.boxes[state]!.rect;
    expect(looped.wires[loop]!.curve).toEqual(loopAt({ x, y, width, height }));
    expect(wireAt(looped, { x: x + width + 4, y: y + height + 4 }, 4)).toBe(loop);
  });

  test("is among its inputs and outputs", () => {
    const { inputs, outputs, wires } = neighborsOf(looped, state);
    expect([inputs.has(state), outputs.has(state), wires.has(loop)]).toEqual([true, true, true]);
  });
});
