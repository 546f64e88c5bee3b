/** The toolbar: x axis, smoothing, y options, columns, tag filter; the rest is behind one button. */

import { memo } from "react";
import { useWords } from "../../i18n/words";
import { Button } from "../../ui/button";
import { Popover } from "../../ui/popover";
import { TagFilter } from "../cards/tag-filter";
import { useBoardTitle } from "../data/lists";
import { ExportButton } from "../export/export-button";
import { currentCardOrder } from "../view/card-navigation";
import { AxisChoice, Columns, KindChoice, Smoothing, Switches } from "./bar-fields";
import { BarSettings } from "./bar-settings";
import style from "./tool-bar.module.css";

/** Renders less often than the page, which does so for each step of loading. */
export const ToolBar = memo(function ToolBar({ fault }: { fault: string | null }) {
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
});
