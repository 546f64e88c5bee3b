/**
 * Follows a layout while the server computes it: starts it, polls it, fetches positions whenever there are newer
 * ones, and cancels it when it is not needed any more. HTTP and the clock are passed in.
 */

export type LayoutState = "queued" | "running" | "done" | "failed" | "cancelled";

/** The fields of a layout task that following it needs. */
export interface LayoutTask {
  id: string;
  state: LayoutState;
  /** Increases with each set of positions; 0 before the first. */
  frame: number;
}

/** Requests to the server. */
export interface LayoutApi<RequestModel, Task extends LayoutTask> {
  begin(request: RequestModel, signal: AbortSignal): Promise<Task>;
  ask(id: string, signal: AbortSignal): Promise<Task>;
  places(id: string, frame: number, signal: AbortSignal): Promise<ArrayBuffer>;
  cancel(id: string): Promise<unknown>;
}

export interface LayoutUpdate<Task> {
  task: Task;
  /** Newer positions, if any. */
  places: ArrayBuffer | null;
}

export function isOver({ state }: Pick<LayoutTask, "state">): boolean {
  return state === "done" || state === "failed" || state === "cancelled";
}

/** Reports a layout until it is finished. Aborting `signal` cancels it on the server and ends this without an error. */
export async function followLayout<RequestModel, Task extends LayoutTask>(
  api: LayoutApi<RequestModel, Task>,
  request: RequestModel,
  tell: (news: LayoutUpdate<Task>) => void,
  wait: (attempt: number) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  let task: Task | null = null;
  let known = 0;
  try {
    task = await api.begin(request, signal);
    for (let attempt = 0; ; attempt++) {
      const isNew = task.frame > known;
      const places = isNew ? await api.places(task.id, task.frame, signal) : null;
      if (signal.aborted) return;
      known = task.frame;
      tell({ task, places });
      if (isOver(task)) return;
      await wait(attempt);
      if (signal.aborted) return;
      task = await api.ask(task.id, signal);
    }
  } catch (fault) {
    if (!signal.aborted) throw fault;
  } finally {
    if (signal.aborted && task !== null && !isOver(task)) await api.cancel(task.id).catch(() => undefined);
  }
}
