/** Edits the variables of a job: rows of a name and a value, which may be that of a secret of the project. */

import type { ClipboardEvent } from "react";
import { useWords } from "../../i18n/words";
import { Select } from "../../ui/select";
import { newVariable, type VariableRow, variablesIn } from "../data/job-variables";
import { useSecrets } from "../data/projects";
import { FieldRows, RowBox } from "./field-rows";
import pairs from "./pair-rows.module.css";
import style from "./variable-rows.module.css";

const MAX_NAME = 200;
const EXAMPLE = { name: "WANDB_MODE", value: "offline" };

interface VariableRowsProps {
  /** The project of the job, whose secrets can be chosen. */
  project: string;
  fault: string | undefined;
  hint?: string | undefined;
  variables: readonly VariableRow[];
  onChange(variables: readonly VariableRow[]): void;
}

export function VariableRows({ project, fault, hint, variables, onChange }: VariableRowsProps) {
  const say = useWords();
  const secrets = (useSecrets(project).data?.items ?? []).map(({ name }) => name);
  const label = say("hub.job.environment");
  const paste = (event: ClipboardEvent, { key }: VariableRow) => {
    const pasted = variablesIn(event.clipboardData.getData("text"));
    if (pasted.length === 0) return;
    event.preventDefault();
    onChange(variables.flatMap((each) => (each.key === key ? pasted : [each])));
  };
  const offered = secrets.length > 0 || variables.some(({ secret }) => secret);
  return (
    <FieldRows
      label={label}
      more={say("hub.job.addVariable")}
      hint={[hint, variables.length > 0 && say("hub.variable.hint")].filter(Boolean).join(" ") || undefined}
      fault={fault}
      rows={variables}
      newRow={newVariable}
      nameOf={(variable) => variable.name}
      rowClass={offered ? style.row : pairs.row}
      onChange={onChange}
      testId="environment"
    >
      {(variable, at, change) => (
        <>
          <RowBox
            label={say("hub.pair.name", { label, number: at + 1 })}
            placeholder={EXAMPLE.name}
            value={variable.name}
            maxLength={MAX_NAME}
            focused={variable.name === "" && at === variables.length - 1}
            onPaste={(event) => paste(event, variable)}
            onChange={(name) => change({ name })}
          />
          {offered && (
            <Select
              label={say("hub.variable.kind", { number: at + 1 })}
              value={variable.secret ? "secret" : "value"}
              options={[
                { value: "value", label: say("hub.field.value") },
                { value: "secret", label: say("hub.secret.one") },
              ]}
              onChange={(kind) => change({ secret: kind === "secret", value: "" })}
            />
          )}
          {variable.secret ? (
            <Select
              label={say("hub.variable.secret", { number: at + 1 })}
              value={variable.value}
              options={choices(secrets, variable.value, say("hub.source.choose"))}
              onChange={(value) => change({ value })}
            />
          ) : (
            <RowBox
              label={say("hub.pair.value", { label, number: at + 1 })}
              placeholder={EXAMPLE.value}
              value={variable.value}
              onChange={(value) => change({ value })}
            />
          )}
        </>
      )}
    </FieldRows>
  );
}

/** The secrets to choose from. One that is gone, or of another project, is still the current choice. */
function choices(names: readonly string[], chosen: string, none: string) {
  const known = chosen === "" || names.includes(chosen) ? names : [chosen, ...names];
  return [
    ...(chosen === "" ? [{ value: "", label: none }] : []),
    ...known.map((name) => ({ value: name, label: name })),
  ];
}
