/** What can be done with the trials: colours, columns, groups, filters taken back, runs chosen, the table taken away. */

import { formatValue } from "../../base/number";
import { rampColor } from "../../base/ramp";
import { saveFile } from "../../base/save";
import { csvTable, latexTable, markdownTable } from "../../base/table";
import { headText, oneLine } from "../../panels/hparams/cell-text";
import { ColumnSheet } from "../../panels/hparams/column-sheet";
import { copyText } from "../../state/clipboard";
import type { RampEnds } from "../../state/coloring";
import { useListedRuns } from "../../state/facts";
import { TOGETHER, type Together } from "../../state/hparamsview";
import { notify } from "../../state/notice";
import { onlyRuns } from "../../state/switching";
import { useShade } from "../../state/theme";
import { configOf, hasGroups, metricOf, parseTrialColumn } from "../../state/trialcolumn";
import { showTrials, type TrialTable } from "../../state/trials";
import { commit, useView } from "../../state/view";
import { useSwitchedOn } from "../../state/visible";
import { Button } from "../../widgets/button";
import { Icon } from "../../widgets/icon";
import { Menu, MenuItem, MenuLine } from "../../widgets/menu";
import { Select } from "../../widgets/select";
import { useWords } from "../../words/words";
import style from "./hparams-page.module.css";
import { exactTable, jsonOf, readableTable } from "./taken";

export function Tools({ table }: { table: TrialTable }) {
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
      <ColumnSheet table={table} />
      {filters > 0 && (
        <Button icon="close" onClick={() => showTrials({ filters: {} })}>
          {say("trials.clearMany", { count: filters })}
        </Button>
      )}
      <OnlyThese table={table} />
      <Take table={table} />
    </>
  );
}

const BY_RUN = "run";

/** Colours hold on all pages where all pages have the value; those of runs in a folder below hold here. */
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
  const shade = useShade();
  const stops = STOPS.map((part) => rampColor(part, shade)).join(", ");
  return (
    <span className={style.ramp} title={say("color.legend")} data-testid="trials-ramp">
      {formatValue(from, DIGITS)}
      <span className={style.stops} style={{ backgroundImage: `linear-gradient(90deg, ${stops})` }} />
      {formatValue(to, DIGITS)}
      {log && <span className={style.log}>{say("trials.log")}</span>}
    </span>
  );
}

/** The runs of the rows that are left, and no others, on all pages. */
function OnlyThese({ table: { rows, kept } }: { table: TrialTable }) {
  const say = useWords();
  const listed = useListedRuns();
  const visible = useSwitchedOn();
  const only = () => {
    const wanted = new Set(kept.flatMap((row) => rows[row]!.trials.flatMap(({ runs }) => runs)));
    onlyRuns(
      { runs: listed, visible },
      listed.filter(({ id }) => wanted.has(id)),
    );
  };
  return (
    <Button disabled={kept.length === 0} title={say("trials.onlyTip")} onClick={only}>
      {say("trials.only")}
    </Button>
  );
}

/** Names of formats, the same in every language. */
const CSV = "CSV";
const JSON_NAME = "JSON";
const MARKDOWN = "Markdown";
const LATEX = "LaTeX";

function Take({ table }: { table: TrialTable }) {
  const say = useWords();
  const copy = async (text: string) => notify((await copyText(text)) ? "action.copied" : "notice.notCopied");
  return (
    <Menu
      trigger={
        <Button>
          {say("runspage.take")}
          <Icon name="down" size={12} />
        </Button>
      }
    >
      <MenuItem onSelect={() => saveFile(csvTable(exactTable(table)), "hparams.csv", "text/csv")}>
        {CSV}
      </MenuItem>
      <MenuItem onSelect={() => saveFile(jsonOf(table), "hparams.json", "application/json")}>
        {JSON_NAME}
      </MenuItem>
      <MenuItem
        onSelect={() => saveFile(latexTable(readableTable(table)), "hparams.tex", "application/x-tex")}
      >
        {LATEX}
      </MenuItem>
      <MenuLine />
      <MenuItem onSelect={() => void copy(markdownTable(readableTable(table)))}>
        {say("runspage.copyAs", { format: MARKDOWN })}
      </MenuItem>
      <MenuItem onSelect={() => void copy(latexTable(readableTable(table)))}>
        {say("runspage.copyAs", { format: LATEX })}
      </MenuItem>
      <MenuItem onSelect={() => void copy(csvTable(exactTable(table)))}>
        {say("runspage.copyAs", { format: CSV })}
      </MenuItem>
    </Menu>
  );
}
