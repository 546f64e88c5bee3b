/** There is no room to start another: what takes it, and then the start itself. */

import { Button } from "../../widgets/button";
import { Dialog } from "../../widgets/dialog";
import { useWords } from "../../words/words";
import { start, useNoRoom } from "../state/acts";
import { useLimit } from "../state/tensorboards";
import style from "./form.module.css";
import { InUse } from "./in-use";

export function NoRoom() {
  const board = useNoRoom((state) => state.board);
  const say = useWords();
  const limit = useLimit();
  if (!board) return null;
  const close = () => useNoRoom.setState({ board: null });
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
        <InUse />
        <div className={style.foot}>
          <Button onClick={close}>{say("action.cancel")}</Button>
          <Button
            look="primary"
            disabled={full}
            onClick={() => {
              close();
              void start(board);
            }}
          >
            {say("hub.act.start")}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
