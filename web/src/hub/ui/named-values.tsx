/** A section with a table of names and their values. */

import type { SecretReference } from "../../api/hub-schema.gen";
import { useWords } from "../../i18n/words";
import style from "./named-values.module.css";
import { Code, Section } from "./section";
import { Table } from "./table";

interface NamedValuesProps {
  title: string;
  /** Values that are null are known to others only; those of secrets are known to nobody, but their names are. */
  values: Readonly<Record<string, boolean | number | string | SecretReference | null>>;
  /** What the values are called, if not values. */
  valueTitle?: string;
}

/** Nothing if there are no values. */
export function NamedValues({ title, values, valueTitle }: NamedValuesProps) {
  const say = useWords();
  const rows = Object.entries(values);
  if (rows.length === 0) return null;
  return (
    <Section title={title}>
      <Table
        label={title}
        rows={rows}
        rowKey={([name]) => name}
        columns={[
          {
            id: "name",
            title: say("hub.field.name"),
            cell: ([name]) => <Code>{name}</Code>,
          },
          {
            id: "value",
            title: valueTitle ?? say("hub.field.value"),
            cell: ([, value]) =>
              value === null ? (
                <span className={style.hidden}>{say("hub.job.hidden")}</span>
              ) : typeof value === "object" ? (
                <span className={style.hidden}>
                  {say("hub.secret.one")} <bdi className={style.code}>{value.secret}</bdi>
                </span>
              ) : (
                <Code>{String(value)}</Code>
              ),
          },
        ]}
      />
    </Section>
  );
}
