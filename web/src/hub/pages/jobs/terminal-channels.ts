/** The messages of a WebSocket to a command in a job: a byte for the channel, and what it carries. */

const STDIN = 0;
const STATUS = 3;
const RESIZE = 4;
const PROCESSED = 5;

export interface TerminalSize {
  rows: number;
  columns: number;
}

/** The last message of the hub: how the command ended; `message` says why if not by itself. */
export interface CommandStatus {
  exit_code: number | null;
  signal: number | null;
  message: string;
}

const encoder = new TextEncoder();

/** Bytes of one message: the hub takes those of up to 1 MiB. */
const CHUNK_BYTES = 64 << 10;

/** What is typed or pasted. */
export function inputMessages(text: string): Uint8Array<ArrayBuffer>[] {
  const bytes = encoder.encode(text);
  const messages = [];
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES)
    messages.push(message(STDIN, bytes.subarray(at, at + CHUNK_BYTES)));
  return messages;
}

/** Letters up to U+00FF are bytes, as in reports about the mouse. */
export const binaryInputMessage = (text: string) =>
  message(
    STDIN,
    Uint8Array.from(text, (letter) => letter.charCodeAt(0)),
  );

export const sizeMessage = ({ rows, columns }: TerminalSize) => jsonMessage(RESIZE, { rows, columns });

/** So many bytes of output have been processed, since the last such message. */
export const processedMessage = (bytes: number) => jsonMessage(PROCESSED, { bytes });

function jsonMessage(channel: number, content: object) {
  return message(channel, encoder.encode(JSON.stringify(content)));
}

function message(channel: number, content: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(content.length + 1);
  bytes[0] = channel;
  bytes.set(content, 1);
  return bytes;
}

/** A message of the hub: output, or the status at the end. */
export function parseMessage(data: ArrayBuffer): Uint8Array | CommandStatus {
  const content = new Uint8Array(data, 1);
  if (new Uint8Array(data)[0] !== STATUS) return content;
  return JSON.parse(new TextDecoder().decode(content)) as CommandStatus;
}

export interface ShellRequest {
  job: string;
  rank: number;
  size: TerminalSize;
  /** How many bytes of output may be on their way. */
  window: number;
}

/** Bash where there is one. */
const SHELL = ["sh", "-c", "if command -v bash >/dev/null; then exec bash; else exec sh; fi"];

/** The address of a shell in a job, below that of the API. */
export function shellPath({ job, rank, size, window }: ShellRequest): string {
  const query = new URLSearchParams([
    ...SHELL.map((word) => ["command", word]),
    ["rank", String(rank)],
    ["tty", "1"],
    ["rows", String(size.rows)],
    ["columns", String(size.columns)],
    ["window", String(window)],
  ]);
  return `jobs/${encodeURIComponent(job)}/exec?${query}`;
}
