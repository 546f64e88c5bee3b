/** The palette with everything it can find; loaded when it is opened for the first time. */

import { useEffect, useMemo, useState } from "react";
import { Palette } from "../panels/palette/palette";
import { useListed } from "../state/facts";
import { useTags } from "../state/lists";
import { useOverlay } from "../state/overlay";
import { sortedViews } from "../state/views";
import { LANGUAGES, type Say, sayIn, useWords } from "../words/words";
import type { Hands } from "./actions";
import { commandsFor } from "./palette-commands";
import {
  actionEntries,
  pageEntries,
  runEntries,
  settingEntries,
  tagEntries,
  viewEntries,
} from "./palette-entries";

interface PaletteDoorProps {
  hands(): Hands;
  /** What was typed while this was on its way. */
  ahead(): string;
  onClose(): void;
}

export default function PaletteDoor({ hands, ahead, onClose }: PaletteDoorProps) {
  const say = useWords();
  const runs = useListed();
  const tags = useTags();
  const views = useOverlay((overlay) => overlay.views);
  const others = useEveryLanguage();
  const entries = useMemo(() => {
    const words = { say, others };
    return [
      ...viewEntries(sortedViews(views)),
      ...pageEntries(words),
      ...actionEntries(words, hands),
      ...settingEntries(words),
      ...tagEntries(tags),
      ...runEntries(runs),
    ];
  }, [say, others, views, tags, runs, hands]);
  const commands = useMemo(() => commandsFor({ say, others }, runs, tags), [say, others, runs, tags]);
  return <Palette entries={entries} commands={commands} ahead={ahead} onClose={onClose} />;
}

/** The words of all languages, once they are there: what is typed may be of any. */
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
