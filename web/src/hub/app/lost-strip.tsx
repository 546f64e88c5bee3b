/** Says that changes do not arrive now; the browser tries again by itself. */

import { useEffect, useState } from "react";
import { Icon } from "../../widgets/icon";
import { useWords } from "../../words/words";
import { useWatching } from "../state/tensorboards";
import style from "./lost-strip.module.css";

/** A stream that breaks and is there again a moment later is no news. */
const PATIENCE_MS = 1500;

export function LostStrip() {
  const say = useWords();
  const lost = useWatching((state) => state.lost);
  const [told, setTold] = useState(false);
  useEffect(() => {
    if (!lost) return setTold(false);
    const timer = setTimeout(() => setTold(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, [lost]);
  if (!told) return null;
  return (
    <div className={style.strip} role="status" data-testid="lost">
      <Icon name="warning" />
      <span>{say("hub.lost")}</span>
    </div>
  );
}
