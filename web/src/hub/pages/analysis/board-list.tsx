/** The list of TensorBoards. */

import { useWords } from "../../../i18n/words";
import type { Board } from "../../data/tensorboards";
import style from "./board-list.module.css";
import { BoardRow } from "./board-row";
import { type Heading, ResourceList } from "./resource-list";

const HEADINGS: readonly Heading[] = [
  ["status", "hub.field.status"],
  ["name", "hub.field.name", "name"],
  ["link", "hub.field.link"],
  ["created", "hub.field.created", "created"],
  ["origin", "hub.field.origin"],
  ["sources", "hub.field.sources"],
  ["owner", "hub.field.owner"],
  ["expires", "hub.field.expires"],
  ["read", "hub.field.read"],
];

interface ListProps {
  items: readonly Board[];
  total: number;
  busy: boolean;
  onMore(): void;
}

export function BoardList(props: ListProps) {
  const say = useWords();
  return (
    <ResourceList label={say("hub.page.analysis")} headings={HEADINGS} classes={style} {...props}>
      {(board, place) => <BoardRow key={board.id} board={board} {...place} />}
    </ResourceList>
  );
}
