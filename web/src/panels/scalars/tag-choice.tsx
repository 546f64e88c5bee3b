/** The tags that can be drawn in a card beside its own. */

import { useMemo } from "react";
import { join, tagsOf } from "../../state/joins";
import { likest } from "../../state/likeness";
import { useTags } from "../../state/lists";
import { pairOf } from "../../state/pairs";
import { useView } from "../../state/view";
import { useWords } from "../../words/words";
import { TagPicker } from "./tag-picker";

const MOST_ALIKE = 8;

export function TagChoice({ tag, onChosen }: { tag: string; onChosen(): void }) {
  const say = useWords();
  const own = tagsOf(
    useView((view) => view.joined),
    tag,
  );
  const all = useTags();
  const names = useMemo(() => all.map((each) => each.tag).filter((name) => !own.includes(name)), [all, own]);
  const first = useMemo(() => near(tag, names), [tag, names]);
  return (
    <TagPicker
      label={say("card.addTagTitle")}
      names={names}
      first={first}
      onPick={(name) => {
        join(tag, name);
        onChosen();
      }}
    />
  );
}

/** The partner, then what is most like the card's own tag. */
function near(tag: string, names: readonly string[]): readonly string[] {
  const partner = pairOf(tag, names);
  const alike = likest(tag, names, MOST_ALIKE).filter((name) => name !== partner);
  return partner === null ? alike : [partner, ...alike];
}
