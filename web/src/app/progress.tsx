/** How far the server has read, while it reads. Over the page, so that nothing moves when it goes. */

import { useEffect, useState } from "react";
import { useStatus } from "../state/lists";
import { useLive } from "../state/live";
import { bytesOf } from "../words/format";
import { useWords } from "../words/words";
import style from "./progress.module.css";

/** What is done sooner needs no words. */
const PATIENCE_MS = 400;

export function Progress() {
  const say = useWords();
  const status = useStatus().data;
  const loading = status?.loading ?? false;
  const reached = useLive((live) => live.reached);
  const [late, setLate] = useState(false);
  useEffect(() => {
    setLate(false);
    if (!loading) return;
    const timer = setTimeout(() => setLate(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, [loading]);
  if (!status || !loading || !late || !reached) return null;
  const [read, total] = bytesOf(status.bytes_read, status.bytes_total);
  const part = status.bytes_total > 0 ? Math.min(1, status.bytes_read / status.bytes_total) : 0;
  return (
    <div className={style.progress} role="status" data-testid="progress">
      {say("progress.read", { read, total, runs: status.runs })}
      <div className={style.track}>
        <div className={style.bar} style={{ transform: `scaleX(${part})` }} />
      </div>
    </div>
  );
}
