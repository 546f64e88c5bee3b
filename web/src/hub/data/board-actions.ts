/** Actions on a TensorBoard. */

import { create } from "zustand";
import { ApiError } from "../../api/client";
import { say } from "../../i18n/words";
import { deleteTensorboard, extendTensorboard, startTensorboard, stopTensorboard } from "../api/tensorboards";
import { runAction } from "./busy";
import { notifyExtended } from "./extension-notice";
import { notify, notifyError } from "./notice";
import { type Board, boardCache, dropBoard, upsertBoard } from "./tensorboards";

/** The board that could not be started because of the limit: the dialog then lists the boards in use. */
export const useLimitReached = create<{ board: Board | null }>()(() => ({ board: null }));

export const LIMIT_CODE = "TensorboardLimitExceeded";

export async function startBoard(board: Board): Promise<void> {
  await runAction(boardCache, board, "Pending", () => startTensorboard(board.id).then(upsertBoard)).catch(
    (fault) => {
      if (fault instanceof ApiError && fault.code === LIMIT_CODE) useLimitReached.setState({ board });
      else notifyError(fault);
    },
  );
}

export async function stopBoard(board: Board): Promise<void> {
  await runAction(boardCache, board, "Stopping", () => stopTensorboard(board.id).then(upsertBoard)).catch(
    notifyError,
  );
}

/** Rejects if the server refuses. */
export async function extendBoard(board: Board, additionalSecs: number): Promise<void> {
  await runAction(boardCache, board, null, async () => {
    const extended = await extendTensorboard(board.id, additionalSecs);
    upsertBoard(extended);
    notifyExtended(extended.display_name, extended.expires_at);
  });
}

export async function deleteBoard(board: Board): Promise<boolean> {
  return runAction(boardCache, board, "Deleting", () =>
    deleteTensorboard(board.id).then(() => dropBoard(board.id)),
  ).then(
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
