/** The toolbar: colours, columns, groups, resetting filters, selecting runs, exporting the table. */

import { useWords } from "../../i18n/words";
import { formatValue } from "../../lib/number";
import { rampColor } from "../../lib/ramp";
import { Button } from "../../ui/button";
import { Select } from "../../ui/select";
import { TableExportMenu } from "../export/table-export-menu";
import type { RampEnds } from "../runs/coloring";
import { useListedRuns } from "../runs/run-details";
import { onlyRuns } from "../runs/switch-runs";
import { useSwitchedOn } from "../runs/visible-runs";
import { TOGETHER, type Together } from "../view/hparams-view";
import { useColorScheme } from "../view/theme";
import { commit, useView } from "../view/view";
import { headText, oneLine } from "./cell-text";
import { ColumnPopover } from "./column-popover";
import { exactTable, jsonOf, readableTable } from "./export";
import style from "./hparams-page.module.css";
import { configOf, hasGroups, metricOf, parseTrialColumn } from "./trial-column";
import { showTrials, type TrialTable } from "./trials";

export function Toolbar({ table }: { table: TrialTable }) {
  const say = useWords();
  const { study } = table;
  const filters = useView((view) => Object.keys(view.hparams.filters).length);
  const together = useView((view) => view.hparams.together);
  return (
    <>
      <ColorChoice table={table} />
      {(hasGroups(study.trials) || together !== "none") && (
        <Select
          label={say("trials.together")}
          value={together}
          options={TOGETHER.map((each) => ({ value: each, label: say(`trials.together.${each}`) }))}
          onChange={(each) => showTrials({ together: each as Together })}
        />
      )}
      <ColumnPopover table={table} />
      {filters > 0 && (
        <Button icon="close" onClick={() => showTrials({ filters: {} })}>
          {say("trials.clearMany", { count: filters })}
        </Button>
      )}
      <OnlyThese table={table} />
      <TableExportMenu
        name="hparams"
        exact={() => exactTable(table)}
        readable={() => readableTable(table)}
        json={() => jsonOf(table)}
        latexFile
      />
    </>
  );
}

const BY_RUN = "run";

/** Colours apply to all pages if those have the value; values of runs in subfolders apply to this page only. */
function ColorChoice({ table: { study, ramp } }: { table: TrialTable }) {
  const say = useWords();
  const own = useView((view) => view.hparams.color);
  const by = useView((view) => view.colorBy);
  const hparams = useView((view) => view.hparams);
  const options = [
    { value: BY_RUN, label: say("color.byRun") },
    ...study.parameters.map(({ name }) => configOf(name)).map(named),
    ...study.metrics
      .filter(({ trials }) => trials > 0)
      .map(({ group, tag }) => metricOf(group, tag, "last"))
      .map(named),
  ];
  function named(column: Parameters<typeof headText>[0]) {
    return { value: column.id, label: oneLine(headText(column, study)) };
  }
  const value = own || by;
  const known = options.some((option) => option.value === value);
  return (
    <div className={style.color}>
      <span aria-hidden="true">{say("color.title")}</span>
      <Select
        label={say("color.title")}
        value={value}
        options={known ? options : [...options, { value, label: value }]}
        onChange={(id) => {
          const column = parseTrialColumn(id);
          const here = column?.kind === "metric" && column.group !== "";
          if (here) showTrials({ color: id });
          else commit({ colorBy: id, hparams: { ...hparams, color: "" } });
        }}
      />
      {ramp && <Ramp ramp={ramp} />}
    </div>
  );
}

const STOPS = [0, 0.2, 0.4, 0.6, 0.8, 1] as const;
const DIGITS = 3;

function Ramp({ ramp: { from, to, log } }: { ramp: RampEnds }) {
  const say = useWords();
  const scheme = useColorScheme();
  const stops = STOPS.map((part) => rampColor(part, scheme)).join(", ");
  return (
    <span className={style.ramp} title={say("color.legend")} data-testid="trials-ramp">
      {formatValue(from, DIGITS)}
      <span className={style.stops} style={{ backgroundImage: `linear-gradient(90deg, ${stops})` }} />
      {formatValue(to, DIGITS)}
      {log && <span className={style.log}>{say("trials.log")}</span>}
    </span>
  );
}

/** Shows only the runs of the filtered rows, on all pages. */
function OnlyThese({ table: { rows, filteredRows } }: { table: TrialTable }) {
  const say = useWords();
  const listed = useListedRuns();
  const visible = useSwitchedOn();
  const only = () => {
    const wanted = new Set(filteredRows.flatMap((row) => rows[row]!.trials.flatMap(({ runs }) => runs)));
    onlyRuns(
      { runs: listed, visible },
      listed.filter(({ id }) => wanted.has(id)),
    );
  };
  return (
    <Button disabled={filteredRows.length === 0} title={say("trials.onlyTip")} onClick={only}>
      {say("trials.only")}
    </Button>
  );
}
