/** The entries of the palette. Commands with a value are in `palette-commands.ts`. */

import { count } from "../../i18n/format";
import { LANGUAGES, type Say, type WordId } from "../../i18n/words";
import type { TagInfo } from "../data/lists";
import { type NamedView, openView } from "../data/views";
import type { Entry } from "../palette/entry";
import type { RunDetails } from "../runs/run-details";
import { choosePage } from "../view/cards";
import { goToTag } from "../view/jump";
import { change, commit, useView } from "../view/view";
import { type Axis, type CardHeight, DEFAULT_PAGE, type Theme, type View } from "../view/view-state";
import { chooseAxis } from "../view/zoom";
import { ACTIONS, type ActionContext } from "./actions";
import { keyLabel } from "./key-names";

export interface Words {
  say: Say;
  /** The other languages. */
  others: readonly Say[];
}

/** Makes a text in the language of the page and in the others. */
function texts({ say, others }: Words, make: (say: Say) => string): Pick<Entry, "text" | "also"> {
  const text = make(say);
  return { text, also: others.map(make).filter((other) => other !== text) };
}

export function actionEntries(words: Words, context: () => ActionContext): Entry[] {
  return ACTIONS.filter(({ local, word }) => !local && !PAGE_WORDS.has(word)).map(({ keys, word, run }) => ({
    id: `action:${word}`,
    kind: "action",
    ...texts(words, (say) => say(word)),
    hotkey: keyLabel(keys[0]!),
    run: () => void run(context()),
  }));
}

const PAGES: readonly (readonly [page: string, word: WordId, key: string])[] = [
  [DEFAULT_PAGE, "page.timeseries", "g t"],
  ["runs", "page.runs", "g r"],
  ["compare", "page.compare", "c"],
];
/** Actions that only open a page are found as the page. */
const PAGE_WORDS = new Set<WordId>(["keys.timeseries", "keys.runs"]);

export function pageEntries(words: Words): Entry[] {
  return PAGES.map(([page, word, hotkey]) => ({
    id: `page:${page}`,
    kind: "page",
    ...texts(words, (say) => say(word)),
    hotkey,
    run: () => commit({ page, subject: "" }),
  }));
}

export function viewEntries(views: readonly NamedView[]): Entry[] {
  return views.map((view) => ({
    id: `view:${view.name}`,
    kind: "view",
    text: view.name,
    run: () => openView(view),
  }));
}

export function tagEntries(tags: readonly TagInfo[]): Entry[] {
  return tags.map(({ tag, display_name, runs }) => ({
    id: `tag:${tag}`,
    kind: "tag",
    text: tag,
    ...(display_name && { also: [display_name] }),
    end: count(runs.length),
    run: () => goToTag(tag),
  }));
}

export function runEntries(runs: readonly RunDetails[]): Entry[] {
  return runs.map(({ name, label }) => ({
    id: `run:${name}`,
    kind: "run",
    text: label,
    ...(label !== name && { also: [name] }),
    run: () => commit({ page: "run", subject: name }),
  }));
}

const THEMES: readonly (readonly [Theme, WordId])[] = [
  ["system", "theme.system"],
  ["light", "theme.light"],
  ["dark", "theme.dark"],
];
const AXES: readonly (readonly [Axis, WordId])[] = [
  ["step", "axis.step"],
  ["relative", "axis.relative"],
  ["wall", "axis.wall"],
];
const HEIGHTS: readonly (readonly [CardHeight, WordId])[] = [
  ["small", "bar.height.small"],
  ["normal", "bar.height.normal"],
  ["tall", "bar.height.tall"],
];
const MAX_COLUMNS = 6;

export function settingEntries(words: Words): Entry[] {
  const setting = (id: string, make: (say: Say) => string, run: () => void): Entry => ({
    id: `setting:${id}`,
    kind: "setting",
    ...texts(words, make),
    run,
  });
  const valued = (id: string, name: WordId, value: WordId, run: () => void): Entry =>
    setting(id, (say) => say("palette.setTo", { setting: say(name), value: say(value) }), run);
  const toggle = (name: "ignoreOutliers" | "links", word: WordId): Entry =>
    setting(
      name,
      (say) => say(word),
      () => toggled(name),
    );
  return [
    ...THEMES.map(([theme, word]) => valued(`theme-${theme}`, "theme.label", word, () => change({ theme }))),
    ...LANGUAGES.map(({ language, name }) =>
      setting(
        `language-${language}`,
        (say) => say("palette.setTo", { setting: say("language.label"), value: name }),
        () => change({ language }),
      ),
    ),
    ...AXES.map(([axis, word]) => valued(`axis-${axis}`, "axis.label", word, () => chooseAxis(axis))),
    ...HEIGHTS.map(([cardHeight, word]) =>
      valued(`height-${cardHeight}`, "bar.height", word, () => change({ cardHeight })),
    ),
    ...Array.from({ length: MAX_COLUMNS }, (_, at) =>
      setting(
        `columns-${at + 1}`,
        (say) => say("palette.columns", { count: at + 1 }),
        () => change({ columns: at + 1 }),
      ),
    ),
    setting(
      "columns-auto",
      (say) => say("bar.columnsAuto"),
      () => change({ columns: 0 }),
    ),
    toggle("ignoreOutliers", "bar.outliers"),
  ];
}

function toggled(name: keyof Pick<View, "ignoreOutliers" | "links">): void {
  const on = !useView.getState()[name];
  if (name === "ignoreOutliers") choosePage({ ignoreOutliers: on });
  else change({ [name]: on });
}
