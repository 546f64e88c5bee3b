/** Shown when the limit prevents a start: the boards in use, and then the start itself. */

import { Button } from "../../widgets/button";
import { Dialog } from "../../widgets/dialog";
import { useWords } from "../../words/words";
import { startBoard, useLimitReached } from "../state/board-actions";
import { useLimit } from "../state/tensorboards";
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
          <Button onClick={close}>{say("action.cancel")}</Button>
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
