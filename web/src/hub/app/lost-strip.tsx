/** Says that changes do not arrive now; the browser tries again by itself. */

import { useEffect, useState } from "react";
import { Strip } from "../../widgets/strip";
import { useWords } from "../../words/words";
import { useWatching } from "../state/tensorboards";

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
    <Strip testId="lost">
      <span>{say("hub.lost")}</span>
    </Strip>
  );
}
