/** The variables of a job as rows in the form, and as a request. Pure. */

import type { SecretReference } from "../../api/hub-schema.gen";
import type { WordId } from "../../i18n/words";
import { filled, newPair, type Pair, pairFault, pairsIn } from "./pairs";

/** A row whose value is text, or with `secret` the name of a secret of the project. */
export interface VariableRow extends Pair {
  secret: boolean;
}

/** What jobs have, as the API describes it: null for values that are hidden. */
export type Variables = Readonly<Record<string, string | SecretReference | null>>;

export const newVariable = (name = "", value = "", secret = false): VariableRow => ({
  ...newPair(name, value),
  secret,
});

/** How the command line names a secret as a value. */
const SECRET = /^secret:([A-Za-z_][A-Za-z0-9_.-]{0,99})$/;

/** Pasted lines as `pairsIn`; a value `secret:NAME` is that secret. */
export const variablesIn = (text: string): VariableRow[] =>
  pairsIn(text).map(({ name, value }) => {
    const secret = SECRET.exec(value)?.[1];
    return newVariable(name, secret ?? value, secret !== undefined);
  });

/** The variables of an existing job; hidden values are empty. */
export const variableRowsOf = (variables: Variables): VariableRow[] =>
  Object.entries(variables).map(([name, value]) =>
    typeof value === "object" && value !== null
      ? newVariable(name, value.secret, true)
      : newVariable(name, value ?? ""),
  );

export function variableFault(rows: readonly VariableRow[]): WordId | null {
  const fault = pairFault(rows);
  if (fault) return fault;
  const given = filled(rows);
  if (given.some(({ name }) => /[\s=]/.test(name.trim()))) return "hub.job.fault.variable";
  return given.some(({ secret, value }) => secret && value === "") ? "hub.job.fault.secret" : null;
}

/** The part of the request. */
export const variablesOf = (rows: readonly VariableRow[]): Record<string, string | SecretReference> =>
  Object.fromEntries(
    filled(rows).map(({ name, value, secret }) => [name.trim(), secret ? { secret: value } : value]),
  );
