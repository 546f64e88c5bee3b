import { expect, test } from "vitest";
import { newVolume, volumeFault } from "./job-volumes";

test.each([
  ["", "", null],
  ["//project/results", "storage:x", null],
  ["project/results", "storage:x", "hub.job.fault.target"],
  ["", "storage:x", "hub.job.fault.target"],
  ["/project", " ", "hub.job.fault.volumeSource"],
])("a volume at %j of %j has the fault %j", (target, source, fault) => {
  expect(volumeFault([newVolume(target, source)])).toBe(fault);
});
