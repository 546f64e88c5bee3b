import { expect, test } from "vitest";
import { randomNumbers } from "../../lib/random";
import type { UndoStep } from "../../lib/undo-stack";
import { DEFAULT_VIEW, type View } from "./view-state";
import { ViewUndoRecorder } from "./view-undo";

/** A view with its steps, and a clock that stands still unless told. */
class TestView {
  view: View = DEFAULT_VIEW;
  time = 0;
  past: UndoStep[] = [];
  readonly #steps = new ViewUndoRecorder(
    (step) => this.past.push(step),
    (patch) => this.#set(patch),
    () => this.time,
  );

  change(patch: Partial<View>): void {
    this.#steps.recordChange(this.view, patch);
    this.#set(patch);
  }

  commit(patch: Partial<View>): void {
    this.#steps.recordCommit(this.view, patch);
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
  const view = new TestView();
  for (const smoothing of [0.61, 0.7, 0.9]) view.change({ smoothing });
  expect(view.past.length).toBe(1);
  view.undo();
  expect(view.view).toEqual(DEFAULT_VIEW);
});

test("a pause between changes makes two steps", () => {
  const view = new TestView();
  view.change({ tagFilter: "loss" });
  view.time += 5000;
  view.change({ tagFilter: "" });
  view.undo();
  expect(view.view.tagFilter).toBe("loss");
});

test("a switch is a step of its own however quick", () => {
  const view = new TestView();
  view.change({ logY: true });
  view.change({ logY: false });
  view.undo();
  expect(view.view.logY).toBe(true);
});

test("a zoom is one step from the first move of the pointer to the last", () => {
  const view = new TestView();
  view.change({ zoom: [0, 90] });
  view.change({ zoom: [0, 50] });
  view.commit({ zoom: [0, 40], boxes: [] });
  expect(view.past.length).toBe(1);
  view.undo();
  expect(view.view).toEqual(DEFAULT_VIEW);
});

test("what changes nothing is no step", () => {
  const view = new TestView();
  view.change({ smoothing: DEFAULT_VIEW.smoothing });
  view.commit({ boxes: [], zoom: null });
  expect(view.past).toEqual([]);
});

test("after an undo the next change begins a new step", () => {
  const view = new TestView();
  view.change({ smoothing: 0.7 });
  view.undo();
  view.change({ smoothing: 0.8 });
  view.undo();
  expect(view.view).toEqual(DEFAULT_VIEW);
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
  const view = new TestView();
  for (let action = 0; action < 200; action++) {
    const patch = patches[Math.floor(random() * patches.length)]!;
    view.time += random() * 2000;
    if (random() < 0.2) view.undo();
    else if (random() < 0.5) view.change(patch);
    else view.commit(patch);
  }
  while (view.past.length > 0) view.undo();
  expect(view.view).toEqual(DEFAULT_VIEW);
});
