/**
 * Reads the log of a replica while the page is visible, until the attempt has ended: part by part up to its end, then
 * as a stream. Where streams do not arrive, for example behind a proxy that buffers them, it goes on part by part.
 */

import { ApiError } from "../../../api/client";
import type { JobLog } from "../../../api/hub-schema.gen";
import { fetchJobLog, jobLogStream } from "../../api/jobs";
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
/** A stream begins with an event at once; one that has not sent it by then does not arrive. */
const STREAM_MS = 5000;

export const fetchPart = (address: LogAddress, cursor: number, signal: AbortSignal): Promise<JobLog> =>
  fetchJobLog(address.job, queryOf(address, cursor), signal);

function queryOf({ attempt, rank }: LogAddress, cursor: number): URLSearchParams {
  const query = { attempt, rank, cursor, max_bytes: PART_BYTES };
  return new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
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
  /** Whether streams arrive, as far as is known. */
  #streams = true;

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
      if (more || this.buffer.complete) continue;
      if (this.#streams && !this.ended) await this.#follow(signal);
      if (!this.buffer.complete && !document.hidden) await pause(LIVE_MS, signal);
    }
  }

  /** Adds what is streamed, until nothing more is, or the page is hidden: it does not keep a connection then. */
  #follow(signal: AbortSignal): Promise<void> {
    return endOf(signal, (end) => {
      const { job } = this.address;
      const stream = new EventSource(jobLogStream(job, queryOf(this.address, this.buffer.cursor)));
      const lost = () => {
        this.#streams = false;
        end();
      };
      const timer = setTimeout(lost, STREAM_MS);
      stream.onmessage = ({ data }: MessageEvent<string>) => {
        clearTimeout(timer);
        if (this.buffer.add(JSON.parse(data) as JobLog) || this.fault) this.#tell(null);
        if (this.buffer.complete || this.buffer.full) end();
      };
      // The next request says why; the browser does not.
      stream.onerror = () => (stream.readyState === EventSource.CLOSED ? lost() : end());
      document.addEventListener("visibilitychange", end);
      return () => {
        clearTimeout(timer);
        stream.close();
        document.removeEventListener("visibilitychange", end);
      };
    });
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
