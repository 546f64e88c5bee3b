/** Run details for tests. */

import type { RunInfo } from "../data/lists";
import type { RunDetails } from "./run-details";

let count = 0;

export function runDetails(name: string, part: Partial<RunDetails> = {}): RunDetails {
  const id = part.id ?? count++;
  return {
    id,
    name,
    label: name,
    run: { id, name, slot: id, points: 0, last_step: null } as RunInfo,
    config: {},
    status: "idle",
    nonfinite: null,
    created: null,
    duration: null,
    tags: [],
    note: "",
    groups: [],
    folded: [],
    parts: new Map(),
    hidden: false,
    archived: false,
    color: null,
    ...part,
  };
}
