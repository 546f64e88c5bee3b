import { expect, test } from "vitest";
import { LruCache } from "./lru-cache";

const none = () => false;

test("the longest unused goes first when the limit is passed", () => {
  const cache = new LruCache<string>(20);
  cache.put("a", "A", 10);
  cache.put("b", "B", 10);
  cache.get("a");
  cache.put("c", "C", 10);
  cache.trim(none);
  expect([cache.get("a"), cache.get("b"), cache.get("c"), cache.bytes]).toEqual(["A", undefined, "C", 20]);
});

test("what is needed stays, even above the limit", () => {
  const cache = new LruCache<string>(5);
  cache.put("a", "A", 10);
  cache.trim((key) => key === "a");
  expect([cache.get("a"), cache.bytes]).toEqual(["A", 10]);
});

test("a value put again counts once", () => {
  const cache = new LruCache<string>(100);
  cache.put("a", "A", 10);
  cache.put("a", "B", 30);
  expect([cache.get("a"), cache.bytes]).toEqual(["B", 30]);
});
