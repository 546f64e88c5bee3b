/** The caption of an image, in as many lines as needed: the run's colour, its name, the step. */

import { dateTime } from "../../i18n/format";
import { useWords } from "../../i18n/words";
import { formatStep } from "../../lib/number";
import { WrappedName } from "../../ui/run-name";
import { Swatch } from "../../ui/swatch";
import { colorOf, dashOf, type LineStyle } from "../runs/line-styles";
import { useColorScheme } from "../view/theme";
import style from "./caption.module.css";

interface CaptionProps {
  lineStyle: LineStyle;
  /** The abbreviated name of the run. */
  text?: string | undefined;
  /** Null if the run has no image. */
  step: number | null;
  /** Seconds since the epoch. */
  wall?: number | string | undefined;
  /** The requested step, null for the last. */
  wanted: number | null;
}

export function Caption({ lineStyle, text = lineStyle.label, step, wall, wanted }: CaptionProps) {
  const say = useWords();
  const scheme = useColorScheme();
  const near = step !== null && wanted !== null && step !== wanted;
  const shown = step === null ? "" : (near ? "≈\u2009" : "") + formatStep(step);
  const when = typeof wall === "number" ? dateTime(wall) : "";
  return (
    <span className={style.caption} title={[lineStyle.label, when].filter(Boolean).join("\n")}>
      <Swatch color={colorOf(lineStyle, scheme)} dash={dashOf(lineStyle)} />
      <WrappedName name={text} title="" />{" "}
      {step !== null && (
        <span className={style.step} data-step={step} data-near={near || undefined}>
          <span className={style.sentence}>{say("tip.step", { step: shown })}</span>
          <span className={style.number}>{shown}</span>
        </span>
      )}
    </span>
  );
}
