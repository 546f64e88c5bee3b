/** The number of own TensorBoards in use, and the limit. */

import { useWords } from "../../i18n/words";
import { useLimit } from "../data/tensorboards";
import style from "./limit-meter.module.css";

export function LimitMeter() {
  const say = useWords();
  const limit = useLimit();
  if (!limit) return null;
  const text = say("hub.limit.inUse", { used: limit.inUse, limit: limit.limit });
  return (
    <span className={style.meter} data-testid="limit" data-full={limit.inUse >= limit.limit || undefined}>
      {text}
      <meter
        className={style.bar}
        aria-label={text}
        min={0}
        max={Math.max(1, limit.limit)}
        value={limit.inUse}
      />
    </span>
  );
}
