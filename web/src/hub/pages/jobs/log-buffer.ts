/** Lines of a log as parts of it arrive: a bounded number, without those that another line has replaced. Pure. */

import type { JobLog, JobLogLine } from "../../../api/hub-schema.gen";
import { hasControls, PLAIN, spansOf, type TextStyle } from "./ansi";

export interface LogLine extends JobLogLine {
  /** A unique number, which grows by one from line to line. */
  number: number;
  /** The style in which it begins. */
  style: TextStyle;
}

const MAX_LINES = 50_000;
const MAX_CHARS = 32_000_000;
/** Lines are dropped by this many at once, so that what is shown seldom moves. */
const DROPPED = 5_000;

export class LogBuffer {
  /** A new array whenever there are other lines. */
  lines: readonly LogLine[] = [];
  /** How many bytes of the log the hub had deleted before they could be read. */
  lostBytes = 0;
  /** Whether lines before the first one exist. */
  earlier = false;
  cursor: number;
  complete = false;
  #next = 0;
  #style: TextStyle = PLAIN;
  #chars = 0;

  /** Reads the whole log if `tailBytes` is 0, else only its last bytes and what comes after. */
  constructor(
    readonly tailBytes: number,
    readonly maxLines = MAX_LINES,
    readonly dropped = DROPPED,
  ) {
    this.cursor = tailBytes > 0 ? -tailBytes : 0;
  }

  /** Whether the beginning of the log has been read as far as there is room. */
  get full(): boolean {
    return this.tailBytes === 0 && (this.lines.length >= this.maxLines || this.#chars >= MAX_CHARS);
  }

  /** Returns whether anything has changed. */
  add(part: JobLog): boolean {
    if (this.cursor < 0) this.earlier = part.cursor > this.tailBytes;
    this.cursor = part.cursor;
    this.lostBytes += part.lost_bytes;
    const changed = part.lines.length > 0 || part.lost_bytes > 0 || part.complete !== this.complete;
    this.complete = part.complete;
    if (part.lines.length > 0) this.#append(part.lines);
    return changed;
  }

  #append(added: readonly JobLogLine[]): void {
    const lines = this.lines.slice();
    for (const line of added) {
      const replaced = lines.at(-1)?.transient ? lines.pop() : undefined;
      const style = replaced?.style ?? this.#style;
      if (replaced) this.#chars -= replaced.text.length;
      lines.push({ ...line, style, number: replaced?.number ?? this.#next++ });
      this.#chars += line.text.length;
      this.#style = hasControls(line.text) ? spansOf(line.text, style).end : style;
    }
    this.lines = this.tailBytes > 0 ? this.#trimmed(lines) : lines;
  }

  #trimmed(lines: LogLine[]): LogLine[] {
    let from = lines.length > this.maxLines ? lines.length - this.maxLines + this.dropped : 0;
    for (const line of lines.slice(0, from)) this.#chars -= line.text.length;
    while (this.#chars > MAX_CHARS && from < lines.length - 1) this.#chars -= lines[from++]!.text.length;
    if (from === 0) return lines;
    this.earlier = true;
    return lines.slice(from);
  }
}

/** A match: the index of the line, and where in its plain text. */
export interface Match {
  line: number;
  from: number;
  to: number;
}

const MAX_MATCHES = 10_000;

/** Where a text occurs, whatever its case. */
export function matchesOf(texts: Iterable<string>, needle: string): Match[] {
  const found: Match[] = [];
  const sought = needle.toLowerCase();
  if (sought === "") return found;
  let line = 0;
  for (const text of texts) {
    const folded = text.toLowerCase();
    for (let at = folded.indexOf(sought); at >= 0; at = folded.indexOf(sought, at + sought.length)) {
      found.push({ line, from: at, to: at + sought.length });
      if (found.length === MAX_MATCHES) return found;
    }
    line++;
  }
  return found;
}
