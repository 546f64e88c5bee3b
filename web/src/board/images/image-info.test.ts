import { afterEach, expect, test, vi } from "vitest";
import { fetchImageInfo } from "./image-info";

afterEach(() => vi.unstubAllGlobals());

test("what is asked in one moment goes out as one request for each tag, and everyone has their own answer", async () => {
  const asked: unknown[] = [];
  vi.stubGlobal("fetch", async (_: string, { body }: { body: string }) => {
    const request = JSON.parse(body);
    asked.push(request);
    const values = request.values.map(({ at }: { at: string }) => ({ count: 1, images: [], error: at }));
    return new Response(JSON.stringify({ values }));
  });
  const answers = await Promise.all([
    fetchImageInfo("photo", { run: "a", at: "1" }, 0),
    fetchImageInfo("photo", { run: "b", at: "2" }, 0),
    fetchImageInfo("figure", { run: "a", at: "3" }, 0),
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
