/** Parameters, bytes, operations, and what a step took, by scope, under the picture. Scopes open and close in both. */

import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useEffect, useMemo, useRef, useState } from "react";
import type { TotalsRow } from "../../../api/graphs";
import { bytes, count, shortCount } from "../../../i18n/format";
import { useWords, type WordId } from "../../../i18n/words";
import { formatMicroseconds } from "../../../lib/microseconds";
import { Breakable } from "../../../ui/breakable";
import { Button } from "../../../ui/button";
import { Field } from "../../../ui/field";
import { Icon } from "../../../ui/icon";
import { totalsQuery } from "../../data/graphs";
import { type GraphName, showGraphs } from "../graph-data";
import {
  type CostName,
  followPicture,
  nextSort,
  type ShownRow,
  type SortColumn,
  shownCosts,
  shownRows,
  type TotalsNode,
  type TotalsSort,
  totalsTree,
} from "./totals-rows";
import style from "./totals-table.module.css";

interface TotalsTableProps {
  graph: GraphName;
  /** Paths of the boxes that are open in the picture. */
  openInPicture: readonly string[];
  /** The path of what is selected there. */
  selected: string;
  onJump(path: string): void;
  /** Opens or closes a box of the picture, if it has one of this path. */
  onToggle(path: string, open: boolean): void;
  /** The menu that exports all rows. */
  menu: TotalsMenu;
}

export type TotalsMenu = (graph: GraphName, rows: readonly TotalsRow[]) => ReactNode;

const WORDS: Record<SortColumn, WordId> = {
  name: "graphs.totals.scope",
  parameters: "graphs.parameters",
  trainable: "graphs.totals.trainable",
  bytes: "graphs.totals.bytes",
  flops: "graphs.totals.flops",
  time: "graphs.time",
  memory: "graphs.memory",
};

/** More rows at once make the page slow; a search finds the others. */
const MOST_ROWS = 1000;

export function TotalsTable({ graph, openInPicture, selected, onJump, onToggle, menu }: TotalsTableProps) {
  const say = useWords();
  const { data, error, refetch } = useQuery(totalsQuery(graph));
  const [text, setText] = useState("");
  const [sort, setSort] = useState<TotalsSort | null>(null);
  const { open, toggle } = useOpenRows(openInPicture, onToggle);
  const root = useMemo(() => data && totalsTree(data.rows), [data]);
  const shown = useMemo(() => (root ? shownRows(root, { open, sort, text }) : []), [root, open, sort, text]);
  const rows = data?.rows ?? [];
  return (
    <section className={style.totals} aria-label={say("graphs.totals")} data-testid="graph-totals">
      <div className={style.bar}>
        <h2 className={style.title}>{say("graphs.totals")}</h2>
        <Field
          className={style.search}
          label={say("graphs.totals.search")}
          clearLabel={say("action.clear")}
          value={text}
          onChange={setText}
        />
        {menu(graph, rows)}
        <Button
          variant="quiet"
          icon="close"
          label={say("action.close")}
          onClick={() => showGraphs({ totals: false })}
        />
      </div>
      {error && (
        <div role="alert" className={style.fault}>
          <p>{error.message}</p>
          <Button size="small" icon="reload" onClick={() => void refetch()}>
            {say("action.retry")}
          </Button>
        </div>
      )}
      {root && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a long table is scrolled by keys too
        <section className={style.scroll} tabIndex={0} aria-label={say("graphs.totals")}>
          <table className={style.table}>
            <Head root={root} sort={sort} onSort={(column) => setSort(nextSort(sort, column))} />
            <tbody>
              {shown.slice(0, MOST_ROWS).map((row) => (
                <Row
                  key={row.node.row.path}
                  root={root}
                  shown={row}
                  selected={row.node.row.path === selected && selected !== ""}
                  onJump={onJump}
                  onToggle={toggle}
                />
              ))}
            </tbody>
          </table>
          <Notes root={root} shown={shown.length} rows={rows.length} total={data?.total ?? 0} />
        </section>
      )}
    </section>
  );
}

/** What is open in the table: what the picture opens and closes, and members of stacks, which it shows one at a time. */
function useOpenRows(
  openInPicture: readonly string[],
  onToggle: (path: string, open: boolean) => void,
): { open: ReadonlySet<string>; toggle(path: string): void } {
  const [open, setOpen] = useState<ReadonlySet<string>>(() => new Set(openInPicture));
  const before = useRef(openInPicture);
  useEffect(() => {
    const was = before.current;
    before.current = openInPicture;
    setOpen((now) => followPicture(now, was, openInPicture));
  }, [openInPicture]);
  const toggle = (path: string) => {
    const next = new Set(open);
    if (!next.delete(path)) next.add(path);
    setOpen(next);
    onToggle(path, next.has(path));
  };
  return { open, toggle };
}

