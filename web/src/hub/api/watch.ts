/** The stream of changes to TensorBoards. The browser reconnects by itself, unless the stream was refused. */

import { apiUrl } from "../../api/client";
import type { TensorboardResponse } from "../../api/hub-schema.gen";

export interface DeletedEvent {
  id: string;
  deleted: true;
}

export interface Watcher {
  onChange(board: TensorboardResponse): void;
  onGone(id: string): void;
  onOpen(): void;
  /** `refused`: the browser will not reconnect. */
  onLost(refused: boolean): void;
}

/** Opens the stream; returns a function that closes it. */
export function watch(watcher: Watcher): () => void {
  const source = new EventSource(apiUrl("watch?kinds=tensorboard"));
  const onMessage = (event: MessageEvent<string>) => {
    const news = JSON.parse(event.data) as TensorboardResponse | DeletedEvent;
    if ("deleted" in news || news.status === "Deleted") watcher.onGone(news.id);
    else watcher.onChange(news);
  };
  source.addEventListener("message", onMessage);
  source.addEventListener("tensorboard", onMessage);
  source.addEventListener("open", () => watcher.onOpen());
  source.addEventListener("error", () => watcher.onLost(source.readyState === EventSource.CLOSED));
  return () => source.close();
}
