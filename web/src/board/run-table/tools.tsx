/** The two popovers of the run table, behind a button each: groups and colours, columns. Loaded when opened. */

import { type ReactElement, Suspense, useState } from "react";
import { useWords } from "../../i18n/words";
import { Button } from "../../ui/button";
import { lazyPart } from "../../ui/lazy-part";
import { Popover } from "../../ui/popover";
import type { TablePlacement } from "../runs/table-columns";
import { useView } from "../view/view";

const GroupPopover = lazyPart(() => import("./group-popover"));
const ColumnPopover = lazyPart(() => import("./column-popover"));

/** `wide`: with their names, where there is room. */
export function Tools({ room, wide = false }: { room: TablePlacement; wide?: boolean }) {
  const say = useWords();
  const grouped = useView((view) => view.grouping !== null || view.colorBy !== "run");
  return (
    <>
      <PopoverButton
        label={say("group.title")}
        trigger={
          <Button
            variant={wide ? "plain" : "quiet"}
            icon="layers"
            aria-pressed={grouped}
            {...(!wide && { label: say("group.title") })}
            data-testid="group-by"
          >
            {wide && say("group.title")}
          </Button>
        }
      >
        <GroupPopover />
      </PopoverButton>
      <PopoverButton
        label={say("table.chooseColumns")}
        trigger={
          <Button
            variant={wide ? "plain" : "quiet"}
            icon="columns"
            {...(!wide && { label: say("table.chooseColumns") })}
            data-testid="choose-columns"
          >
            {wide && say("table.columns")}
          </Button>
        }
      >
        <ColumnPopover room={room} />
      </PopoverButton>
    </>
  );
}

function PopoverButton({
  label,
  trigger,
  children,
}: {
  label: string;
  trigger: ReactElement;
  children: ReactElement;
}) {
  const [open, setOpen] = useState(false);
  return (
    <Popover label={label} align="start" trigger={trigger} onOpenChange={setOpen}>
      {open && <Suspense>{children}</Suspense>}
    </Popover>
  );
}
