/** The colour of one run: ten slots, a custom colour, or the default. */

import { useRef } from "react";
import { useWords } from "../../i18n/words";
import { AnchoredPopover } from "../../ui/anchored-popover";
import { Button } from "../../ui/button";
import { editRunAnnotation } from "../data/annotations";
import { type Anchor, useAnchored } from "../runs/anchor";
import type { RunDetails } from "../runs/run-details";
import { slotColor } from "../runs/slot";
import { useColorScheme } from "../view/theme";
import style from "./popovers.module.css";

const SLOTS = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9] as const;

interface ColorPopoverProps {
  details: RunDetails;
  anchor: Anchor;
  onClose(): void;
}

export default function ColorPopover({ details, anchor, onClose }: ColorPopoverProps) {
  const say = useWords();
  const scheme = useColorScheme();
  const { name, label, color, run } = details;
  const title = say("runs.colorOf", { run: label });
  const choose = (next: number | string | null) => {
    editRunAnnotation(name, { color: next });
    onClose();
  };
  const own = typeof color === "string" ? color : slotColor(color ?? run.slot, scheme);
  return (
    <AnchoredPopover label={title} anchor={useAnchored(anchor)} onClose={onClose} align="start">
      <div className={style.title}>
        <bdi>{label}</bdi>
      </div>
      <div className={style.slots}>
        {SLOTS.map((slot) => (
          <button
            key={slot}
            type="button"
            className={style.slot}
            style={{ backgroundColor: slotColor(slot, scheme) }}
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
          <Button size="small" variant="quiet" onClick={() => choose(null)}>
            {say("color.reset")}
          </Button>
        )}
      </div>
    </AnchoredPopover>
  );
}

/** The native picker reports every colour on the way; only the last is saved. */
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
