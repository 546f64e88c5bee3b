/** Settings that are rarely changed: lines, cards, tooltip, links; and those that the bar has no room for. */

import type { ReactNode } from "react";
import { useWords } from "../../i18n/words";
import { Button } from "../../ui/button";
import { Check } from "../../ui/check";
import { Segmented } from "../../ui/segmented";
import { Select } from "../../ui/select";
import { choosePage } from "../view/cards";
import { change, commit, useView } from "../view/view";
import type { CardHeight, TipSort } from "../view/view-state";
import { Columns, KindChoice, Smoothing, Switches } from "./bar-fields";
import style from "./bar-settings.module.css";

const HEIGHTS: readonly CardHeight[] = ["small", "normal", "tall"];
const SORTS: readonly TipSort[] = ["nearest", "descending", "ascending", "alphabetical", "default"];
const ROWS = [3, 5, 10, 20, 0];

export function BarSettings() {
  const say = useWords();
  const logX = useView((view) => view.logX);
  return (
    <div className={style.settings}>
      <Group title={say("bar.lines")}>
        <Smoothing />
        <div className={style.line}>
          <Switches />
          <Button aria-pressed={logX} onClick={() => choosePage({ logX: !logX })}>
            {say("bar.logX")}
          </Button>
        </div>
      </Group>
      <Group title={say("bar.cards")}>
        <div className={style.line}>
          <Height />
          <Columns />
          <KindChoice />
        </div>
        <Links />
      </Group>
      <Group title={say("bar.tip")}>
        <Tip />
      </Group>
    </div>
  );
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={style.group} aria-label={title}>
      <h3>{title}</h3>
      {children}
    </section>
  );
}

function Height() {
  const say = useWords();
  const height = useView((view) => view.cardHeight);
  return (
    <Segmented
      label={say("bar.height")}
      value={height}
      options={HEIGHTS.map((value) => ({ value, label: say(`bar.height.${value}`) }))}
      onChange={(cardHeight) => commit({ cardHeight })}
    />
  );
}

function Links() {
  const say = useWords();
  const links = useView((view) => view.links);
  return (
    <label className={style.check}>
      <Check checked={links} onChange={() => commit({ links: !links })} />
      {say("bar.links")}
    </label>
  );
}

function Tip() {
  const say = useWords();
  const rows = useView((view) => view.tipRows);
  const sort = useView((view) => view.tipSort);
  return (
    <div className={style.line}>
      <Select
        label={say("bar.tipSort")}
        value={sort}
        options={SORTS.map((value) => ({ value, label: say(`bar.tipSort.${value}`) }))}
        onChange={(value) => change({ tipSort: value as TipSort })}
      />
      <Select
        label={say("bar.tipRows")}
        value={String(rows)}
        options={[...new Set([...ROWS, rows])].map((value) => ({
          value: String(value),
          label: value === 0 ? say("bar.tipRowsAll") : say("bar.tipRowsOf", { count: value }),
        }))}
        onChange={(value) => change({ tipRows: Number(value) })}
      />
    </div>
  );
}
