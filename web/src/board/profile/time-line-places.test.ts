import { describe, expect, test } from "vitest";
import { LINE } from "./time-line-example";
import {
  COUNTER_PX,
  GAP_PX,
  HEAD_PX,
  pictureY,
  placesOf,
  placeY,
  ROW_PX,
  RULER_PX,
  scrollFor,
  scrollOf,
  TICK_PX,
  tracksBetween,
} from "./time-line-places";

const OPEN = { closed: [], pinned: [] };
const FIRST_PX = HEAD_PX + 2 * ROW_PX + GAP_PX;
const SECOND_PX = HEAD_PX + ROW_PX + GAP_PX;

function edges(folding: { closed: string[]; pinned: string[] }) {
  return placesOf(LINE, folding).tracks.map(({ key, top, bottom }) => [key, top, bottom]);
}

describe("places", () => {
  test("tracks are below their process, with a row for each depth", () => {
    const places = placesOf(LINE, OPEN);
    expect(places.processes).toEqual([{ key: "0p2", host: 0, name: "p", isOpen: true, top: 0, tracks: 2 }]);
    expect(places.tracks.map(({ rows }) => rows)).toEqual([
      [
        { begin: 0, end: 1 },
        { begin: 1, end: 3 },
      ],
      [{ begin: 3, end: 4 }],
    ]);
    expect(edges(OPEN)).toEqual([
      ["0:4", HEAD_PX, HEAD_PX + FIRST_PX],
      ["0:5", HEAD_PX + FIRST_PX, HEAD_PX + FIRST_PX + SECOND_PX],
    ]);
  });

  test("a track that is closed has its first row", () => {
    expect(edges({ closed: ["0:4"], pinned: [] })[1]![1]).toBe(HEAD_PX + SECOND_PX);
  });

  test("a process that is closed has no tracks, but those on top", () => {
    expect(edges({ closed: ["0p2"], pinned: [] })).toEqual([]);
    expect(edges({ closed: ["0p2"], pinned: ["0:5"] })).toEqual([["0:5", 0, SECOND_PX]]);
  });

  test("a track on top is before its process", () => {
    const places = placesOf(LINE, { closed: [], pinned: ["0:5"] });
    expect([places.pinned, places.processes[0]!.top]).toEqual([SECOND_PX, SECOND_PX]);
    expect(places.tracks.map(({ key, isPinned }) => [key, isPinned])).toEqual([
      ["0:5", true],
      ["0:4", false],
    ]);
  });

  test("tracks between two heights", () => {
    const places = placesOf(LINE, OPEN);
    expect(tracksBetween(places, HEAD_PX + FIRST_PX + 1, 1)).toEqual(["0:4", "0:5"]);
    expect(tracksBetween(places, 1, HEAD_PX - 1)).toEqual([]);
  });
});

test("instants are above the rows of a track, and counters below the tracks of a process", () => {
  const [first, second] = LINE.tracks;
  const counter = { host: 0, process_index: 2, process: "p", name: "used", low: 0, high: 5 };
  const other = { ...counter, process_index: 7, process: "q" };
  const places = placesOf(
    { ...LINE, tracks: [{ ...first!, instants: 1 }, second!], counters: [other, counter] },
    OPEN,
  );
  expect([places.tracks[0]!.ticks, places.tracks[0]!.body]).toEqual([2 * HEAD_PX, 2 * HEAD_PX + TICK_PX]);
  const bottom = places.tracks[1]!.bottom;
  expect(places.counters).toEqual([
    { counter: 1, top: bottom },
    { counter: 0, top: bottom + COUNTER_PX + GAP_PX + HEAD_PX },
  ]);
  expect(places.processes.map(({ name }) => name)).toEqual(["p", "q"]);
});

describe("scrolled", () => {
  const places = placesOf(LINE, { closed: [], pinned: ["0:5"] });

  test("what is on top stays there, unless it leaves no room", () => {
    expect(scrollOf(places, 30, 400)).toEqual({ top: 30, stuck: SECOND_PX });
    expect(scrollOf(places, 30, 100)).toEqual({ top: 30, stuck: 0 });
  });

  test("a height in the picture is one among the places, and back", () => {
    const scroll = { top: 30, stuck: 20 };
    expect([placeY(10, scroll), placeY(50, scroll)]).toEqual([10, 80]);
    expect([pictureY(10, scroll), pictureY(80, scroll)]).toEqual([RULER_PX + 10, RULER_PX + 50]);
  });

  test.each([
    ["is seen", "0:4", 0, 10],
    ["is on top", "0:5", 400, 400],
    ["is not there", "0:9", 0, null],
  ])("a row that %s", (_, key, top, wanted) => {
    const scroll = { top: wanted === 10 ? 10 : top, stuck: SECOND_PX };
    expect(scrollFor(places, key, 0, scroll, 400)).toBe(wanted);
  });

  test("a row below comes to the middle", () => {
    const { body } = places.tracks[1]!;
    const height = RULER_PX + SECOND_PX + 20;
    expect(scrollFor(places, "0:4", 1, { top: 0, stuck: 0 }, height)).toBe(
      body + ROW_PX + ROW_PX / 2 - (height - RULER_PX) / 2,
    );
  });
});
