/** Hyper-parameters of all trials. */

import { getJson } from "./client";
import type { Hparams } from "./schema.gen";

export const askHparams = (signal?: AbortSignal) => getJson<Hparams>("hparams", signal);
