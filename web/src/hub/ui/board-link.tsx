/** The main action for a TensorBoard by status: open it, start it, or see why it failed. */

import { useWords } from "../../i18n/words";
import { Button } from "../../ui/button";
import { startBoard } from "../data/board-actions";
import { useBusy } from "../data/busy";
import type { Board } from "../data/tensorboards";
import style from "./board-link.module.css";
import { Link } from "./link";

export function BoardLink({ board }: { board: Board }) {
  const say = useWords();
  const busy = useBusy((state) => state.ids.has(board.id));
  switch (board.status) {
    case "Running":
      return (
        <a
          className={style.link}
          href={board.app_uri}
          target="_blank"
          rel="noopener"
          aria-label={say("hub.act.openNamed", { name: board.display_name })}
          data-testid="open"
        >
          {say("hub.act.open")}
          <span aria-hidden="true">↗</span>
        </a>
      );
    case "Stopped":
      return board.rights.includes("tensorboards.start") ? (
        <Button
          size="small"
          icon="play"
          disabled={busy}
          aria-label={say("hub.act.startNamed", { name: board.display_name })}
          data-testid="start"
          onClick={() => void startBoard(board)}
        >
          {say("hub.act.start")}
        </Button>
      ) : (
        <span className={style.quiet}>–</span>
      );
    case "Failed":
    case "Creating_Failed":
      return (
        <Link
          className={style.link}
          to={`/tensorboards/${board.id}#logs`}
          aria-label={say("hub.act.logsNamed", { name: board.display_name })}
        >
          {say("hub.act.logs")}
        </Link>
      );
    case "Pending":
    case "Creating":
      return <span className={style.quiet}>{say("hub.list.soon")}</span>;
    default:
      return <span className={style.quiet}>–</span>;
  }
}
