/** The stream of changes, which keeps lists and details up to date. */

import { create } from "zustand";
import { watch } from "../api/watch";
import { dropJob, followJob } from "./jobs";
import { queries } from "./queries";
import { dropBoard, upsertBoard } from "./tensorboards";

/** Whether the stream of changes is connected. */
export const useWatching = create<{ lost: boolean }>()(() => ({ lost: false }));

/** Follows the stream of changes; returns a function that stops it. */
export function followChanges(): () => void {
  return watch({
    onChange: upsertBoard,
    onGone: dropBoard,
    onJob: followJob,
    onJobGone: dropJob,
    onOpen: () => {
      // Changes were missed in the meantime.
      if (useWatching.getState().lost) void queries.invalidateQueries();
      useWatching.setState({ lost: false });
    },
    onLost: (refused) => {
      useWatching.setState({ lost: true });
      // The rejected stream does not say why; this request does.
      if (refused) void queries.invalidateQueries({ queryKey: ["me"] });
    },
  });
}
