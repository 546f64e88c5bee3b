import { type ReactNode, useState } from "react";
import type { TensorboardDetail } from "../../../api/hub-schema.gen";
import { ago, bytes, dateTime, duration } from "../../../i18n/format";
import { useWords } from "../../../i18n/words";
import { visibleText } from "../../../lib/visible-text";
import { Button } from "../../../ui/button";
import { extendBoard } from "../../data/board-actions";
import { useNow } from "../../data/clock";
import { isFresh } from "../../data/tensorboards";
import { Facts } from "../../ui/detail";
import { EditBoard } from "../../ui/edit-board";
import { LifeSpan } from "../../ui/life-span";
import { OriginText } from "../../ui/origin-text";
import { Code } from "../../ui/section";
import { Table } from "../../ui/table";
import { ResourceUsage } from "./resource-usage";

/** Details of a TensorBoard as names and values. */
export function Overview({ board }: { board: TensorboardDetail }) {
  const say = useWords();
  const now = useNow();
  const { progress } = board;
  const span = (secs: number) => (secs === 0 ? say("hub.span.never") : duration(secs));
  const details: [string, ReactNode][] = [
    [say("hub.field.created"), dateTime(board.created_at)],
    [say("hub.field.owner"), <bdi key="owner">{visibleText(board.owner_name)}</bdi>],
    [say("hub.field.project"), <bdi key="project">{visibleText(board.project_name)}</bdi>],
    [say("hub.field.origin"), <OriginText key="origin" board={board} />],
    [
      say("hub.field.life"),
      <LifeSpan
        key="life"
        of={board}
        name={board.display_name}
        extensible={board.rights.includes("tensorboards.extend")}
        onExtend={(secs) => extendBoard(board, secs)}
      />,
    ],
    [
      say("hub.field.idle"),
      board.idle_at === null
        ? span(board.idle_timeout_secs)
        : say("hub.detail.idleIn", {
            span: span(board.idle_timeout_secs),
            time: duration(Math.max(0, board.idle_at - now)),
          }),
    ],
    [
      say("hub.field.lastUsed"),
      board.last_active_at === null ? "–" : ago(Math.max(0, now - board.last_active_at)),
    ],
    [
      say("hub.field.access"),
      say(board.access === "private" ? "hub.access.ofOwner" : `hub.access.${board.access}`),
    ],
    [say("hub.field.runs"), isFresh(board) ? "–" : String(progress.runs)],
    [
      say("hub.field.lastEvent"),
      progress.last_event_at === null ? "–" : ago(Math.max(0, now - progress.last_event_at)),
    ],
    [say("hub.field.read"), progress.bytes_read > 0 ? bytes(progress.bytes_read) : "–"],
    [
      say("hub.field.link"),
      <a key="link" href={board.app_uri}>
        <bdi>{new URL(board.app_uri, location.href).href}</bdi>
      </a>,
    ],
    [say("hub.field.id"), <Code key="id">{board.id}</Code>],
  ];
  if (board.tags.length > 0)
    details.push([say("hub.field.tags"), <bdi key="tags">{visibleText(board.tags.join(", "))}</bdi>]);
  return (
    <>
      <ResourceUsage board={board} />
      <Facts facts={details} />
    </>
  );
}

/** Its sources, which can be edited while it runs. */
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
            cell: (source) => <Code>{source.text}</Code>,
          },
          {
            id: "alias",
            title: say("hub.source.alias"),
            wide: true,
            cell: (source) => <bdi>{visibleText(source.alias || "–")}</bdi>,
          },
          {
            id: "include",
            title: say("hub.source.include"),
            wide: true,
            cell: (source) => <Code>{source.include || "–"}</Code>,
          },
          {
            id: "exclude",
            title: say("hub.source.exclude"),
            wide: true,
            cell: (source) => <Code>{source.exclude || "–"}</Code>,
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
