import { expect, test } from "vitest";
import { likelyCounters } from "./counters";

test("what is counted is told by the last part of a name", () => {
  const counted = ["train/epoch", "tokens_seen", "trainer/global_step", "num_samples", "perf/total-flops"];
  const others = ["train/loss", "tokens_per_sec", "step_time", "epoch/loss", "lr", "eval/samples_per_second"];
  expect(likelyCounters([...counted, ...others])).toEqual(counted);
});
