/** The stream of changes to TensorBoards. The browser reconnects by itself, except where it was refused. */

import { apiUrl } from "../client";
import type { TensorboardAnswer } from "./schema.gen";

export interface Gone {
  id: string;
  deleted: true;
}

export interface Watcher {
  onChange(board: TensorboardAnswer): void;
  onGone(id: string): void;
  onOpen(): void;
  /** `refused`: it will not be tried again. */
  onLost(refused: boolean): void;
}

/** Opens the stream; returns the way to close it. */
export function watch(watcher: Watcher): () => void {
  const source = new EventSource(apiUrl("watch?kinds=tensorboard"));
  const told = (event: MessageEvent<string>) => {
    const news = JSON.parse(event.data) as TensorboardAnswer | Gone;
    if ("deleted" in news || news.status === "Deleted") watcher.onGone(news.id);
    else watcher.onChange(news);
  };
  source.addEventListener("message", told);
  source.addEventListener("tensorboard", told);
  source.addEventListener("open", () => watcher.onOpen());
  source.addEventListener("error", () => watcher.onLost(source.readyState === EventSource.CLOSED));
  return () => source.close();
}
