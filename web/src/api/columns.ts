/** One value per run and column: what the run table shows of metrics. */

import { postJson } from "./client";

export interface ColumnQuestion {
  tag: string;
  stat: string;
}

export interface ColumnsAnswer {
  generation: number;
  /** Ids, in the order of every column. */
  runs: readonly number[];
  /** JSON has no word for what is not finite; null: the run lacks the tag. */
  columns: readonly (readonly (number | string | null)[])[];
}

export const askColumns = (columns: readonly ColumnQuestion[], signal?: AbortSignal) =>
  postJson<ColumnsAnswer>("runs/columns", { columns }, signal);
