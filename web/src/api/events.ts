/** The stream of changes from the server. The browser reconnects by itself; `onLost` reports interruptions. */

import { apiUrl } from "./client";

export interface Change {
  generation: number;
  /** Ids of the runs with new data. */
  runs: number[];
  /** Runs or tags were added or removed. */
  structure: boolean;
  loading: boolean;
}

export interface Listener {
  onChange(change: Change): void;
  /** The annotations have a new revision. */
  onAnnotations(revision: number): void;
  onOpen(): void;
  onLost(): void;
}

/** Opens the stream; returns a function that closes it. */
export function listen(listener: Listener): () => void {
  const source = new EventSource(apiUrl("events"));
  source.addEventListener("change", (event: MessageEvent<string>) => {
    listener.onChange(JSON.parse(event.data) as Change);
  });
  source.addEventListener("overlay", (event: MessageEvent<string>) => {
    listener.onAnnotations((JSON.parse(event.data) as { revision: number }).revision);
  });
  source.addEventListener("open", () => listener.onOpen());
  source.addEventListener("error", () => listener.onLost());
  return () => source.close();
}
