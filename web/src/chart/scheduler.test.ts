import { expect, test } from "vitest";
import { Scheduler } from "./scheduler";

/** A scheduler whose frames come when told, and whose work takes the ms it says. */
function setUp() {
  let now = 0;
  let next: (() => void) | null = null;
  const done: string[] = [];
  const scheduler = new Scheduler({
    now: () => now,
    nextFrame: (callback) => {
      next = callback;
    },
  });
  const work =
    (name: string, ms = 1, owed = 0) =>
    () => {
      now += ms;
      done.push(name);
      return owed;
    };
  const frame = () => {
    const callback = next;
    next = null;
    callback?.();
    return done.splice(0).join(" ");
  };
  return { scheduler, work, frame };
}

test("what is under the pointer comes first, then what is in view, then what is near", () => {
  const { scheduler, work, frame } = setUp();
  scheduler.request({}, "near", work("near"));
  scheduler.request({}, "visible", work("visible"));
  scheduler.request({}, "pointer", work("pointer"));
  expect(frame()).toBe("pointer visible near");
});

test("a frame ends after eight milliseconds, and the rest waits for the next", () => {
  const { scheduler, work, frame } = setUp();
  for (const name of ["a", "b", "c", "d"]) scheduler.request({}, "visible", work(name, 5));
  expect([frame(), frame(), frame()]).toEqual(["a b", "c d", ""]);
});

test("what the browser still has to do counts", () => {
  const { scheduler, work, frame } = setUp();
  for (const name of ["a", "b"]) scheduler.request({}, "visible", work(name, 1, 8));
  expect([frame(), frame()]).toEqual(["a", "b"]);
});

test("work asked for twice is done once, as asked last", () => {
  const { scheduler, work, frame } = setUp();
  const key = {};
  scheduler.request(key, "visible", work("old"));
  scheduler.request(key, "visible", work("new"));
  expect([frame(), frame()]).toEqual(["new", ""]);
});

test("work that is no longer wanted is not done", () => {
  const { scheduler, work, frame } = setUp();
  const key = {};
  scheduler.request(key, "visible", work("a"));
  scheduler.cancel(key);
  expect(frame()).toBe("");
});

test("work asked for within a frame comes in the next", () => {
  const { scheduler, work, frame } = setUp();
  scheduler.request({}, "visible", () => {
    scheduler.request({}, "pointer", work("later"));
    return 0;
  });
  expect([frame(), frame()]).toEqual(["", "later"]);
});

test("work that fails does not stop the rest", () => {
  const { scheduler, work, frame } = setUp();
  scheduler.request({}, "pointer", () => {
    throw new Error("broken");
  });
  scheduler.request({}, "visible", work("a"));
  expect(frame).toThrow("broken");
  expect(frame()).toBe("a");
});
