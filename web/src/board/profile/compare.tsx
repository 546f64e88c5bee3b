/** Operators of two captures, or of two ranks: what takes longer in a step than before, and whether that is noise. */

import { useState } from "react";
import { count } from "../../i18n/format";
import { useWords } from "../../i18n/words";
import { formatMicroseconds } from "../../lib/microseconds";
import { Select } from "../../ui/select";
import { captureName, type RunCapture } from "../data/captures";
import { useView } from "../view/view";
import { ColumnTable } from "./column-table";
import compareStyle from "./compare.module.css";
import { hostLabel } from "./labels";
import { Search } from "./operator-tools";
import { headsOf } from "./operators";
import style from "./operators.module.css";
import {
  DIFFERENCE_COLUMNS,
  type DifferenceColumn,
  MAX_OPERATORS,
  type ProfileDifference,
  showProfile,
  useDifferences,
  useOverview,
} from "./profiles";

const WORDY: readonly DifferenceColumn[] = ["name", "category", "scope"];

interface CompareProps {
  captures: readonly RunCapture[];
  chosen: RunCapture;
  labelOf: (capture: RunCapture) => string;
}

export function Compare({ captures, chosen, labelOf }: CompareProps) {
  const say = useWords();
  const { base: wanted, rank, baseRank, search } = useView((view) => view.profile);
  const [{ sort, descending }, order] = useState({
    sort: "difference_us" as DifferenceColumn,
    descending: true,
  });
  const base = captures.find(({ name }) => name === wanted) ?? previousOf(captures, chosen);
  const { data, error } = useDifferences(captureName(chosen), {
    ...{ base: captureName(base), rank, baseRank, search, sort, descending, limit: MAX_OPERATORS },
  });
  const rows = data?.operators ?? [];
  const difference = (row: ProfileDifference) =>
    `${row.difference_us < 0 ? "−" : "+"}${formatMicroseconds(Math.abs(row.difference_us))}${row.is_real ? " *" : ""}`;
  return (
    <section className={style.page} aria-label={say("profile.view.compare")} data-testid="profile-compare">
      <div className={style.tools}>
        <Select
          label={say("profile.base")}
          value={base.name}
          options={captures.map((each) => ({ value: each.name, label: labelOf(each) }))}
          onChange={(name) => showProfile({ base: name, baseRank: null })}
        />
        <RankSelect
          label={say("profile.baseRank")}
          of={base}
          value={baseRank}
          onChange={(value) => showProfile({ baseRank: value })}
        />
        <RankSelect
          label={say("profile.rank")}
          of={chosen}
          value={rank}
          onChange={(value) => showProfile({ rank: value })}
        />
        <Search text={search} fault={null} />
        <p className={style.note} role="status">
          {error
            ? error.message
            : data &&
              say("profile.compared", { before: count(data.steps_before), after: count(data.steps_after) })}
        </p>
      </div>
      <ColumnTable
        label={say("profile.view.compare")}
        testId="differences"
        rowTestId="difference"
        columns={DIFFERENCE_COLUMNS}
        wordy={WORDY}
        heads={headsOf(DIFFERENCE_COLUMNS, (column) => say(`profile.column.${column}`))}
        rows={rows}
        sort={sort}
        descending={descending}
        onSort={(column, down) => order({ sort: column, descending: down })}
        marked={(row, column) =>
          column === "difference_us" && row.is_real
            ? row.difference_us > 0
              ? "slower"
              : "faster"
            : undefined
        }
        cells={(row) => ({
          name: row.name,
          category: say(`profile.category.${row.category}`),
          scope: row.scope,
          before_us: formatMicroseconds(row.before_us),
          after_us: formatMicroseconds(row.after_us),
          difference_us: difference(row),
          ratio: row.ratio === null ? "–" : `${row.ratio.toFixed(2)} ×`,
        })}
      />
      <p className={compareStyle.legend}>{say("profile.noise")}</p>
    </section>
  );
}

interface RankSelectProps {
  label: string;
  of: RunCapture;
  value: number | null;
  onChange: (rank: number | null) => void;
}

/** Shown for captures of several ranks. */
function RankSelect({ label, of, value, onChange }: RankSelectProps) {
  const say = useWords();
  const ranks = (useOverview(captureName(of)).data?.hosts ?? []).flatMap(({ rank }) =>
    rank === null ? [] : [rank],
  );
  if (ranks.length < 2) return null;
  return (
    <Select
      label={label}
      value={value === null ? "" : String(value)}
      options={[
        { value: "", label: say("profile.allRanks") },
        ...ranks.map((rank) => ({ value: String(rank), label: hostLabel({ host: "", rank }) })),
      ]}
      onChange={(text) => onChange(text === "" ? null : Number(text))}
    />
  );
}

/** The newest capture that is older than this one, otherwise the same: of it, ranks can be compared. */
function previousOf(captures: readonly RunCapture[], chosen: RunCapture): RunCapture {
  const older = captures.filter(({ wall }) => wall < chosen.wall).sort((a, b) => b.wall - a.wall);
  return older[0] ?? chosen;
}
