/** An image in a list of choices. */

import type { ImageResponse } from "../../api/hub-schema.gen";
import { colon } from "../../i18n/format";
import type { Say } from "../../i18n/words";

/** Its name, and its state unless it is ready. */
export function imageText(say: Say, { name, state }: ImageResponse): string {
  return state === "ready" ? name : `${name}${colon()}${say(`hub.imageState.${state}`).toLocaleLowerCase()}`;
}
