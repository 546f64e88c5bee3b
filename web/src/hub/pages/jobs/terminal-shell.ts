/** The connection to a shell in a job. */

import { apiUrl } from "../../../api/client";
import {
  binaryInputMessage,
  type CommandStatus,
  inputMessages,
  parseMessage,
  processedMessage,
  shellPath,
  sizeMessage,
  type TerminalSize,
} from "./terminal-channels";
import { endOf, type TerminalEnd } from "./terminal-end";

/** Bytes of output on their way or not yet shown: enough to be fast, few enough that Ctrl+C is felt at once. */
const WINDOW_BYTES = 512 << 10;
const TOLD_BYTES = 64 << 10;
const NORMAL = 1000;

interface Listener {
  opened(): void;
  /** `processed` must be called once it is shown. */
  written(output: Uint8Array, processed: () => void): void;
  /** Once, unless it was closed from here. */
  ended(end: TerminalEnd): void;
}

export class TerminalShell {
  private readonly socket: WebSocket;
  private readonly listener: Listener;
  private size: TerminalSize;
  private status: CommandStatus | null = null;
  /** What was typed before it was connected. */
  private readonly early: Uint8Array<ArrayBuffer>[] = [];
  /** Bytes that are shown, which the hub does not know yet. */
  private untold = 0;

  constructor(job: string, rank: number, size: TerminalSize, listener: Listener) {
    this.listener = listener;
    this.size = size;
    const url = new URL(apiUrl(shellPath({ job, rank, size, window: WINDOW_BYTES })), document.baseURI);
    url.protocol = url.protocol.replace("http", "ws");
    this.socket = new WebSocket(url);
    this.socket.binaryType = "arraybuffer";
    this.socket.onmessage = ({ data }: MessageEvent<ArrayBuffer>) => this.receive(data);
    this.socket.onclose = ({ code, reason }) => listener.ended(endOf(this.status, code, reason));
    this.socket.onopen = () => {
      this.send(sizeMessage(this.size));
      for (const message of this.early) this.send(message);
      listener.opened();
    };
  }

  type(text: string): void {
    for (const message of inputMessages(text)) {
      if (this.socket.readyState === WebSocket.CONNECTING) this.early.push(message);
      else this.send(message);
    }
  }

  typeBytes(text: string): void {
    this.send(binaryInputMessage(text));
  }

  resize(size: TerminalSize): void {
    this.size = size;
    this.send(sizeMessage(size));
  }

  /** Ends the shell, and tells nobody. */
  close(): void {
    this.socket.onclose = null;
    this.socket.onmessage = null;
    this.socket.onopen = null;
    this.socket.close(NORMAL);
  }

  private receive(data: ArrayBuffer): void {
    const message = parseMessage(data);
    if (message instanceof Uint8Array) this.listener.written(message, () => this.processed(message.length));
    else this.status = message;
  }

  private processed(bytes: number): void {
    this.untold += bytes;
    if (this.untold < TOLD_BYTES) return;
    this.send(processedMessage(this.untold));
    this.untold = 0;
  }

  private send(message: Uint8Array<ArrayBuffer>): void {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(message);
  }
}
