/** Exports every point of many series as one file, streamed by the server. */

import { postForStream } from "./client";
import type { ExportRequest } from "./schema.gen";

/** `received` is called for each chunk with the bytes so far and in total, or 0 if the total is unknown. */
export async function fetchExport(
  request: ExportRequest,
  signal: AbortSignal,
  received: (bytes: number) => void,
): Promise<Blob> {
  const answer = await postForStream("export", request, signal);
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  const reader = answer.body!.getReader();
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
    pieces.push(piece.value);
    bytes += piece.value.length;
    received(bytes);
  }
  return new Blob(pieces, { type: answer.headers.get("content-type") ?? "application/octet-stream" });
}
