/** The palette with all its entries; loaded when it is first opened. */

import { useEffect, useMemo, useState } from "react";
import { LANGUAGES, type Say, sayIn, useWords } from "../../i18n/words";
import { useAnnotations } from "../data/annotations";
import { useTags } from "../data/lists";
import { sortedViews } from "../data/views";
import { Palette } from "../palette/palette";
import { useListedDetails } from "../runs/run-details";
import type { ActionContext } from "./actions";
import { commandsFor } from "./palette-commands";
import {
  actionEntries,
  pageEntries,
  runEntries,
  settingEntries,
  tagEntries,
  viewEntries,
} from "./palette-entries";

interface PaletteDialogProps {
  context(): ActionContext;
  /** What was typed while this loaded. */
  ahead(): string;
  onClose(): void;
}

export default function PaletteDialog({ context, ahead, onClose }: PaletteDialogProps) {
  const say = useWords();
  const runs = useListedDetails();
  const tags = useTags();
  const views = useAnnotations((annotations) => annotations.views);
  const others = useEveryLanguage();
  const entries = useMemo(() => {
    const words = { say, others };
    return [
      ...viewEntries(sortedViews(views)),
      ...pageEntries(words),
      ...actionEntries(words, context),
      ...settingEntries(words),
      ...tagEntries(tags),
      ...runEntries(runs),
    ];
  }, [say, others, views, tags, runs, context]);
  const commands = useMemo(() => commandsFor({ say, others }, runs, tags), [say, others, runs, tags]);
  return <Palette entries={entries} commands={commands} ahead={ahead} onClose={onClose} />;
}

/** The catalogs of all languages once loaded: users may type in any of them. */
function useEveryLanguage(): readonly Say[] {
  const [says, setSays] = useState<readonly Say[]>([]);
  useEffect(() => {
    let wanted = true;
    void Promise.allSettled(LANGUAGES.map(({ language }) => sayIn(language))).then((loaded) => {
      if (wanted) setSays(loaded.flatMap((each) => (each.status === "fulfilled" ? [each.value] : [])));
    });
    return () => {
      wanted = false;
    };
  }, []);
  return says;
}
