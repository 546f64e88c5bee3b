/** Palette commands with a value: "smoothing 0.9", "only runs like …", in any language. */

import type { Say, WordId } from "../../i18n/words";
import type { TagInfo } from "../data/lists";
import type { Entry } from "../palette/entry";
import type { RunDetails } from "../runs/run-details";
import { currentDefaults } from "../runs/visible-runs";
import { choosePage } from "../view/cards";
import { selectionOf } from "../view/selection";
import { change, commit } from "../view/view";
import { MAX_SMOOTHING } from "../view/view-state";
import type { Words } from "./palette-entries";

const VALUE = /^(.*?\S)\s*([01]?[.,]\d+|[01])$/;
/** The beginning of a word is enough. */
const LEAST_LETTERS = 2;

export function commandsFor(
  { say, others }: Words,
  runs: readonly RunDetails[],
  tags: readonly TagInfo[],
): (typed: string) => readonly Entry[] {
  const says = others.length > 0 ? others : [say];
  return (typed) => {
    const text = typed.trim();
    if (text === "") return [];
    return [
      ...smoothing(say, says, text),
      ...onlyRuns(say, afterWord(says, "palette.onlyWord", text) ?? text, runs),
      ...onlyTags(say, text, tags),
    ];
  };
}

function smoothing(say: Say, says: readonly Say[], text: string): Entry[] {
  const match = VALUE.exec(text);
  if (!match || !says.some((each) => begins(each("bar.smoothing"), match[1]!))) return [];
  const value = Math.min(MAX_SMOOTHING, Number(match[2]!.replace(",", ".")));
  return [
    {
      id: "command:smoothing",
      kind: "setting",
      text: say("palette.smoothing", { value: String(value) }),
      run: () => choosePage({ smoothing: value }),
    },
  ];
}

function begins(word: string, typed: string): boolean {
  const least = /^[\u4e00-\u9fff]/.test(word) ? 1 : LEAST_LETTERS;
  return typed.length >= least && word.toLowerCase().startsWith(typed.toLowerCase());
}

/** The rest of the text if it starts with a command word in any language. A message has several, the longest first. */
function afterWord(says: readonly Say[], word: WordId, text: string): string | null {
  for (const each of says) {
    const said = each(word)
      .split("|")
      .find((start) => text.toLowerCase().startsWith(start));
    if (said !== undefined) return text.slice(said.length).trim() || null;
  }
  return null;
}

function onlyRuns(say: Say, text: string, runs: readonly RunDetails[]): Entry[] {
  const like = runs.filter((run) => holds(run.name, text) || holds(run.label, text));
  if (like.length === 0 || like.length === runs.length) return [];
  const all = runs.map(({ run }) => run);
  return [
    {
      id: "command:only-runs",
      kind: "action",
      text: say("palette.only", { text, count: like.length }),
      run: () => commit({ runs: selectionOf(all, new Set(like.map(({ id }) => id)), currentDefaults()) }),
    },
  ];
}

function onlyTags(say: Say, text: string, tags: readonly TagInfo[]): Entry[] {
  const like = tags.filter(({ tag }) => holds(tag, text));
  if (like.length === 0 || like.length === tags.length) return [];
  return [
    {
      id: "command:only-tags",
      kind: "action",
      text: say("palette.tags", { text, count: like.length }),
      run: () => change({ tagFilter: text }),
    },
  ];
}

function holds(name: string, text: string): boolean {
  return name.toLowerCase().includes(text.toLowerCase());
}
