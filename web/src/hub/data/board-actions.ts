/** Actions on a TensorBoard. */

import { create } from "zustand";
import { ApiError } from "../../api/client";
import { dateTime } from "../../i18n/format";
import { say } from "../../i18n/words";
import { deleteTensorboard, extendTensorboard, startTensorboard, stopTensorboard } from "../api/tensorboards";
import { runAction } from "./busy";
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

export async function extendBoard(board: Board, additionalSecs: number): Promise<void> {
  await runAction(boardCache, board, null, () =>
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
