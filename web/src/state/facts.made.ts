/** Facts of runs made up for tests. */

import type { RunFacts } from "./facts";
import type { RunInfo } from "./lists";

let count = 0;

export function madeFacts(name: string, part: Partial<RunFacts> = {}): RunFacts {
  const id = part.id ?? count++;
  return {
    id,
    name,
    label: name,
    run: { id, name, slot: id, points: 0, last_step: null } as RunInfo,
    config: {},
    status: "idle",
    lost: null,
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
