/** The layouts of scalars that writers gave, as one. */

import { getJson } from "./client";
import type { CustomCategory, CustomChart, CustomScalars } from "./schema.gen";

export type { CustomCategory, CustomChart, CustomScalars };

export const askCustomScalars = (signal?: AbortSignal) => getJson<CustomScalars>("custom_scalars", signal);
