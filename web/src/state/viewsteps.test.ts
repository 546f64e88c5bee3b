import { expect, test } from "vitest";
import { randomNumbers } from "../base/random";
import type { Step } from "./history";
import { DEFAULT_VIEW, type View } from "./viewstate";
import { ViewSteps } from "./viewsteps";

/** A view with its steps, and a clock that stands still unless told. */
class Desk {
  view: View = DEFAULT_VIEW;
  time = 0;
  past: Step[] = [];
  readonly #steps = new ViewSteps(
    (step) => this.past.push(step),
    (patch) => this.#set(patch),
    () => this.time,
  );

  change(patch: Partial<View>): void {
    this.#steps.changed(this.view, patch);
    this.#set(patch);
  }

  commit(patch: Partial<View>): void {
    this.#steps.committed(this.view, patch);
    this.#set(patch);
  }

  undo(): void {
    this.past.pop()?.undo();
  }

  #set(patch: Partial<View>): void {
    this.view = { ...this.view, ...patch };
  }
}

test("a drag is one step", () => {
  const desk = new Desk();
  for (const smoothing of [0.61, 0.7, 0.9]) desk.change({ smoothing });
  expect(desk.past.length).toBe(1);
  desk.undo();
  expect(desk.view).toEqual(DEFAULT_VIEW);
});

test("a pause between changes makes two steps", () => {
  const desk = new Desk();
  desk.change({ tagFilter: "loss" });
  desk.time += 5000;
  desk.change({ tagFilter: "" });
  desk.undo();
  expect(desk.view.tagFilter).toBe("loss");
});

test("a switch is a step of its own however quick", () => {
  const desk = new Desk();
  desk.change({ logY: true });
  desk.change({ logY: false });
  desk.undo();
  expect(desk.view.logY).toBe(true);
});

test("a zoom is one step from the first move of the pointer to the last", () => {
  const desk = new Desk();
  desk.change({ zoom: [0, 90] });
  desk.change({ zoom: [0, 50] });
  desk.commit({ zoom: [0, 40], boxes: [] });
  expect(desk.past.length).toBe(1);
  desk.undo();
  expect(desk.view).toEqual(DEFAULT_VIEW);
});

test("what changes nothing is no step", () => {
  const desk = new Desk();
  desk.change({ smoothing: DEFAULT_VIEW.smoothing });
  desk.commit({ boxes: [], zoom: null });
  expect(desk.past).toEqual([]);
});

test("after an undo the next change begins a new step", () => {
  const desk = new Desk();
  desk.change({ smoothing: 0.7 });
  desk.undo();
  desk.change({ smoothing: 0.8 });
  desk.undo();
  expect(desk.view).toEqual(DEFAULT_VIEW);
});

test("all steps undone is the start, whatever they were", () => {
  const random = randomNumbers(3);
  const patches: Partial<View>[] = [
    { smoothing: 0.9 },
    { logY: true },
    { zoom: [1, 2] },
    { tagFilter: "a" },
    { axis: "wall", zoom: null },
    { runs: { base: "none", shown: ["a"], hidden: [] } },
    { pinned: ["loss"] },
    { page: "runs" },
  ];
  const desk = new Desk();
  for (let action = 0; action < 200; action++) {
    const patch = patches[Math.floor(random() * patches.length)]!;
    desk.time += random() * 2000;
    if (random() < 0.2) desk.undo();
    else if (random() < 0.5) desk.change(patch);
    else desk.commit(patch);
  }
  while (desk.past.length > 0) desk.undo();
  expect(desk.view).toEqual(DEFAULT_VIEW);
});
