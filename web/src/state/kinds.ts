/** The kinds of data in logs, as the server names them and as people call them, in the order of their pages. */

import type { WordId } from "../words/words";

export const KIND_WORDS: Readonly<Record<string, WordId>> = {
  images: "kind.images",
  audio: "kind.audio",
  text: "kind.text",
  histograms: "kind.histograms",
  graphs: "kind.graphs",
  pr_curves: "kind.pr_curves",
  hparams: "kind.hparams",
  mesh: "kind.mesh",
  projector: "kind.projector",
  graph_tagged_run_metadata: "kind.graphMetadata",
};
