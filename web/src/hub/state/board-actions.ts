/** Actions on a TensorBoard: shown at once, reverted if refused, one at a time. */

import { create } from "zustand";
import { ApiError } from "../../api/client";
import {
  deleteTensorboard,
  extendTensorboard,
  startTensorboard,
  stopTensorboard,
} from "../../api/hub/tensorboards";
import { dateTime } from "../../words/format";
import { say } from "../../words/words";
import { notify, notifyError } from "./notice";
import { endSession } from "./queries";
import {
  type Board,
  dropBoard,
  refreshListsSoon,
  type Status,
  updateBoard,
  upsertBoard,
} from "./tensorboards";

/** Ids of boards with an action in progress: a second click does nothing. */
export const useBusy = create<{ ids: ReadonlySet<string> }>()(() => ({ ids: new Set() }));

/** The board that could not be started because of the limit: the dialog then lists the boards in use. */
export const useLimitReached = create<{ board: Board | null }>()(() => ({ board: null }));

export const LIMIT_CODE = "TensorboardLimitExceeded";

export async function startBoard(board: Board): Promise<void> {
  await runAction(board, "Pending", () => startTensorboard(board.id).then(upsertBoard)).catch((fault) => {
    if (fault instanceof ApiError && fault.code === LIMIT_CODE) useLimitReached.setState({ board });
    else notifyError(fault);
  });
}

export async function stopBoard(board: Board): Promise<void> {
  await runAction(board, "Stopping", () => stopTensorboard(board.id).then(upsertBoard)).catch(notifyError);
}

export async function extendBoard(board: Board, additionalSecs: number): Promise<void> {
  await runAction(board, null, () =>
    extendTensorboard(board.id, { additional_secs: additionalSecs }).then((answer) => {
      upsertBoard(answer);
      const { expires_at: end, display_name: name } = answer;
      notify(
        end === null
          ? say("hub.notice.extended", { name })
          : say("hub.notice.extendedTo", { name, end: dateTime(end) }),
      );
    }),
  ).catch(notifyError);
}

export async function deleteBoard(board: Board): Promise<boolean> {
  return runAction(board, "Deleting", () => deleteTensorboard(board.id).then(() => dropBoard(board.id))).then(
    () => {
      notify(say("hub.notice.deleted", { name: board.display_name }));
      return true;
    },
    (fault) => {
      notifyError(fault);
      return false;
    },
  );
}

async function runAction(board: Board, status: Status | null, send: () => Promise<unknown>): Promise<void> {
  const { id } = board;
  if (useBusy.getState().ids.has(id)) return;
  useBusy.setState(({ ids }) => ({ ids: new Set(ids).add(id) }));
  if (status) updateBoard(id, (shown) => ({ ...shown, status, reason: "", message: "" }));
  try {
    await send();
  } catch (fault) {
    updateBoard(id, (shown) => (shown.version > board.version ? shown : board));
    endSession(fault);
    refreshListsSoon();
    throw fault;
  } finally {
    useBusy.setState(({ ids }) => ({ ids: new Set([...ids].filter((each) => each !== id)) }));
  }
}
