import { afterEach, expect, test, vi } from "vitest";
import { describe } from "./described";

afterEach(() => vi.unstubAllGlobals());

test("what is asked in one moment goes out as one question for each tag, and everyone has their own answer", async () => {
  const asked: unknown[] = [];
  vi.stubGlobal("fetch", async (_: string, { body }: { body: string }) => {
    const question = JSON.parse(body);
    asked.push(question);
    const values = question.values.map(({ at }: { at: string }) => ({ count: 1, images: [], error: at }));
    return new Response(JSON.stringify({ values }));
  });
  const answers = await Promise.all([
    describe("photo", { run: "a", at: "1" }, 0),
    describe("photo", { run: "b", at: "2" }, 0),
    describe("figure", { run: "a", at: "3" }, 0),
  ]);
  expect([answers.map(({ error }) => error), asked]).toEqual([
    ["1", "2", "3"],
    [
      {
        tag: "photo",
        values: [
          { run: "a", at: "1" },
          { run: "b", at: "2" },
        ],
        first: 0,
        most: 12,
      },
      { tag: "figure", values: [{ run: "a", at: "3" }], first: 0, most: 12 },
    ],
  ]);
});
