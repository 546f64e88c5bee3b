/** Copies text and says whether it worked. */

import type { WordId } from "../words/words";
import { copyText } from "./clipboard";
import { notify } from "./notice";

export async function copyWithNotice(text: string, success: WordId = "action.copied"): Promise<void> {
  notify((await copyText(text)) ? success : "notice.notCopied");
}
