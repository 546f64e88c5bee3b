/** Exports one text: to the clipboard, as a file, as JSON with its run, tag and step. */

import { textUrl } from "../../api/text";
import { copyText } from "../../lib/clipboard";
import { fileName, saveFile, saveUrl } from "../../lib/download";
import type { SeriesValue } from "../cards/run-series";
import { notify } from "../view/notice";
import { isSingle, plainText, type TextName, type TextValue } from "./text-value";

export async function copyContent(whole: () => Promise<TextValue>): Promise<void> {
  try {
    const copied = await copyText(plainText(await whole()));
    notify(copied ? "action.copied" : "notice.notCopied");
  } catch {
    notify("notice.notCopied");
  }
}

/** Downloads one text, of any length; a table as lines with tabs. */
export async function saveText(name: TextName, whole: () => Promise<TextValue>): Promise<void> {
  const text = await whole();
  if (isSingle(text)) {
    saveUrl(textUrl(name));
    return;
  }
  saveFile(new Blob([plainText(text)], { type: "text/tab-separated-values" }), `${stemOf(name)}.tsv`);
}

export async function saveJson(
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
