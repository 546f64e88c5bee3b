import { describe, expect, test } from "vitest";
import { LINE } from "./time-line-example";
import { askedWindow, markAt, moved, seenWindow, zoomed } from "./time-line-marks";
import { HEAD_PX, placesOf, ROW_PX } from "./time-line-places";

describe("marks", () => {
  const places = placesOf(LINE, { closed: [], pinned: [] });
  const first = places.tracks[0]!;

  test.each([
    ["in a mark", 15, 1, 1],
    ["between marks", 40, 1, null],
    ["just beside one", 48, 1, 2],
    ["in the row above", 40, 0, 0],
  ])("the mark %s", (_, time, row, found) => {
    expect(markAt(LINE, places, time, first.body + (row + 0.5) * ROW_PX, 2)).toBe(found);
  });

  test("the head of a track is no mark", () => {
    expect(markAt(LINE, places, 15, first.top + HEAD_PX / 2, 2)).toBeNull();
  });

  test("a mark of the second track", () => {
    expect(markAt(LINE, places, 6, places.tracks[1]!.body + 1, 0)).toBe(3);
  });
});

describe("windows", () => {
  test("a moment stays where it is while one zooms", () => {
    expect(zoomed([0, 100], 0.5, 20, 100)).toEqual([10, 60]);
  });

  test("none is longer than the capture, or beside it", () => {
    expect(zoomed([40, 60], 100, 50, 100)).toEqual([0, 100]);
    expect(moved([40, 60], 70, 100)).toEqual([80, 100]);
    expect(moved([40, 60], -70, 100)).toEqual([0, 20]);
  });

  test.each([
    ["is seen", 45, 10, [40, 60]],
    ["is beside it", 5, 10, [0, 20]],
    ["is too short", 45, 0.1, [44.8, 45.3]],
    ["is longer", 65, 30, [0, 100]],
  ])("a slice that %s", (_, start, duration, window) => {
    const [begin, end] = seenWindow([40, 60], start, duration, 200, 100);
    expect([begin.toFixed(3), end.toFixed(3)]).toEqual(window.map((time) => time.toFixed(3)));
  });

  test("a little more is asked for on both sides", () => {
    expect(askedWindow([40, 60], 200, 100)).toEqual({ begin_us: 30, end_us: 70, width: 400 });
    expect(askedWindow([0, 100], 200, 100)).toEqual({ begin_us: 0, end_us: 100, width: 200 });
  });
});
