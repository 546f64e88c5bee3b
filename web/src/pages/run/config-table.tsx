/** The hyper-parameters of a run, as one would write them; every digit in the tip. */

import { useMemo } from "react";
import { formatChosen } from "../../base/number";
import type { ConfigValue } from "../../state/facts";
import { naturalOrder } from "../../state/natural";
import { useWords } from "../../words/words";
import style from "./run.module.css";

export function ConfigTable({ config }: { config: Readonly<Record<string, ConfigValue>> }) {
  const say = useWords();
  const entries = useMemo(() => Object.entries(config).sort(([a], [b]) => naturalOrder(a, b)), [config]);
  if (entries.length === 0) return <p className={style.nothing}>{say("compare.noConfig")}</p>;
  return (
    <dl className={style.facts}>
      {entries.map(([key, value]) => (
        <div key={key}>
          <dt title={key}>
            <bdi>{key}</bdi>
          </dt>
          <dd title={String(value)}>
            <bdi>{typeof value === "number" ? formatChosen(value) : String(value)}</bdi>
          </dd>
        </div>
      ))}
    </dl>
  );
}
