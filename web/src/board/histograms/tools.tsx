/** Settings of all histograms: mode, value range, logarithmic counts. */

import { useWords } from "../../i18n/words";
import { Button } from "../../ui/button";
import { Popover } from "../../ui/popover";
import { Segmented } from "../../ui/segmented";
import { Select } from "../../ui/select";
import { commit, useView } from "../view/view";
import type { HistogramMode } from "../view/view-state";
import style from "./tools.module.css";

const MODES: readonly HistogramMode[] = ["heatmap", "offset", "overlay", "percentiles"];

export function ModeChoice() {
  const say = useWords();
  const mode = useView((view) => view.histogramMode);
  const options = MODES.map((value) => ({ value, label: say(`hist.${value}`) }));
  const choose = (value: string) => commit({ histogramMode: value as HistogramMode });
  return (
    <>
      <div className={style.wide}>
        <Segmented label={say("hist.view")} value={mode} options={options} onChange={choose} />
      </div>
      <div className={style.narrow}>
        <Select label={say("hist.view")} value={mode} options={options} onChange={choose} />
      </div>
    </>
  );
}

/** If there is no room they are behind one button. */
export function ValueChoices() {
  const say = useWords();
  return (
    <>
      <div className={style.spread}>
        <Choices />
      </div>
      <div className={style.folded}>
        <Popover label={say("hist.options")} trigger={<Button icon="sliders" label={say("hist.options")} />}>
          <div className={style.stack}>
            <Choices />
          </div>
        </Popover>
      </div>
    </>
  );
}

/** All settings, in the available room. */
export function Choices() {
  const say = useWords();
  const range = useView((view) => view.histogramRange);
  const shared = useView((view) => view.sharedRange);
  const log = useView((view) => view.logCount);
  return (
    <>
      <Select
        label={`${say("hist.range")}. ${say("hist.robust")}: ${say("hist.robustTip")}`}
        value={range}
        options={(["robust", "full"] as const).map((value) => ({ value, label: say(`hist.${value}`) }))}
        onChange={(value) => commit({ histogramRange: value === "full" ? "full" : "robust" })}
      />
      <Button
        aria-pressed={shared}
        title={say("hist.sharedTip")}
        onClick={() => commit({ sharedRange: !shared })}
      >
        {say("hist.shared")}
      </Button>
      <Button aria-pressed={log} onClick={() => commit({ logCount: !log })}>
        {say("hist.log")}
      </Button>
    </>
  );
}
