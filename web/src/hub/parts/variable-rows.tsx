/** Edits the variables of a job: rows of a name and a value, which may be that of a secret of the project. */

import type { ClipboardEvent } from "react";
import { Button } from "../../widgets/button";
import { Select } from "../../widgets/select";
import boxes from "../../widgets/text-box.module.css";
import { useWords } from "../../words/words";
import { newVariable, type VariableRow, variablesIn } from "../state/job-variables";
import { useSecrets } from "../state/projects";
import form from "./form.module.css";
import rows from "./pair-rows.module.css";
import style from "./variable-rows.module.css";

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
  const change = (key: number, fields: Partial<VariableRow>) =>
    onChange(variables.map((each) => (each.key === key ? { ...each, ...fields } : each)));
  const paste = (event: ClipboardEvent, { key }: VariableRow) => {
    const pasted = variablesIn(event.clipboardData.getData("text"));
    if (pasted.length === 0) return;
    event.preventDefault();
    onChange(variables.flatMap((each) => (each.key === key ? pasted : [each])));
  };
  const offered = secrets.length > 0 || variables.some(({ secret }) => secret);
  return (
    <fieldset className={rows.rows} data-testid="environment">
      <legend>{label}</legend>
      {variables.map((variable, at) => (
        <div key={variable.key} className={offered ? style.row : rows.row}>
          <input
            className={`${boxes.box} ${boxes.code}`}
            aria-label={say("hub.pair.name", { label, number: at + 1 })}
            placeholder={EXAMPLE.name}
            value={variable.name}
            autoComplete="off"
            spellCheck={false}
            maxLength={200}
            // biome-ignore lint/a11y/noAutofocus: a row that was just added is to be filled in
            autoFocus={variable.name === "" && at === variables.length - 1}
            onPaste={(event) => paste(event, variable)}
            onChange={(event) => change(variable.key, { name: event.target.value })}
          />
          {offered && (
            <Select
              label={say("hub.variable.kind", { number: at + 1 })}
              value={variable.secret ? "secret" : "value"}
              options={[
                { value: "value", label: say("hub.field.value") },
                { value: "secret", label: say("hub.secret.one") },
              ]}
              onChange={(kind) => change(variable.key, { secret: kind === "secret", value: "" })}
            />
          )}
          {variable.secret ? (
            <Select
              label={say("hub.variable.secret", { number: at + 1 })}
              value={variable.value}
              options={choices(secrets, variable.value, say("hub.source.choose"))}
              onChange={(value) => change(variable.key, { value })}
            />
          ) : (
            <input
              className={`${boxes.box} ${boxes.code}`}
              aria-label={say("hub.pair.value", { label, number: at + 1 })}
              placeholder={EXAMPLE.value}
              value={variable.value}
              autoComplete="off"
              spellCheck={false}
              onChange={(event) => change(variable.key, { value: event.target.value })}
            />
          )}
          <Button
            variant="quiet"
            icon="trash"
            label={say("hub.pair.remove", { name: variable.name || String(at + 1) })}
            onClick={() => onChange(variables.filter(({ key }) => key !== variable.key))}
          />
        </div>
      ))}
      {fault && (
        <p className={rows.fault} role="alert">
          {fault}
        </p>
      )}
      {hint && <p className={form.hint}>{hint}</p>}
      {variables.length > 0 && <p className={form.hint}>{say("hub.variable.hint")}</p>}
      <div>
        <Button size="small" icon="plus" onClick={() => onChange([...variables, newVariable()])}>
          {say("hub.job.addVariable")}
        </Button>
      </div>
    </fieldset>
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
