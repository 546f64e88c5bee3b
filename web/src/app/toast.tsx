/** A word at the foot of the page about what just happened; with the way back where something was lost from sight. */

import { useEffect, useRef, useState } from "react";
import { undo, useHistory } from "../state/history";
import { dismiss, notify, useNotice } from "../state/notice";
import { forgetFault, useOverlay } from "../state/overlay";
import { useView } from "../state/view";
import { useVisibleRuns } from "../state/visible";
import { Button } from "../widgets/button";
import { useWords } from "../words/words";
import style from "./toast.module.css";

const SHOWN_MS = 6000;
/** Fewer runs than this vanish where somebody is looking. */
const LEAST_LOST = 2;

export function Toast() {
  const say = useWords();
  const notice = useNotice((state) => state.notice);
  const [held, setHeld] = useState(false);
  useLosses();
  useFaults();
  useEffect(() => {
    if (notice === null || held) return;
    const timer = setTimeout(dismiss, SHOWN_MS);
    return () => clearTimeout(timer);
  }, [notice, held]);
  return (
    <div className={style.place} role="status" aria-live="polite">
      {notice && (
        // biome-ignore lint/a11y/noStaticElementInteractions: a pointer on it only keeps it from going
        <div
          className={style.toast}
          data-testid={notice.undo ? "undo-toast" : "toast"}
          onMouseEnter={() => setHeld(true)}
          onMouseLeave={() => setHeld(false)}
        >
          <span>{say(notice.word, notice.values)}</span>
          {notice.undo && (
            <Button
              look="quiet"
              size="small"
              className={style.undo}
              onClick={() => {
                undo();
                dismiss();
              }}
            >
              {say("action.undo")}
            </Button>
          )}
          <Button look="quiet" size="small" icon="close" label={say("action.close")} onClick={dismiss} />
        </div>
      )}
    </div>
  );
}

/** Several runs that vanish by one step may be a slip of the hand. */
function useLosses(): void {
  const visible = useVisibleRuns();
  const choice = useView((view) => view.runs);
  const before = useRef({ visible, choice });
  useEffect(() => {
    const was = before.current;
    before.current = { visible, choice };
    if (was.choice === choice) return;
    const { last } = useHistory.getState();
    const lost = [...was.visible].filter((id) => !visible.has(id)).length;
    if (last === "done" && lost >= LEAST_LOST) notify("notice.hidden", { count: lost }, { undo: true });
    else if (last === "undone") dismiss();
  }, [visible, choice]);
}

/** An edit that was taken back says why. */
function useFaults(): void {
  const fault = useOverlay((overlay) => overlay.fault);
  useEffect(() => {
    if (fault === "") return;
    notify("notice.refused", { why: fault });
    forgetFault();
  }, [fault]);
}
