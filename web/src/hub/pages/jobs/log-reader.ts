/** Reads the log of a replica part by part while the page is visible, until the attempt has ended. */

import { ApiError } from "../../../api/client";
import type { JobLog } from "../../../api/hub-schema.gen";
import { fetchJobLog } from "../../api/jobs";
import { endSession } from "../../data/queries";
import { LogBuffer } from "./log-buffer";

/** What one log is: of which replica, in which attempt. */
export interface LogAddress {
  job: string;
  attempt: number;
  rank: number;
}

const PART_BYTES = 512 << 10;
const LIVE_MS = 1000;
const RETRY_MS = 3000;

export function fetchPart(address: LogAddress, cursor: number, signal: AbortSignal): Promise<JobLog> {
  const { job, attempt, rank } = address;
  const query = { attempt, rank, cursor, max_bytes: PART_BYTES };
  const words = Object.entries(query).map(([name, value]) => [name, String(value)]);
  return fetchJobLog(job, new URLSearchParams(words), signal);
}

/** Whether more has been written than a part contains. */
export const isBehind = (before: number, after: number) => after - Math.max(before, 0) >= PART_BYTES / 2;

/** The first part takes all of it. */
const TAIL_BYTES = PART_BYTES;

export class LogReader {
  readonly buffer: LogBuffer;
  /** The error of the last request. */
  fault: Error | null = null;
  /** Whether a first part has been read. */
  loaded = false;

  constructor(
    readonly address: LogAddress,
    fromStart: boolean,
    /** The attempt has ended: nothing is waited for. */
    readonly ended: boolean,
    readonly onChange: () => void,
  ) {
    this.buffer = new LogBuffer(fromStart ? 0 : TAIL_BYTES);
  }

  /** Starts reading; returns a function that stops it. */
  start(): () => void {
    const stop = new AbortController();
    void this.#run(stop.signal);
    return () => stop.abort();
  }

  async #run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted && !this.buffer.complete && !this.buffer.full) {
      await visible(signal);
      if (signal.aborted) return;
      const before = this.buffer.cursor;
      let more: boolean;
      try {
        const part = await fetchPart(this.address, before, signal);
        more = this.ended ? part.lines.length > 0 : before >= 0 && isBehind(before, part.cursor);
        const changed = this.buffer.add(part);
        if (changed || this.fault || !this.loaded) this.#tell(null);
      } catch (fault) {
        if (signal.aborted) return;
        endSession(fault);
        this.#tell(fault as Error);
        if (fault instanceof ApiError && fault.status >= 400 && fault.status < 500) return;
        await pause(RETRY_MS, signal);
        continue;
      }
      if (!more && !this.buffer.complete) await pause(LIVE_MS, signal);
    }
  }

  #tell(fault: Error | null): void {
    this.fault = fault;
    this.loaded ||= !fault;
    this.onChange();
  }
}

/** Resolves once the page can be seen. */
async function visible(signal: AbortSignal): Promise<void> {
  while (document.hidden && !signal.aborted)
    await endOf(signal, (end) => {
      document.addEventListener("visibilitychange", end);
      return () => document.removeEventListener("visibilitychange", end);
    });
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return endOf(signal, (end) => {
    const timer = setTimeout(end, ms);
    return () => clearTimeout(timer);
  });
}

/** Resolves when `begin` calls back, or `signal` is aborted; then what `begin` returned is called. */
function endOf(signal: AbortSignal, begin: (end: () => void) => () => void): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      stop();
      signal.removeEventListener("abort", end);
      resolve();
    };
    const stop = begin(end);
    signal.addEventListener("abort", end);
  });
}
