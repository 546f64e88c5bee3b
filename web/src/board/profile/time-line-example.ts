/** A time line of two tracks for tests. */

import type { TimeLine } from "./profiles";

const TRACK = {
  host: 0,
  track_index: 4,
  process_index: 2,
  process: "p",
  name: "t",
  depth: 2,
  slices: 3,
  instants: 0,
};
export const LINE: TimeLine = {
  loaded: 1,
  total: 2,
  begin_us: 0,
  end_us: 100,
  pixel_us: 1,
  hosts: ["h"],
  categories: ["compute"],
  tracks: [TRACK, { ...TRACK, track_index: 5, depth: 1 }],
  names: ["a", "b"],
  counters: [],
  instants: { track: [], time_us: [], name: [], count: [] },
  samples: { counter: [], time_us: [], low: [], high: [], value: [] },
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
    found: [],
  },
};
