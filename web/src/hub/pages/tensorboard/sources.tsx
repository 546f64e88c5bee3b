import { useState } from "react";
import type { TensorboardDetail } from "../../../api/hub/schema.gen";
import { Button } from "../../../widgets/button";
import { useWords } from "../../../words/words";
import { EditBoard } from "../../parts/edit-board";
import { Table } from "../../parts/table";
import style from "./tensorboard.module.css";

/** Where its logs lie; edited while it runs. */
export function Sources({ board }: { board: TensorboardDetail }) {
  const say = useWords();
  const [editing, setEditing] = useState(false);
  return (
    <>
      <Table
        label={say("hub.part.sources")}
        rows={board.sources}
        rowKey={(source) => source.id}
        columns={[
          { id: "kind", title: say("hub.source.kind"), cell: (source) => say(`hub.kind.${source.kind}`) },
          {
            id: "place",
            title: say("hub.field.logPath"),
            cell: (source) => <bdi className={style.code}>{source.text}</bdi>,
          },
          {
            id: "alias",
            title: say("hub.source.alias"),
            wide: true,
            cell: (source) => <bdi>{source.alias || "–"}</bdi>,
          },
          {
            id: "include",
            title: say("hub.source.include"),
            wide: true,
            cell: (source) => <bdi className={style.code}>{source.include || "–"}</bdi>,
          },
          {
            id: "exclude",
            title: say("hub.source.exclude"),
            wide: true,
            cell: (source) => <bdi className={style.code}>{source.exclude || "–"}</bdi>,
          },
        ]}
      />
      {board.rights.includes("tensorboards.update") && (
        <div>
          <Button icon="pencil" data-testid="edit" onClick={() => setEditing(true)}>
            {say("hub.act.edit")}
          </Button>
        </div>
      )}
      {editing && <EditBoard board={board} onClose={() => setEditing(false)} />}
    </>
  );
}
