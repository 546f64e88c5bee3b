import { beforeEach, describe, expect, test } from "vitest";
import { Gestures, type PointerPress } from "./gestures";

let told: unknown[][];
let gestures: Gestures;

beforeEach(() => {
  told = [];
  const tell =
    (name: string) =>
    (...values: unknown[]) => {
      told.push([name, ...values]);
    };
  gestures = new Gestures({
    hover: (at) => tell("hover")(at && [at.x, at.y]),
    drag: tell("drag"),
    zoom: tell("zoom"),
    line: (points) => tell("line")(points && [...points]),
    enclose: tell("enclose"),
    click: (at, extend) => tell("click")([at.x, at.y], extend),
  });
});

const press = (x: number, y: number, more: Partial<PointerPress> = {}): PointerPress => ({
  id: 1,
  x,
  y,
  button: 0,
  extend: false,
  kind: "mouse",
  ...more,
});

describe("one pointer", () => {
  test("points while it is up", () => {
    gestures.move(press(3, 4));
    expect(told).toEqual([["hover", [3, 4]]]);
  });

  test("a press that hardly moves is a click", () => {
    gestures.down(press(3, 4, { extend: true }));
    gestures.move(press(5, 4));
    gestures.up(press(5, 4));
    expect(told).toEqual([["click", [5, 4], true]]);
  });

  test("a drag moves, each time by what came since", () => {
    gestures.down(press(0, 0));
    gestures.move(press(10, 0));
    gestures.move(press(12, 5));
    gestures.up(press(12, 5));
    expect(told).toEqual([
      ["hover", null],
      ["drag", 10, 0, false],
      ["drag", 2, 5, false],
    ]);
  });

  test("the right button asks for the other movement, and clicks nothing", () => {
    gestures.down(press(0, 0, { button: 2 }));
    gestures.move(press(0, 9));
    gestures.up(press(0, 9));
    gestures.down(press(0, 0, { button: 2 }));
    gestures.up(press(0, 0));
    expect(told).toEqual([
      ["hover", null],
      ["drag", 0, 9, true],
    ]);
  });

  test("with Shift it draws a line around points", () => {
    gestures.down(press(0, 0, { extend: true }));
    gestures.move(press(10, 0));
    gestures.move(press(10, 10));
    gestures.up(press(10, 10));
    expect(told.slice(-2)).toEqual([
      ["line", null],
      ["enclose", [0, 0, 10, 0, 10, 10], true],
    ]);
  });

  test("with the box tool it draws a box", () => {
    gestures.tool = "box";
    gestures.down(press(1, 2));
    gestures.move(press(11, 12));
    gestures.up(press(11, 12));
    expect(told.at(-1)).toEqual(["enclose", [1, 2, 11, 2, 11, 12, 1, 12], false]);
  });

  test("Escape gives a line up", () => {
    gestures.tool = "lasso";
    gestures.down(press(0, 0));
    gestures.move(press(10, 10));
    gestures.cancel();
    gestures.up(press(10, 10));
    expect(told.slice(-2)).toEqual([
      ["line", null],
      ["hover", null],
    ]);
  });
});

test("the wheel comes closer forwards and farther backwards, both the same way", () => {
  gestures.wheel(5, 6, -100);
  gestures.wheel(5, 6, 100);
  const [near, far] = told.map(([, factor]) => factor as number);
  expect(near! * far!).toBeCloseTo(1);
  expect(near!).toBeLessThan(1);
});

test("two fingers zoom about their middle and move it along", () => {
  gestures.down(press(100, 100, { kind: "touch" }));
  gestures.down(press(200, 100, { kind: "touch", id: 2 }));
  gestures.move(press(300, 100, { id: 2 }));
  expect(told).toEqual([
    ["hover", null],
    ["drag", 50, 0, true],
    ["zoom", 0.5, 200, 100],
  ]);
});

test("a finger left over from a pinch moves nothing", () => {
  gestures.down(press(100, 100, { kind: "touch" }));
  gestures.down(press(200, 100, { kind: "touch", id: 2 }));
  gestures.up(press(200, 100, { id: 2 }));
  told = [];
  gestures.up(press(100, 100));
  expect(told).toEqual([]);
});
