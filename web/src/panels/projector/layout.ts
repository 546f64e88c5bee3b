/**
 * Following a layout while the server makes it: begun, asked after in turn, its places fetched whenever there are newer
 * ones, cancelled when nobody waits for it any more. Knows no HTTP and no clock: both are given.
 */

export type LayoutState = "queued" | "running" | "done" | "failed" | "cancelled";

/** As much of a layout as following it needs. */
export interface LayoutTask {
  id: string;
  state: LayoutState;
  /** Rises with each set of places; 0 before the first. */
  frame: number;
}

/** The questions to the server. */
export interface LayoutDoor<Question, Task extends LayoutTask> {
  begin(question: Question, signal: AbortSignal): Promise<Task>;
  ask(id: string, signal: AbortSignal): Promise<Task>;
  places(id: string, frame: number, signal: AbortSignal): Promise<ArrayBuffer>;
  cancel(id: string): Promise<unknown>;
}

export interface LayoutNews<Task> {
  task: Task;
  /** Newer places, if there are any. */
  places: ArrayBuffer | null;
}

export function isOver({ state }: Pick<LayoutTask, "state">): boolean {
  return state === "done" || state === "failed" || state === "cancelled";
}

/** Tells of a layout until it is over. An abort of `signal` cancels it at the server and ends this quietly. */
export async function followLayout<Question, Task extends LayoutTask>(
  door: LayoutDoor<Question, Task>,
  question: Question,
  tell: (news: LayoutNews<Task>) => void,
  wait: (turn: number) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  let task: Task | null = null;
  let known = 0;
  try {
    task = await door.begin(question, signal);
    for (let turn = 0; ; turn++) {
      const isNew = task.frame > known;
      const places = isNew ? await door.places(task.id, task.frame, signal) : null;
      if (signal.aborted) return;
      known = task.frame;
      tell({ task, places });
      if (isOver(task)) return;
      await wait(turn);
      if (signal.aborted) return;
      task = await door.ask(task.id, signal);
    }
  } catch (fault) {
    if (!signal.aborted) throw fault;
  } finally {
    if (signal.aborted && task !== null && !isOver(task)) await door.cancel(task.id).catch(() => undefined);
  }
}
