// biome-ignore-all lint/a11y/useSemanticElements: a table of which only the rows in sight exist
// biome-ignore-all lint/a11y/useFocusableInteractive: rows and heads hold what takes the focus

/** A list as a virtual table: a thousand rows cost as much as a screen of them. */

import { useVirtualizer } from "@tanstack/react-virtual";
import { type ReactNode, useEffect, useRef, useSyncExternalStore } from "react";
import { useWords, type WordId } from "../../../i18n/words";
import { mediaQuery } from "../../../lib/media-query";
import { go, putQuery, useQuery } from "../../data/route";
import style from "./resource-list.module.css";

const ROW_PX = 48;
const PHONE_ROW_PX = 88;
/** The next page is fetched when this many rows are left. */
const AHEAD = 30;

const phone = mediaQuery("(max-width: 639px)");

/** A column: its class, its title, and the name that the address has for sorting by it. A title may be data. */
export type Heading = readonly [id: string, title: WordId | { text: string }, sort?: string];

/** Where a row stands. */
export interface RowPlace {
  index: number;
  top: number;
  height: number;
}

interface ListProps<Item> {
  items: readonly Item[];
  total: number;
  busy: boolean;
  label: string;
  headings: readonly Heading[];
  /** Classes of the columns; `columns` is that of a row. */
  classes: CSSModuleClasses;
  onMore(): void;
  children(item: Item, place: RowPlace): ReactNode;
}

export function ResourceList<Item extends { id: string }>(props: ListProps<Item>) {
  const { items, total, busy, label, headings, classes, onMore, children } = props;
  const say = useWords();
  const box = useRef<HTMLDivElement>(null);
  const narrow = useSyncExternalStore(phone.subscribe, phone.matches);
  const rows = useVirtualizer({
    count: items.length,
    getScrollElement: () => box.current,
    estimateSize: () => (narrow ? PHONE_ROW_PX : ROW_PX),
    getItemKey: (at) => items[at]!.id,
    overscan: 8,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: rows are another height then
  useEffect(() => rows.measure(), [narrow]);
  const virtualRows = rows.getVirtualItems();
  const last = virtualRows.at(-1)?.index ?? 0;
  useEffect(() => {
    if (last + AHEAD >= items.length && items.length < total) onMore();
  }, [last, items.length, total, onMore]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys
    <div ref={box} className={style.box} tabIndex={0} aria-busy={busy} data-testid="list">
      <div role="table" aria-label={label} aria-rowcount={total + 1}>
        <div role="rowgroup" className={style.heads}>
          <div role="row" className={`${style.row} ${style.head} ${classes.columns}`} aria-rowindex={1}>
            {headings.map(([id, title, sort]) => (
              <Head
                key={typeof title === "string" ? id : `${id} ${title.text}`}
                className={[style[id], classes[id]].filter(Boolean).join(" ")}
                label={typeof title === "string" ? say(title) : title.text}
                sort={sort}
              />
            ))}
            <div role="columnheader" className={style.menu}>
              <span className={style.unseen}>{say("hub.field.menu")}</span>
            </div>
          </div>
        </div>
        <div role="rowgroup" className={style.rows} style={busy ? {} : { height: rows.getTotalSize() }}>
          {busy && <Skeleton />}
          {virtualRows.map((row) =>
            children(items[row.index]!, { index: row.index, top: row.start, height: row.size }),
          )}
        </div>
      </div>
    </div>
  );
}

interface HeadProps {
  className: string;
  label: string;
  sort: string | undefined;
}

function Head({ className, label, sort }: HeadProps) {
  const say = useWords();
  const now = useQuery().get("sort") ?? "-created";
  if (!sort)
    return (
      <div role="columnheader" className={className}>
        <bdi className={style.plain} title={label}>
          {label}
        </bdi>
      </div>
    );
  const down = now === `-${sort}`;
  const up = now === sort;
  const next = down ? sort : up ? `-${sort}` : sort === "created" ? "-created" : sort;
  return (
    <div
      role="columnheader"
      className={className}
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

interface RowProps extends RowPlace {
  id: string;
  status: string;
  /** The page of the resource, which opens on a click. */
  page: string;
  /** Class of its columns. */
  className: string | undefined;
  children: ReactNode;
}

export function ResourceRow({ id, status, page, index, top, height, className, children }: RowProps) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the name is a link to the same page
    <div
      role="row"
      tabIndex={-1}
      className={`${style.row} ${className}`}
      style={{ transform: `translateY(${top}px)`, height }}
      aria-rowindex={index + 2}
      data-testid="instance-row"
      data-id={id}
      data-status={status}
      onClick={(event) => {
        const inner = event.target as Element;
        // Dialogs are children of the row in React, but not in the DOM. The second click of a double click on a
        // button that has disappeared was meant for the button.
        if (event.detail < 2 && event.currentTarget.contains(inner) && !inner.closest("a, button")) go(page);
      }}
    >
      {children}
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