interface HeadProps {
  root: TotalsNode;
  sort: TotalsSort | null;
  onSort(column: SortColumn): void;
}

function Head({ root, sort, onSort }: HeadProps) {
  const say = useWords();
  return (
    <thead>
      <tr>
        {(["name", ...shownCosts(root)] as const).map((column) => (
          <th
            key={column}
            scope="col"
            data-column={column}
            data-unknown={(column !== "name" && root.row[column] === null) || undefined}
            title={column === "flops" ? say("graphs.totals.flopsNote") : undefined}
            aria-sort={sort?.column !== column ? "none" : sort.down ? "descending" : "ascending"}
          >
            <button type="button" onClick={() => onSort(column)}>
              {say(WORDS[column])}
              <span aria-hidden="true" className={style.arrow}>
                {sort?.column === column ? (sort.down ? "↓" : "↑") : ""}
              </span>
            </button>
          </th>
        ))}
      </tr>
    </thead>
  );
}

interface RowProps {
  root: TotalsNode;
  shown: ShownRow;
  selected: boolean;
  onJump(path: string): void;
  onToggle(path: string): void;
}

const INDENT_PX = 14;
const MOST_INDENTS = 12;

function Row({ root, shown: { node, open }, selected, onJump, onToggle }: RowProps) {
  const say = useWords();
  const { row } = node;
  const name = node.name || say("graphs.whole");
  return (
    <tr data-path={row.path} data-selected={selected || undefined}>
      <th scope="row">
        <span className={style.name} style={{ paddingLeft: Math.min(MOST_INDENTS, row.depth) * INDENT_PX }}>
          {open === null || row.depth === 0 ? (
            <span className={style.leaf} />
          ) : (
            <button
              type="button"
              className={style.fold}
              aria-expanded={open}
              aria-label={say(open ? "graphs.totals.close" : "graphs.totals.open", { name })}
              onClick={() => onToggle(row.path)}
            >
              <Icon name={open ? "down" : "right"} size={12} />
            </button>
          )}
          {row.depth === 0 ? (
            <span className={style.whole}>{name}</span>
          ) : (
            <button type="button" className={style.link} title={row.path} onClick={() => onJump(row.path)}>
              <Breakable>{name}</Breakable>
            </button>
          )}
          {row.op !== "" && <span className={style.op}>{row.op}</span>}
        </span>
      </th>
      {shownCosts(root).map((column) => (
        <Cost key={column} root={root} node={node} column={column} />
      ))}
    </tr>
  );
}

interface CostProps {
  root: TotalsNode;
  node: TotalsNode;
  column: CostName;
}

function Cost({ root, node: { row }, column }: CostProps) {
  const say = useWords();
  const value = row[column];
  const partial = row.partial.some((name) => name === column);
  const unknown = root.row[column] === null || undefined;
  if (value === null) return <td data-unknown={unknown}>–</td>;
  const text = costText(column, value);
  const exact = column === "time" ? `${count(value)} µs` : count(value);
  return (
    <td title={partial ? say("graphs.totals.partial", { value: exact }) : exact}>
      {partial ? `≥ ${text}` : text}
    </td>
  );
}

function costText(column: CostName, value: number): string {
  switch (column) {
    case "bytes":
    case "memory":
      return bytes(value);
    case "flops":
      return shortCount(value);
    case "time":
      return formatMicroseconds(value);
    default:
      return count(value);
  }
}

interface NotesProps {
  root: TotalsNode;
  shown: number;
  rows: number;
  total: number;
}

function Notes({ root, shown, rows, total }: NotesProps) {
  const say = useWords();
  const notes: string[] = [];
  if (shown > MOST_ROWS) notes.push(say("graphs.outOf", { shown: count(MOST_ROWS), total: count(shown) }));
  if (rows < total) notes.push(say("graphs.totals.outermost", { shown: count(rows), total: count(total) }));
  if (root.row.partial.length > 0) notes.push(say("graphs.totals.partialNote"));
  if (root.row.flops !== null) notes.push(say("graphs.totals.flopsNote"));
  return notes.map((note) => (
    <p key={note} className={style.note}>
      {note}
    </p>
  ));
}
