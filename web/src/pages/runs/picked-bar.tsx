/** What can be done with the picked runs. */

import { edit } from "../../state/overlay";
import { commit } from "../../state/view";
import { Button } from "../../widgets/button";
import { useWords } from "../../words/words";
import style from "./runs-page.module.css";

export function PickedBar({ names, onClear }: { names: readonly string[]; onClear(): void }) {
  const say = useWords();
  const putAside = (fields: { hidden: true } | { archived: true }) => {
    edit({ runs: Object.fromEntries(names.map((name) => [name, fields])) });
    onClear();
  };
  return (
    <div
      className={style.picked}
      role="toolbar"
      aria-label={say("runspage.selected", { count: names.length })}
    >
      <b aria-live="polite">{say("runspage.selected", { count: names.length })}</b>
      <Button
        look="primary"
        disabled={names.length < 2}
        onClick={() => commit({ page: "compare", compare: names })}
      >
        {say("runspage.compare")}
      </Button>
      <Button onClick={() => commit({ runs: { base: "none", shown: names, hidden: [] } })}>
        {say("runspage.only")}
      </Button>
      <Button onClick={() => putAside({ hidden: true })}>{say("runs.hide")}</Button>
      <Button onClick={() => putAside({ archived: true })}>{say("runs.archive")}</Button>
      <span className={style.grow} />
      <Button look="quiet" onClick={onClear}>
        {say("runspage.clear")}
      </Button>
    </div>
  );
}
