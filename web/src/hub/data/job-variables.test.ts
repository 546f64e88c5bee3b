import { describe, expect, test } from "vitest";
import { newVariable, variableFault, variableRowsOf, variablesIn, variablesOf } from "./job-variables";

const withoutKeys = (rows: readonly { key: number }[]) => rows.map(({ key: _, ...rest }) => rest);

describe("the variables of a job", () => {
  test("are values and secrets in a request", () => {
    const rows = [newVariable(" SEED ", "1"), newVariable("HF_TOKEN", "hf", true), newVariable()];
    expect(variablesOf(rows)).toEqual({ SEED: "1", HF_TOKEN: { secret: "hf" } });
  });

  test("of an existing job keep the names of secrets, and lose hidden values", () => {
    const rows = variableRowsOf({ SEED: "1", HF_TOKEN: { secret: "hf" }, HIDDEN: null });
    expect(withoutKeys(rows)).toEqual([
      { name: "SEED", value: "1", secret: false },
      { name: "HF_TOKEN", value: "hf", secret: true },
      { name: "HIDDEN", value: "", secret: false },
    ]);
  });

  test("are pasted as on the command line", () => {
    expect(withoutKeys(variablesIn("A=1\nB=secret:hf.key\nC=secret:not a name"))).toEqual([
      { name: "A", value: "1", secret: false },
      { name: "B", value: "hf.key", secret: true },
      { name: "C", value: "secret:not a name", secret: false },
    ]);
  });

  test.each([
    [[newVariable("A", "", true)], "hub.job.fault.secret"],
    [[newVariable("A B", "1")], "hub.job.fault.variable"],
    [[newVariable("A", "1"), newVariable("A", "hf", true)], "hub.job.fault.twice"],
    [[newVariable("", "hf", true)], "hub.job.fault.unnamed"],
    [[newVariable("A", ""), newVariable("", "", true)], null],
  ])("are checked: %j", (rows, fault) => {
    expect(variableFault(rows)).toBe(fault);
  });
});
