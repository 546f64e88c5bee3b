import { expect, test, vi } from "vitest";
import type { ChartsRequest } from "../../api/board";
import { ApiError } from "../../api/client";
import { type ChartResponse, type Delivery, Feed, type Frame, type Points, type SeriesQuery } from "./feed";

const FRAME: Frame = {
  axis: "step",
  xTag: "",
  smoothing: 0.6,
  statistic: "mean",
  band: "sd",
  repeats: "all",
};

/** A series as the server sends it; whole unless told otherwise. */
function points(run: number, part: Partial<Points> = {}): Points {
  const x = Float64Array.of(0, 1, 2);
  const none = { aux: null, sx: null, sy: null, restarts: new Float64Array() };
  return { run, x, y: Float32Array.of(5, 6, 7), ...none, raw: true, held: 3, inRange: 3, ...part };
}

const thinned = (run: number) => points(run, { raw: false, held: 1000, inRange: 1000 });

/** A server whose answers the tests give. */
class FakeServer {
  readonly questions: ChartsRequest[] = [];
  readonly signals: AbortSignal[] = [];
  readonly #waiting: { resolve(answers: ChartResponse[]): void; reject(fault: unknown): void }[] = [];

  readonly ask = (request: ChartsRequest, signal: AbortSignal): Promise<ChartResponse[]> => {
    this.questions.push(request);
    this.signals.push(signal);
    return new Promise((resolve, reject) => this.#waiting.push({ resolve, reject }));
  };

  async answer(make: (run: number) => Points | null = points): Promise<void> {
    const at = this.questions.length - this.#waiting.length;
    const request = this.questions[at]!;
    this.#waiting.shift()!.resolve(
      request.charts.map(({ runs }, index) => ({
        index,
        series: (runs ?? []).flatMap((run) => make(run) ?? []),
      })),
    );
    await settle();
  }

  async refuse(fault: unknown): Promise<void> {
    this.#waiting.shift()!.reject(fault);
    await settle();
  }

  get last(): ChartsRequest {
    return this.questions.at(-1)!;
  }
}

const settle = () => vi.waitFor(() => Promise.resolve());
const want = (tag: string, runs: number[], part: Partial<SeriesQuery> = {}): SeriesQuery => ({
  tag,
  runs,
  zoom: null,
  px: 600,
  ...part,
});

function setUp(smoothing = 0.6) {
  const server = new FakeServer();
  const feed = new Feed(server.ask, { ...FRAME, smoothing }, { restMs: 0 });
  const seen: Record<string, Delivery> = {};
  const watch = (asked: SeriesQuery) =>
    feed.watch(asked, (delivery) => {
      seen[asked.tag] = delivery;
    });
  return { server, feed, seen, watch };
}

test("all cards that come together share one request", async () => {
  const { server, seen, watch } = setUp();
  watch(want("a", [1, 2]));
  watch(want("b", [1]));
  await settle();
  expect(server.questions).toEqual([
    {
      axis: "step",
      px: 640,
      smoothing: 0.6,
      aux: true,
      charts: [
        { tag: "a", runs: [1, 2], x0: null, x1: null },
        { tag: "b", runs: [1], x0: null, x1: null },
      ],
    },
  ]);
  await server.answer();
  expect([[...seen.a!.series.keys()], seen.a!.complete, seen.b!.complete]).toEqual([[1, 2], true, true]);
});

test("a run switched on is the only one asked for", async () => {
  const { server, watch } = setUp();
  const card = watch(want("a", [1]));
  await settle();
  await server.answer();
  card.update(want("a", [1, 2]));
  await settle();
  expect(server.last.charts).toEqual([{ tag: "a", runs: [2], x0: null, x1: null }]);
});

test("a card that comes back asks for nothing", async () => {
  const { server, seen, watch } = setUp();
  const card = watch(want("a", [1]));
  await settle();
  await server.answer();
  card.close();
  delete seen.a;
  watch(want("a", [1]));
  await settle();
  expect([server.questions.length, seen.a!.complete]).toEqual([1, true]);
});

test("a run without the tag is not asked for again", async () => {
  const { server, feed, seen, watch } = setUp();
  watch(want("a", [1]));
  await settle();
  await server.answer(() => null);
  feed.recover();
  await settle();
  expect([server.questions.length, seen.a!.complete, seen.a!.series.size]).toEqual([1, true, 0]);
});

