// biome-ignore-all lint/a11y/useSemanticElements: a table of which only the rows in sight exist
// biome-ignore-all lint/a11y/useFocusableInteractive: rows and heads hold what takes the focus

/** The list as a virtual table: a thousand rows cost as much as a screen of them. */

import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useRef, useSyncExternalStore } from "react";
import { mediaQuery } from "../../../base/media-query";
import { useWords, type WordId } from "../../../words/words";
import { putQuery, useQuery } from "../../state/route";
import type { Board } from "../../state/tensorboards";
import style from "./board-list.module.css";
import { BoardRow } from "./board-row";

const ROW_PX = 48;
const PHONE_ROW_PX = 88;
/** The next page is fetched when this many rows are left. */
const AHEAD = 30;

const phone = mediaQuery("(max-width: 639px)");

interface ListProps {
  boards: readonly Board[];
  total: number;
  busy: boolean;
  onMore(): void;
}

const HEADS: readonly (readonly [id: string, word: WordId, sort?: string])[] = [
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

export function BoardList({ boards, total, busy, onMore }: ListProps) {
  const say = useWords();
  const box = useRef<HTMLDivElement>(null);
  const narrow = useSyncExternalStore(phone.subscribe, phone.matches);
  const rows = useVirtualizer({
    count: boards.length,
    getScrollElement: () => box.current,
    estimateSize: () => (narrow ? PHONE_ROW_PX : ROW_PX),
    getItemKey: (at) => boards[at]!.id,
    overscan: 8,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: rows are another height then
  useEffect(() => rows.measure(), [narrow]);
  const virtualRows = rows.getVirtualItems();
  const last = virtualRows.at(-1)?.index ?? 0;
  useEffect(() => {
    if (last + AHEAD >= boards.length && boards.length < total) onMore();
  }, [last, boards.length, total, onMore]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys
    <div ref={box} className={style.box} tabIndex={0} aria-busy={busy} data-testid="list">
      <div role="table" aria-label={say("hub.page.analysis")} aria-rowcount={total + 1}>
        <div role="rowgroup" className={style.heads}>
          <div role="row" className={`${style.row} ${style.head}`} aria-rowindex={1}>
            {HEADS.map(([id, word, sort]) => (
              <Head key={id} id={id} label={say(word)} sort={sort} />
            ))}
            <div role="columnheader" className={style.menu}>
              <span className={style.unseen}>{say("hub.field.menu")}</span>
            </div>
          </div>
        </div>
        <div role="rowgroup" className={style.rows} style={busy ? {} : { height: rows.getTotalSize() }}>
          {busy && <Skeleton />}
          {virtualRows.map((row) => (
            <BoardRow
              key={row.key}
              board={boards[row.index]!}
              index={row.index}
              top={row.start}
              height={row.size}
            />
          ))}
        </div>
      </div>
    </div>
  );
}

function Head({ id, label, sort }: { id: string; label: string; sort: string | undefined }) {
  const say = useWords();
  const now = useQuery().get("sort") ?? "-created";
  if (!sort)
    return (
      <div role="columnheader" className={style[id]}>
        {label}
      </div>
    );
  const down = now === `-${sort}`;
  const up = now === sort;
  const next = down ? sort : up ? `-${sort}` : sort === "created" ? "-created" : sort;
  return (
    <div
      role="columnheader"
      className={style[id]}
      aria-sort={down ? "descending" : up ? "ascending" : "none"}
    >
      <button
        type="button"
        className={style.sort}
        title={say("hub.list.sortBy", { column: label })}
        onClick={() => putQuery({ sort: next === "-created" ? "" : next })}
      >
        {label}
        {(down || up) && <span aria-hidden="true">{down ? " ↓" : " ↑"}</span>}
      </button>
    </div>
  );
}

/** Placeholders of the final size while the first response is loading. */
function Skeleton() {
  return (
    <div className={style.skeleton} aria-hidden="true">
      {[1, 2, 3, 4].map((each) => (
        <div key={each} />
      ))}
    </div>
  );
}
