/** The boards that count towards the limit, each with a button to stop it. */

import { duration } from "../../i18n/format";
import { useWords } from "../../i18n/words";
import { visibleText } from "../../lib/visible-text";
import { Button } from "../../ui/button";
import { stopBoard } from "../data/board-actions";
import { useBusy } from "../data/busy";
import { useNow } from "../data/clock";
import { lastUsed, useInUse } from "../data/tensorboards";
import style from "./boards-in-use.module.css";
import { StatusPill } from "./status-pill";

export function BoardsInUse() {
  const say = useWords();
  const boards = useInUse();
  const busy = useBusy((state) => state.ids);
  const now = useNow();
  return (
    <ul className={style.list} aria-label={say("hub.limit.list")}>
      {boards.map((board) => (
        <li key={board.id} className={style.line} data-testid="in-use">
          <bdi className={style.name}>{visibleText(board.display_name)}</bdi>
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
            onClick={() => void stopBoard(board)}
          >
            {say("hub.act.stop")}
          </Button>
        </li>
      ))}
    </ul>
  );
}
