/** The colour of one run: ten slots, one's own, or as it was given. */

import { useRef } from "react";
import type { RunFacts } from "../../state/facts";
import { editRun } from "../../state/overlay";
import { slotColor } from "../../state/slot";
import { useShade } from "../../state/theme";
import { Button } from "../../widgets/button";
import { Sheet } from "../../widgets/sheet";
import { useWords } from "../../words/words";
import type { Anchor } from "./acts";
import { useAnchored } from "./anchored";
import style from "./sheets.module.css";

const SLOTS = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9] as const;

interface ColorSheetProps {
  facts: RunFacts;
  anchor: Anchor;
  onClose(): void;
}

export default function ColorSheet({ facts, anchor, onClose }: ColorSheetProps) {
  const say = useWords();
  const shade = useShade();
  const { name, label, color, run } = facts;
  const title = say("runs.colorOf", { run: label });
  const choose = (next: number | string | null) => {
    editRun(name, { color: next });
    onClose();
  };
  const own = typeof color === "string" ? color : slotColor(color ?? run.slot, shade);
  return (
    <Sheet label={title} anchor={useAnchored(anchor)} onClose={onClose} align="start">
      <div className={style.title}>
        <bdi>{label}</bdi>
      </div>
      <div className={style.slots}>
        {SLOTS.map((slot) => (
          <button
            key={slot}
            type="button"
            className={style.slot}
            style={{ backgroundColor: slotColor(slot, shade) }}
            aria-label={say("color.slot", { number: slot + 1 })}
            title={say("color.slot", { number: slot + 1 })}
            aria-pressed={color === slot}
            onClick={() => choose(slot)}
          />
        ))}
      </div>
      <div className={style.foot}>
        <OwnColor value={own} onChoose={choose} />
        {color !== null && (
          <Button size="small" look="quiet" onClick={() => choose(null)}>
            {say("color.reset")}
          </Button>
        )}
      </div>
    </Sheet>
  );
}

/** The browser's own picker tells of every colour on the way; only the last is kept. */
function OwnColor({ value, onChoose }: { value: string; onChoose(color: string): void }) {
  const say = useWords();
  const chosen = useRef(value);
  return (
    <label className={style.own}>
      <input
        type="color"
        defaultValue={value}
        onChange={(event) => {
          chosen.current = event.target.value;
        }}
        onBlur={() => chosen.current !== value && onChoose(chosen.current)}
      />
      {say("color.own")}
    </label>
  );
}
