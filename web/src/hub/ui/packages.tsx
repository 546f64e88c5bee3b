/** The Python packages of an environment, with a search. */

import { useState } from "react";
import type { PackageResponse } from "../../api/hub-schema.gen";
import { count } from "../../i18n/format";
import { useWords } from "../../i18n/words";
import { Field } from "../../ui/field";
import { CopyButton } from "./copy-button";
import style from "./packages.module.css";
import { Code, Section } from "./section";
import { Table } from "./table";

/** The search finds the others. */
const MOST = 30;

export function Packages({ packages }: { packages: readonly PackageResponse[] }) {
  const say = useWords();
  const [text, setText] = useState("");
  const needle = text.trim().toLowerCase();
  const found = packages.filter(({ name }) => name.toLowerCase().includes(needle));
  const title = say("hub.packages.title");
  return (
    <Section
      title={
        <>
          {title} <span className={style.note}>{count(packages.length)}</span>
        </>
      }
      beside={
        <>
          <Field
            label={say("hub.packages.find")}
            placeholder={say("hub.packages.find")}
            value={text}
            onChange={setText}
            clearLabel={say("action.clear")}
            className={style.field}
          />
          <CopyButton
            text={packages.map(({ name, version }) => `${name}==${version}\n`).join("")}
            what={say("hub.packages.all")}
          />
        </>
      }
      testId="packages"
    >
      {found.length === 0 ? (
        <p className={style.note} role="status">
          {say(packages.length === 0 ? "hub.packages.empty" : "hub.packages.none")}
        </p>
      ) : (
        <Table
          label={title}
          rows={found.slice(0, MOST)}
          rowKey={({ name }) => name}
          testId="package"
          columns={[
            {
              id: "name",
              title: say("hub.field.name"),
              cell: ({ name }) => <Code>{name}</Code>,
            },
            {
              id: "version",
              title: say("hub.packages.version"),
              cell: ({ version }) => <Code>{version}</Code>,
            },
          ]}
        />
      )}
      {found.length > MOST && (
        <p className={style.note}>{say("hub.packages.more", { count: found.length - MOST })}</p>
      )}
    </Section>
  );
}
