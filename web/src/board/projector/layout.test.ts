import { describe, expect, test } from "vitest";
import { followLayout, type LayoutApi, type LayoutTask, type LayoutUpdate } from "./layout";

interface Task extends LayoutTask {
  progress: number;
}

const task = (more: Partial<Task>): Task => ({ id: "7", state: "running", progress: 0, frame: 0, ...more });

/** A server that goes through these states, one for each request. */
function server(states: readonly Task[]): { api: LayoutApi<string, Task>; calls: string[] } {
  const calls: string[] = [];
  let at = 0;
  const next = () => states[Math.min(at++, states.length - 1)]!;
  return {
    calls,
    api: {
      begin: async (request) => {
        calls.push(`begin ${request}`);
        return next();
      },
      ask: async (id) => {
        calls.push(`ask ${id}`);
        return next();
      },
      places: async (id, frame) => {
        calls.push(`places ${id} ${frame}`);
        return new ArrayBuffer(frame);
      },
      cancel: async (id) => {
        calls.push(`cancel ${id}`);
      },
    },
  };
}

const noWait = async () => undefined;

describe("followLayout", () => {
  test("fetches each newer set of places once, and ends with the layout", async () => {
    const { api, calls } = server([
      task({}),
      task({ frame: 2, progress: 0.5 }),
      task({ frame: 2, progress: 0.6 }),
      task({ frame: 3, state: "done", progress: 1 }),
    ]);
    const news: LayoutUpdate<Task>[] = [];
    await followLayout(api, "umap", (each) => news.push(each), noWait, new AbortController().signal);
    expect(calls).toEqual(["begin umap", "ask 7", "places 7 2", "ask 7", "ask 7", "places 7 3"]);
    expect(news.map(({ task, places }) => [task.progress, places?.byteLength ?? null])).toEqual([
      [0, null],
      [0.5, 2],
      [0.6, null],
      [1, 3],
    ]);
  });

  test("what is at hand already needs no second request", async () => {
    const { api, calls } = server([task({ state: "done", frame: 1 })]);
    await followLayout(api, "pca", () => undefined, noWait, new AbortController().signal);
    expect(calls).toEqual(["begin pca", "places 7 1"]);
  });

  test("is cancelled at the server when nobody waits for it any more", async () => {
    const { api, calls } = server([task({})]);
    const stop = new AbortController();
    const wait = async () => stop.abort();
    await followLayout(api, "tsne", () => undefined, wait, stop.signal);
    expect(calls).toEqual(["begin tsne", "cancel 7"]);
  });

  test("a fault on the way is told", async () => {
    const { api } = server([task({})]);
    api.ask = async () => Promise.reject(new Error("gone"));
    const following = followLayout(api, "tsne", () => undefined, noWait, new AbortController().signal);
    await expect(following).rejects.toThrow("gone");
  });
});