test("changed runs are asked for while the old points stay", async () => {
  const { server, feed, seen, watch } = setUp();
  watch(want("a", [1, 2]));
  await settle();
  await server.answer();
  const before = seen.a!.series.get(2);
  feed.changed([2]);
  await settle();
  expect(server.last.charts[0]!.runs).toEqual([2]);
  expect([seen.a!.series.get(2) === before, seen.a!.complete]).toEqual([true, true]);
  await server.answer((run) => points(run, { held: 4 }));
  expect(seen.a!.series.get(2)!.held).toBe(4);
});

test("a change during a request is asked for after it", async () => {
  const { server, feed, watch } = setUp();
  watch(want("a", [1]));
  await settle();
  feed.changed([1]);
  await settle();
  expect(server.questions.length).toBe(1);
  await server.answer();
  expect(server.questions.length).toBe(2);
});

test("a zoom asks for its range and stretches the old picture meanwhile", async () => {
  const { server, seen, watch } = setUp();
  const card = watch(want("a", [1]));
  await settle();
  await server.answer(thinned);
  card.update(want("a", [1], { zoom: [10, 20] }));
  await settle();
  expect(server.last.charts).toEqual([{ tag: "a", runs: [1], x0: 10, x1: 20 }]);
  expect([seen.a!.series.size, seen.a!.complete]).toEqual([1, false]);
});

test("a zoom into a series that came whole asks for nothing", async () => {
  const { server, seen, watch } = setUp();
  const card = watch(want("a", [1]));
  await settle();
  await server.answer();
  card.update(want("a", [1], { zoom: [0, 1] }));
  await settle();
  expect([server.questions.length, seen.a!.complete]).toEqual([1, true]);
});

test("a new zoom makes the request of the one before pointless", async () => {
  const { server, watch } = setUp();
  const card = watch(want("a", [1], { zoom: [0, 10] }));
  await settle();
  card.update(want("a", [1], { zoom: [2, 3] }));
  await settle();
  expect(server.signals.map((signal) => signal.aborted)).toEqual([true, false]);
});

test("smoothing asks again only for thinned series", async () => {
  const { server, feed, watch } = setUp();
  watch(want("a", [1]));
  watch(want("b", [1]));
  await settle();
  let calls = 0;
  await server.answer((run) => (calls++ === 0 ? points(run) : thinned(run)));
  feed.setFrame({ ...FRAME, smoothing: 0.9 });
  await vi.waitFor(() => expect(server.questions.length).toBe(2));
  expect([server.last.smoothing, server.last.charts.map((chart) => chart.tag)]).toEqual([0.9, ["b"]]);
});

test("another axis leaves nothing of the old one on the card", async () => {
  const { server, feed, seen, watch } = setUp();
  watch(want("a", [1]));
  await settle();
  await server.answer();
  feed.setFrame({ ...FRAME, axis: "wall" });
  await settle();
  expect([server.last.axis, seen.a!.series.size, seen.a!.complete]).toEqual(["wall", 0, false]);
});

test("a refused batch is asked again card by card, so that one bad card stands alone", async () => {
  const { server, seen, watch } = setUp();
  watch(want("bad", [1]));
  watch(want("good", [1]));
  await settle();
  await server.refuse(new ApiError(500, "internal", "broken"));
  expect(server.questions.length).toBe(3);
  await server.refuse(new ApiError(500, "internal", "broken"));
  await server.answer();
  expect([seen.bad!.error?.message, seen.good!.error, seen.good!.complete]).toEqual(["broken", null, true]);
});

test("retry asks again", async () => {
  const { server, seen, watch } = setUp();
  const card = watch(want("a", [1]));
  await settle();
  await server.refuse(new ApiError(500, "internal", "broken"));
  card.retry();
  await settle();
  expect([server.questions.length, seen.a!.error]).toEqual([2, null]);
});

test("a server that is gone leaves the picture, and is asked again when it is back", async () => {
  const { server, feed, seen, watch } = setUp();
  watch(want("a", [1]));
  await settle();
  await server.answer();
  feed.changed([1]);
  await settle();
  await server.refuse(new ApiError(0, "unreachable", "gone"));
  expect([seen.a!.series.size, server.questions.length]).toEqual([1, 2]);
  feed.recover();
  await settle();
  expect(server.questions.length).toBe(3);
});

