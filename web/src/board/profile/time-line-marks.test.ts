import { describe, expect, test } from "vitest";
import type { TimeLine } from "./profiles";
import { askedWindow, HEAD_PX, markAt, moved, placesOf, ROW_PX, zoomed } from "./time-line-marks";

const TRACK = { host: 0, process: "p", name: "t", depth: 2, slices: 3 };
const LINE: TimeLine = {
  total: 2,
  begin_us: 0,
  end_us: 100,
  pixel_us: 1,
  hosts: ["h"],
  categories: ["compute"],
  tracks: [TRACK, { ...TRACK, depth: 1 }],
  names: ["a", "b"],
  marks: {
    track: [0, 0, 0, 1],
    depth: [0, 1, 1, 0],
    start_us: [0, 10, 50, 5],
    duration_us: [100, 20, 10, 10],
    name: [0, 1, 1, 0],
    category: [0, 0, 0, 0],
    count: [1, 1, 3, 1],
    busy_us: [100, 20, 6, 10],
    slice: [0, 1, 2, 3],
  },
};

describe("places", () => {
  const places = placesOf(LINE);

  test("tracks are below each other, with a row for each depth", () => {
    expect(places.tracks.map(({ rows }) => rows)).toEqual([
      [
        { begin: 0, end: 1 },
        { begin: 1, end: 3 },
      ],
      [{ begin: 3, end: 4 }],
    ]);
  });

  test.each([
    ["in a mark", 15, 1, 1],
    ["between marks", 40, 1, null],
    ["just beside one", 48, 1, 2],
    ["in the row above", 40, 0, 0],
  ])("the mark %s", (_, time, row, found) => {
    expect(markAt(LINE, places, time, HEAD_PX + (row + 0.5) * ROW_PX, 2)).toBe(found);
  });

  test("the head of a track is no mark", () => {
    expect(markAt(LINE, places, 15, HEAD_PX / 2, 2)).toBeNull();
  });

  test("a mark of the second track", () => {
    expect(markAt(LINE, places, 6, places.tracks[1]!.top + HEAD_PX + 1, 0)).toBe(3);
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

  test("a little more is asked for on both sides", () => {
    expect(askedWindow([40, 60], 200, 100)).toEqual({ begin_us: 30, end_us: 70, width: 400 });
    expect(askedWindow([0, 100], 200, 100)).toEqual({ begin_us: 0, end_us: 100, width: 200 });
  });
});
