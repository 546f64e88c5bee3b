/** What lies in the range of a time line: a table of slices by name, with their times in it. */

import { useMemo, useState } from "react";
import { count } from "../../i18n/format";
import { useWords } from "../../i18n/words";
import { formatMicroseconds } from "../../lib/microseconds";
import { Button } from "../../ui/button";
import { Icon } from "../../ui/icon";
import type { ProfileRange } from "../view/profile-view";
import { useColorScheme } from "../view/theme";
import { percent } from "./labels";
import {
  type CaptureName,
  categoryColor,
  RANGE_COLUMNS,
  type RangeColumn,
  type SliceRangeRow,
  useRange,
} from "./profiles";
import style from "./time-line-range.module.css";

/** Rows that are shown, the first in the order that is chosen. */
const MOST_ROWS = 200;
const WORDY: readonly RangeColumn[] = ["name", "category"];

interface TimeLineRangeProps {
  name: CaptureName;
  range: ProfileRange;
  onZoom(): void;
  onClear(): void;
  /** Looks for the slices of a name. */
  onFind(name: string): void;
}

export function TimeLineRange({ name, range, onZoom, onClear, onFind }: TimeLineRangeProps) {
  const say = useWords();
  const [order, setOrder] = useState({ sort: "self_us" as RangeColumn, descending: true });
  const { span, tracks } = range;
  const question = useMemo(
    () => ({ begin_us: span[0], end_us: span[1], tracks: tracks.join(","), ...order, limit: MOST_ROWS }),
    [span, tracks, order],
  );
  const { data, error } = useRange(name, question);
  const length = span[1] - span[0];
  return (
    <section className={style.panel} aria-label={say("profile.range")} data-testid="time-selection">
      <header className={style.head}>
        <h2 className={style.title}>{formatMicroseconds(length)}</h2>
        <p className={style.note} role="status">
          {error
            ? error.message
            : data &&
              [
                `${formatMicroseconds(span[0])} – ${formatMicroseconds(span[1])}`,
                tracks.length > 0 && say("profile.rangeTracks", { count: tracks.length }),
                say("profile.foundSlices", { count: data.slices }),
                data.rows.length < data.total &&
                  say("profile.rangeFirst", { shown: count(data.rows.length), total: count(data.total) }),
              ]
                .filter(Boolean)
                .join(" · ")}
        </p>
        <Button size="small" variant="quiet" icon="fit" label={say("profile.rangeZoom")} onClick={onZoom} />
        <Button
          size="small"
          variant="quiet"
          icon="close"
          label={say("profile.rangeClear")}
          onClick={onClear}
        />
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys */}
      <section className={style.scroll} tabIndex={0} aria-label={say("profile.rangeTable")}>
        <table className={style.table}>
          <thead>
            <tr>
              {RANGE_COLUMNS.map((column) => (
                <Head key={column} column={column} {...order} onSort={setOrder} />
              ))}
              <th scope="col" data-column="share">
                <span className={style.plain} title={say("profile.rangeShareHint")}>
                  {say("profile.share")}
                </span>
              </th>
            </tr>
          </thead>
          <tbody>
            {data?.rows.map((row) => (
              <Row key={`${row.category} ${row.name}`} row={row} length={length} onFind={onFind} />
            ))}
          </tbody>
        </table>
        {data?.total === 0 && <p className={style.empty}>{say("profile.rangeEmpty")}</p>}
      </section>
    </section>
  );
}

interface HeadProps {
  column: RangeColumn;
  sort: RangeColumn;
  descending: boolean;
  onSort(order: { sort: RangeColumn; descending: boolean }): void;
}

/** Numbers are sorted down at first, words up. */
function Head({ column, sort, descending, onSort }: HeadProps) {
  const say = useWords();
  const sorted = column === sort;
  const down = sorted ? !descending : !WORDY.includes(column);
  return (
    <th
      scope="col"
      data-column={column}
      aria-sort={sorted ? (descending ? "descending" : "ascending") : "none"}
    >
      <button type="button" className={style.sort} onClick={() => onSort({ sort: column, descending: down })}>
        {say(`profile.column.${column}`)}
        {sorted && <Icon name={descending ? "down" : "up"} size={12} />}
      </button>
    </th>
  );
}

interface RowProps {
  row: SliceRangeRow;
  length: number;
  onFind(name: string): void;
}

function Row({ row, length, onFind }: RowProps) {
  const say = useWords();
  const color = categoryColor(row.category, useColorScheme());
  return (
    <tr>
      <th scope="row" data-column="name">
        <button type="button" className={style.name} onClick={() => onFind(row.name)}>
          <bdi>{row.name}</bdi>
        </button>
      </th>
      <td data-column="category">
        <span className={style.swatch} style={{ background: color }} />
        {say(`profile.category.${row.category}`)}
      </td>
      <td>{count(row.count)}</td>
      <td>{formatMicroseconds(row.total_us)}</td>
      <td>{formatMicroseconds(row.self_us)}</td>
      <td>{formatMicroseconds(row.mean_us)}</td>
      <td data-column="share">
        <span
          className={style.bar}
          style={{ width: `${Math.min(100, (100 * row.total_us) / length)}%`, background: color }}
        />
        <span className={style.percent}>{percent(row.total_us, length)}</span>
      </td>
    </tr>
  );
}
