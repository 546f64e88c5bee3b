/** The stream of changes the server pushes. The browser reconnects by itself; this tells when it is cut off. */

import { apiUrl } from "./client";

export interface Change {
  generation: number;
  /** Ids of the runs that hold something new. */
  runs: number[];
  /** Runs or tags were added or removed. */
  structure: boolean;
  loading: boolean;
}

export interface Listener {
  onChange(change: Change): void;
  /** What people added to runs has another revision. */
  onOverlay(revision: number): void;
  onOpen(): void;
  onLost(): void;
}

/** Opens the stream; returns the way to close it. */
export function listen(listener: Listener): () => void {
  const source = new EventSource(apiUrl("events"));
  source.addEventListener("change", (event: MessageEvent<string>) => {
    listener.onChange(JSON.parse(event.data) as Change);
  });
  source.addEventListener("overlay", (event: MessageEvent<string>) => {
    listener.onOverlay((JSON.parse(event.data) as { revision: number }).revision);
  });
  source.addEventListener("open", () => listener.onOpen());
  source.addEventListener("error", () => listener.onLost());
  return () => source.close();
}
