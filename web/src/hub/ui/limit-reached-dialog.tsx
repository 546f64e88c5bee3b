/** Shown when the limit prevents a start: the boards in use, and then the start itself. */

import { useWords } from "../../i18n/words";
import { Button } from "../../ui/button";
import { Dialog } from "../../ui/dialog";
import { startBoard, useLimitReached } from "../data/board-actions";
import { useLimit } from "../data/tensorboards";
import { BoardsInUse } from "./boards-in-use";
import style from "./form.module.css";

export function LimitReachedDialog() {
  const board = useLimitReached((state) => state.board);
  const say = useWords();
  const limit = useLimit();
  if (!board) return null;
  const close = () => useLimitReached.setState({ board: null });
  const full = limit !== null && limit.inUse >= limit.limit;
  return (
    <Dialog
      title={say("hub.limit.title", { name: board.display_name })}
      closeLabel={say("action.close")}
      open
      onClose={close}
    >
      <div className={style.form}>
        <p role="status">
          {limit &&
            say(full ? "hub.limit.full" : "hub.limit.inUse", { used: limit.inUse, limit: limit.limit })}
        </p>
        <BoardsInUse />
        <div className={style.foot}>
          <Button data-first onClick={close}>
            {say("action.cancel")}
          </Button>
          <Button
            variant="primary"
            disabled={full}
            onClick={() => {
              close();
              void startBoard(board);
            }}
          >
            {say("hub.act.start")}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
