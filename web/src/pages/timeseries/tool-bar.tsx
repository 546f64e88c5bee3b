/** The bar over the cards: x axis, smoothing, what y shows, columns, tag filter; the rest is behind one button. */

import { TakeAway } from "../../panels/export/take-away";
import { choosePage } from "../../state/cards";
import { useBoardTitle } from "../../state/lists";
import { change, useView } from "../../state/view";
import { MAX_SMOOTHING } from "../../state/viewstate";
import { currentOrder } from "../../state/walk";
import { Button } from "../../widgets/button";
import { Popover } from "../../widgets/popover";
import { Select } from "../../widgets/select";
import { useWords } from "../../words/words";
import { TagFilter } from "../kind/tag-filter";
import { AxisChoice } from "./axis-choice";
import { BarSettings } from "./bar-settings";
import { KindChoice } from "./kind-choice";
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
        <TakeAway label={say("take.view")} title={title} tags={currentOrder} size="usual" />
      </div>
    </div>
  );
}

export function Smoothing() {
  const say = useWords();
  const smoothing = useView((view) => view.smoothing);
  const put = (text: string) => {
    const value = Number(text);
    if (text !== "" && Number.isFinite(value)) {
      change({ smoothing: Math.min(MAX_SMOOTHING, Math.max(0, value)) });
    }
  };
  return (
    <div className={style.smoothing}>
      <span>{say("bar.smoothing")}</span>
      <input
        type="range"
        min={0}
        max={MAX_SMOOTHING}
        step={0.001}
        value={smoothing}
        aria-label={say("bar.smoothing")}
        onChange={(event) => put(event.target.value)}
      />
      <input
        type="number"
        min={0}
        max={MAX_SMOOTHING}
        step={0.01}
        value={Number(smoothing.toFixed(3))}
        aria-label={say("bar.smoothingValue")}
        onChange={(event) => put(event.target.value)}
      />
    </div>
  );
}

export function Switches() {
  const say = useWords();
  const ignoreOutliers = useView((view) => view.ignoreOutliers);
  const logY = useView((view) => view.logY);
  return (
    <>
      <Button
        aria-pressed={ignoreOutliers}
        title={say("bar.outliersTip")}
        onClick={() => choosePage({ ignoreOutliers: !ignoreOutliers })}
      >
        {say("bar.outliers")}
      </Button>
      <Button aria-pressed={logY} onClick={() => choosePage({ logY: !logY })}>
        {say("bar.logY")}
      </Button>
    </>
  );
}

export function Columns() {
  const say = useWords();
  const columns = useView((view) => view.columns);
  const options = [0, 1, 2, 3, 4, 5, 6].map((value) => ({
    value: String(value),
    label: value === 0 ? say("bar.columnsAuto") : say("bar.columns", { count: value }),
  }));
  return (
    <Select
      label={say("bar.columnsLabel")}
      value={String(columns)}
      options={options}
      onChange={(value) => change({ columns: Number(value) })}
    />
  );
}
