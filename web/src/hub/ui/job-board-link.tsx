/** Opens the TensorBoard of a job, which is created or started if needed. */

import { useState } from "react";
import { useWords } from "../../i18n/words";
import { usePermitted } from "../data/accounts";
import { startBoard } from "../data/board-actions";
import { openJobBoard } from "../data/job-actions";
import type { Job } from "../data/jobs";
import type { Board } from "../data/tensorboards";

const RESTING: readonly Board["status"][] = ["Stopped", "Failed", "Creating_Failed"];

interface JobBoardLinkProps {
  job: Job;
  /** Its TensorBoard, if it has one already. */
  board: Board | undefined;
  className: string | undefined;
  /** The text, if it is not that of the column. */
  label?: string;
}

export function JobBoardLink({ job, board, className, label }: JobBoardLinkProps) {
  const say = useWords();
  const permitted = usePermitted("use_tensorboards");
  const [busy, setBusy] = useState(false);
  if (!permitted) return label ? null : "–";
  const name = say("hub.job.openBoard", { name: job.name });
  const text = (
    <>
      {label ?? say("hub.act.open")}
      <span aria-hidden="true">↗</span>
    </>
  );
  if (board)
    return (
      <a
        className={className}
        href={board.app_uri}
        target="_blank"
        rel="noopener"
        aria-label={name}
        data-testid="open"
        onClick={() => {
          if (RESTING.includes(board.status)) void startBoard(board);
        }}
      >
        {text}
      </a>
    );
  const open = async () => {
    if (busy) return;
    setBusy(true);
    await openJobBoard(job);
    setBusy(false);
  };
  return (
    <button
      type="button"
      className={className}
      aria-label={name}
      aria-busy={busy}
      data-testid="open"
      onClick={() => void open()}
    >
      {text}
    </button>
  );
}
