/** Where runs come from. Answered by a hub at the address of each of its boards; other boards have no such address. */

import { getJson } from "./client";
import type { RunLineage } from "./hub-schema.gen";

export type { InputLineage, RunJob } from "./hub-schema.gen";

/** Beside the API of the board, in a folder that the hub keeps for itself. */
const PATH = "../../.lightboard/lineage";

/** The jobs that have made a run, of those that the visitor may see. */
export const fetchRunLineage = (run: string, signal?: AbortSignal) =>
  getJson<RunLineage>(`${PATH}?${new URLSearchParams({ run })}`, signal);
