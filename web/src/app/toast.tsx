/** A word at the foot of the page about what just happened; with the way back where something was lost from sight. */

import { useEffect, useRef } from "react";
import { undo, useHistory } from "../state/history";
import { dismiss, notify, useNotice } from "../state/notice";
import { forgetFault, useOverlay } from "../state/overlay";
import { useView } from "../state/view";
import { useSwitchedOn } from "../state/visible";
import { ToastLine } from "../widgets/toast";
import { useWords } from "../words/words";

/** Fewer runs than this vanish where somebody is looking. */
const LEAST_LOST = 2;

export function Toast() {
  const say = useWords();
  const notice = useNotice((state) => state.notice);
  useLosses();
  useFaults();
  const takeBack = () => {
    undo();
    dismiss();
  };
  return (
    <ToastLine
      notice={notice}
      closeLabel={say("action.close")}
      onClose={dismiss}
      action={notice?.undo ? { label: say("action.undo"), onAct: takeBack } : null}
    >
      {notice && say(notice.word, notice.values)}
    </ToastLine>
  );
}

/** Several runs that vanish by one step may be a slip of the hand. */
function useLosses(): void {
  const visible = useSwitchedOn();
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
