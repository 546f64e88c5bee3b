/** Says when something ends whose life span was extended. */

import { dateTime } from "../../i18n/format";
import { say } from "../../i18n/words";
import { notify } from "./notice";

export function notifyExtended(name: string, end: number | null): void {
  notify(
    end === null
      ? say("hub.notice.extended", { name })
      : say("hub.notice.extendedTo", { name, end: dateTime(end) }),
  );
}
