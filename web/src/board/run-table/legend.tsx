/** The legend of colours, unless each run has its own. */

import { count } from "../../i18n/format";
import { useWords } from "../../i18n/words";
import { rampColor } from "../../lib/ramp";
import { Button } from "../../ui/button";
import { Swatch } from "../../ui/swatch";
import type { Coloring, Legend as Meaning } from "../runs/coloring";
import { paintColor } from "../runs/coloring";
import { slotDash } from "../runs/slot";
import { useColorScheme } from "../view/theme";
import { commit, useView } from "../view/view";
import { cellText, headText } from "./cell-text";
import style from "./legend.module.css";

/** With more entries the legend would fill the table. */
const MOST = 12;
const RAMP_STOPS = [0, 0.2, 0.4, 0.6, 0.8, 1] as const;

export function Legend({ coloring: { legend } }: { coloring: Coloring }) {
  const say = useWords();
  const by = useView((view) => view.colorBy);
  if (!legend) return null;
  return (
    <section className={style.legend} aria-label={say("color.legend")} data-testid="color-legend">
      {legend.kind === "ramp" ? <Ramp legend={legend} /> : <Slots legend={legend} />}
      <Button
        size="small"
        variant="quiet"
        icon="close"
        label={say("color.clear")}
        data-by={by}
        onClick={() => commit({ colorBy: "run" })}
      />
    </section>
  );
}

function Ramp({ legend: { column, from, to, log } }: { legend: Extract<Meaning, { kind: "ramp" }> }) {
  const scheme = useColorScheme();
  const stops = RAMP_STOPS.map((part) => rampColor(part, scheme)).join(", ");
  return (
    <div className={style.ramp}>
      <span className={style.name}>
        {headText(column).full}
        {log && " · log"}
      </span>
      <span>{cellText(column, from)}</span>
      <span className={style.bar} style={{ backgroundImage: `linear-gradient(90deg, ${stops})` }} />
      <span>{cellText(column, to)}</span>
    </div>
  );
}

function Slots({ legend: { items } }: { legend: Extract<Meaning, { kind: "slots" }> }) {
  const say = useWords();
  const scheme = useColorScheme();
  const rest = items.length - MOST;
  return (
    <ul className={style.slots}>
      {items.slice(0, MOST).map(({ label, paint, runs }) => (
        <li key={label}>
          <Swatch color={paintColor(paint, scheme)} dash={slotDash(paint.slot)} />
          <bdi>{label}</bdi>
          <span>{count(runs)}</span>
        </li>
      ))}
      {rest > 0 && (
        <li>
          <span>{say("group.more", { count: rest })}</span>
        </li>
      )}
    </ul>
  );
}
