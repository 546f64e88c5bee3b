import { describe, expect, test } from "vitest";
import {
  cameraBetween,
  fitCamera,
  lookAt,
  moveCamera,
  revealCamera,
  toPicture,
  toScreen,
  viewOf,
  zoomCamera,
} from "./camera";
import { frameOf, isMapUseful, mapSize, minimapOf, pointOnMap } from "./minimap";

const VIEW = { width: 800, height: 600 };
const MARGINS = { top: 60, side: 20, bottom: 40 };

describe("the camera", () => {
  test("shows a part between the margins", () => {
    const camera = fitCamera({ x: 0, y: 0, width: 950, height: 300 }, VIEW, MARGINS);
    expect(camera.scale).toBe(0.8);
    expect(toScreen(camera, VIEW, { x: 0, y: 150 })).toEqual({ x: 20, y: 310 });
  });

  test("does not blow up what is small", () => {
    expect(fitCamera({ x: 0, y: 0, width: 10, height: 10 }, VIEW, MARGINS).scale).toBe(1.25);
  });

  test("shows the upper part of what could not be read as a whole", () => {
    const tall = { x: 100, y: 50, width: 200, height: 9000 };
    const camera = fitCamera(tall, VIEW, MARGINS);
    expect(camera.scale).toBe(0.64);
    expect(toScreen(camera, VIEW, { x: 200, y: 50 }).y).toBeCloseTo(60);
    expect(fitCamera(tall, VIEW, MARGINS, { whole: true }).scale).toBeCloseTo(500 / 9000);
  });

  test("shows of what is wide the part around its start", () => {
    const wide = { x: 100, y: 0, width: 7600, height: 300 };
    const camera = fitCamera(wide, VIEW, MARGINS, { start: 3000 });
    expect(camera).toEqual({ x: 3000, y: 150 - 10 / 0.64, scale: 0.64 });
    expect(fitCamera(wide, VIEW, MARGINS, { whole: true, start: 3000 })).toEqual({
      x: 3900,
      y: 50,
      scale: 0.1,
    });
  });

  test("shows all of what can just be read", () => {
    expect(fitCamera({ x: 0, y: 0, width: 1360, height: 300 }, VIEW, MARGINS).scale).toBeCloseTo(760 / 1360);
  });

  test("shows nothing beside what is wide", () => {
    const wide = { x: 100, y: 0, width: 7600, height: 300 };
    const [left, right] = [0, 7600].map((start) => fitCamera(wide, VIEW, MARGINS, { start }));
    expect(toScreen(left!, VIEW, { x: 100, y: 0 }).x).toBeCloseTo(20);
    expect(toScreen(right!, VIEW, { x: 7700, y: 0 }).x).toBeCloseTo(780);
  });

  test("zooms around the pointer", () => {
    const camera = { x: 10, y: 20, scale: 0.5 };
    const at = { x: 123, y: 45 };
    const before = toPicture(camera, VIEW, at);
    const after = toPicture(zoomCamera(camera, 2, at, VIEW), VIEW, at);
    expect([after.x, after.y]).toEqual([expect.closeTo(before.x), expect.closeTo(before.y)]);
  });

  test("cannot lose the picture", () => {
    const camera = { x: 50, y: 50, scale: 1 };
    expect(moveCamera(camera, 1e6, -1e6, { width: 100, height: 80 })).toEqual({ x: 0, y: 80, scale: 1 });
  });

  test("moves only as far as needed to show a box", () => {
    const camera = { x: 400, y: 300, scale: 1 };
    const inView = { x: 100, y: 100, width: 50, height: 20 };
    expect(revealCamera(camera, inView, VIEW, 10)).toEqual(camera);
    expect(revealCamera(camera, { ...inView, x: 900 }, VIEW, 10)).toEqual({ ...camera, x: 560 });
  });

  test("stays where a part is in view, and has any other part in the middle", () => {
    const camera = { x: 400, y: 300, scale: 1 };
    expect(lookAt(camera, { x: 100, y: 100, width: 50, height: 50 }, VIEW, 10)).toBe(camera);
    expect(lookAt(camera, { x: 900, y: 100, width: 50, height: 50 }, VIEW, 10)).toEqual({
      x: 925,
      y: 125,
      scale: 1,
    });
  });

  test("zooms evenly from one view to another", () => {
    expect(cameraBetween({ x: 0, y: 0, scale: 0.25 }, { x: 10, y: 0, scale: 4 }, 0.5)).toEqual({
      x: 5,
      y: 0,
      scale: 1,
    });
  });
});

describe("the small map", () => {
  test("takes little of a small view", () => {
    expect(mapSize({ width: 1000, height: 800 })).toEqual({ width: 150, height: 130 });
    expect(mapSize({ width: 390, height: 440 })).toEqual({ width: 97.5, height: 110 });
  });

  const map = minimapOf({ width: 3000, height: 1000 }, { width: 150, height: 130 });

  test("keeps the proportions", () => {
    expect(map).toEqual({ size: { width: 150, height: 50 }, scale: 0.05 });
    expect(pointOnMap(map, { x: 75, y: 25 })).toEqual({ x: 1500, y: 500 });
  });

  test("frames what is in view, within its border", () => {
    const seen = viewOf({ x: 200, y: 500, scale: 0.5 }, VIEW);
    expect(frameOf(map, seen)).toEqual({ x: 0, y: 0, width: 50, height: 50 });
  });

  test("is of use only if something is out of view", () => {
    expect(isMapUseful({ width: 100, height: 100 }, { x: -1, y: -1, width: 102, height: 102 })).toBe(false);
    expect(isMapUseful({ width: 100, height: 100 }, { x: 1, y: -1, width: 102, height: 102 })).toBe(true);
  });
});
