/** Explains why no run is visible although there are some, with buttons that help. Shown in place of the cards. */

import { useWords } from "../../i18n/words";
import { Button } from "../../ui/button";
import { useFilteredRuns } from "../runs/filtered-runs";
import { useVisibleRuns } from "../runs/visible-runs";
import { change, commit, useView } from "../view/view";
import style from "./none-drawn.module.css";

export function NoneDrawn() {
  const say = useWords();
  const filter = useView((view) => view.runFilter);
  const found = useFilteredRuns().rows.length;
  const drawn = useVisibleRuns().size;
  const title = found === 0 ? "nothing.noRun" : drawn === 0 ? "nothing.hidden" : "nothing.elsewhere";
  return (
    <>
      <h2>{say(title)}</h2>
      {title === "nothing.hidden" && <p>{say("nothing.hiddenWhy")}</p>}
      {filter !== "" && (
        <p>
          {say("nothing.runFilter")} <span className={style.filter}>{filter}</span>
        </p>
      )}
      <div className={style.ways}>
        {found > 0 && (
          <Button variant="primary" onClick={() => commit({ runs: { base: "all", shown: [], hidden: [] } })}>
            {say("runs.showAll")}
          </Button>
        )}
        {filter !== "" && (
          <Button variant={found === 0 ? "primary" : "plain"} onClick={() => change({ runFilter: "" })}>
            {say("filter.clear")}
          </Button>
        )}
      </div>
    </>
  );
}
