/** The list of hotkeys under `?`; two directions of one action share a line. */

import { useWords, type WordId } from "../../i18n/words";
import { Dialog } from "../../ui/dialog";
import { ACTIONS } from "./actions";
import style from "./key-list.module.css";
import { keyLabel } from "./key-names";

type Line = readonly [keys: readonly string[], word: WordId];

const OF_CHARTS: readonly Line[] = [
  [["Enter"], "keys.full"],
  [["Esc"], "keys.escape"],
];

function lines(): Line[] {
  const byWord = new Map<WordId, string[]>();
  for (const { keys, word } of ACTIONS) {
    const shown = keys.filter((key) => !/^Shift\+Arrow/.test(key)).map(keyLabel);
    byWord.set(word, [...(byWord.get(word) ?? []), ...shown]);
  }
  for (const [keys, word] of OF_CHARTS) byWord.set(word, [...(byWord.get(word) ?? []), ...keys]);
  return [...byWord].map(([word, keys]): Line => [keys, word]);
}

export function KeyList({ open, onClose }: { open: boolean; onClose(): void }) {
  const say = useWords();
  return (
    <Dialog title={say("keys.title")} closeLabel={say("action.close")} open={open} onClose={onClose} wide>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long list is scrolled by keys too */}
      <section className={style.list} tabIndex={0} aria-label={say("keys.title")}>
        {lines().map(([keys, word]) => (
          <div key={word} className={style.line}>
            <span className={style.keys}>
              {keys.map((key) => (
                <kbd key={key} className={style.key}>
                  {key}
                </kbd>
              ))}
            </span>
            <span>{say(word)}</span>
          </div>
        ))}
      </section>
    </Dialog>
  );
}