test("the last points of each step are asked for when they are chosen, and kept apart from all", async () => {
  const { server, feed, seen, watch } = setUp();
  watch(want("a", [1]));
  await settle();
  await server.answer();
  feed.setFrame({ ...FRAME, repeats: "last" });
  await settle();
  await server.answer((run) => points(run, { held: 1, inRange: 1 }));
  const last = seen.a!.series.get(1)!.held;
  feed.setFrame(FRAME);
  expect(server.questions.map(({ repeats }) => repeats)).toEqual([undefined, "last"]);
  expect([last, seen.a!.series.get(1)!.held]).toEqual([1, 3]);
});

test("a group is asked for with its runs, and kept apart from the runs alone", async () => {
  const { server, seen, watch } = setUp();
  const group = { id: 9_000, runs: [1, 2] };
  watch(want("a", [1], { groups: [group] }));
  await settle();
  expect(server.last).toMatchObject({
    statistic: "mean",
    band: "sd",
    charts: [{ tag: "a", runs: [1], groups: [group] }],
  });
  await server.answer();
  expect([...seen.a!.series.keys()]).toEqual([1]);
  expect(seen.a!.complete).toBe(true);
});

test("a group is asked for again when one of its runs changed, or another band is wanted", async () => {
  const { server, feed, watch } = setUp();
  watch(want("a", [], { groups: [{ id: 9_000, runs: [1, 2] }] }));
  await settle();
  await server.answer();
  feed.changed([2]);
  await settle();
  await server.answer();
  feed.setFrame({ ...FRAME, band: "minmax" });
  await settle();
  expect(server.questions.map(({ band }) => band)).toEqual(["sd", "sd", "minmax"]);
});

test("the tag on the x axis is part of the request and of what is kept", async () => {
  const { server, feed, watch } = setUp();
  watch(want("a", [1]));
  await settle();
  await server.answer();
  feed.setFrame({ ...FRAME, axis: "tag", xTag: "epoch" });
  await settle();
  await server.answer();
  feed.setFrame({ ...FRAME, axis: "tag", xTag: "tokens" });
  await settle();
  expect(server.questions.map(({ axis, x_tag }) => [axis, x_tag])).toEqual([
    ["step", undefined],
    ["tag", "epoch"],
    ["tag", "tokens"],
  ]);
});

test("a card smoothed by itself has a request of its own and leaves the others alone", async () => {
  const { server, watch } = setUp();
  watch(want("a", [1]));
  watch(want("b", [1], { smoothing: 0.9 }));
  await settle();
  expect(server.questions.map(({ smoothing, charts }) => [smoothing, charts[0]!.tag])).toEqual([
    [0.6, "a"],
    [0.9, "b"],
  ]);
});

test("two cards of one tag and other runs share a request", async () => {
  const { server, watch } = setUp();
  watch(want("a", [1]));
  watch(want("a", [1, 2]));
  await settle();
  expect(server.questions.map(({ charts }) => charts)).toEqual([
    [{ tag: "a", runs: [1, 2], x0: null, x1: null }],
  ]);
});

test("on a log axis the beginning of a thinned series is asked for by itself and put in its place", async () => {
  const { server, seen, watch } = setUp();
  const coarse = points(1, { x: Float64Array.of(0, 500, 1000), raw: false, held: 9000, inRange: 9000 });
  watch(want("a", [1], { logX: true }));
  await settle();
  await server.answer(() => coarse);
  await settle();
  expect(server.last.charts).toEqual([{ tag: "a", runs: [1], x0: 0, x1: 16 }]);
  expect(seen.a!.complete).toBe(false);
  await server.answer(() => points(1, { x: Float64Array.of(0, 7, 14), inRange: 3, held: 9000 }));
  expect([...seen.a!.series.get(1)!.x]).toEqual([0, 7, 14, 500, 1000]);
  expect(seen.a!.complete).toBe(true);
});

test("a crowd of lines is asked for coarser, and a line more asks nothing anew", async () => {
  const { server, watch } = setUp();
  const crowd = Array.from({ length: 1000 }, (_, run) => run);
  const card = watch(want("a", crowd));
  await settle();
  expect(server.last.px).toBe(32);
  await server.answer();
  card.update(want("a", crowd.slice(0, 900)));
  await settle();
  expect(server.questions).toHaveLength(1);
});

test("crowds do not come in one request: each is read while the next is on its way", async () => {
  const { server, watch } = setUp();
  const crowd = Array.from({ length: 1000 }, (_, run) => run);
  for (const tag of ["a", "b", "c"]) watch(want(tag, crowd));
  await settle();
  expect(server.questions.map(({ charts }) => charts.map(({ tag }) => tag))).toEqual([["a"], ["b"], ["c"]]);
});
