/** The menu of a job or notebook with all permitted actions, and their dialogs. */

import { type ReactNode, useState } from "react";
import { useWords } from "../../i18n/words";
import { Check } from "../../ui/check";
import { Menu, MenuItem, MenuLine } from "../../ui/menu";
import { usePermitted } from "../data/accounts";
import { useBusy } from "../data/busy";
import {
  disableBoard,
  endJob,
  openJobBoard,
  pause,
  removeJob,
  restart,
  resume,
  runAsNewJob,
} from "../data/job-actions";
import { hasEnded, isActive, isNotebook, isPausable, type Job, useMayCreate } from "../data/jobs";
import { openNewJob } from "../data/new-job";
import { go } from "../data/route";
import type { Board } from "../data/tensorboards";
import { ChangePriority } from "./change-priority";
import { ConfirmDialog } from "./confirm-dialog";
import { EnableBoard } from "./enable-board";
import style from "./form.module.css";
import { mayOpen } from "./notebook-link";

interface JobMenuProps {
  job: Job;
  trigger: ReactNode;
  /** Its TensorBoard, if it has one. */
  board?: Board | undefined;
  /** In a list: with what the page of the job shows by itself. */
  whole?: boolean;
  /** Called after it was deleted. */
  onGone?: () => void;
}

export function JobMenu({ job, trigger, board, whole = false, onGone }: JobMenuProps) {
  const say = useWords();
  const [asked, setAsked] = useState<"delete" | "enable" | "disable" | "priority" | null>(null);
  const [withBoard, setWithBoard] = useState(false);
  const close = () => setAsked(null);
  const busy = useBusy((state) => state.ids.has(job.id));
  const boards = usePermitted("use_tensorboards");
  const mayCreate = useMayCreate(job.kind);
  const notebook = isNotebook(job);
  const deletable = board?.rights.includes("tensorboards.delete") ?? false;
  const may = (right: string) => job.rights.includes(`jobs.${right}`);
  return (
    <>
      <Menu align="end" trigger={trigger}>
        {whole && notebook && job.status === "Running" && mayOpen(job) && (
          <MenuItem onSelect={() => window.open(job.url, "_blank", "noopener")}>
            {say("hub.act.open")}
          </MenuItem>
        )}
        {whole && boards && (
          <MenuItem onSelect={() => void openJobBoard(job)}>{say("hub.kinds.tensorboard")}</MenuItem>
        )}
        {!whole && !board && may("update") && (
          <MenuItem onSelect={() => setAsked("enable")}>{say("hub.act.enableDots")}</MenuItem>
        )}
        {!whole && deletable && (
          <MenuItem onSelect={() => setAsked("disable")}>{say("hub.act.disableDots")}</MenuItem>
        )}
        {whole && may("logs") && (
          <MenuItem onSelect={() => go(`/jobs/${job.id}#logs`)}>{say("hub.job.part.logs")}</MenuItem>
        )}
        {isPausable(job) && may("pause") && (
          <MenuItem disabled={busy} onSelect={() => void pause(job)}>
            {say("hub.act.pause")}
          </MenuItem>
        )}
        {job.status === "Paused" && may("resume") && (
          <MenuItem disabled={busy} onSelect={() => void resume(job)}>
            {say("hub.act.resume")}
          </MenuItem>
        )}
        {isActive(job) && may("prioritize") && (
          <MenuItem onSelect={() => setAsked("priority")}>{say("hub.act.priorityDots")}</MenuItem>
        )}
        {isActive(job) && may("stop") && (
          <MenuItem disabled={busy} onSelect={() => void endJob(job)}>
            {say("hub.act.stop")}
          </MenuItem>
        )}
        {hasEnded(job) && may("restart") && (
          <MenuItem disabled={busy} onSelect={() => void restart(job)}>
            {say(notebook ? "hub.act.start" : "hub.job.restart")}
          </MenuItem>
        )}
        {mayCreate && !notebook && (
          <MenuItem disabled={busy} onSelect={() => void runAsNewJob(job)}>
            {say("hub.job.runAgain")}
          </MenuItem>
        )}
        {mayCreate && (
          <MenuItem onSelect={() => openNewJob(job, board !== undefined)}>{say("hub.job.clone")}</MenuItem>
        )}
        {may("delete") && job.status !== "Deleting" && (
          <>
            <MenuLine />
            <MenuItem disabled={busy} onSelect={() => setAsked("delete")}>
              {say("hub.act.deleteDots")}
            </MenuItem>
          </>
        )}
      </Menu>
      {asked === "priority" && <ChangePriority job={job} onClose={close} />}
      {asked === "enable" && <EnableBoard job={job} onClose={close} />}
      {asked === "disable" && board && (
        <ConfirmDialog
          title={say("hub.disable.title", { name: job.name })}
          verb={say("hub.act.disable")}
          onClose={close}
          onConfirm={() => disableBoard(job, board)}
        >
          <p>{say("hub.disable.what")}</p>
        </ConfirmDialog>
      )}
      {asked === "delete" && (
        <ConfirmDialog
          title={say("hub.delete.title", { name: job.name })}
          verb={say("hub.act.delete")}
          onClose={close}
          onConfirm={async () => {
            if (await removeJob(job, withBoard && deletable)) onGone?.();
          }}
        >
          <p>{say(isActive(job) ? `hub.deleteActive.${job.kind}` : `hub.deleteWhat.${job.kind}`)}</p>
          {deletable && (
            <label className={style.check}>
              <Check checked={withBoard} onChange={(event) => setWithBoard(event.target.checked)} />
              {say("hub.delete.board")}
            </label>
          )}
        </ConfirmDialog>
      )}
    </>
  );
}
