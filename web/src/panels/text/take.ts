/** Handing a text over: on the clipboard, as a file, as JSON with what is known of it. */

import { textUrl } from "../../api/text";
import { fileName, saveAddress, saveFile } from "../../base/save";
import { copyText } from "../../state/clipboard";
import { notify } from "../../state/notice";
import type { SeriesValue } from "../../state/runseries";
import { isSingle, plainText, type TextName, type TextValue } from "./shown";

export async function copy(whole: () => Promise<TextValue>): Promise<void> {
  try {
    const copied = await copyText(plainText(await whole()));
    notify(copied ? "action.copied" : "notice.notCopied");
  } catch {
    notify("notice.notCopied");
  }
}

/** One text as the server has it, of any length; a table as lines with tabs. */
export async function keepText(name: TextName, whole: () => Promise<TextValue>): Promise<void> {
  const text = await whole();
  if (isSingle(text)) {
    saveAddress(textUrl(name));
    return;
  }
  saveFile(new Blob([plainText(text)], { type: "text/tab-separated-values" }), `${stemOf(name)}.tsv`);
}

export async function keepJson(
  name: TextName,
  { step, wall }: SeriesValue,
  whole: () => Promise<TextValue>,
): Promise<void> {
  const { shape, cells, cut } = await whole();
  const content = { run: name.run, tag: name.tag, step, wall_time: wall, shape, strings: cells, cut };
  saveFile(
    new Blob([JSON.stringify(content, null, 2)], { type: "application/json" }),
    `${stemOf(name)}-${step}.json`,
  );
}

function stemOf({ run, tag }: TextName): string {
  return fileName(`${run}-${tag}`);
}
