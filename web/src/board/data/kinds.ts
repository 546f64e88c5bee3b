/** The kinds of data in logs: the page that shows each and its label, in the order of the tabs. */

import type { WordId } from "../../i18n/words";

export interface KindPage {
  /** The page in the address; the server's name for the kind, if there is one. */
  page: string;
  /** The kinds it shows. */
  kinds: readonly string[];
  word: WordId;
  /** The key to press after `g`. */
  key?: string;
  /** Hide the count, which says nothing: all hyperparameters are in one tag. */
  uncounted?: boolean;
}

/** Pages in the order of their tabs, beside Time Series and Runs. */
export const KIND_PAGES: readonly KindPage[] = [
  { page: "hparams", kinds: ["hparams"], word: "kind.hparams", key: "h", uncounted: true },
  { page: "images", kinds: ["images"], word: "kind.images", key: "i" },
  { page: "audio", kinds: ["audio"], word: "kind.audio", key: "u" },
  { page: "text", kinds: ["text"], word: "kind.text", key: "x" },
  { page: "histograms", kinds: ["histograms"], word: "kind.histograms", key: "d" },
  {
    page: "graphs",
    kinds: [
      "graphs",
      "graph_run_metadata",
      "graph_run_metadata_graph",
      "graph_keras_model",
      "graph_tagged_run_metadata",
      "meta_graph",
      "graph_files",
    ],
    word: "kind.graphs",
    key: "g",
  },
  { page: "profile", kinds: ["profiles"], word: "kind.profile", key: "f" },
  { page: "pr_curves", kinds: ["pr_curves"], word: "kind.pr_curves", key: "c" },
  { page: "projector", kinds: ["projector"], word: "kind.projector", key: "p" },
  { page: "mesh", kinds: ["mesh"], word: "kind.mesh", key: "m" },
  { page: "custom_scalars", kinds: ["custom_scalars"], word: "kind.custom_scalars", key: "k" },
];

/** The page for kinds without one of their own: values are listed and can be downloaded. */
export const OTHER_PAGE: KindPage = { page: "other", kinds: [], word: "kind.other", key: "o" };

const SHOWN_ELSEWHERE = new Set(["scalars", ...KIND_PAGES.flatMap(({ kinds }) => kinds)]);

/** Unknown kinds; "" stands for tensors without a plugin. */
export function otherKinds(counts: Readonly<Record<string, number>>): string[] {
  return Object.keys(counts).filter((kind) => !SHOWN_ELSEWHERE.has(kind));
}

/** The number of tags that a page shows. */
export function tagsOf(page: KindPage, counts: Readonly<Record<string, number>>): number {
  const kinds = page === OTHER_PAGE ? otherKinds(counts) : page.kinds;
  return kinds.reduce((sum, kind) => sum + (counts[kind] ?? 0), 0);
}

export function kindPage(page: string): KindPage | undefined {
  return page === OTHER_PAGE.page ? OTHER_PAGE : KIND_PAGES.find((each) => each.page === page);
}
