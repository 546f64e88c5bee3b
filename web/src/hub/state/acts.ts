/** What one does to a TensorBoard: shown at once, taken back where it is refused, one at a time. */

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
import { notify, notifyFault } from "./notice";
import { noticeEnd } from "./queries";
import { type Board, change, listsSoon, put, type Status, take } from "./tensorboards";

/** Ids of boards that are being acted upon: a second click does nothing. */
export const useBusy = create<{ ids: ReadonlySet<string> }>()(() => ({ ids: new Set() }));

/** A board that could not be started for want of room: the page then lists what takes the room. */
export const useNoRoom = create<{ board: Board | null }>()(() => ({ board: null }));

export const LIMIT_CODE = "TensorboardLimitExceeded";

export async function start(board: Board): Promise<void> {
  await act(board, "Pending", () => startTensorboard(board.id).then(put)).catch((fault) => {
    if (fault instanceof ApiError && fault.code === LIMIT_CODE) useNoRoom.setState({ board });
    else notifyFault(fault);
  });
}

export async function stop(board: Board): Promise<void> {
  await act(board, "Stopping", () => stopTensorboard(board.id).then(put)).catch(notifyFault);
}

export async function extend(board: Board, additionalSecs: number): Promise<void> {
  await act(board, null, () =>
    extendTensorboard(board.id, { additional_secs: additionalSecs }).then((answer) => {
      put(answer);
      const { expires_at: end, display_name: name } = answer;
      notify(
        end === null
          ? say("hub.notice.extended", { name })
          : say("hub.notice.extendedTo", { name, end: dateTime(end) }),
      );
    }),
  ).catch(notifyFault);
}

export async function erase(board: Board): Promise<boolean> {
  return act(board, "Deleting", () => deleteTensorboard(board.id).then(() => take(board.id))).then(
    () => {
      notify(say("hub.notice.deleted", { name: board.display_name }));
      return true;
    },
    (fault) => {
      notifyFault(fault);
      return false;
    },
  );
}

async function act(board: Board, status: Status | null, done: () => Promise<unknown>): Promise<void> {
  const { id } = board;
  if (useBusy.getState().ids.has(id)) return;
  useBusy.setState(({ ids }) => ({ ids: new Set(ids).add(id) }));
  if (status) change(id, (shown) => ({ ...shown, status, reason: "", message: "" }));
  try {
    await done();
  } catch (fault) {
    change(id, (shown) => (shown.version > board.version ? shown : board));
    noticeEnd(fault);
    listsSoon();
    throw fault;
  } finally {
    useBusy.setState(({ ids }) => ({ ids: new Set([...ids].filter((each) => each !== id)) }));
  }
}
