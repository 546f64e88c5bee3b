/** Errors of a chart of a layout. */

import { useWords } from "../../i18n/words";
import type { LayoutError } from "./charts";
import style from "./layout-errors.module.css";

/** Patterns of the layout that match no tag, with the reason. */
export function LayoutErrors({ faults, whole = false }: { faults: readonly LayoutError[]; whole?: boolean }) {
  const say = useWords();
  return (
    <div className={whole ? style.nothing : style.faults} role="note">
      {faults.length === 0 && <p>{say("custom.nothing")}</p>}
      {faults.map(({ pattern, reason }) => (
        <p key={pattern} title={reason || undefined}>
          {reason === ""
            ? say("custom.noMatch", { pattern })
            : say("custom.badPattern", { pattern, why: reason })}
        </p>
      ))}
    </div>
  );
}
