/** Every point of many series, to take away: one file, made by the server while it is sent. */

import { postForStream } from "./client";
import type { ExportQuestion } from "./schema.gen";

/** `received` is told of each piece: bytes so far, and bytes in all, or 0 if the server does not know. */
export async function askExport(
  question: ExportQuestion,
  signal: AbortSignal,
  received: (bytes: number) => void,
): Promise<Blob> {
  const answer = await postForStream("export", question, signal);
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
