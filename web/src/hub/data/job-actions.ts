/** Actions on a job or notebook, and on its TensorBoard. */

import { say } from "../../i18n/words";
import {
  changeJob,
  deleteJob,
  extendJob,
  pauseJob,
  prioritizeJob,
  repeatJob,
  restartJob,
  resumeJob,
  stopJob,
} from "../api/jobs";
import { createTensorboard } from "../api/tensorboards";
import { runAction } from "./busy";
import { notifyExtended } from "./extension-notice";
import { isNotebook, isWaiting, type Job, jobCache } from "./jobs";
import { openNewJob } from "./new-job";
import { notify, notifyError } from "./notice";
import { go } from "./route";
import { type Board, dropBoard, refreshListsSoon, upsertBoard } from "./tensorboards";

function upsertJob(job: Job): void {
  jobCache.upsert(job);
  jobCache.refreshListsSoon();
}

/** One that waits for a slot has no process to end. */
export async function endJob(job: Job): Promise<void> {
  await runAction(jobCache, job, "Stopping", () => stopJob(job.id).then(upsertJob)).catch(notifyError);
}

/** What runs is ended, and starts again as another attempt when the job is resumed. */
export async function pause(job: Job): Promise<void> {
  const next = isWaiting(job) ? "Paused" : "Pausing";
  await runAction(jobCache, job, next, () => pauseJob(job.id).then(upsertJob)).catch(notifyError);
}

export async function resume(job: Job): Promise<void> {
  await runAction(jobCache, job, "Queued", () => resumeJob(job.id).then(upsertJob)).catch(notifyError);
}

export async function changePriority(id: string, priority: number): Promise<void> {
  upsertJob(await prioritizeJob(id, priority));
}

/** Rejects if the server refuses. */
export async function extendLifeSpan(job: Job, additionalSecs: number): Promise<void> {
  await runAction(jobCache, job, null, async () => {
    const extended = await extendJob(job.id, additionalSecs);
    upsertJob(extended);
    notifyExtended(extended.name, extended.expires_at);
  });
}

/** Another attempt of the same job. */
export async function restart(job: Job): Promise<void> {
  await runAction(jobCache, job, "Queued", () => restartJob(job.id).then(upsertJob)).catch(notifyError);
}

/** Whether the account sees the values of all variables of a job. */
export const seesVariables = (job: Job) => !Object.values(job.environment).includes(null);

/**
 * A new job like this one, and its page. Who may not see the values of its variables gets the form to enter them.
 * `imageDigest` is that of an environment that the job had, "" for what its image has now.
 */
export async function runAsNewJob(job: Job, imageDigest = ""): Promise<void> {
  if (!seesVariables(job)) return openNewJob(job);
  const send = async () => {
    const made = await repeatJob(job.id, imageDigest);
    jobCache.refreshListsSoon();
    notify(say("hub.job.runsAgain", { name: made.name }));
    go(`/jobs/${made.id}`);
  };
  await runAction(jobCache, job, null, send).catch(notifyError);
}

export async function removeJob(job: Job, withBoard = false): Promise<boolean> {
  return runAction(jobCache, job, "Deleting", () => deleteJob(job.id, withBoard)).then(
    () => {
      jobCache.refreshListsSoon();
      notify(say(isNotebook(job) ? "hub.notebook.deleted" : "hub.job.deleted", { name: job.name }));
      return true;
    },
    (fault) => {
      notifyError(fault);
      return false;
    },
  );
}

/** The TensorBoard of a job: always the same one, created or started if needed. */
export async function jobBoard(job: Job): Promise<Board> {
  const board = await createTensorboard({
    sources: [{ uri: job.tensorboard_uri }],
    display_name: job.display_name,
    project: job.project,
    origin: job.kind,
    origin_id: job.id,
    reuse: true,
  }).finally(refreshListsSoon);
  upsertBoard(board);
  return board;
}

/** Gives a job a TensorBoard of a folder, "" for that of its own logs; also after its end. */
export async function enableBoard(job: Job, logDir: string): Promise<void> {
  const { tensorboard } = await changeJob(job.id, { tensorboard: true, log_dir: logDir });
  if (tensorboard) upsertBoard(tensorboard);
  refreshListsSoon();
  notify(say("hub.job.boardOn", { name: job.name }));
}

/** Deletes its TensorBoard; the logs are kept. */
export async function disableBoard(job: Job, board: Board): Promise<void> {
  await changeJob(job.id, { tensorboard: false });
  dropBoard(board.id);
  notify(say("hub.job.boardOff", { name: job.name }));
}

/** Opens the TensorBoard of a job in another tab, or in this one if the browser allows no other. */
export async function openJobBoard(job: Job): Promise<void> {
  try {
    const board = await jobBoard(job);
    const tab = window.open(board.app_uri, "_blank");
    if (tab) tab.opener = null;
    else location.assign(board.app_uri);
  } catch (fault) {
    notifyError(fault);
  }
}
