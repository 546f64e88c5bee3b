import { expect, test } from "vitest";
import type { Run, RunList } from "../../api/schema.gen";
import { mergeRuns } from "./lists";

const run = (id: number, points = 0): Run => ({ id, name: `run ${id}`, points }) as Run;
const list = (fields: Partial<RunList>): RunList => ({
  generation: 1,
  version: "a.1",
  since: null,
  total: fields.runs?.length ?? 0,
  ids: null,
  runs: [],
  ...fields,
});

test("the first answer is the list", () => {
  const answer = list({ runs: [run(0)] });

  expect(mergeRuns(undefined, answer)).toBe(answer);
});

test("runs that changed take the place of what they were, and the others stay the objects they are", () => {
  const before = list({ runs: [run(0), run(1), run(2)] });
  const grown = run(1, 5);

  const after = mergeRuns(
    before,
    list({ generation: 2, version: "a.2", since: "a.1", total: 3, runs: [grown] }),
  );

  expect(after).toEqual(list({ generation: 2, version: "a.2", total: 3, runs: [run(0), grown, run(2)] }));
  expect(after.runs[0]).toBe(before.runs[0]);
});

test("runs that came and went are known by the ids", () => {
  const before = list({ runs: [run(0), run(1)] });

  const after = mergeRuns(before, list({ version: "a.2", since: "a.1", ids: [1, 7], runs: [run(7)] }));

  expect(after.runs.map(({ id }) => id)).toEqual([1, 7]);
});

test("after a restart of the server the whole list comes, and nothing of the old one stays", () => {
  const answer = list({ version: "b.1", runs: [run(4)] });

  expect(mergeRuns(list({ runs: [run(0)] }), answer)).toBe(answer);
});
