/** The two sheets of the run table, behind a button each: groups and colours, columns. Loaded when opened. */

import { lazy, type ReactElement, Suspense, useState } from "react";
import type { Room } from "../../state/tablecolumns";
import { useView } from "../../state/view";
import { Button } from "../../widgets/button";
import { Popover } from "../../widgets/popover";
import { useWords } from "../../words/words";

const GroupSheet = lazy(() => import("./group-sheet"));
const ColumnSheet = lazy(() => import("./column-sheet"));

/** `wide`: with their names, where there is room. */
export function Tools({ room, wide = false }: { room: Room; wide?: boolean }) {
  const say = useWords();
  const grouped = useView((view) => view.grouping !== null || view.colorBy !== "run");
  return (
    <>
      <Door
        label={say("group.title")}
        trigger={
          <Button
            look={wide ? "plain" : "quiet"}
            icon="layers"
            aria-pressed={grouped}
            {...(!wide && { label: say("group.title") })}
            data-testid="group-by"
          >
            {wide && say("group.title")}
          </Button>
        }
      >
        <GroupSheet />
      </Door>
      <Door
        label={say("table.chooseColumns")}
        trigger={
          <Button
            look={wide ? "plain" : "quiet"}
            icon="columns"
            {...(!wide && { label: say("table.chooseColumns") })}
            data-testid="choose-columns"
          >
            {wide && say("table.columns")}
          </Button>
        }
      >
        <ColumnSheet room={room} />
      </Door>
    </>
  );
}

function Door({
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
