/** Which images of a step are shown, where there are more than fit. */

import { Button } from "../../widgets/button";
import { count } from "../../words/format";
import { useWords } from "../../words/words";
import { SAMPLES_AT_ONCE } from "./described";
import style from "./sample-pager.module.css";

interface SamplePagerProps {
  first: number;
  /** The most images of a value. */
  total: number;
  onChange(first: number): void;
}

export function SamplePager({ first, total, onChange }: SamplePagerProps) {
  const say = useWords();
  if (total <= SAMPLES_AT_ONCE) return null;
  const last = Math.min(total, first + SAMPLES_AT_ONCE);
  return (
    <span className={style.pager}>
      <Button
        look="quiet"
        size="small"
        icon="left"
        label={say("images.previousImages")}
        disabled={first === 0}
        onClick={() => onChange(Math.max(0, first - SAMPLES_AT_ONCE))}
      />
      <span>{say("images.ofMany", { from: count(first + 1), to: count(last), count: count(total) })}</span>
      <Button
        look="quiet"
        size="small"
        icon="right"
        label={say("images.nextImages")}
        disabled={last >= total}
        onClick={() => onChange(first + SAMPLES_AT_ONCE)}
      />
    </span>
  );
}
