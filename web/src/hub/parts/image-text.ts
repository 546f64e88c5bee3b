/** An image in a list of choices. */

import type { ImageResponse } from "../../api/hub/schema.gen";
import { colon } from "../../words/format";
import type { Say } from "../../words/words";

/** Its name, and its state unless it is ready. */
export function imageText(say: Say, { name, state }: ImageResponse): string {
  return state === "ready" ? name : `${name}${colon()}${say(`hub.imageState.${state}`)}`;
}
