/** The toolbar: x axis, smoothing, y options, columns, tag filter; the rest is behind one button. */

import { ExportButton } from "../../panels/export/export-button";
import { currentCardOrder } from "../../state/card-navigation";
import { useBoardTitle } from "../../state/lists";
import { Button } from "../../widgets/button";
import { Popover } from "../../widgets/popover";
import { useWords } from "../../words/words";
import { TagFilter } from "../kind/tag-filter";
import { AxisChoice, Columns, KindChoice, Smoothing, Switches } from "./bar-fields";
import { BarSettings } from "./bar-settings";
import style from "./tool-bar.module.css";

export function ToolBar({ fault }: { fault: string | null }) {
  const say = useWords();
  const title = useBoardTitle();
  return (
    <div className={style.bar} role="toolbar" aria-label={say("bar.title")}>
      <div className={style.inner}>
        <AxisChoice />
        <Smoothing />
        <div className={style.switches}>
          <Switches />
        </div>
        <div className={style.columns}>
          <Columns />
        </div>
        <div className={style.kinds}>
          <KindChoice />
        </div>
        <Popover
          label={say("bar.settings")}
          align="start"
          trigger={<Button className={style.more} icon="sliders" label={say("bar.settings")} />}
        >
          <BarSettings />
        </Popover>
        <div className={style.grow} />
        <TagFilter className={style.filter} fault={fault} />
        <ExportButton label={say("take.view")} title={title} tags={currentCardOrder} size="usual" />
      </div>
    </div>
  );
}
