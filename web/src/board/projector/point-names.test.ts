import { expect, test } from "vitest";
import { PointNames } from "./point-names";

function setUp(answer: (rows: readonly number[]) => Promise<readonly string[]>) {
  const asked: (readonly number[])[] = [];
  let news = 0;
  let resolve = (): void => undefined;
  const come = new Promise<void>((done) => {
    resolve = done;
  });
  const names = new PointNames(
    (rows) => {
      asked.push(rows);
      return answer(rows);
    },
    () => {
      news += 1;
      resolve();
    },
  );
  return { names, asked, come, news: () => news };
}

test("what is wanted at once is asked for at once, and then known", async () => {
  const { names, asked, come } = setUp(async (rows) => rows.map((row) => `row ${row}`));
  expect([names.of(4), names.of(9), names.of(4)]).toEqual([null, null, null]);
  await come;
  expect([names.of(4), names.of(9), asked]).toEqual(["row 4", "row 9", [[4, 9]]]);
});

test("what failed is asked for again when it is next wanted", async () => {
  let fails = true;
  const { names, come } = setUp(async () => (fails ? Promise.reject(new Error("gone")) : ["cat"]));
  names.of(1);
  await new Promise((resolve) => setTimeout(resolve));
  fails = false;
  names.of(1);
  await come;
  expect(names.of(1)).toBe("cat");
});
