/** What a preset has, in words. */

import type { PresetResponse } from "../../api/hub-schema.gen";
import { colon } from "../../i18n/format";
import type { Say } from "../../i18n/words";
import { memoryText } from "../data/job-values";

/** "cpu-small: 2 CPUs, 4G, 1 GPU". */
export function presetText(say: Say, { name, cpus, memory_bytes: memory, gpus }: PresetResponse): string {
  const parts = [say("hub.job.presetCpus", { cpus })];
  if (memory !== null) parts.push(memoryText(memory));
  if (gpus > 0) parts.push(say("hub.job.presetGpus", { gpus }));
  return `${name}${colon()}${parts.join(", ")}`;
}
