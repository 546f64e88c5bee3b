/** The Python packages that an attempt found, with a search. */

import { useState } from "react";
import type { PackageResponse } from "../../../api/hub/schema.gen";
import { Field } from "../../../widgets/field";
import { count } from "../../../words/format";
import { useWords } from "../../../words/words";
import { CopyButton } from "../../parts/copy-button";
import { Table } from "../../parts/table";
import style from "./job-lineage.module.css";

/** The search finds the others. */
const MOST = 30;

export function Packages({ packages }: { packages: readonly PackageResponse[] }) {
  const say = useWords();
  const [text, setText] = useState("");
  const needle = text.trim().toLowerCase();
  const found = packages.filter(({ name }) => name.toLowerCase().includes(needle));
  const title = say("hub.lineage.packages");
  return (
    <section className={style.section} data-testid="packages">
      <div className={style.title}>
        <h2>
          {title} <span className={style.note}>{count(packages.length)}</span>
        </h2>
        <Field
          label={say("hub.lineage.findPackage")}
          placeholder={say("hub.lineage.findPackage")}
          value={text}
          onChange={setText}
          clearLabel={say("action.clear")}
          className={style.field}
        />
        <CopyButton
          text={packages.map(({ name, version }) => `${name}==${version}\n`).join("")}
          what={say("hub.lineage.requirements")}
        />
      </div>
      {found.length === 0 ? (
        <p className={style.note} role="status">
          {say(packages.length === 0 ? "hub.lineage.noPackages" : "hub.lineage.noPackage")}
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
              cell: ({ name }) => <bdi className={style.code}>{name}</bdi>,
            },
            {
              id: "version",
              title: say("hub.lineage.version"),
              cell: ({ version }) => <bdi className={style.code}>{version}</bdi>,
            },
          ]}
        />
      )}
      {found.length > MOST && (
        <p className={style.note}>{say("hub.lineage.morePackages", { count: found.length - MOST })}</p>
      )}
    </section>
  );
}
