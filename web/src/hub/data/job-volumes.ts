/** The volumes of a job as rows in the form, and as a request. Pure. */

import type { JobVolume, NewVolume } from "../../api/hub-schema.gen";
import type { WordId } from "../../i18n/words";

export interface VolumeRow {
  /** A unique key for rows of the editor. */
  key: number;
  target: string;
  source: string;
  readOnly: boolean;
}

let lastKey = 0;

export const newVolume = (target = "", source = "", readOnly = true): VolumeRow => ({
  key: ++lastKey,
  target,
  source,
  readOnly,
});

/** The volumes of an existing job. */
export const volumeRowsOf = (volumes: readonly JobVolume[]) =>
  volumes.map(({ target, source, read_only }) => newVolume(target, source, read_only));

const filled = (rows: readonly VolumeRow[]) =>
  rows
    .map((row) => ({ ...row, target: row.target.trim(), source: row.source.trim() }))
    .filter(({ target, source }) => target !== "" || source !== "");

export function volumeFault(rows: readonly VolumeRow[]): WordId | null {
  const volumes = filled(rows);
  if (!volumes.every(({ target }) => target.startsWith("/"))) return "hub.job.fault.target";
  return volumes.some(({ source }) => source === "") ? "hub.job.fault.volumeSource" : null;
}

/** The part of the request. */
export const volumesOf = (rows: readonly VolumeRow[]): NewVolume[] =>
  filled(rows).map(({ target, source, readOnly }) => ({ source, target, read_only: readOnly }));
