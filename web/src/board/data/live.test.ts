import { QueryObserver } from "@tanstack/react-query";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { RunList } from "../../api/schema.gen";
import { Feed } from "./feed";
import { queries, runsQuery } from "./lists";
import { LiveUpdates } from "./live";

/** The stream of changes, spoken by hand. */
class Stream extends EventTarget {
  static last: Stream;
  constructor(readonly url: string) {
    super();
    Stream.last = this;
  }
  close(): void {}
  say(generation: number, structure = false): void {
    const data = JSON.stringify({ generation, runs: [1], structure, loading: false });
    this.dispatchEvent(new MessageEvent("change", { data }));
  }
}

/** A server of one run; the answers to questions for runs wait until they are let go. */
class Server {
  generation = 1;
  readonly waiting: (() => void)[] = [];
  asked = 0;
  broken = false;

  readonly fetch = async (url: string): Promise<Response> => {
    if (!url.startsWith("api/v1/runs")) return Response.json({ generation: this.generation });
    this.asked += 1;
    // What is in the answer was so when it was made, before it is on its way.
    const body = {
      generation: this.generation,
      version: `v${this.generation}`,
      runs: [run(this.generation)],
    };
    if (this.broken) return Response.json({ error: { code: "x", message: "x" } }, { status: 422 });
    await new Promise<void>((resolve) => this.waiting.push(resolve));
    return Response.json(body);
  };

  async letGo(): Promise<void> {
    await vi.waitFor(() => expect(this.waiting.length).toBeGreaterThan(0));
    for (const resolve of this.waiting.splice(0)) resolve();
  }
}

const run = (points: number) => ({ id: 1, name: "a", points });
const points = () => queries.getQueryData<RunList>(runsQuery.queryKey)?.runs[0]?.points;

let server: Server;
let ends: (() => void)[] = [];

beforeEach(async () => {
  server = new Server();
  vi.stubGlobal("fetch", server.fetch);
  vi.stubGlobal("EventSource", Stream);
  const page = { visibilityState: "visible", documentElement: { dataset: {} } };
  vi.stubGlobal("document", Object.assign(new EventTarget(), page));
  const feed = new Feed(() => Promise.resolve([]), {
    axis: "step",
    xTag: "",
    smoothing: 0,
    statistic: "mean",
    band: "sd",
    repeats: "all",
  });
  ends = [new QueryObserver(queries, runsQuery).subscribe(() => {}), new LiveUpdates(feed).start()];
  await server.letGo();
  await vi.waitFor(() => expect(points()).toBe(1));
  Stream.last.say(1);
});

afterEach(() => {
  for (const end of ends) end();
  queries.clear();
  vi.unstubAllGlobals();
});

test("a change while the lists are on their way is not lost", async () => {
  server.generation = 2;
  Stream.last.say(2);
  await vi.waitFor(() => expect(server.waiting.length).toBe(1));
  server.generation = 3;
  Stream.last.say(3);
  await server.letGo();
  await server.letGo();
  await vi.waitFor(() => expect(points()).toBe(3));
});

test("at rest nothing is asked again", async () => {
  server.generation = 2;
  Stream.last.say(2);
  await server.letGo();
  await vi.waitFor(() => expect(points()).toBe(2));
  const asked = server.asked;
  Stream.last.say(2);
  await new Promise((resolve) => setTimeout(resolve, 0));
  expect([server.asked, server.waiting.length]).toEqual([asked, 0]);
});

test("a list that came to nothing is asked for again", async () => {
  server.generation = 2;
  server.broken = true;
  Stream.last.say(2);
  const asked = server.asked;
  await vi.waitFor(() => expect(server.asked).toBeGreaterThan(asked));
  server.broken = false;
  await server.letGo();
  await vi.waitFor(() => expect(points()).toBe(2));
});
