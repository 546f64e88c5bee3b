/** What is wrong with a chart of a layout. */

import { useWords } from "../../words/words";
import type { Fault } from "./charts";
import style from "./faults.module.css";

/** Patterns of the layout that mean no tag, and why. */
export function Faults({ faults, whole = false }: { faults: readonly Fault[]; whole?: boolean }) {
  const say = useWords();
  return (
    <div className={whole ? style.nothing : style.faults} role="note">
      {faults.length === 0 && <p>{say("custom.nothing")}</p>}
      {faults.map(({ said, why }) => (
        <p key={said} title={why || undefined}>
          {why === ""
            ? say("custom.noMatch", { pattern: said })
            : say("custom.badPattern", { pattern: said, why })}
        </p>
      ))}
    </div>
  );
}
