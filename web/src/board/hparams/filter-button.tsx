/** The button in a header that opens the filter of its column; it shows whether there is one. */

import { useRef, useState } from "react";
import { useWords } from "../../i18n/words";
import { Icon } from "../../ui/icon";
import type { Cell } from "../runs/column";
import { useView } from "../view/view";
import { FilterPopover } from "./filter-popover";
import type { TrialColumn } from "./trial-column";
import style from "./trial-table.module.css";

interface FilterButtonProps {
  column: TrialColumn;
  columns: readonly TrialColumn[];
  title: string;
  cells: readonly Cell[];
}

export function FilterButton({ column, columns, title, cells }: FilterButtonProps) {
  const say = useWords();
  const on = useView((view) => column.id in view.hparams.filters);
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const name = say(on ? "trials.filtered" : "trials.filterOf", { column: title });
  return (
    <>
      <button
        ref={button}
        type="button"
        className={style.filter}
        aria-label={name}
        title={name}
        aria-haspopup="dialog"
        data-on={on || undefined}
        onClick={() => setOpen(true)}
      >
        <Icon name="sliders" size={12} />
      </button>
      {open && button.current && (
        <FilterPopover
          column={column}
          columns={columns}
          title={title}
          cells={cells}
          anchor={button.current}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}
