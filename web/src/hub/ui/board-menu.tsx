/** The menu of a TensorBoard with all permitted actions, and their dialogs. */

import { type ReactNode, useState } from "react";
import { duration } from "../../i18n/format";
import { useWords } from "../../i18n/words";
import { copyText } from "../../lib/clipboard";
import { Menu, MenuItem, MenuLine, MenuSub } from "../../ui/menu";
import { deleteBoard, extendBoard, startBoard, stopBoard } from "../data/board-actions";
import { useBusy } from "../data/busy";
import { notify, notifyError } from "../data/notice";
import { go } from "../data/route";
import type { Board } from "../data/tensorboards";
import { ConfirmDialog } from "./confirm-dialog";
import { EditBoard } from "./edit-board";
import { ShareDialog } from "./share-dialog";
import { EXTENSIONS } from "./time-spans";

type Over = "nothing" | "share" | "edit" | "delete";

interface BoardMenuProps {
  board: Board;
  trigger: ReactNode;
  /** Called after it was deleted; null stays. */
  onGone?: () => void;
}

const RESTING: readonly Board["status"][] = ["Stopped", "Failed", "Creating_Failed"];
const GOING: readonly Board["status"][] = ["Pending", "Creating", "Running"];

export function BoardMenu({ board, trigger, onGone }: BoardMenuProps) {
  const say = useWords();
  const [over, setOver] = useState<Over>("nothing");
  const busy = useBusy((state) => state.ids.has(board.id));
  const may = (right: string) => board.rights.includes(`tensorboards.${right}`);
  const close = () => setOver("nothing");
  const copy = async (text: string) => {
    notify(say((await copyText(text)) ? "action.copied" : "notice.notCopied"));
  };
  const path = board.sources.map((source) => source.text).join("\n");
  return (
    <>
      <Menu align="end" trigger={trigger}>
        {board.status === "Running" && (
          <MenuItem onSelect={() => window.open(board.app_uri, "_blank", "noopener")}>
            {say("hub.act.open")}
          </MenuItem>
        )}
        {RESTING.includes(board.status) && may("start") && (
          <MenuItem disabled={busy} onSelect={() => void startBoard(board)}>
            {say("hub.act.start")}
          </MenuItem>
        )}
        {GOING.includes(board.status) && may("stop") && (
          <MenuItem disabled={busy} onSelect={() => void stopBoard(board)}>
            {say("hub.act.stop")}
          </MenuItem>
        )}
        {may("extend") && board.life_span_secs > 0 && (
          <MenuSub label={say("hub.act.extend")}>
            {EXTENSIONS.map((secs) => (
              <MenuItem
                key={secs}
                disabled={busy}
                onSelect={() => void extendBoard(board, secs).catch(notifyError)}
              >
                {say("hub.act.by", { time: duration(secs) })}
              </MenuItem>
            ))}
          </MenuSub>
        )}
        {may("share") && <MenuItem onSelect={() => setOver("share")}>{say("hub.act.share")}</MenuItem>}
        <MenuLine />
        <MenuItem onSelect={() => void copy(path)}>{say("hub.act.copyPath")}</MenuItem>
        <MenuItem onSelect={() => void copy(new URL(board.app_uri, location.href).href)}>
          {say("hub.act.copyLink")}
        </MenuItem>
        {may("update") && <MenuItem onSelect={() => setOver("edit")}>{say("hub.act.edit")}</MenuItem>}
        {may("logs") && (
          <MenuItem onSelect={() => go(`/tensorboards/${board.id}#logs`)}>{say("hub.act.logs")}</MenuItem>
        )}
        {may("delete") && (
          <>
            <MenuLine />
            <MenuItem disabled={busy} onSelect={() => setOver("delete")}>
              {say("hub.act.deleteDots")}
            </MenuItem>
          </>
        )}
      </Menu>
      {over === "share" && <ShareDialog board={board} onClose={close} />}
      {over === "edit" && <EditBoard board={board} onClose={close} />}
      {over === "delete" && (
        <ConfirmDialog
          title={say("hub.delete.title", { name: board.display_name })}
          verb={say("hub.act.delete")}
          onClose={close}
          onConfirm={async () => {
            if (await deleteBoard(board)) onGone?.();
          }}
        >
          <p>{say("hub.delete.kept")}</p>
        </ConfirmDialog>
      )}
    </>
  );
}
