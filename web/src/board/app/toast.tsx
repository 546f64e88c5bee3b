/** A notice about what just happened, with an undo button if something was hidden. */

import { useEffect, useRef } from "react";
import { useWords } from "../../i18n/words";
import { undo, useUndoStack } from "../../lib/undo-stack";
import { ToastLine } from "../../ui/toast";
import { clearFault, useAnnotations } from "../data/annotations";
import { useSwitchedOn } from "../runs/visible-runs";
import { dismiss, notify, useNotice } from "../view/notice";
import { useView } from "../view/view";

/** Hiding fewer runs than this needs no notice. */
const LEAST_LOST = 2;

export function Toast() {
  const say = useWords();
  const notice = useNotice((state) => state.notice);
  useHiddenRunsNotice();
  useRejectedEditNotice();
  const takeBack = () => {
    undo();
    dismiss();
  };
  return (
    <ToastLine
      notice={notice}
      closeLabel={say("action.close")}
      onClose={dismiss}
      action={notice?.undo ? { label: say("action.undo"), onAction: takeBack } : null}
    >
      {notice && say(notice.word, notice.values)}
    </ToastLine>
  );
}

/** Shows a notice when one step hides several runs, which may be a mistake. */
function useHiddenRunsNotice(): void {
  const visible = useSwitchedOn();
  const choice = useView((view) => view.runs);
  const before = useRef({ visible, choice });
  useEffect(() => {
    const was = before.current;
    before.current = { visible, choice };
    if (was.choice === choice) return;
    const { last } = useUndoStack.getState();
    const lost = [...was.visible].filter((id) => !visible.has(id)).length;
    if (last === "done" && lost >= LEAST_LOST) notify("notice.hidden", { count: lost }, { undo: true });
    else if (last === "undone") dismiss();
  }, [visible, choice]);
}

/** Shows why an edit was reverted. */
function useRejectedEditNotice(): void {
  const fault = useAnnotations((annotations) => annotations.fault);
  useEffect(() => {
    if (fault === "") return;
    notify("notice.refused", { why: fault });
    clearFault();
  }, [fault]);
}
