import { expect, test } from "vitest";
import { PointRenderer } from "./renderer";
import { HIDDEN } from "./splat";

const PALETTE = { colors: [0xff0000], shapes: [0], paper: 0xffffff };

/** Points of two dimensions in [0, 1], as the server sends them. */
function body(...points: readonly [number, number][]): ArrayBuffer {
  const made = new ArrayBuffer(24 + 4 * points.length);
  new Uint32Array(made, 0, 2).set([points.length, 2]);
  new Float32Array(made, 8, 4).set([0, 1, 0, 1]);
  new Uint16Array(made, 24).set(points.flat().map((value) => Math.round(value * 65_535)));
  return made;
}

/** The first 44 px are those of the tools. */
function setUp() {
  const renderer = new PointRenderer();
  renderer.resize({ width: 144, height: 100 });
  renderer.paint(new Uint8Array(2), PALETTE);
  const image = { width: 144, height: 100, pixels: new Uint32Array(14_400) };
  return { renderer, draw: (nowMs = 0) => renderer.draw(image, nowMs, 1) };
}

test("all points are in sight at first, and after a pan those that are", () => {
  const { renderer, draw } = setUp();
  renderer.place(body([0, 0], [1, 1]), 0, true);
  expect(draw().inSight).toBe(2);
  renderer.drag(-90, 0, false);
  expect(draw().inSight).toBe(1);
  renderer.fit();
  expect(draw().inSight).toBe(2);
});

test("what is followed is told with each picture, what is not there as no place", () => {
  const { renderer, draw } = setUp();
  renderer.place(body([0, 0], [0.5, 0.5]), 0, true);
  renderer.followed = Uint32Array.of(1, 7);
  const [x, y, ...rest] = draw().marks;
  expect([Math.round(x!), Math.round(y!), ...rest]).toEqual([94, 50, Number.NaN, Number.NaN]);
});

test("points walk from one layout to the next of the same points", () => {
  const { renderer, draw } = setUp();
  renderer.place(body([0, 0], [1, 1]), 0, true);
  draw();
  renderer.followed = Uint32Array.of(0);
  renderer.place(body([1, 0], [0, 1]), 1000, false);
  const [begin, way, end] = [draw(1000), draw(1140), draw(1400)];
  expect([begin.moving, way.moving, end.moving]).toEqual([true, true, false]);
  expect(way.marks[0]!).toBeGreaterThan(begin.marks[0]!);
  expect(end.marks[0]!).toBeGreaterThan(way.marks[0]!);
});

test("a calm page does not let them walk", () => {
  const { renderer, draw } = setUp();
  renderer.place(body([0, 0], [1, 1]), 0, true);
  draw();
  renderer.place(body([1, 0], [0, 1]), 1000, true);
  expect(draw(1000).moving).toBe(false);
});

test("a point is found where it was drawn, a hidden one is not", () => {
  const { renderer, draw } = setUp();
  renderer.place(body([0.5, 0.5], [1, 1]), 0, true);
  draw();
  expect(renderer.find(96, 51, 8).row).toBe(0);
  renderer.standOut(Uint8Array.of(HIDDEN, 0));
  draw();
  expect(renderer.find(96, 51, 8).row).toBe(-1);
});

test("new layouts leave the camera to whoever moved it", () => {
  const { renderer, draw } = setUp();
  renderer.place(body([0, 0], [1, 1]), 0, true);
  draw();
  renderer.zoom(0.5);
  const { camera } = draw();
  renderer.place(body([1, 0], [0, 1]), 0, true);
  expect(draw().camera).toEqual(camera);
});
