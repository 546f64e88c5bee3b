/** What stands under an image, in as many lines as it takes: the run's colour, its name, the step. */

import { formatStep } from "../../base/number";
import { colorOf, dashOf, type RunLook } from "../../state/looks";
import { useShade } from "../../state/theme";
import { WrappedName } from "../../widgets/run-name";
import { Swatch } from "../../widgets/swatch";
import { dateTime } from "../../words/format";
import { useWords } from "../../words/words";
import style from "./caption.module.css";

interface CaptionProps {
  look: RunLook;
  /** What the run is called where there is no room for its name. */
  text?: string | undefined;
  /** Null where the run has no image. */
  step: number | null;
  /** Seconds since the epoch. */
  wall?: number | string | undefined;
  /** The step asked for, null for the last. */
  wanted: number | null;
}

export function Caption({ look, text = look.label, step, wall, wanted }: CaptionProps) {
  const say = useWords();
  const shade = useShade();
  const near = step !== null && wanted !== null && step !== wanted;
  const when = typeof wall === "number" ? dateTime(wall) : "";
  return (
    <span className={style.caption} title={[look.label, when].filter(Boolean).join("\n")}>
      <Swatch color={colorOf(look, shade)} dash={dashOf(look)} />
      <WrappedName name={text} title="" />{" "}
      {step !== null && (
        <span className={style.step} data-step={step} data-near={near || undefined}>
          <span className={style.word}>{say("step.label")}</span> {near && "≈\u2009"}
          {formatStep(step)}
        </span>
      )}
    </span>
  );
}
