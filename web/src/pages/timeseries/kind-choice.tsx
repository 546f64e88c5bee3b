/** Which kinds of cards the page shows, where there is more than one. */

import { useKinds } from "../../state/lists";
import { useRested } from "../../state/rested";
import { change, useView } from "../../state/view";
import { CARD_KINDS, type CardKind } from "../../state/viewstate";
import { Select } from "../../widgets/select";
import { useWords } from "../../words/words";

/** Several, as a link may have them. */
const SEVERAL = ",";

export function KindChoice() {
  const say = useWords();
  const chosen = useView((view) => view.cardKinds);
  const counts = useKinds(useRested()).data?.plugins;
  const there = CARD_KINDS.filter((kind) => (counts?.[kind] ?? 0) > 0);
  if (there.length < 2 && chosen.length === 0) return null;
  const several = chosen.length > 1;
  const options = [
    { value: "", label: say("bar.kindsAll") },
    ...CARD_KINDS.map((kind) => ({ value: kind, label: say(`kind.${kind}`) })),
    ...(several ? [{ value: SEVERAL, label: chosen.map((kind) => say(`kind.${kind}`)).join(", ") }] : []),
  ];
  return (
    <Select
      label={say("bar.kinds")}
      value={several ? SEVERAL : (chosen[0] ?? "")}
      options={options}
      onChange={(value) => change({ cardKinds: value === "" ? [] : [value as CardKind] })}
    />
  );
}
