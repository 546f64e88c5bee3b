/** Tables of who holds memory at the peak, and of the largest blocks; each row opens to its calls. */

import { type ReactNode, useState } from "react";
import type { DeviceMemoryRow, MemoryBlock, MemoryFrame, MemoryHolder } from "../../api/profiles";
import { bytes, count } from "../../i18n/format";
import { useWords } from "../../i18n/words";
import { formatMicroseconds } from "../../lib/microseconds";
import { Icon } from "../../ui/icon";
import { percent } from "./labels";
import style from "./memory.module.css";

type Value = string | number;

interface Column<Row> {
  key: string;
  head: string;
  /** What it is sorted by. */
  value: (row: Row) => Value;
  cell: (row: Row) => ReactNode;
}

export function HolderTable({ device }: { device: DeviceMemoryRow }) {
  const say = useWords();
  const columns: Column<MemoryHolder>[] = [
    {
      key: "held_by",
      head: say("profile.memory.column.held_by"),
      value: (row) => `${row.name} ${row.file} ${row.line}`,
      cell: (row) => <Calls first={row} stack={row.stack} />,
    },
    {
      key: "size_bytes",
      head: say("profile.memory.column.size_bytes"),
      value: (row) => row.size_bytes,
      cell: (row) => bytes(row.size_bytes),
    },
    {
      key: "share",
      head: say("profile.share"),
      value: (row) => row.size_bytes,
      cell: (row) => percent(row.size_bytes, device.peak_bytes),
    },
    {
      key: "blocks",
      head: say("profile.memory.column.blocks"),
      value: (row) => row.blocks,
      cell: (row) => count(row.blocks),
    },
  ];
  return <SortedTable label={say("profile.memory.holders")} columns={columns} rows={device.holders} />;
}

export function BlockTable({ device }: { device: DeviceMemoryRow }) {
  const say = useWords();
  const columns: Column<MemoryBlock>[] = [
    {
      key: "held_by",
      head: say("profile.memory.column.held_by"),
      value: ({ stack: [first] }) => (first ? `${first.name} ${first.file} ${first.line}` : ""),
      cell: ({ stack }) => <Calls first={stack[0]} stack={stack} />,
    },
    {
      key: "size_bytes",
      head: say("profile.memory.column.size_bytes"),
      value: (row) => row.size_bytes,
      cell: (row) => bytes(row.size_bytes),
    },
  ];
  if (device.curve.time_us.length > 0)
    columns.push({
      key: "since_us",
      head: say("profile.memory.column.since_us"),
      value: (row) => row.since_us ?? -1,
      cell: (row) => (row.since_us === null ? "–" : formatMicroseconds(row.since_us)),
    });
  if (device.blocks.some(({ kind }) => kind !== ""))
    columns.push({
      key: "kind",
      head: say("profile.memory.column.kind"),
      value: (row) => row.kind,
      cell: (row) => row.kind,
    });
  return <SortedTable label={say("profile.memory.blocks")} columns={columns} rows={device.blocks} />;
}

interface SortedTableProps<Row> {
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
}

/** The largest are first, until a click on a head. Words are sorted up at first, numbers down. */
function SortedTable<Row>({ label, columns, rows }: SortedTableProps<Row>) {
  const [{ key, descending }, order] = useState({ key: "size_bytes", descending: true });
  const sorted = columns.find((column) => column.key === key) ?? columns[0]!;
  const shown = [...rows].sort((a, b) => compare(sorted.value(a), sorted.value(b)) * (descending ? -1 : 1));
  return (
    <div className={style.wide}>
      <table className={style.table} aria-label={label}>
        <thead>
          <tr>
            {columns.map((column) => {
              const isSorted = column === sorted;
              const isWord = rows.length > 0 && typeof column.value(rows[0]!) === "string";
              const down = isSorted ? !descending : !isWord;
              return (
                <th
                  key={column.key}
                  scope="col"
                  aria-sort={isSorted ? (descending ? "descending" : "ascending") : "none"}
                >
                  <button
                    type="button"
                    className={style.sort}
                    data-sorted={isSorted || undefined}
                    onClick={() => order({ key: column.key, descending: down })}
                  >
                    {column.head}
                    {isSorted && <Icon name={descending ? "down" : "up"} size={12} />}
                  </button>
                </th>
              );
            })}
          </tr>
        </thead>
        <tbody>
          {shown.map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have no names of their own
            <tr key={index}>
              {columns.map((column) => (
                <td key={column.key}>{column.cell(row)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function compare(a: Value, b: Value): number {
  return typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b));
}

/** A call, which opens to those around it. */
function Calls({ first, stack }: { first: MemoryFrame | undefined; stack: readonly MemoryFrame[] }) {
  const say = useWords();
  if (!first || first.name === "") return <span className={style.none}>{say("profile.memory.noStack")}</span>;
  if (stack.length < 2) return <Call frame={first} />;
  return (
    <details className={style.calls}>
      <summary>
        <Call frame={first} />
      </summary>
      <ol>
        {stack.map((frame, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a call may be there several times
          <li key={index}>
            <Call frame={frame} />
          </li>
        ))}
      </ol>
    </details>
  );
}

function Call({ frame: { name, file, line } }: { frame: MemoryFrame }) {
  return (
    <bdi className={style.call}>
      {name} {file !== "" && <span className={style.file}>{line > 0 ? `${file}:${line}` : file}</span>}
    </bdi>
  );
}
