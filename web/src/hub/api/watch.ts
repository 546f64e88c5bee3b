/** The stream of changes. The browser reconnects by itself, unless the stream was refused. */

import { apiUrl } from "../../api/client";
import type { JobResponse, TensorboardResponse } from "../../api/hub-schema.gen";

export interface DeletedEvent {
  id: string;
  deleted: true;
}

export interface Watcher {
  onChange(board: TensorboardResponse): void;
  onGone(id: string): void;
  /** Of jobs and notebooks. */
  onJob(job: JobResponse): void;
  onJobGone(id: string): void;
  onOpen(): void;
  /** `refused`: the browser will not reconnect. */
  onLost(refused: boolean): void;
}

/** Opens the stream; returns a function that closes it. */
export function watch(watcher: Watcher): () => void {
  const source = new EventSource(apiUrl("watch?kinds=tensorboard,job,notebook"));
  const onBoard = (event: MessageEvent<string>) => {
    const news = JSON.parse(event.data) as TensorboardResponse | DeletedEvent;
    if ("deleted" in news || news.status === "Deleted") watcher.onGone(news.id);
    else watcher.onChange(news);
  };
  const onJob = (event: MessageEvent<string>) => {
    const news = JSON.parse(event.data) as JobResponse | DeletedEvent;
    if ("deleted" in news) watcher.onJobGone(news.id);
    else watcher.onJob(news);
  };
  source.addEventListener("message", onBoard);
  source.addEventListener("job", onJob);
  source.addEventListener("notebook", onJob);
  source.addEventListener("open", () => watcher.onOpen());
  source.addEventListener("error", () => watcher.onLost(source.readyState === EventSource.CLOSED));
  return () => source.close();
}
