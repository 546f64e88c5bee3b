/** Copies text and says whether it worked. */

import type { WordId } from "../../i18n/words";
import { copyText } from "../../lib/clipboard";
import { notify } from "./notice";

export async function copyWithNotice(text: string, success: WordId = "action.copied"): Promise<void> {
  notify((await copyText(text)) ? success : "notice.notCopied");
}
