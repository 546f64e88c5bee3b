/** The head of a column by which a table is sorted. */

import { Icon } from "../../ui/icon";
import style from "./parts.module.css";

interface SortHeadProps {
  text: string;
  className?: string | undefined;
  column: string;
  /** Null if the table is sorted by another column. */
  sorted: "ascending" | "descending" | null;
  /** Words are sorted up at first, numbers down. */
  isWordy: boolean;
  onSort(descending: boolean): void;
}

export function SortHead({ text, className, column, sorted, isWordy, onSort }: SortHeadProps) {
  const down = sorted ? sorted === "ascending" : !isWordy;
  return (
    // biome-ignore lint/a11y/useSemanticElements: rows that come and go as one scrolls cannot be those of a table element
    // biome-ignore lint/a11y/useFocusableInteractive: the button in it has the focus
    <div role="columnheader" className={className} data-column={column} aria-sort={sorted ?? "none"}>
      <button
        type="button"
        className={style.sort}
        data-sorted={sorted !== null || undefined}
        onClick={() => onSort(down)}
      >
        {text}
        {sorted && <Icon name={sorted === "descending" ? "down" : "up"} size={12} />}
      </button>
    </div>
  );
}
