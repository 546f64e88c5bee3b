/** What takes the room there is, each with a way to stop it. */

import { Button } from "../../widgets/button";
import { duration } from "../../words/format";
import { useWords } from "../../words/words";
import { stop, useBusy } from "../state/acts";
import { useNow } from "../state/clock";
import { lastUsed, useInUse } from "../state/in-use";
import style from "./in-use.module.css";
import { StatusPill } from "./status-pill";

export function InUse() {
  const say = useWords();
  const boards = useInUse();
  const busy = useBusy((state) => state.ids);
  const now = useNow();
  return (
    <ul className={style.list} aria-label={say("hub.limit.list")}>
      {boards.map((board) => (
        <li key={board.id} className={style.line} data-testid="in-use">
          <bdi className={style.name}>{board.display_name}</bdi>
          <span className={style.idle}>
            {board.status === "Running" ? (
              say("hub.limit.idle", { time: duration(now - lastUsed(board)) })
            ) : (
              <StatusPill status={board.status} />
            )}
          </span>
          <Button
            size="small"
            disabled={
              busy.has(board.id) || board.status === "Stopping" || !board.rights.includes("tensorboards.stop")
            }
            aria-label={say("hub.limit.stop", { name: board.display_name })}
            onClick={() => void stop(board)}
          >
            {say("hub.act.stop")}
          </Button>
        </li>
      ))}
    </ul>
  );
}
