/** Exports in progress, in a corner of the page. */

import { bytes } from "../../i18n/format";
import { useWords } from "../../i18n/words";
import { Button } from "../../ui/button";
import { type RunningExport, useExports } from "../cards/exports";
import style from "./export-progress.module.css";

export default function ExportProgress() {
  const exports = useExports((state) => state.exports);
  return (
    <div className={style.place} role="status" aria-live="polite">
      {exports.map((running) => (
        <ExportRow key={running.id} running={running} />
      ))}
    </div>
  );
}

function ExportRow({ running: { name, done, total, cancel } }: { running: RunningExport }) {
  const say = useWords();
  const share = total > 0 ? say("take.share", { done, total }) : done > 0 ? bytes(done) : "";
  return (
    <div className={style.strip} data-testid="taking">
      <progress {...(total > 0 && { value: done, max: total })} aria-label={name} />
      <bdi className={style.name}>{name}</bdi>
      <span className={style.share}>{share}</span>
      <Button variant="quiet" size="small" icon="close" label={say("action.cancel")} onClick={cancel} />
    </div>
  );
}
