import { afterEach, expect, test, vi } from "vitest";
import { mediaQuery } from "./media-query";

afterEach(() => vi.unstubAllGlobals());

/** Like Chromium's: a change that is read before its event is sent has none. */
class FakeQueryList extends EventTarget {
  system = false;
  private known = false;

  get matches(): boolean {
    this.known = this.system;
    return this.known;
  }

  /** What the browser does before it draws a frame. */
  frame(): void {
    if (this.known === this.system) return;
    this.known = this.system;
    this.dispatchEvent(Object.assign(new Event("change"), { matches: this.known }));
  }
}

test("a change is told even if somebody asked before", () => {
  const list = new FakeQueryList();
  vi.stubGlobal("matchMedia", () => list);
  const query = mediaQuery("(prefers-color-scheme: dark)");
  const told: boolean[] = [];
  query.subscribe(() => told.push(query.matches()));

  list.system = true;
  query.matches();
  list.frame();

  expect(told).toEqual([true]);
});

test("nothing is told after the end of a subscription", () => {
  const list = new FakeQueryList();
  vi.stubGlobal("matchMedia", () => list);
  const query = mediaQuery("(max-width: 759px)");
  const told: boolean[] = [];
  query.subscribe(() => told.push(query.matches()))();

  list.system = true;
  list.frame();

  expect(told).toEqual([]);
  expect(query.matches()).toBe(true);
});
