/** Collects a whole log as a text file, part by part. */

import { isAbort } from "../../../api/client";
import { fetchPart, isBehind, type LogAddress } from "./log-reader";

/** The lines that stay, as a terminal would show them; `report` is told how many bytes have been read. */
async function collectLog(
  address: LogAddress,
  signal: AbortSignal,
  report: (bytesRead: number) => void,
): Promise<Blob> {
  const parts: Blob[] = [];
  let transient = "";
  for (let cursor = 0, behind = true; behind; ) {
    const part = await fetchPart(address, cursor, signal);
    const lines = part.lines.filter((line) => !line.transient).map(({ text }) => `${text}\n`);
    if (part.lost_bytes > 0) lines.unshift(`[${part.lost_bytes} bytes were deleted here]\n`);
    // Blobs live outside of the memory of the page.
    parts.push(new Blob(lines));
    const last = part.lines.at(-1);
    if (last) transient = last.transient ? `${last.text}\n` : "";
    behind = isBehind(cursor, part.cursor);
    cursor = part.cursor;
    report(cursor);
  }
  return new Blob([...parts, transient], { type: "text/plain" });
}

/** As `collectLog`; null if it was cancelled. */
export async function tryCollectLog(...words: Parameters<typeof collectLog>): Promise<Blob | null> {
  try {
    return await collectLog(...words);
  } catch (fault) {
    if (isAbort(fault)) return null;
    throw fault;
  }
}
